/* The exact laws against complete enumeration in integers, published exact values, each
 * other, and Drmota and Kutzelnigg's constants; linear probing against enumeration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_errno.h>
#include <math.h>
#include <string.h>

#include "../../src/error.h"
#include "../../src/exact.h"
#include "exact_table.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static void check_close(double seen, double wanted, double relative)
{
    if (!(fabs(seen - wanted) <= relative * fabs(wanted)))
        fail_msg("%.17g is not %.17g (relative %.3g)", seen, wanted, seen / wanted - 1.0);
}

/* --- complete enumeration: every multiset of position pairs, with the number of key
 * sequences that give it, in integers --- */

struct enumeration {
    int types, from[16], to[16]; /* ordered pairs of positions */
    int vertices, keys, count[16];
    int64_t with_stash[8]; /* sequences with S = s */
};

static int root(int *parent, int x)
{
    while (parent[x] != x)
        x = parent[x];
    return x;
}

static int stash_of(const struct enumeration *self)
{
    int parent[8], edges[8] = {0}, vertices[8] = {0}, stash = 0;
    for (int x = 0; x < self->vertices; x++)
        parent[x] = x;
    for (int i = 0; i < self->types; i++)
        if (self->count[i])
            parent[root(parent, self->from[i])] = root(parent, self->to[i]);
    for (int i = 0; i < self->types; i++)
        edges[root(parent, self->from[i])] += self->count[i];
    for (int x = 0; x < self->vertices; x++)
        vertices[root(parent, x)]++;
    for (int x = 0; x < self->vertices; x++)
        if (edges[x] > vertices[x])
            stash += edges[x] - vertices[x];
    return stash;
}

static void enumerate(struct enumeration *self, int type, int left, int64_t sequences)
{
    if (type == self->types - 1) {
        self->count[type] = left;
        self->with_stash[stash_of(self)] += sequences;
        return;
    }
    int64_t choose = 1; /* C(left, c) */
    for (int c = 0; c <= left; c++) {
        self->count[type] = c;
        enumerate(self, type + 1, left - c, sequences * choose);
        choose = choose * (left - c) / (c + 1);
    }
}

static void enumerate_setting(const struct exact_setting *setting, struct enumeration *self)
{
    memset(self, 0, sizeof *self);
    int m1 = (int)setting->slots_1, m2 = (int)setting->slots_2;
    self->vertices = m1 + m2;
    self->keys = (int)setting->keys;
    for (int x = 0; x < m1; x++)
        for (int y = 0; y < (m2 ? m2 : m1); y++) {
            if (y == x && setting->layout == EXACT_ONE_DISTINCT)
                continue;
            self->from[self->types] = x;
            self->to[self->types] = m2 ? m1 + y : y;
            self->types++;
        }
    enumerate(self, 0, self->keys, 1);
}

static void check_against_enumeration(const struct exact_setting *setting)
{
    struct enumeration all;
    struct exact_row rows[8];
    enumerate_setting(setting, &all);
    double total = 0.0, above = 0.0;
    for (int s = 0; s < 8; s++)
        total += (double)all.with_stash[s];
    assert_true(total == pow(all.types, all.keys));
    assert_int_equal(exact_stash(setting, 7, rows), 0);
    for (int s = 7; s >= 0; s--) {
        double equal = (double)all.with_stash[s] / total;
        if (all.with_stash[s] == 0)
            assert_true(rows[s].equal == 0.0 && rows[s].log_equal == -INFINITY);
        else
            check_close(rows[s].equal, equal, 1e-12);
        check_close(rows[s].overflow, above, 1e-11);
        above += equal;
        check_close(rows[s].at_least, above, 1e-11);
    }
}

static void test_enumeration(void **state)
{
    (void)state;
    for (uint64_t n = 0; n <= 6; n++)
        for (uint64_t m1 = 1; m1 <= 4; m1++) {
            for (uint64_t m2 = 1; m2 <= 4; m2++) {
                struct exact_setting two = {EXACT_SPLIT, n, m1, m2};
                check_against_enumeration(&two);
            }
            struct exact_setting repeat = {EXACT_ONE_REPEAT, n, m1, 0};
            check_against_enumeration(&repeat);
            struct exact_setting distinct = {EXACT_ONE_DISTINCT, n, m1, 0};
            if (m1 >= 2)
                check_against_enumeration(&distinct);
        }
}

static double failure(enum exact_layout layout, uint64_t n, uint64_t m)
{
    struct exact_setting setting = {layout, n, m, layout == EXACT_SPLIT ? m : 0};
    struct exact_row row;
    assert_int_equal(exact_stash(&setting, 0, &row), 0);
    return row.overflow;
}

/* Fractions known by hand and from complete counts published elsewhere. */
static void test_tiny_fractions(void **state)
{
    (void)state;
    check_close(failure(EXACT_SPLIT, 3, 2), 1.0 / 16, 1e-12);
    check_close(failure(EXACT_SPLIT, 4, 2), 19.0 / 64, 1e-12);
    check_close(failure(EXACT_SPLIT, 4, 3), 5.0 / 81, 1e-12);
    check_close(failure(EXACT_SPLIT, 5, 3), 487.0 / 2187, 1e-12);
    check_close(failure(EXACT_ONE_REPEAT, 2, 2), 1.0 / 8, 1e-12);
    check_close(failure(EXACT_ONE_REPEAT, 3, 4), 7.0 / 64, 1e-12);
    check_close(failure(EXACT_ONE_DISTINCT, 3, 3), 1.0 / 9, 1e-12);
    check_close(failure(EXACT_ONE_DISTINCT, 4, 4), 19.0 / 72, 1e-12);
    /* two keys in one table fail only on one and the same loop; three in two tables only
     * on one and the same edge; three distinct pairs likewise, whatever the size */
    for (uint64_t m = 2; m < UINT64_C(1) << 33; m *= 3) {
        double slots = (double)m;
        check_close(failure(EXACT_ONE_REPEAT, 2, m), pow(slots, -3), 1e-11);
        check_close(failure(EXACT_SPLIT, 3, m), pow(slots, -4), 1e-11);
        check_close(failure(EXACT_ONE_DISTINCT, 3, m), pow(slots * (slots - 1) / 2, -2), 1e-11);
    }
    struct exact_setting five = {EXACT_ONE_REPEAT, 5, 4, 0};
    struct exact_row rows[3];
    assert_int_equal(exact_stash(&five, 2, rows), 0);
    check_close(rows[1].equal, 0.7651519775390625, 1e-12);
    check_close(rows[2].equal, 0.2288818359375, 1e-12);
}

/* Values the project was given, from an independent computation. */
static void test_known_values(void **state)
{
    (void)state;
    check_close(failure(EXACT_SPLIT, 1000, 1200), 0.714524e-2, 1e-6);
    check_close(failure(EXACT_SPLIT, 10000, 12000), 0.10262e-2, 3e-5);
    check_close(failure(EXACT_SPLIT, 900, 1000), 2.494e-2, 2e-4);
    /* libPSI's stash log, n = 2^10, 2457 slots: log2((1-q)/q) */
    static const double odds[] = {6.957, 11.442, 15.384, 19.066, 22.594};
    struct exact_setting setting = {EXACT_ONE_REPEAT, 1024, 2457, 0};
    struct exact_row rows[5];
    assert_int_equal(exact_stash(&setting, 4, rows), 0);
    for (int s = 0; s < 5; s++)
        assert_true(fabs(log2((1.0 - rows[s].overflow) / rows[s].overflow) - odds[s]) < 5.1e-4);
}

/* Large tables against the formulas in 50 digits (make_exact_table.py). */
static void test_high_precision(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(exact_table); i++) {
        struct exact_setting setting = {
            exact_table[i].layout, exact_table[i].keys, exact_table[i].slots,
            exact_table[i].layout == EXACT_SPLIT ? exact_table[i].slots : 0};
        struct exact_row rows[9];
        assert_int_equal(exact_stash(&setting, exact_table[i].stash, rows), 0);
        double error = rows[exact_table[i].stash].log_equal - exact_table[i].log_equal;
        if (!(fabs(error) < (setting.keys > 1 << 20 ? 1e-9 : 1e-11)))
            fail_msg("layout %d, %llu keys, stash %u: log Pr is off by %.3g", (int)setting.layout,
                     (unsigned long long)setting.keys, exact_table[i].stash, error);
    }
}

/* The law adds up to 1: every term is computed by itself, so this is a check of each. */
static void test_sum_is_one(void **state)
{
    (void)state;
    static const double loads[] = {0.01, 0.2, 0.4, 0.49, 0.4999};
    for (int layout = 0; layout <= EXACT_ONE_DISTINCT; layout++)
        for (uint64_t m = 16; m <= UINT64_C(1) << 30; m *= 128)
            for (size_t i = 0; i < LENGTH(loads); i++) {
                uint64_t first = layout == EXACT_SPLIT ? m / 2 + m / 7 : m;
                struct exact_setting setting = {layout, (uint64_t)((double)m * loads[i]), first,
                                                layout == EXACT_SPLIT ? m - first : 0};
                struct exact_row rows[13];
                double sum = 0.0;
                assert_int_equal(exact_stash(&setting, 12, rows), 0);
                for (int s = 0; s <= 12; s++) {
                    sum += rows[s].equal;
                    assert_true(rows[s].equal >= 0.0 && rows[s].at_least >= rows[s].overflow);
                    assert_true(fabs(rows[s].at_least - rows[s].equal - rows[s].overflow) < 1e-9);
                }
                double within = m > 1 << 20 ? 1e-8 : 1e-10;
                if (!(fabs(sum + rows[12].overflow - 1.0) < within))
                    fail_msg("layout %d, %llu keys: the law adds up to 1 %+.3g", layout,
                             (unsigned long long)setting.keys, sum + rows[12].overflow - 1.0);
            }
}

/* The same for odd shapes: very unequal tables, few keys in many slots, loads above the
 * limit; settings from a fixed generator, and some that once went wrong. */
static void test_sum_is_one_anywhere(void **state)
{
    (void)state;
    static const uint64_t once[][3] = {{24, 9, 2924}, {60, 748, 14},
                                       {61, 1210, 5}, {34, 13, 199},
                                       {50, 1733, 4}, {112, 540, 4},
                                       {41, 204, 17}, {12, 109, 0},
                                       {12, 55, 51},  {717616898, 500116483, 610462035}};
    uint64_t draw = 1;
    for (int i = 0; i < 250; i++) {
        struct exact_setting setting = {EXACT_SPLIT, 0, 1, 1};
        double u[4];
        for (int j = 0; j < 4; j++) {
            draw = draw * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            u[j] = (double)(draw >> 11) / 9007199254740992.0;
        }
        double first = exp(u[0] * log(1e9)), second = fmax(1.0, first * exp((u[1] - 0.5) * 10.0));
        double load = i % 3 == 0 ? pow(10.0, -7.0 * u[2]) : i % 3 == 1 ? 1.6 * u[2] : 0.9 * u[2];
        setting.slots_1 = (uint64_t)first + 1;
        setting.slots_2 = (uint64_t)second;
        if (u[3] < 0.3) {
            setting.layout = u[3] < 0.2 ? EXACT_ONE_REPEAT : EXACT_ONE_DISTINCT;
            setting.slots_2 = 0;
            second = 0.25 * first;
        }
        setting.keys = (uint64_t)(load * sqrt(first * second));
        if ((size_t)i < LENGTH(once)) {
            setting.keys = once[i][0];
            setting.slots_1 = once[i][1];
            setting.slots_2 = once[i][2];
            setting.layout = once[i][2] ? EXACT_SPLIT : EXACT_ONE_REPEAT;
        }
        struct exact_row rows[9];
        double sum = 0.0;
        assert_int_equal(exact_stash(&setting, 8, rows), 0);
        for (int s = 0; s <= 8; s++)
            sum += rows[s].equal;
        if (!(fabs(sum + rows[8].overflow - 1.0) < 2e-9))
            fail_msg("layout %d, %llu keys, %llu + %llu slots: 1 %+.3g", (int)setting.layout,
                     (unsigned long long)setting.keys, (unsigned long long)setting.slots_1,
                     (unsigned long long)setting.slots_2, sum + rows[8].overflow - 1.0);
    }
}

/* The largest stash is one outcome: all keys on one loop, or all on one edge. */
static void test_extreme_stash(void **state)
{
    (void)state;
    for (uint64_t n = 3; n <= 30; n += 3)
        for (uint64_t m = 2; m <= 2048; m *= 32) {
            struct exact_row rows[EXACT_STASH_MAX + 1];
            struct exact_setting repeat = {EXACT_ONE_REPEAT, n, m, 0};
            struct exact_setting split = {EXACT_SPLIT, n, m, 3 * m};
            double slots = (double)m, keys = (double)n;
            assert_int_equal(exact_stash(&repeat, EXACT_STASH_MAX, rows), 0);
            check_close(rows[n - 1].log_equal, (1 - 2 * keys) * log(slots), 1e-11);
            assert_true(rows[n].log_equal == -INFINITY && rows[n].at_least == 0.0);
            assert_int_equal(exact_stash(&split, EXACT_STASH_MAX, rows), 0);
            check_close(rows[n - 2].log_equal, (1 - keys) * log(3 * slots * slots), 1e-11);
            assert_true(rows[n - 1].log_at_least == -INFINITY);
        }
}

static void test_edges(void **state)
{
    (void)state;
    struct exact_row rows[EXACT_STASH_MAX + 1];
    for (int layout = 0; layout <= EXACT_ONE_DISTINCT; layout++) {
        struct exact_setting none = {layout, 0, 5, layout == EXACT_SPLIT ? 5 : 0};
        assert_int_equal(exact_stash(&none, 3, rows), 0);
        assert_true(rows[0].equal == 1.0 && rows[0].overflow == 0.0 && rows[1].at_least == 0.0);
        /* more keys than slots: the difference is left over at least */
        struct exact_setting many = {layout, 25, 10, layout == EXACT_SPLIT ? 10 : 0};
        uint64_t least = layout == EXACT_SPLIT ? 5 : 15;
        assert_int_equal(exact_stash(&many, 23, rows), 0);
        double sum = 0.0;
        for (uint64_t s = 0; s <= 23; s++) {
            assert_false(isnan(rows[s].equal) || isnan(rows[s].at_least));
            assert_true((rows[s].equal == 0.0) == (s < least));
            assert_true(s > least || rows[s].at_least == 1.0);
            sum += rows[s].equal;
        }
        assert_true(fabs(sum + rows[23].overflow - 1.0) < 1e-11);
        struct exact_setting crowd = {layout, 1000000, 10, layout == EXACT_SPLIT ? 10 : 0};
        assert_int_equal(exact_stash(&crowd, 8, rows), 0);
        assert_true(rows[8].overflow == 1.0 && rows[8].equal == 0.0);
    }
    /* one slot: every key but the first is too many */
    struct exact_setting one_slot = {EXACT_ONE_REPEAT, 7, 1, 0};
    assert_int_equal(exact_stash(&one_slot, 8, rows), 0);
    assert_true(rows[6].equal == 1.0 && rows[5].equal == 0.0 && rows[7].at_least == 0.0);
    struct exact_setting bad[] = {{EXACT_SPLIT, 1, 1, 0},
                                  {EXACT_ONE_REPEAT, 1, 1, 1},
                                  {EXACT_ONE_DISTINCT, 1, 1, 0},
                                  {EXACT_ONE_REPEAT, 1, 0, 0},
                                  {EXACT_ONE_REPEAT, UINT64_MAX, 5, 0}};
    for (size_t i = 0; i < LENGTH(bad); i++)
        assert_int_equal(exact_stash(&bad[i], 0, rows), ERR_DOMAIN);
    struct exact_setting good = {EXACT_ONE_REPEAT, 1, 1, 0};
    assert_int_equal(exact_stash(&good, EXACT_STASH_MAX + 1, rows), ERR_DOMAIN);
}

/* At the limit the success probability tends to sqrt(2/3); above it, it falls fast. */
static void test_limit(void **state)
{
    (void)state;
    double last = 1.0;
    for (uint64_t m = 1000; m <= 1000000000; m *= 10) {
        double gap = fabs(1.0 - failure(EXACT_SPLIT, m, m) - sqrt(2.0 / 3.0));
        assert_true(gap < 0.6 * last);
        last = gap;
    }
    assert_true(last < 1e-3);
    struct exact_row rows[21];
    struct exact_setting above = {EXACT_SPLIT, 1100000, 1000000, 1000000};
    assert_int_equal(exact_stash(&above, 20, rows), 0);
    assert_true(rows[20].at_least > 0.999999 && rows[0].log_equal < -100.0);
    double below = 0.0;
    for (int s = 0; s <= 20; s++)
        below = fmax(below, rows[s].equal);
    assert_true(below < 1e-6 && rows[0].log_equal < rows[1].log_equal);
}

static void test_leading_constant(void **state)
{
    (void)state;
    static const double epsilons[] = {0.5, 0.2, 0.1, 0.05};
    for (size_t i = 0; i < LENGTH(epsilons); i++)
        for (uint64_t m = 1 << 20; m <= 1 << 28; m <<= 4) {
            double c, e;
            uint64_t n = (uint64_t)((1.0 - epsilons[i]) * (double)m);
            e = 1.0 - (double)n / (double)m;
            /* the next term is about 1/(m e^3) */
            double within = 20.0 / ((double)m * e * e * e) + 1e-7;
            assert_int_equal(exact_leading_constant(EXACT_SPLIT, e, &c), 0);
            check_close(failure(EXACT_SPLIT, n, m) * (double)m, c, within);
            assert_int_equal(exact_leading_constant(EXACT_ONE_REPEAT, e, &c), 0);
            check_close(failure(EXACT_ONE_REPEAT, n, 2 * m) * (double)m, c, within);
        }
    double c;
    assert_int_equal(exact_leading_constant(EXACT_SPLIT, 0.0, &c), ERR_DOMAIN);
    assert_int_equal(exact_leading_constant(EXACT_SPLIT, NAN, &c), ERR_DOMAIN);
    assert_int_equal(exact_leading_constant(EXACT_ONE_DISTINCT, 0.1, &c), ERR_DOMAIN);
}

/* All m^n tables of linear probing, slot by slot. */
static void test_linear_probing(void **state)
{
    (void)state;
    double hit, miss;
    for (unsigned m = 1; m <= 6; m++)
        for (unsigned n = 0; n < m; n++) {
            double hits = 0.0, misses = 0.0, tables = 0.0;
            unsigned homes[6] = {0};
            for (;;) {
                int full[6] = {0};
                for (unsigned i = 0; i < n; i++) {
                    unsigned at = homes[i], compared = 1;
                    for (; full[at]; at = (at + 1) % m)
                        compared++;
                    full[at] = 1;
                    hits += compared;
                }
                for (unsigned home = 0; home < m; home++) {
                    unsigned at = home, compared = 1;
                    for (; full[at]; at = (at + 1) % m)
                        compared++;
                    misses += compared;
                }
                tables += 1.0;
                unsigned i = 0;
                while (i < n && ++homes[i] == m)
                    homes[i++] = 0;
                if (i == n)
                    break;
            }
            assert_int_equal(exact_linear_probing(m, n, &hit, &miss), 0);
            check_close(miss, misses / tables / m, 1e-13);
            check_close(hit, n ? hits / tables / n : 0.0, 1e-13);
        }
    /* the limits, far from full: (1 + 1/(1-a))/2 and (1 + 1/(1-a)^2)/2 */
    assert_int_equal(exact_linear_probing(1 << 26, 1 << 25, &hit, &miss), 0);
    check_close(hit, 1.5, 1e-6);
    check_close(miss, 2.5, 1e-6);
    /* a full table but one slot: Q_0(M, M-2) ~ sqrt(pi M/2) */
    assert_int_equal(exact_linear_probing(1 << 20, (1 << 20) - 1, &hit, &miss), 0);
    check_close(hit, 0.5 * sqrt(3.14159265358979 * (1 << 20) / 2), 3e-3);
    assert_int_equal(exact_linear_probing(5, 5, &hit, &miss), ERR_DOMAIN);
    assert_int_equal(exact_linear_probing(0, 0, &hit, &miss), ERR_DOMAIN);
}

int main(void)
{
    gsl_set_error_handler_off();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enumeration),    cmocka_unit_test(test_tiny_fractions),
        cmocka_unit_test(test_known_values),   cmocka_unit_test(test_sum_is_one),
        cmocka_unit_test(test_high_precision), cmocka_unit_test(test_sum_is_one_anywhere),
        cmocka_unit_test(test_extreme_stash),  cmocka_unit_test(test_edges),
        cmocka_unit_test(test_limit),          cmocka_unit_test(test_leading_constant),
        cmocka_unit_test(test_linear_probing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
