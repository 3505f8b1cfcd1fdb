/* test_growth.c -- tables that go on after a failure keep every key; the comparators against
 * plain definitions. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "growth.h"

static void nothing_is_lost(void **state)
{
    (void)state;
    for (unsigned variant = 0; variant < 64; variant++) {
        struct growth_rule rule = {.k = variant & 1 ? 4 : 1,
                                   .layout = variant & 1 ? LAYOUT_ONE : LAYOUT_SPLIT,
                                   .max_kicks = variant & 2 ? 7 : 63,
                                   .stash = variant & 4 ? 3 : 0,
                                   .rebuild_first = (variant & 8) != 0,
                                   .doubles = (variant & 16) != 0,
                                   .new_functions = (variant & 32) != 0};
        struct growth growth;
        uint64_t keys = rule.doubles ? 400 : variant & 1 ? 100 : 50, sum = 0;
        assert_int_equal(growth_init(&growth, &rule, 128), ERR_NONE);
        for (uint64_t trial = 0; trial < 5; trial++) {
            struct rng rng;
            int placed = 1;
            unit_stream(&rng, trial);
            assert_int_equal(growth_reset(&growth, 128, trial, trial + 1), ERR_NONE);
            assert_int_equal(growth.scheme.slots, 128);
            for (uint64_t i = 0; i < keys; i++) {
                assert_int_equal(growth_add(&growth, rng_next(&rng), &placed), ERR_NONE);
                assert_true(placed);
                assert_true(growth.last_writes >= 1);
                assert_int_equal(growth.table.stored + growth.stashed, i + 1);
            }
            assert_int_equal(table_verify(&growth.table), ERR_NONE);
            assert_true(growth.stashed <= rule.stash);
            unit_stream(&rng, trial);
            for (uint64_t i = 0; i < keys; i++)
                assert_true(growth_contains(&growth, rng_next(&rng)));
            sum += growth.rebuilds;
        }
        if (rule.doubles)
            assert_true(sum > 0);
        growth_free(&growth);
    }
}

static void grows_at_a_load(void **state)
{
    struct growth_rule rule = {.k = 4,
                               .layout = LAYOUT_ONE,
                               .max_kicks = 999,
                               .doubles = 1,
                               .new_functions = 1,
                               .grow_num = 85,
                               .grow_den = 100};
    struct growth growth;
    struct rng rng;
    int placed;

    (void)state;
    assert_int_equal(growth_init(&growth, &rule, 64), ERR_NONE);
    assert_int_equal(growth_reset(&growth, 64, 1, 2), ERR_NONE);
    unit_stream(&rng, 1);
    for (uint64_t i = 1; i <= 1000; i++) {
        assert_int_equal(growth_add(&growth, rng_next(&rng), &placed), ERR_NONE);
        assert_true(100 * i <= 85 * growth.scheme.slots);
        assert_true(growth.scheme.slots == 64 || 2 * 100 * i > 85 * growth.scheme.slots);
    }
    growth_free(&growth);
}

/* Three keys that share both positions have no placement, whatever is tried with these
 * functions at this size; a removed key leaves its bucket whole. */
static void the_same_functions(void **state)
{
    struct growth_rule rule = {.k = 1, .layout = LAYOUT_SPLIT, .max_kicks = 99};
    struct growth growth;
    struct rng rng;
    uint64_t first = 1, extra[1];
    uint32_t want[SCHEME_D_MAX], got[SCHEME_D_MAX];
    int placed, found = 0;

    (void)state;
    assert_int_equal(growth_init(&growth, &rule, 8), ERR_NONE);
    assert_int_equal(growth_reset(&growth, 8, 1, 2), ERR_NONE);
    table_candidates(&growth.table, first, want);
    unit_stream(&rng, 3);
    assert_int_equal(growth_add(&growth, first, &placed), ERR_NONE);
    while (found < 2) {
        extra[0] = rng_next(&rng);
        table_candidates(&growth.table, extra[0], got);
        if (got[0] != want[0] || got[1] != want[1])
            continue;
        if (found++ == 0)
            assert_int_equal(growth_add(&growth, extra[0], &placed), ERR_NONE);
    }
    assert_int_equal(growth_rebuild(&growth, extra, 1, 0, 0, &placed), ERR_NONE);
    assert_false(placed);
    assert_int_equal(growth.table.stored, 2);
    assert_true(growth_remove(&growth, first) || growth_remove(&growth, extra[0]));
    assert_int_equal(growth.table.stored, 1);
    assert_int_equal(table_verify(&growth.table), ERR_NONE);
    assert_false(growth_remove(&growth, 12345));
    growth_free(&growth);
}

static void comparators(void **state)
{
    struct compare_buckets buckets;
    struct compare_double hash;
    struct rng rng;

    (void)state;
    assert_int_equal(compare_buckets_init(&buckets, 10, 3, COMPARE_LEFT), ERR_DOMAIN);
    assert_int_equal(compare_buckets_init(&buckets, 12, 3, COMPARE_LEFT), ERR_NONE);
    unit_stream(&rng, 1);
    compare_buckets_fill(&buckets, &rng, 100);
    uint64_t keys = 0, hits = 0;
    uint32_t largest = 0;
    for (unsigned b = 0; b < 12; b++) {
        keys += buckets.load[b];
        for (uint32_t i = 1; i <= buckets.load[b]; i++)
            hits += i;
        largest = buckets.load[b] > largest ? buckets.load[b] : largest;
    }
    assert_int_equal(keys, 100);
    assert_int_equal(compare_buckets_hits(&buckets), hits);
    assert_int_equal(compare_buckets_largest(&buckets), largest);
    assert_true(largest <= 11); /* nearly even: 100 / 12 = 8.3 */
    compare_buckets_free(&buckets);

    assert_int_equal(compare_double_init(&hash, 48), ERR_DOMAIN);
    assert_int_equal(compare_double_init(&hash, 64), ERR_NONE);
    compare_double_reset(&hash, 7);
    unsigned cost[63];
    for (uint64_t i = 0; i < 63; i++)
        cost[i] = compare_double_probe(&hash, i + 1, 1);
    for (uint64_t i = 0; i < 63; i++) /* a key never moves */
        assert_int_equal(compare_double_probe(&hash, i + 1, 0), cost[i]);
    assert_true(compare_double_probe(&hash, 1000, 0) <= 64);
    compare_double_free(&hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(grows_at_a_load),
        cmocka_unit_test(the_same_functions),
        cmocka_unit_test(comparators),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
