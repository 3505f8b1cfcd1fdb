/* Intervals, tails, percentiles and Fisher's test against a high-precision table
 * (make_stats_table.py), closed forms and slow sums. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_errno.h>
#include <math.h>

#include "../../src/error.h"
#include "../../src/stats.h"
#include "stats_table.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static void check_close(double seen, double wanted, double relative)
{
    if (!(fabs(seen - wanted) <= relative * fabs(wanted)))
        fail_msg("%.17g is not %.17g (relative %.3g)", seen, wanted, seen / wanted - 1.0);
}

static void test_clopper_pearson_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(interval_table); i++) {
        double low, high;
        assert_int_equal(stats_clopper_pearson(interval_table[i].k, interval_table[i].n,
                                               interval_table[i].confidence, &low, &high),
                         0);
        check_close(low, interval_table[i].low, 2e-13);
        check_close(high, interval_table[i].high, 2e-13);
        /* the width, which is what a reader sees where the proportion is not small */
        double width = interval_table[i].high - interval_table[i].low;
        if (interval_table[i].n <= 1000000000)
            check_close(high - low, width, 1e-9);
    }
}

static void test_clopper_pearson_ends(void **state)
{
    (void)state;
    double low, high;
    for (uint64_t n = 1; n <= 1000; n++) {
        assert_int_equal(stats_clopper_pearson(0, n, 0.95, &low, &high), 0);
        assert_true(low == 0.0 && high > 0.0 && high < 1.0);
        assert_int_equal(stats_clopper_pearson(n, n, 0.95, &low, &high), 0);
        assert_true(high == 1.0 && low > 0.0 && low < 1.0);
    }
    /* how many trials without a failure support 2^-40: 3.29e12 for 95 % on one side */
    assert_int_equal(stats_clopper_pearson(0, UINT64_C(3293810000000), 0.90, &low, &high), 0);
    check_close(high, ldexp(1.0, -40), 1e-5);
    assert_int_equal(stats_clopper_pearson(0, 0, 0.95, &low, &high), ERR_DOMAIN);
    assert_int_equal(stats_clopper_pearson(2, 1, 0.95, &low, &high), ERR_DOMAIN);
    assert_int_equal(stats_clopper_pearson(1, 2, 1.0, &low, &high), ERR_DOMAIN);
    assert_int_equal(stats_clopper_pearson(1, 2, NAN, &low, &high), ERR_DOMAIN);
}

/* Each end makes its own tail exactly alpha/2, and the interval holds the proportion. */
static void test_clopper_pearson_defines_its_tails(void **state)
{
    (void)state;
    const uint64_t sizes[] = {2, 7, 100, 50000, 10000000, UINT64_C(1) << 40};
    const double levels[] = {0.1, 0.5, 0.95, 0.999999};
    for (size_t i = 0; i < LENGTH(sizes); i++)
        for (uint64_t k = 1; k < sizes[i]; k = k * 3 + 1)
            for (size_t j = 0; j < LENGTH(levels); j++) {
                double low, high, tail, half = 0.5 * (1.0 - levels[j]);
                assert_int_equal(stats_clopper_pearson(k, sizes[i], levels[j], &low, &high), 0);
                double share = (double)k / (double)sizes[i];
                assert_true(low < high && low < share * (1 + 1e-9) && share < high * (1 + 1e-9));
                assert_int_equal(stats_binomial_tails(k, sizes[i], low, NULL, &tail), 0);
                check_close(exp(tail), half, 1e-8);
                assert_int_equal(stats_binomial_tails(k, sizes[i], high, &tail, NULL), 0);
                check_close(exp(tail), half, 1e-8);
            }
}

static void test_binomial_tails(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(tail_table); i++) {
        double most, least;
        assert_int_equal(
            stats_binomial_tails(tail_table[i].k, tail_table[i].n, tail_table[i].p, &most, &least),
            0);
        if (tail_table[i].log_at_most > -1e-30)
            assert_true(most <= 0.0 && most > -1e-15);
        else
            check_close(most, tail_table[i].log_at_most, 2e-12);
        if (tail_table[i].log_at_least > -1e-30)
            assert_true(least <= 0.0 && least > -1e-15);
        else
            check_close(least, tail_table[i].log_at_least, 2e-12);
    }
    double most, least;
    assert_int_equal(stats_binomial_tails(3, 9, 0.0, &most, &least), 0);
    assert_true(most == 0.0 && least == -INFINITY);
    assert_int_equal(stats_binomial_tails(3, 9, 1.0, &most, &least), 0);
    assert_true(most == -INFINITY && least == 0.0);
    assert_int_equal(stats_binomial_tails(10, 9, 0.5, &most, &least), ERR_DOMAIN);
}

/* Every tail for small n against the sum of the definition. */
static void test_binomial_tails_by_summing(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 40; n++)
        for (uint64_t k = 0; k <= n; k++)
            for (int i = 1; i < 10; i++) {
                double p = i / 10.0, at_least = 0.0, choose = 1.0, most, least;
                for (uint64_t j = 0; j <= n; j++) {
                    if (j >= k)
                        at_least += choose * pow(p, (double)j) * pow(1 - p, (double)(n - j));
                    choose *= (double)(n - j) / (double)(j + 1);
                }
                assert_int_equal(stats_binomial_tails(k, n, p, &most, &least), 0);
                check_close(exp(least), at_least, 1e-12);
                if (k > 0)
                    assert_true(fabs(exp(most) + at_least - exp(stats_binomial_log_pmf(k, n, p)) -
                                     1.0) < 1e-12);
            }
}

static void test_median_interval(void **state)
{
    (void)state;
    uint64_t low, high;
    double coverage;
    /* n = 25 at 95%: ranks 8 and 18, 1 - 2 * 726206/2^25 (sum of C(25,j), j <= 7) */
    assert_int_equal(stats_median_interval(25, 0.95, &low, &high, &coverage), 0);
    assert_true(low == 8 && high == 18);
    check_close(coverage, 1.0 - 2.0 * 726206.0 / 33554432.0, 1e-14);
    /* too few values: the full range, and its coverage says so */
    for (uint64_t n = 1; n <= 5; n++) {
        assert_int_equal(stats_median_interval(n, 0.95, &low, &high, &coverage), 0);
        assert_true(low == 1 && high == n);
        assert_true(fabs(coverage - (1.0 - ldexp(1.0, 1 - (int)n))) < 1e-14);
    }
    assert_int_equal(stats_median_interval(6, 0.95, &low, &high, &coverage), 0);
    assert_true(low == 1 && high == 6 && coverage > 0.95);
    /* one rank further in would fall short, for every n */
    for (uint64_t n = 6; n < 400; n++) {
        double further;
        assert_int_equal(stats_median_interval(n, 0.95, &low, &high, &coverage), 0);
        assert_true(coverage >= 0.95 && low >= 1 && high == n + 1 - low && low <= high);
        assert_int_equal(stats_binomial_tails(low, n, 0.5, &further, NULL), 0);
        assert_true(1.0 - 2.0 * exp(further) < 0.95);
    }
    assert_int_equal(stats_median_interval(0, 0.95, &low, &high, &coverage), ERR_DOMAIN);
}

static void test_mean_interval(void **state)
{
    (void)state;
    double mean, half;
    /* 1..5: mean 3, variance 2.5, t(4, 97.5%) = 2.7764451051977987 */
    assert_int_equal(stats_mean_interval(5, 15, 55, 0.95, &mean, &half), 0);
    check_close(mean, 3.0, 1e-15);
    check_close(half, 2.7764451051977987 * sqrt(0.5), 1e-10);
    /* the same values moved by 10^7: no digit is lost */
    assert_int_equal(
        stats_mean_interval(5, 50000015, 5.0 * 1e14 + 30.0 * 1e7 + 55, 0.95, &mean, &half), 0);
    check_close(half, 2.7764451051977987 * sqrt(0.5), 1e-10);
    assert_int_equal(stats_mean_interval(16, 16, 16, 0.95, &mean, &half), 0);
    assert_true(half == 0.0);
    assert_int_equal(stats_mean_interval(1, 4, 16, 0.95, &mean, &half), 0);
    assert_true(half == INFINITY && mean == 4.0);
    /* t(15, 97.5%) and t(1, 97.5%) */
    assert_int_equal(stats_mean_interval(16, 8, 8, 0.95, &mean, &half), 0);
    check_close(half, 2.1314495455597742 * sqrt(4.0 / 15.0 / 16.0), 1e-10);
    assert_int_equal(stats_mean_interval(2, 1, 1, 0.95, &mean, &half), 0);
    check_close(half, 12.706204736174705 * 0.5, 1e-9);
    assert_int_equal(stats_mean_interval(0, 0, 0, 0.95, &mean, &half), ERR_DOMAIN);
}

static void test_percentile(void **state)
{
    (void)state;
    const uint64_t hundred[] = {0, 90, 9, 0, 1};
    size_t value;
    assert_int_equal(stats_percentile(hundred, 5, 90, 100, &value), 0);
    assert_int_equal(value, 1);
    assert_int_equal(stats_percentile(hundred, 5, 99, 100, &value), 0);
    assert_int_equal(value, 2); /* rank 99 exactly: a rounded 0.99*100 could say 100 */
    assert_int_equal(stats_percentile(hundred, 5, 999, 1000, &value), 0);
    assert_int_equal(value, 4);
    assert_int_equal(stats_percentile(hundred, 5, 0, 1, &value), 0);
    assert_int_equal(value, 1);
    assert_int_equal(stats_percentile(hundred, 5, 1, 1, &value), 0);
    assert_int_equal(value, 4);
    const uint64_t huge[] = {UINT64_C(9990000000000000000), UINT64_C(9999999999999999),
                             1}; /* 99.9% of nearly 10^19, one short of the rank */
    assert_int_equal(stats_percentile(huge, 3, 999, 1000, &value), 0);
    assert_int_equal(value, 0);
    const uint64_t nothing[] = {0, 0};
    assert_int_equal(stats_percentile(nothing, 2, 1, 2, &value), ERR_DOMAIN);
    assert_int_equal(stats_percentile(hundred, 5, 2, 1, &value), ERR_DOMAIN);
    assert_int_equal(stats_percentile(hundred, 5, 0, 0, &value), ERR_DOMAIN);
}

static double choose(double n, double k)
{
    return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1));
}

static void test_fisher_by_summing(void **state)
{
    (void)state;
    for (uint64_t n1 = 1; n1 <= 9; n1++)
        for (uint64_t n2 = 1; n2 <= 7; n2++)
            for (uint64_t a = 0; a <= n1; a++)
                for (uint64_t b = 0; b <= n2; b++) {
                    double all = 0, down = 0, up = 0, two = 0, seen;
                    seen = choose((double)n1, (double)a) * choose((double)n2, (double)b);
                    for (uint64_t x = 0; x <= n1 && x <= a + b; x++) {
                        if (a + b - x > n2)
                            continue;
                        double w =
                            choose((double)n1, (double)x) * choose((double)n2, (double)(a + b - x));
                        all += w;
                        down += x <= a ? w : 0.0;
                        up += x >= a ? w : 0.0;
                        two += w <= seen * (1 + 1e-9) ? w : 0.0;
                    }
                    double less, greater, both;
                    assert_int_equal(stats_fisher(a, n1, b, n2, &less, &greater, &both), 0);
                    check_close(exp(less), down / all, 1e-11);
                    check_close(exp(greater), up / all, 1e-11);
                    check_close(exp(both), two / all, 1e-11);
                }
}

static void test_fisher_large(void **state)
{
    (void)state;
    double less, greater, both;
    /* 73 of 10^5 against 10161 of 10^7: the stray value of the first article */
    assert_int_equal(stats_fisher(73, 100000, 10161, 10000000, &less, &greater, &both), 0);
    assert_true(exp(less) > 1e-3 && exp(less) < 3e-3 && exp(both) > exp(less));
    /* the same proportion in both: nothing to see, even at 10^12 */
    assert_int_equal(stats_fisher(UINT64_C(1000000), UINT64_C(1000000000000), 500000,
                                  UINT64_C(500000000000), &less, &greater, &both),
                     0);
    check_close(exp(both), 1.0, 1e-9);
    assert_true(fabs(exp(less) + exp(greater) - 1.0) < 1e-2);
    assert_int_equal(stats_fisher(2, 1, 0, 1, NULL, NULL, NULL), ERR_DOMAIN);
}

int main(void)
{
    gsl_set_error_handler_off();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clopper_pearson_table),
        cmocka_unit_test(test_clopper_pearson_ends),
        cmocka_unit_test(test_clopper_pearson_defines_its_tails),
        cmocka_unit_test(test_binomial_tails),
        cmocka_unit_test(test_binomial_tails_by_summing),
        cmocka_unit_test(test_median_interval),
        cmocka_unit_test(test_mean_interval),
        cmocka_unit_test(test_percentile),
        cmocka_unit_test(test_fisher_by_summing),
        cmocka_unit_test(test_fisher_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
