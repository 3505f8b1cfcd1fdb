/* test_production.c -- the libraries' rules against slow transcriptions of what their sources
 * say, on small tables: the same outcomes, the same kicks, the same keys in the same buckets. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "slow_rules.h"

/* ---- the comparison ---- */

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The keys of a bucket agree, in any order: where a hole appears within a bucket is no part of
 * a rule's description here. */
static void assert_same_tables(const struct table *table, const struct slow *slow)
{
    unsigned k = table->scheme->k;

    for (uint32_t b = 0; b < table->scheme->buckets; b++) {
        uint64_t fast[SCHEME_K_MAX] = {0}, expected[SCHEME_K_MAX];
        memcpy(expected, &slow->slot[b * k], k * sizeof *expected);
        memcpy(fast, table_slot(table, b, 0), table->used[b] * sizeof *fast);
        qsort(fast, k, sizeof *fast, ascending);
        qsort(expected, k, sizeof *expected, ascending);
        assert_memory_equal(fast, expected, k * sizeof *fast);
    }
}

static void compare(const struct production_rule *rule, uint64_t slots, uint64_t trial)
{
    struct scheme scheme;
    struct insert_rule limits;
    struct table table;
    struct inserter inserter;
    struct slow slow = {0};
    struct rng keys;
    uint64_t stored = 0;

    assert_int_equal(rules_make(rule, slots, &scheme, &limits), ERR_NONE);
    assert_true(scheme.slots <= SLOTS_MAX);
    if (limits.max_kicks > 12 && trial % 2 == 0)
        limits.max_kicks = 12; /* so that the limit matters */
    if (limits.max_nodes > 40 && limits.max_nodes != INSERT_UNLIMITED && trial % 2 == 0)
        limits.max_nodes = 40;
    if (limits.max_nodes == INSERT_UNLIMITED)
        assert_true(limits.max_moves <= 4);
    assert_int_equal(table_init(&table, &scheme), ERR_NONE);
    assert_int_equal(inserter_init(&inserter, &table, &limits), ERR_NONE);
    inserter_reset(&inserter, trial, trial + 77);
    slow.scheme = &scheme;
    hasher_init_for(&slow.hasher, &scheme, trial);
    rng_init(&slow.rng, trial + 77);
    unit_stream(&keys, trial);
    for (uint64_t i = 0; i < scheme.slots + 3; i++) {
        uint64_t key = rng_next(&keys);
        int placed = slow_insert(&slow, key, &limits);
        assert_int_equal(inserter_add(&inserter, key) == INSERT_PLACED, placed);
        assert_int_equal(inserter.cost.kicks, slow.kicks);
        assert_int_equal(inserter.cost.moves, slow.moves);
        stored += (uint64_t)placed;
        assert_int_equal(table.stored, stored);
        assert_int_equal(table_verify(&table), ERR_NONE);
        assert_same_tables(&table, &slow);
    }
    assert_false(inserter.memory_failed);
    inserter_free(&inserter);
    table_free(&table);
}

static void every_rule_is_what_its_source_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_rules; i++) {
        if (rules[i].insert.insert == insert_breadth)
            continue; /* has an oracle of its own */
        for (uint64_t trial = 0; trial < 60; trial++) {
            uint64_t buckets = UINT64_C(1) << (1 + trial % 4);
            while (buckets * rules[i].k > SLOTS_MAX)
                buckets /= 2;
            if (rules[i].positions == POSITIONS_DISTINCT && buckets < rules[i].d)
                buckets = 4;
            compare(&rules[i], buckets * rules[i].k, trial);
        }
    }
}

/* Labels with every way to break ties, for any number of candidates and slots. */
static void labels_break_ties_as_they_say(void **state)
{
    static const unsigned shape[][2] = {{2, 4}, {2, 1}, {3, 2}, {1, 3}, {4, 1}};

    (void)state;
    for (unsigned ties = TIES_LEFT; ties <= TIES_GLOBAL_RANDOM; ties++)
        for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++)
            for (uint64_t trial = 0; trial < 40; trial++) {
                struct production_rule rule = {
                    .d = shape[i][0],
                    .k = shape[i][1],
                    .positions = POSITIONS_REPEAT,
                    .insert = {.name = "labels",
                               .insert = insert_labels,
                               .max_label = 1 + (uint32_t)(trial % 5),
                               .ties = (enum label_ties)ties},
                };
                compare(&rule, rule.k * (2 + trial % 9), trial);
            }
}

/* No key is lost: what was stored and the nestless keys are what was offered, each stored key
 * in a candidate, in larger tables with the rule's own limits. */
static void no_key_is_lost(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_rules; i++) {
        struct scheme scheme;
        struct insert_rule limits;
        struct table table;
        struct inserter inserter;
        struct rng keys;
        uint64_t offered_sum = 0, kept_sum = 0, n = 0, failures = 0;

        assert_int_equal(rules_make(&rules[i], 1024 * rules[i].k, &scheme, &limits), ERR_NONE);
        assert_int_equal(table_init(&table, &scheme), ERR_NONE);
        assert_int_equal(inserter_init(&inserter, &table, &limits), ERR_NONE);
        inserter_reset(&inserter, 5, 6);
        unit_stream(&keys, 7);
        while (failures < 20) {
            uint64_t key = rng_next(&keys);
            offered_sum += key;
            n++;
            if (inserter_add(&inserter, key) != INSERT_PLACED) {
                kept_sum += inserter.cost.nestless;
                failures++;
            }
        }
        assert_int_equal(table_verify(&table), ERR_NONE);
        assert_int_equal(table.stored + failures, n);
        for (uint32_t b = 0; b < scheme.buckets; b++)
            for (unsigned s = 0; s < table.used[b]; s++)
                kept_sum += *table_slot(&table, b, s);
        assert_true(kept_sum == offered_sum);
        inserter_free(&inserter);
        table_free(&table);
    }
}

static void limits_that_grow(void **state)
{
    struct scheme scheme;
    struct insert_rule limits;

    (void)state;
    assert_int_equal(rules_make(rules_find("bght"), 1 << 20, &scheme, &limits), ERR_NONE);
    assert_int_equal(limits.max_kicks, 140);
    assert_int_equal(rules_make(rules_find("cuckoofilter"), 1 << 20, &scheme, &limits), ERR_NONE);
    assert_int_equal(limits.max_kicks, 499);
    assert_int_equal(rules_make(rules_find("cuckoofilter"), 3000, &scheme, &limits), ERR_DOMAIN);
    assert_null(rules_find("no such rule"));
    for (size_t i = 0; i < n_rules; i++)
        assert_ptr_equal(rules_find(rules[i].name), &rules[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_is_what_its_source_says),
        cmocka_unit_test(labels_break_ties_as_they_say),
        cmocka_unit_test(no_key_is_lost),
        cmocka_unit_test(limits_that_grow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
