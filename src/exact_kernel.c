/* exact_kernel.c -- see exact_kernel.h.
 *
 * W(i,p) is the coefficient of x^i y^p in exp(y (e^x - 1 - x - x^2/2)): p vertices of
 * degree 3 or more that share i half-edges.  Joining half-edges in pairs (Isserlis) gives
 * for one table, with L = s + p edges,
 *     E_s = sum_p W(2L,p) (2L-1)!! t^p (1-t)^-L,
 * and for two tables with p and q vertices, i + j = 2L, L = s + p + q, of which c edges
 * join the two sides, A = (i-c)/2 and B = (j-c)/2 go from a side to itself,
 *     E_s = sum W(i,p) W(j,q) i! j!/(c! A! B! 2^(A+B)) u^(p+B) v^(q+A) (1-uv)^-L.
 * Distinct positions: a loop of the kernel must be a path of two edges at least, weight
 * tau instead of 1/(1-t).  Loops are counted by inclusion and exclusion, in doubled
 * precision because that cancels. */
#include "exact_kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

struct kernel_tables {
    enum exact_layout layout;
    unsigned largest;
    double log_factorial[6 * KERNEL_EXCESS_MAX + 1];
    double *w;           /* W(i,p): (6 largest + 1) x (2 largest + 1) */
    struct twice *loops; /* EXACT_ONE_DISTINCT: see fill_loops */
};

/* An unevaluated sum of two doubles, about 106 bits. */
struct twice {
    double high, low;
};

static struct twice twice_sum(struct twice a, struct twice b)
{
    double s = a.high + b.high, t = s - a.high;
    double rest = (a.high - (s - t)) + (b.high - t) + a.low + b.low;
    struct twice sum = {s + rest, 0.0};
    sum.low = rest - (sum.high - s);
    return sum;
}

static struct twice twice_product(struct twice a, struct twice b)
{
    double p = a.high * b.high;
    double rest = fma(a.high, b.high, -p) + (a.high * b.low + a.low * b.high);
    struct twice product = {p + rest, 0.0};
    product.low = rest - (product.high - p);
    return product;
}

static struct twice twice_scale(struct twice a, double b)
{
    struct twice factor = {b, 0.0};
    return twice_product(a, factor);
}

static struct twice twice_quotient(struct twice a, double b)
{
    double q = a.high / b;
    double rest = (fma(-q, b, a.high) + a.low) / b;
    struct twice quotient = {q + rest, 0.0};
    quotient.low = rest - (quotient.high - q);
    return quotient;
}

/* (i+1) W(i+1,p) = p W(i,p) + W(i-2,p-1)/2 */
static void fill_w(struct kernel_tables *self)
{
    size_t width = 2 * self->largest + 1, height = 6 * self->largest + 1;
    self->w[0] = 1.0;
    for (size_t i = 0; i + 1 < height; i++)
        for (size_t p = 1; p < width; p++) {
            double value = (double)p * self->w[i * width + p];
            if (i >= 2)
                value += 0.5 * self->w[(i - 2) * width + p - 1];
            self->w[(i + 1) * width + p] = value / (double)(i + 1);
        }
}

/* Place of F(grade, p, l) in `loops`: p vertices with sum of (degree - 2) = grade, l of
 * whose loops are marked; p <= grade, 2 l <= grade + 2 p <= 3 grade. */
static size_t loops_index(const struct kernel_tables *self, size_t grade, size_t p, size_t l)
{
    size_t top = 2 * self->largest;
    return (grade * (top + 1) + p) * (3 * self->largest + 1) + l;
}

/* F = exp(y sum_k sum_l z^l x^(k-2l)/(2^l l! (k-2l)!)) by grade:
 * grade F(grade) = sum_k (k-2) g_k F(grade - (k-2)).  The power of x follows from the rest. */
static void fill_loops(struct kernel_tables *self)
{
    size_t top = 2 * self->largest;
    self->loops[0].high = 1.0;
    for (size_t grade = 1; grade <= top; grade++)
        for (size_t step = 1; step <= grade; step++) {
            /* vertex of degree step + 2 with `marked` loops; times step, over grade */
            struct twice weight = {(double)step, 0.0};
            for (size_t j = 2; j <= step + 2; j++)
                weight = twice_quotient(weight, (double)j);
            weight = twice_quotient(weight, (double)grade);
            for (size_t marked = 0; 2 * marked <= step + 2; marked++) {
                size_t before = grade - step;
                for (size_t p = 0; p <= before; p++)
                    for (size_t l = 0; 2 * l <= before + 2 * p; l++) {
                        struct twice *to =
                            self->loops + loops_index(self, grade, p + 1, l + marked);
                        *to = twice_sum(
                            *to,
                            twice_product(weight, self->loops[loops_index(self, before, p, l)]));
                    }
                /* 1/(2^l l! (k-2l)!) to the next l */
                double left = (double)(step + 2 - 2 * marked);
                weight = twice_quotient(twice_scale(weight, left * (left - 1.0)),
                                        2.0 * (double)(marked + 1));
            }
        }
}

struct kernel_tables *kernel_tables_new(enum exact_layout layout, unsigned largest)
{
    if (largest > KERNEL_EXCESS_MAX)
        return NULL;
    struct kernel_tables *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->layout = layout;
    self->largest = largest;
    double rest = 0.0; /* of a compensated sum */
    for (size_t i = 1; i < sizeof self->log_factorial / sizeof *self->log_factorial; i++) {
        double term = log((double)i) - rest, sum = self->log_factorial[i - 1] + term;
        rest = (sum - self->log_factorial[i - 1]) - term;
        self->log_factorial[i] = sum;
    }
    size_t size = 2 * (size_t)largest + 1;
    if (layout == EXACT_ONE_DISTINCT)
        self->loops = calloc(size * size * (3 * (size_t)largest + 1), sizeof *self->loops);
    else
        self->w = calloc((6 * (size_t)largest + 1) * size, sizeof *self->w);
    if (!self->loops && !self->w) {
        kernel_tables_free(self);
        return NULL;
    }
    if (layout == EXACT_ONE_DISTINCT)
        fill_loops(self);
    else
        fill_w(self);
    return self;
}

void kernel_tables_free(struct kernel_tables *self)
{
    if (!self)
        return;
    free(self->loops);
    free(self->w);
    free(self);
}

static void one_repeat(struct kernel *self, const struct kernel_tables *tables)
{
    size_t width = 2 * tables->largest + 1, s = self->excess;
    const double *lf = tables->log_factorial;
    for (size_t p = 1; p <= 2 * s; p++) {
        size_t edges = s + p;
        self->c[p] = tables->w[2 * edges * width + p] *
                     exp(lf[2 * edges] - lf[edges] - (double)edges * log(2.0));
    }
}

/* c(p,l): kernels with p vertices and l loops, from those with at least l marked ones. */
static void one_distinct(struct kernel *self, const struct kernel_tables *tables)
{
    size_t s = self->excess;
    for (size_t p = 1; p <= 2 * s; p++) {
        size_t edges = s + p;
        struct twice marked[3 * KERNEL_EXCESS_MAX + 1]; /* weight with so many marked loops */
        struct twice pairings = {1.0, 0.0};             /* (2 (edges - l) - 1)!! */
        for (size_t l = edges + 1; l-- > 0;) {
            struct twice f = tables->loops[loops_index(tables, 2 * s, p, l)];
            marked[l] = twice_product(f, pairings);
            pairings = twice_scale(pairings, (double)(2 * (edges - l) + 1));
        }
        for (size_t l = 0; l <= edges; l++) {
            struct twice sum = {0.0, 0.0}, choose = {1.0, 0.0}; /* +-C(all, l) */
            for (size_t all = l; all <= edges; all++) {
                sum = twice_sum(sum, twice_product(choose, marked[all]));
                choose = twice_scale(choose, -(double)(all + 1));
                choose = twice_quotient(choose, (double)(all + 1 - l));
            }
            self->c[l * self->columns + p] = sum.high;
        }
    }
}

/* One pair (p, q) of the two-table sum, into by_power[e][L][a] at this L, where
 * u^x v^y = u^e (uv)^a or v^e (uv)^a; only x >= y is kept (the other half mirrors it). */
static void split_pair(const struct kernel_tables *tables, size_t s, size_t p, size_t q,
                       double *by_power, size_t powers)
{
    const double *lf = tables->log_factorial;
    size_t width = 2 * tables->largest + 1, edges = s + p + q;
    for (size_t i = p ? 3 * p : 0; i + 3 * q <= 2 * edges; i++) {
        size_t j = 2 * edges - i;
        double pair = tables->w[i * width + p] * tables->w[j * width + q];
        if (pair == 0.0)
            continue;
        for (size_t c = i % 2; c <= i && c <= j; c += 2) {
            size_t a = (i - c) / 2, b = (j - c) / 2, x = p + b, y = q + a;
            if (x < y)
                continue;
            double ways = exp(lf[i] + lf[j] - lf[c] - lf[a] - lf[b] - (double)(a + b) * log(2.0));
            by_power[(x - y) * powers + y] += pair * ways;
        }
    }
}

static int split(struct kernel *self, const struct kernel_tables *tables)
{
    size_t s = self->excess, powers = 3 * s + 1;
    double *by_power = malloc((s + 1) * powers * sizeof *by_power);
    if (!by_power)
        return ERR_MEMORY;
    for (size_t vertices = 1; vertices <= 2 * s; vertices++) {
        size_t edges = s + vertices;
        memset(by_power, 0, (s + 1) * powers * sizeof *by_power);
        for (size_t p = 0; p <= vertices; p++)
            split_pair(tables, s, p, vertices - p, by_power, powers);
        /* (uv)^a (1-uv)^-L = tau^a (1+tau)^(L-a) */
        for (size_t e = 0; e <= s; e++)
            for (size_t a = 0; a < powers && a <= edges; a++) {
                double term = by_power[e * powers + a];
                for (size_t j = a; term != 0.0 && j <= edges; j++) {
                    self->c[e * self->columns + j] += term;
                    term *= (double)(edges - j) / (double)(j + 1 - a);
                }
            }
    }
    free(by_power);
    return 0;
}

int kernel_init(struct kernel *self, const struct kernel_tables *tables, unsigned excess)
{
    self->layout = tables->layout;
    self->excess = excess;
    self->rows = tables->layout == EXACT_SPLIT          ? excess + 1
                 : tables->layout == EXACT_ONE_DISTINCT ? 3 * excess + 1
                                                        : 1;
    self->columns = tables->layout == EXACT_SPLIT ? 3 * excess + 1 : 2 * excess + 1;
    self->c = calloc((size_t)self->rows * self->columns, sizeof *self->c);
    if (!self->c)
        return ERR_MEMORY;
    if (excess == 0) {
        self->c[0] = 1.0;
        return 0;
    }
    if (tables->layout == EXACT_SPLIT)
        return split(self, tables);
    if (tables->layout == EXACT_ONE_DISTINCT)
        one_distinct(self, tables);
    else
        one_repeat(self, tables);
    return 0;
}

void kernel_free(struct kernel *self)
{
    free(self->c);
    self->c = NULL;
}

void kernel_rows(const struct kernel *self, double complex tau, int large, double complex *out)
{
    double complex inverse = 1.0 / tau;
    for (size_t row = 0; row < self->rows; row++) {
        const double *c = self->c + row * self->columns;
        double complex sum = 0.0;
        if (large)
            for (size_t column = 0; column < self->columns; column++)
                sum = sum * inverse + c[column];
        else
            for (size_t column = self->columns; column-- > 0;)
                sum = sum * tau + c[column];
        out[row] = sum;
    }
}
