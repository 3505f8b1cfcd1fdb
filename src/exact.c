/* exact.c -- see exact.h: which stash sizes can occur, and sums over them. */
#include "exact.h"

#include <math.h>

#include "error.h"
#include "exact_integral.h"

/* S can be s exactly for least <= s <= most.  At most min(slots, ...) vertices carry edges,
 * so S >= keys - slots; the most is reached with all edges on as few vertices as an edge
 * needs: one (a loop) or two. */
struct range {
    uint64_t least, most;
};

static struct range possible(const struct exact_setting *self)
{
    uint64_t slots = self->slots_1 + self->slots_2;
    uint64_t smallest = self->layout == EXACT_ONE_REPEAT ? 1 : 2;
    struct range range = {self->keys > slots ? self->keys - slots : 0,
                          self->keys > smallest ? self->keys - smallest : 0};
    return range;
}

static int check(const struct exact_setting *self, unsigned largest)
{
    const uint64_t limit = UINT64_C(1) << 40;
    if (self->layout != EXACT_SPLIT && self->layout != EXACT_ONE_REPEAT &&
        self->layout != EXACT_ONE_DISTINCT)
        return ERR_DOMAIN;
    int two = self->layout == EXACT_SPLIT;
    uint64_t first = self->layout == EXACT_ONE_DISTINCT ? 2 : 1;
    if (largest > EXACT_STASH_MAX || self->keys > limit || self->slots_1 < first ||
        self->slots_1 > limit || self->slots_2 > limit || (self->slots_2 > 0) != two)
        return ERR_DOMAIN;
    return 0;
}

static int log_equal(const struct exact_setting *self, const struct kernel_tables *tables,
                     unsigned s, double *log_p)
{
    struct range range = possible(self);
    *log_p = -INFINITY;
    if (s < range.least || s > range.most)
        return 0;
    if (range.least == range.most) { /* no keys, or one outcome only */
        *log_p = 0.0;
        return 0;
    }
    struct kernel kernel;
    int status = kernel_init(&kernel, tables, s);
    if (!status)
        status = self->layout == EXACT_SPLIT ? integral_split(self, &kernel, log_p)
                                             : integral_one(self, &kernel, log_p);
    kernel_free(&kernel);
    return status;
}

/* Terms after the last one asked for: usually the first few suffice, near the limit all of
 * them do not (KERNEL_EXCESS_MAX is 48). */
enum { FEW_BEYOND = 7, BEYOND = 15 };

/* Of 1 - a sum of up to 33 terms; ten times what was measured. */
static const double complement_error = 1e-11;

/* log Pr[S = s] for s = 0 ... *count - 1 in log_p, *count > largest + 1; stops when what
 * is left cannot matter, judged by the last two terms (the ratio of terms changes slowly). */
static int all_equal(const struct exact_setting *self, unsigned largest, double *log_p,
                     unsigned *count)
{
    unsigned most = largest + 1 + BEYOND, ready = largest + 1 + FEW_BEYOND;
    struct kernel_tables *tables = kernel_tables_new(self->layout, ready);
    if (!tables)
        return ERR_MEMORY;
    int status = 0;
    unsigned s = 0;
    for (; s <= most && !status; s++) {
        if (s > ready) {
            kernel_tables_free(tables);
            ready = most;
            tables = kernel_tables_new(self->layout, ready);
            if (!tables)
                return ERR_MEMORY;
        }
        status = log_equal(self, tables, s, &log_p[s]);
        if (s < largest + 2)
            continue;
        double step = log_p[s] - log_p[s - 1]; /* NaN where both are zero: falls through */
        if (log_p[s] == -INFINITY || (step < -0.7 && log_p[s] - log_p[largest + 1] < -23.0)) {
            s++;
            break;
        }
    }
    kernel_tables_free(tables);
    *count = s;
    return status;
}

/* The sum of the terms from `first` on, with a geometric estimate of what is beyond the
 * last; *rest is the share of that estimate, a measure of the error. */
static double log_upper_sum(const double *log_p, unsigned first, unsigned count, double *rest)
{
    double top = -INFINITY, sum = 0.0;
    for (unsigned j = first; j < count; j++)
        top = fmax(top, log_p[j]);
    *rest = 0.0;
    if (top == -INFINITY)
        return -INFINITY;
    for (unsigned j = first; j < count; j++)
        sum += exp(log_p[j] - top);
    double ratio = exp(log_p[count - 1] - log_p[count - 2]);
    if (log_p[count - 1] > -INFINITY) {
        double beyond = ratio < 1.0 ? exp(log_p[count - 1] - top) * ratio / (1.0 - ratio) : 1e300;
        *rest = beyond / (sum + beyond);
        sum += ratio < 1.0 ? beyond : 0.0;
    }
    return top + log(sum);
}

static void fill_at_least(const double *log_p, unsigned largest, unsigned count, double *log_tail,
                          double *error)
{
    double below = 0.0; /* Pr[S < s] */
    for (unsigned s = 0; s <= largest + 1; s++) {
        double rest, sum = log_upper_sum(log_p, s, count, &rest);
        double complement = 1.0 - below;
        error[s] = 0.0;
        if (s == 0) {
            log_tail[s] = 0.0;
        } else if (below < 0.5 || (rest > 1e-9 && rest * exp(fmin(sum, 0.0)) > complement_error)) {
            /* mostly above s, or terms that fall slowly: the complement is the better one */
            log_tail[s] = complement > 0.0 ? log(complement) : sum;
            error[s] = below > 1e-14 ? complement_error : 0.0;
        } else {
            log_tail[s] = fmin(sum, 0.0);
            /* the part that was estimated, by a ratio good to a tenth */
            error[s] = 0.1 * rest * exp(log_tail[s]);
        }
        below += exp(log_p[s]);
    }
}

int exact_stash(const struct exact_setting *self, unsigned largest, struct exact_row *rows)
{
    int status = check(self, largest);
    if (status)
        return status;
    double log_p[EXACT_STASH_MAX + 2 + BEYOND], log_tail[EXACT_STASH_MAX + 2];
    double error[EXACT_STASH_MAX + 2];
    unsigned count;
    status = all_equal(self, largest, log_p, &count);
    if (status)
        return status;
    fill_at_least(log_p, largest, count, log_tail, error);
    for (unsigned s = 0; s <= largest; s++) {
        struct range range = possible(self);
        double overflow = s >= range.most ? -INFINITY : s < range.least ? 0.0 : log_tail[s + 1];
        double at_least = s > range.most ? -INFINITY : s <= range.least ? 0.0 : log_tail[s];
        rows[s].log_equal = log_p[s];
        rows[s].error_at_least = at_least == log_tail[s] ? error[s] : 0.0;
        rows[s].error_overflow = overflow == log_tail[s + 1] ? error[s + 1] : 0.0;
        rows[s].log_at_least = at_least;
        rows[s].log_overflow = overflow;
        rows[s].equal = exp(log_p[s]);
        rows[s].at_least = exp(at_least);
        rows[s].overflow = exp(overflow);
    }
    return 0;
}

int exact_leading_constant(enum exact_layout layout, double epsilon, double *constant)
{
    double e = epsilon, rest = 1.0 - epsilon;
    if (!(e > 0.0 && e < 1.0))
        return ERR_DOMAIN;
    if (layout == EXACT_SPLIT)
        *constant = (2.0 * e * e - 5.0 * e + 5.0) * rest * rest * rest /
                    (12.0 * (2.0 - e) * (2.0 - e) * e * e * e);
    else if (layout == EXACT_ONE_REPEAT)
        *constant = (5.0 - 2.0 * e) * rest * rest / (48.0 * e * e * e);
    else
        return ERR_DOMAIN;
    return 0;
}

/* Knuth's Q_0 and Q_1: sum over k of C(r+k, k) keys (keys-1) ... (keys-k+1)/slots^k. */
static void q_sums(double slots, double keys, double *q0, double *q1)
{
    double term = 1.0, sum0 = 0.0, sum1 = 0.0;
    for (double k = 0.0; k <= keys; k += 1.0) {
        sum0 += term;
        sum1 += (k + 1.0) * term;
        term *= (keys - k) / slots;
        if (term * (k + 2.0) < 1e-19 * sum0 && keys - k < slots)
            break;
    }
    *q0 = sum0;
    *q1 = sum1;
}

int exact_linear_probing(uint64_t slots, uint64_t keys, double *hit, double *miss)
{
    if (slots == 0 || keys >= slots || slots > UINT64_C(1) << 40)
        return ERR_DOMAIN;
    double q0, q1;
    if (hit) {
        *hit = 0.0;
        if (keys > 0) {
            q_sums((double)slots, (double)(keys - 1), &q0, &q1);
            *hit = 0.5 * (1.0 + q0);
        }
    }
    if (miss) {
        q_sums((double)slots, (double)keys, &q0, &q1);
        *miss = 0.5 * (1.0 + q1);
    }
    return 0;
}
