/* Thresholds against a table to 120 digits (make_threshold_table.py), published values,
 * and what must hold for every d and k. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_errno.h>
#include <math.h>

#include "../../src/error.h"
#include "../../src/threshold.h"
#include "threshold_table.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static void check_close(double seen, double wanted, double relative)
{
    if (!(fabs(seen - wanted) <= relative * fabs(wanted)))
        fail_msg("%.17g is not %.17g (relative %.3g)", seen, wanted, seen / wanted - 1.0);
}

static void test_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(threshold_table); i++) {
        unsigned d = threshold_table[i].d, k = threshold_table[i].k;
        double load, one_minus, peeling;
        assert_int_equal(threshold_orientability(d, k, &load, &one_minus), 0);
        assert_int_equal(threshold_peeling(d, k, &peeling), 0);
        check_close(load, threshold_table[i].load, 4e-16);
        check_close(one_minus, threshold_table[i].one_minus, 2e-12);
        check_close(peeling, threshold_table[i].peeling, 1e-13);
    }
}

static void test_windows(void **state)
{
    (void)state;
    double load, one_minus;
    for (size_t i = 0; i < LENGTH(window_table); i++) {
        assert_int_equal(threshold_windows(window_table[i].d, window_table[i].length,
                                           window_table[i].page, &load, &one_minus),
                         0);
        check_close(load, window_table[i].load, 4e-16);
        check_close(one_minus, window_table[i].one_minus, 1e-12);
    }
    /* Walzer, ICALP 2018, to every digit that is printed */
    static const double published[] = {0.964994923, 0.994422754, 0.998951593};
    for (unsigned length = 2; length <= 4; length++) {
        assert_int_equal(threshold_windows(2, length, 0, &load, NULL), 0);
        assert_true(fabs(load - published[length - 2]) <= 5.01e-10);
    }
    /* above buckets of that size, and longer windows hold more; all pairs have a root */
    for (unsigned d = 2; d <= THRESHOLD_WINDOW_MAX; d++) {
        double before = 1.0;
        for (unsigned length = 2; length <= THRESHOLD_WINDOW_MAX; length++) {
            double buckets;
            assert_int_equal(threshold_windows(d, length, 0, &load, &one_minus), 0);
            assert_int_equal(threshold_orientability(d, length, &load, &buckets), 0);
            assert_true(one_minus < buckets || one_minus == 0.0);
            assert_true(one_minus < before || one_minus == 0.0);
            assert_true(one_minus >= 0.0);
            before = one_minus;
        }
    }
    /* a page of one window is a bucket; without pages windows hold more */
    for (unsigned d = 2; d <= 5; d++)
        for (unsigned length = 2; length <= 20; length++) {
            double buckets, endless;
            assert_int_equal(threshold_windows(d, length, length, &load, &one_minus), 0);
            assert_int_equal(threshold_orientability(d, length, &load, &buckets), 0);
            check_close(one_minus, buckets, 1e-12);
            assert_int_equal(threshold_windows(d, length, 0, &load, &endless), 0);
            for (unsigned page = length; page <= THRESHOLD_PAGE_MAX; page += page) {
                assert_int_equal(threshold_windows(d, length, page, &load, &one_minus), 0);
                assert_true(endless < one_minus);
            }
        }
    assert_int_equal(threshold_windows(2, 4, 3, &load, NULL), ERR_DOMAIN);
    assert_int_equal(threshold_windows(2, 4, THRESHOLD_PAGE_MAX + 1, &load, NULL), ERR_DOMAIN);
    assert_int_equal(threshold_windows(1, 2, 0, &load, NULL), ERR_DOMAIN);
    assert_int_equal(threshold_windows(2, 1, 0, &load, NULL), ERR_DOMAIN);
    assert_int_equal(threshold_windows(2, THRESHOLD_WINDOW_MAX + 1, 0, &load, NULL), ERR_DOMAIN);
    assert_int_equal(threshold_windows(THRESHOLD_WINDOW_MAX + 1, 2, 0, &load, NULL), ERR_DOMAIN);
}

/* As printed by others: Dietzfelbinger et al., Walzer's table, and the complements that
 * plain double arithmetic loses. */
static void test_published(void **state)
{
    (void)state;
    static const struct {
        unsigned d, k;
        double load, within;
    } published[] = {{3, 1, 0.9179352767, 5e-11}, {4, 1, 0.9767701649, 5e-11},
                     {5, 1, 0.9924383913, 5e-11}, {2, 2, 0.8970118682, 5e-11},
                     {2, 3, 0.9591542686, 5e-11}, {2, 4, 0.9803697743, 5e-11},
                     {2, 5, 0.9895513619, 5e-11}, {2, 6, 0.9940727066, 5e-11}};
    static const struct {
        unsigned d, k;
        double one_minus;
    } complements[] = {{20, 1, 2.06115451e-9},
                       {30, 1, 9.35762297e-14},
                       {40, 1, 4.24835426e-18},
                       {50, 1, 1.92874985e-22},
                       {2, 64, 4.284065e-12}};
    static const double peeling[] = {0.818469, 0.772280, 0.701780}; /* d = 3, 4, 5 */
    for (size_t i = 0; i < LENGTH(published); i++) {
        double load;
        assert_int_equal(threshold_orientability(published[i].d, published[i].k, &load, NULL), 0);
        assert_true(fabs(load - published[i].load) <= published[i].within);
    }
    for (size_t i = 0; i < LENGTH(complements); i++) {
        double load, one_minus;
        assert_int_equal(
            threshold_orientability(complements[i].d, complements[i].k, &load, &one_minus), 0);
        check_close(one_minus, complements[i].one_minus, 2e-7);
    }
    for (unsigned d = 3; d <= 5; d++) {
        double load;
        assert_int_equal(threshold_peeling(d, 1, &load), 0);
        assert_true(fabs(load - peeling[d - 3]) < 5.1e-7);
    }
}

static void test_edges(void **state)
{
    (void)state;
    double load, one_minus;
    assert_int_equal(threshold_orientability(2, 1, &load, &one_minus), 0);
    assert_true(load == 0.5 && one_minus == 0.5);
    assert_int_equal(threshold_peeling(2, 1, &load), 0);
    assert_true(load == 0.5);
    assert_int_equal(threshold_orientability(1, 1, &load, &one_minus), ERR_DOMAIN);
    assert_int_equal(threshold_orientability(2, 0, &load, &one_minus), ERR_DOMAIN);
    assert_int_equal(threshold_peeling(0, 0, &load), ERR_DOMAIN);
    assert_int_equal(threshold_orientability(THRESHOLD_MAX + 1, 1, &load, &one_minus), ERR_DOMAIN);
}

/* More candidates or larger buckets never hurt; peeling comes first; load + one_minus = 1. */
static void test_order(void **state)
{
    (void)state;
    for (unsigned d = 2; d <= 40; d++) {
        double last = 1.0;
        for (unsigned k = 1; k <= 60; k++) {
            double load, one_minus, more, peeling;
            if (k * (d - log(d + 1.0)) > 650.0)
                break; /* one_minus underflows */
            assert_int_equal(threshold_orientability(d, k, &load, &one_minus), 0);
            assert_int_equal(threshold_peeling(d, k, &peeling), 0);
            assert_true(fabs(load + one_minus - 1.0) < 3e-16);
            assert_true(one_minus > 0.0 && one_minus < last);
            assert_int_equal(threshold_orientability(d + 1, k, &load, &more), 0);
            assert_true(more < one_minus);
            assert_true(peeling > 0.0 && peeling <= 1.0 - one_minus);
            last = one_minus;
        }
    }
    /* the far corners answer too */
    const unsigned corners[][2] = {{2, 1000000}, {1000000, 1}, {1000000, 1000000}, {3, 4000}};
    for (size_t i = 0; i < LENGTH(corners); i++) {
        double load, one_minus, peeling;
        assert_int_equal(threshold_orientability(corners[i][0], corners[i][1], &load, &one_minus),
                         0);
        assert_true(load == 1.0 && one_minus >= 0.0 && one_minus < 1e-100);
        assert_int_equal(threshold_peeling(corners[i][0], corners[i][1], &peeling), 0);
        assert_true(peeling > 0.0 && peeling < 1.0);
    }
}

int main(void)
{
    gsl_set_error_handler_off();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),     cmocka_unit_test(test_windows),
        cmocka_unit_test(test_published), cmocka_unit_test(test_edges),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
