/* test_insert_pair.c -- the rules on pairs against the rules on keys: after every insertion
 * the same outcome, cost, slots written and choices, and in the end the same table. */
#include "unit.h"

#include <stdlib.h>

#include "insert.h"
#include "insert_pair.h"

struct both {
    struct scheme scheme;
    struct table keys, pairs;
    struct inserter on_keys, on_pairs;
    pair_insert *rule;
    uint32_t *other;
};

static void start(struct both *both, const struct insert_rule *rule, unsigned k, enum layout layout,
                  enum positions positions, uint64_t slots)
{
    assert_int_equal(scheme_init(&both->scheme, 2, k, layout, positions, slots), ERR_NONE);
    assert_int_equal(table_init(&both->keys, &both->scheme), ERR_NONE);
    assert_int_equal(table_init_counts(&both->pairs, &both->scheme), ERR_NONE);
    assert_int_equal(inserter_init(&both->on_keys, &both->keys, rule), ERR_NONE);
    assert_int_equal(inserter_init(&both->on_pairs, &both->pairs, rule), ERR_NONE);
    both->other = malloc(both->scheme.slots * sizeof *both->other);
    both->rule = pair_rule(&both->scheme, rule);
    assert_non_null(both->other);
    assert_true(both->rule != NULL);
}

static void stop(struct both *both)
{
    inserter_free(&both->on_keys);
    inserter_free(&both->on_pairs);
    table_free(&both->keys);
    table_free(&both->pairs);
    free(both->other);
}

static void same_insertion(const struct both *both)
{
    const struct insert_cost *a = &both->on_keys.cost, *b = &both->on_pairs.cost;

    assert_int_equal(a->kicks, b->kicks);
    assert_int_equal(a->moves, b->moves);
    assert_int_equal(a->buckets_read, b->buckets_read);
    assert_int_equal(a->writes, b->writes);
    for (uint32_t i = 0; i < a->writes; i++)
        assert_int_equal(both->on_keys.written[i], both->on_pairs.written[i]);
    assert_int_equal(both->on_keys.rng.state, both->on_pairs.rng.state);
    assert_int_equal(both->keys.stored, both->pairs.stored);
}

static void same_table(const struct both *both)
{
    for (uint32_t b = 0; b < both->scheme.buckets; b++) {
        assert_int_equal(both->keys.used[b], both->pairs.used[b]);
        for (unsigned s = 0; s < both->keys.used[b]; s++) {
            uint32_t bucket[SCHEME_D_MAX];
            uint32_t resident = both->other[(uint64_t)b * both->scheme.k + s];
            table_candidates(&both->keys, *table_slot(&both->keys, b, s), bucket);
            int second = bucket[0] != b;
            assert_int_equal(pair_in_second(resident, b), second);
            assert_int_equal(resident & ~PAIR_SECOND, bucket[!second]);
        }
    }
    assert_int_equal(table_verify(&both->keys), ERR_NONE);
}

static void fill(struct both *both, uint64_t trial)
{
    struct rng keys;

    inserter_reset(&both->on_keys, 3 * trial, 3 * trial + 1);
    inserter_reset(&both->on_pairs, 3 * trial, 3 * trial + 1);
    rng_init(&keys, 3 * trial + 2);
    for (uint64_t i = 0; i < both->scheme.slots + 2; i++) { /* past what can be placed */
        uint64_t key = rng_next(&keys);
        uint32_t bucket[SCHEME_D_MAX];
        scheme_candidates(&both->scheme, &both->keys.hasher, key, bucket);
        assert_int_equal(inserter_add(&both->on_keys, key),
                         both->rule(&both->on_pairs, both->other, bucket));
        same_insertion(both);
    }
    same_table(both);
}

static void same_as_on_keys(void **state)
{
    static const struct insert_rule none = {.name = "no kicks", .insert = insert_walk};
    static const struct insert_rule narrow = {
        .name = "seven slots", .insert = insert_breadth, .max_slots = 7, .max_moves = 2};
    static const struct insert_rule *const rules[] = {&insert_rule_walk500,
                                                      &insert_rule_original100,
                                                      &insert_rule_breadth,
                                                      &insert_rule_complete,
                                                      &none,
                                                      &narrow};
    static const unsigned k[] = {1, 2, 3, 4, 8, 9};
    static const uint64_t buckets[] = {2, 4, 30, 500};

    (void)state;
    for (unsigned i = 0; i < 6 * 6 * 4; i++)
        for (unsigned kind = 0; kind < 3; kind++) {
            struct both both;
            uint64_t slots = buckets[i / 36] * k[i / 6 % 6];
            start(&both, rules[i % 6], k[i / 6 % 6], kind == 1 ? LAYOUT_SPLIT : LAYOUT_ONE,
                  kind == 2 ? POSITIONS_DISTINCT : POSITIONS_REPEAT, slots);
            for (uint64_t trial = 0; trial < (slots < 300 ? 20 : 2); trial++)
                fill(&both, trial);
            stop(&both);
        }
}

static void refuses_what_is_no_pair(void **state)
{
    struct scheme scheme;

    (void)state;
    assert_int_equal(scheme_init(&scheme, 3, 1, LAYOUT_ONE, POSITIONS_REPEAT, 30), ERR_NONE);
    assert_true(pair_rule(&scheme, &insert_rule_walk500) == NULL);
    assert_int_equal(scheme_init(&scheme, 2, 1, LAYOUT_ONE, POSITIONS_REPEAT, UINT64_C(1) << 31),
                     ERR_NONE);
    assert_true(pair_rule(&scheme, &insert_rule_walk500) == NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_on_keys),
        cmocka_unit_test(refuses_what_is_no_pair),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
