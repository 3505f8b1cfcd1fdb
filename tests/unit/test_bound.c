/* The bounds against complete enumeration of small tables (Hall's condition on every set of
 * buckets) and against the sum they stand for, with A(j,t) counted by its recursion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_errno.h>
#include <math.h>

#include "../../src/bound.h"
#include "../../src/error.h"

static void check_close(double seen, double wanted, double relative)
{
    if (!(fabs(seen - wanted) <= relative * fabs(wanted)))
        fail_msg("%.17g is not %.17g (relative %.3g)", seen, wanted, seen / wanted - 1.0);
}

/* --- complete enumeration: a key is the set of its candidate buckets, a bit mask; every
 * multiset of masks, with the number of ways to draw it --- */

struct small {
    unsigned d, k, n, b;
    double ways[64]; /* sequences of candidates with this mask */
    unsigned count[64];
    double failing, all;
};

static void count_masks(struct small *self, enum bound_positions positions, unsigned at,
                        unsigned mask)
{
    if (at == self->d) {
        self->ways[mask] += 1.0;
        return;
    }
    unsigned each = self->b / self->d;
    unsigned first = positions == BOUND_SPLIT ? at * each : 0;
    unsigned end = positions == BOUND_SPLIT ? first + each : self->b;
    for (unsigned x = first; x < end; x++)
        if (positions != BOUND_DISTINCT || !(mask & 1u << x))
            count_masks(self, positions, at + 1, mask | 1u << x);
}

static int no_placement(const struct small *self)
{
    for (unsigned set = 1; set < 1u << self->b; set++) {
        unsigned inside = 0, size = 0;
        for (unsigned x = 0; x < self->b; x++)
            size += set >> x & 1u;
        for (unsigned mask = 1; mask < 1u << self->b; mask++)
            if ((mask & ~set) == 0)
                inside += self->count[mask];
        if (inside > self->k * size)
            return 1;
    }
    return 0;
}

static void draw_keys(struct small *self, unsigned mask, unsigned left, double ways)
{
    if (mask == 1u << self->b) {
        if (left > 0)
            return;
        self->all += ways;
        if (no_placement(self))
            self->failing += ways;
        return;
    }
    double these = ways;
    for (unsigned c = 0; c <= left && these > 0.0; c++) {
        self->count[mask] = c;
        draw_keys(self, mask + 1, left - c, these);
        these *= (double)(left - c) / (c + 1) * self->ways[mask];
    }
    self->count[mask] = 0;
}

static double enumerated(enum bound_positions positions, unsigned d, unsigned k, unsigned n,
                         unsigned b)
{
    struct small self = {.d = d, .k = k, .n = n, .b = b};
    count_masks(&self, positions, 0, 0);
    draw_keys(&self, 1, n, 1.0);
    return self.failing / self.all;
}

static void bounds(enum bound_positions positions, unsigned d, unsigned k, uint64_t n, uint64_t b,
                   double *lower, double *upper)
{
    struct bound_setting setting = {positions, d, k, n, b};
    struct bound_result result;
    assert_int_equal(bound_failure(&setting, &result), 0);
    *lower = exp(result.log_lower);
    *upper = exp(result.log_upper);
    assert_true(result.log_lower <= result.log_upper && result.log_upper <= 0.0);
}

static void test_enumeration(void **state)
{
    (void)state;
    double lower, upper;
    for (unsigned positions = 0; positions <= BOUND_SPLIT; positions++)
        for (unsigned d = 2; d <= 4; d++)
            for (unsigned k = 1; k <= 2; k++)
                for (unsigned b = d; b <= 5; b++)
                    for (unsigned n = 0; n <= (b == 5 ? 3u : 4u) && n <= k * b + 1; n++) {
                        if (positions == BOUND_SPLIT && b % d)
                            continue;
                        double exact = enumerated(positions, d, k, n, b);
                        bounds(positions, d, k, n, b, &lower, &upper);
                        if (!(lower <= exact * (1 + 1e-9) && exact <= upper * (1 + 1e-9)))
                            fail_msg("positions %u d %u k %u n %u b %u: %g <= %g <= %g", positions,
                                     d, k, n, b, lower, exact, upper);
                    }
    check_close(enumerated(BOUND_REPEAT, 3, 1, 3, 3), 547.0 / 6561, 1e-12);
    check_close(enumerated(BOUND_DISTINCT, 3, 1, 4, 4), 1.0 / 64, 1e-12);
    /* the only obstruction that four keys in four slots can have: the bound is the truth */
    bounds(BOUND_DISTINCT, 3, 1, 4, 4, &lower, &upper);
    check_close(upper, 1.0 / 64, 1e-9);
}

/* A(j,t): sequences of j positions over t buckets, each hit more than k times. */
static double hits(unsigned j, unsigned t, unsigned k)
{
    double row[80], next[80];
    for (unsigned x = 0; x <= j; x++)
        row[x] = x == 0 ? 1.0 : 0.0;
    for (unsigned bucket = 0; bucket < t; bucket++) {
        for (unsigned x = 0; x <= j; x++) {
            double choose = 1.0; /* C(x, i) */
            next[x] = 0.0;
            for (unsigned i = 0; i <= x; i++) {
                if (i > k)
                    next[x] += choose * row[x - i];
                choose = choose * (x - i) / (i + 1);
            }
        }
        for (unsigned x = 0; x <= j; x++)
            row[x] = next[x];
    }
    return row[j];
}

static double choose(double n, double r)
{
    double product = 1.0;
    for (double i = 0.0; i < r; i += 1.0)
        product *= (n - i) / (r - i);
    return n >= r ? product : 0.0;
}

/* All ways to share t buckets among the tables left, for the split sum. */
static double shared(unsigned tables, unsigned t, unsigned keys, unsigned k, unsigned each)
{
    if (tables == 0)
        return t == 0 ? 1.0 : 0.0;
    double sum = 0.0;
    for (unsigned i = 1; i <= t && i <= each; i++)
        sum += choose(each, i) * hits(keys, i, k) / pow(each, keys) *
               shared(tables - 1, t - i, keys, k, each);
    return sum;
}

static double union_bound(enum bound_positions positions, unsigned d, unsigned k, unsigned n,
                          unsigned b)
{
    double sum = 0.0;
    for (unsigned t = 1; k * t + 1 <= n; t++) {
        unsigned keys = k * t + 1;
        double chance = hits(d * keys, t, k) / pow(b, d * keys);
        if (positions == BOUND_SPLIT) {
            sum += choose(n, keys) * shared(d, t, keys, k, b / d);
            continue;
        }
        if (positions == BOUND_DISTINCT) {
            double falling = 1.0;
            for (unsigned i = 0; i < d; i++)
                falling *= b - i;
            chance = fmin(pow(choose(t, d) / choose(b, d), keys),
                          hits(d * keys, t, k) / pow(falling, keys));
        }
        sum += choose(n, keys) * choose(b, t) * chance;
    }
    return sum;
}

static void test_is_the_union_bound(void **state)
{
    (void)state;
    double lower, upper;
    for (unsigned positions = 0; positions <= BOUND_SPLIT; positions++)
        for (unsigned d = 2; d <= 4; d++)
            for (unsigned k = 1; k <= 3; k++)
                for (unsigned n = 2; n <= 14; n += 3) {
                    unsigned b = d * 12;
                    bounds(positions, d, k, n, b, &lower, &upper);
                    double sum = union_bound(positions, d, k, n, b);
                    if (!(upper >= sum && upper <= sum * (1 + 1e-8)))
                        fail_msg("positions %u d %u k %u n %u: %.12g is not %.12g", positions, d, k,
                                 n, upper, sum);
                }
}

static void test_known_values(void **state)
{
    (void)state;
    double lower, upper;
    /* sampled: 3.3e-7 of 4 x 10^7 tables */
    bounds(BOUND_REPEAT, 3, 1, 12, 48, &lower, &upper);
    check_close(upper, 3.84e-7, 2e-3);
    assert_true(lower < 3.3e-7);
    bounds(BOUND_REPEAT, 4, 1, 256, 325, &lower, &upper);
    assert_true(fabs(-log2(upper) - 43.4) < 0.05 && fabs(-log2(lower) - 43.4) < 0.05);
    bounds(BOUND_DISTINCT, 3, 1, 256, 384, &lower, &upper);
    assert_true(-log2(upper) > 41.0 && -log2(lower) < 42.5);
    bounds(BOUND_REPEAT, 3, 1, 256, 384, &lower, &upper);
    assert_true(-log2(upper) > 27.5 && -log2(lower) < 28.0);
}

static void test_convergence(void **state)
{
    (void)state;
    struct bound_setting setting = {BOUND_REPEAT, 3, 1, 1 << 20, 1331692};
    struct bound_result result;
    assert_int_equal(bound_failure(&setting, &result), 0);
    assert_true(!result.converged && result.log_upper == 0.0 && result.dominating > 100000);
    assert_true(result.log_lower < -40.0);
    setting.candidates = 4;
    assert_int_equal(bound_failure(&setting, &result), 0);
    assert_true(result.converged && result.dominating == 1);
    check_close(result.log_upper, result.log_lower, 1e-6);
    /* more slots never hurt where the bound converges */
    double last = 0.0;
    for (setting.buckets = 1400000; setting.buckets < 3000000; setting.buckets += 200000) {
        assert_int_equal(bound_failure(&setting, &result), 0);
        assert_true(result.log_upper < last);
        last = result.log_upper;
    }
}

static void test_edges(void **state)
{
    (void)state;
    double lower, upper;
    bounds(BOUND_REPEAT, 3, 1, 0, 1, &lower, &upper);
    assert_true(lower == 0.0 && upper == 0.0);
    bounds(BOUND_REPEAT, 3, 1, 1, 1, &lower, &upper);
    assert_true(lower == 0.0 && upper == 0.0);
    bounds(BOUND_REPEAT, 2, 2, 5, 2, &lower, &upper);
    assert_true(lower == 1.0 && upper == 1.0);
    bounds(BOUND_DISTINCT, 3, 1, 3, 3, &lower, &upper);
    assert_true(lower == 0.0 && upper == 0.0);
    struct bound_result result;
    struct bound_setting bad[] = {{BOUND_REPEAT, 1, 1, 1, 1},   {BOUND_REPEAT, 2, 0, 1, 1},
                                  {BOUND_REPEAT, 2, 1, 1, 0},   {BOUND_SPLIT, 3, 1, 1, 4},
                                  {BOUND_DISTINCT, 3, 1, 1, 2}, {BOUND_REPEAT, 65, 1, 1, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(bound_failure(&bad[i], &result), ERR_DOMAIN);
}

int main(void)
{
    gsl_set_error_handler_off();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enumeration),  cmocka_unit_test(test_is_the_union_bound),
        cmocka_unit_test(test_known_values), cmocka_unit_test(test_convergence),
        cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
