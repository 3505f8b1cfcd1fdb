/* test_insert.c -- what every insertion rule promises, and what each one's limits mean.
 * That the rules do exactly what their definitions say is tested in tests/oracle/. */
#include "unit.h"

#include <string.h>

#include "insert.h"

struct fixture {
    struct scheme scheme;
    struct table table;
    struct inserter inserter;
    struct rng keys;
};

static void open_all(struct fixture *f, const struct insert_rule *rule, unsigned d, unsigned k,
                     enum layout layout, uint64_t slots)
{
    assert_int_equal(scheme_init(&f->scheme, d, k, layout, POSITIONS_REPEAT, slots), ERR_NONE);
    assert_int_equal(table_init(&f->table, &f->scheme), ERR_NONE);
    assert_int_equal(inserter_init(&f->inserter, &f->table, rule), ERR_NONE);
}

static void start_trial(struct fixture *f, uint64_t trial)
{
    inserter_reset(&f->inserter, scheme_stream(&f->scheme, 1, 0, trial, STREAM_HASH),
                   scheme_stream(&f->scheme, 1, 0, trial, STREAM_SEARCH));
    rng_init(&f->keys, scheme_stream(&f->scheme, 1, 0, trial, STREAM_KEYS));
}

static void close_all(struct fixture *f)
{
    inserter_free(&f->inserter);
    table_free(&f->table);
}

static const struct insert_rule *const rules[] = {
    &insert_rule_walk500,     &insert_rule_breadth,     &insert_rule_breadth_far,
    &insert_rule_original500, &insert_rule_original100, &insert_rule_complete,
};
#define RULES (sizeof rules / sizeof rules[0])

/* After a failed insertion every earlier key is still found, or named as nestless; and the
 * number stored is attempts - 1.  (A filter that loses an earlier key without saying so is
 * a known defect of several libraries.) */
static void nothing_is_lost(void **state)
{
    static const unsigned shape[][2] = {{2, 1}, {2, 4}, {3, 1}, {4, 1}, {3, 2}, {2, 3}};

    (void)state;
    for (size_t r = 0; r < RULES; r++)
        for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++) {
            struct fixture f;
            uint64_t key[256];
            if (rules[r]->insert == insert_original && shape[i][0] != 2)
                continue;
            open_all(&f, rules[r], shape[i][0], shape[i][1], LAYOUT_ONE, 200);
            for (uint64_t trial = 0; trial < 20; trial++) {
                unsigned count = 0;
                enum insert_outcome outcome = INSERT_PLACED;
                start_trial(&f, trial);
                while (outcome == INSERT_PLACED && count < f.scheme.slots + 1) {
                    key[count] = rng_next(&f.keys);
                    outcome = inserter_add(&f.inserter, key[count++]);
                    assert_int_equal(table_verify(&f.table), ERR_NONE);
                }
                assert_int_not_equal(outcome, INSERT_PLACED);
                assert_int_equal(f.table.stored, count - 1);
                unsigned nestless = 0;
                for (unsigned n = 0; n < count; n++)
                    if (table_find(&f.table, key[n]) == f.scheme.d) {
                        nestless++;
                        assert_int_equal(key[n], f.inserter.cost.nestless);
                    }
                assert_int_equal(nestless, 1);
                if (rules[r]->insert == insert_breadth) /* it moves nothing in vain */
                    assert_int_equal(f.inserter.cost.nestless, key[count - 1]);
            }
            close_all(&f);
        }
}

/* A limit of n kicks refuses kick n + 1: every insertion kicks n times at most, one that
 * gives up has kicked exactly n times, and a key that a last kick made nestless may still
 * take a free slot (placed with exactly n kicks does occur). */
static void kick_limit_counts_kicks(void **state)
{
    static const unsigned limits[] = {0, 1, 2, 3, 7, 100};

    (void)state;
    for (int original = 0; original < 2; original++)
        for (size_t l = 0; l < sizeof limits / sizeof limits[0]; l++) {
            struct insert_rule rule = original ? insert_rule_original500 : insert_rule_walk500;
            struct fixture f;
            unsigned placed_at_limit = 0, gave_up = 0;
            rule.max_kicks = limits[l];
            open_all(&f, &rule, 2, 1, LAYOUT_SPLIT, 400);
            for (uint64_t trial = 0; trial < 50; trial++) {
                start_trial(&f, trial);
                for (int n = 0; n < 220; n++) {
                    enum insert_outcome outcome = inserter_add(&f.inserter, rng_next(&f.keys));
                    const struct insert_cost *cost = &f.inserter.cost;
                    assert_true(cost->kicks <= limits[l]);
                    if (outcome == INSERT_PLACED) {
                        assert_int_equal(cost->writes, cost->kicks + 1);
                        placed_at_limit += cost->kicks == limits[l];
                    } else {
                        assert_int_equal(outcome, INSERT_GAVE_UP);
                        assert_int_equal(cost->kicks, limits[l]);
                        assert_int_equal(cost->writes, cost->kicks);
                        gave_up++;
                    }
                    assert_int_equal(cost->moves, 0);
                }
            }
            assert_true(gave_up > 0);
            /* With two tables a key of the second one was evicted from a slot of the first,
             * which has been full since: the original insertion ends after an odd number of
             * kicks, or none. */
            if (original && limits[l] > 0 && limits[l] % 2 == 0)
                assert_int_equal(placed_at_limit, 0);
            else if (limits[l] <= 7)
                assert_true(placed_at_limit > 0);
            close_all(&f);
        }
}

static void breadth_limits_count_slots_and_moves(void **state)
{
    static const unsigned slots[] = {1, 3, 4, 7, 8, 12, 40, 200}, moves[] = {0, 1, 2, 5};

    (void)state;
    for (size_t s = 0; s < sizeof slots / sizeof slots[0]; s++)
        for (size_t m = 0; m < sizeof moves / sizeof moves[0]; m++) {
            struct insert_rule rule = insert_rule_breadth;
            struct fixture f;
            unsigned gave_up = 0;
            rule.max_slots = slots[s];
            rule.max_moves = moves[m];
            open_all(&f, &rule, 2, 4, LAYOUT_ONE, 512);
            start_trial(&f, 3);
            for (int n = 0; n < 505; n++) {
                enum insert_outcome outcome = inserter_add(&f.inserter, rng_next(&f.keys));
                const struct insert_cost *cost = &f.inserter.cost;
                assert_true(cost->buckets_read * 4 <= slots[s]);
                assert_true(cost->moves <= moves[m]);
                assert_int_equal(cost->kicks, 0);
                if (outcome == INSERT_PLACED)
                    assert_int_equal(cost->writes, cost->moves + 1);
                else
                    assert_int_equal(cost->writes, 0);
                gave_up += outcome == INSERT_GAVE_UP;
            }
            assert_true(gave_up > 0);
            close_all(&f);
        }
}

/* A bucket never holds more than k, and k keys more than that with one and the same
 * candidates have no place at any table size: exactly d x k of them fit. */
static void identical_candidates_fill_their_buckets(void **state)
{
    (void)state;
    for (size_t r = 0; r < RULES; r++)
        for (unsigned k = 1; k <= 4; k++)
            for (uint64_t slots = 8 * k; slots <= 512 * k; slots *= 8) {
                struct fixture f;
                uint32_t want[SCHEME_D_MAX], bucket[SCHEME_D_MAX];
                unsigned placed = 0, offered = 0;
                open_all(&f, rules[r], 2, k, LAYOUT_SPLIT, slots);
                start_trial(&f, slots);
                table_candidates(&f.table, rng_next(&f.keys), want);
                while (offered < 2 * k + 1) {
                    uint64_t key = rng_next(&f.keys);
                    table_candidates(&f.table, key, bucket);
                    if (bucket[0] != want[0] || bucket[1] != want[1])
                        continue;
                    enum insert_outcome outcome = inserter_add(&f.inserter, key);
                    placed += outcome == INSERT_PLACED;
                    offered++;
                    assert_int_equal(outcome == INSERT_PLACED, offered <= 2 * k);
                    if (offered > 2 * k && rules[r]->insert == insert_breadth)
                        assert_int_equal(outcome, INSERT_NO_PLACE);
                }
                assert_int_equal(placed, 2 * k);
                close_all(&f);
            }
}

/* Nothing loops for ever in the smallest tables, whatever the rule. */
static void tiny_tables_end(void **state)
{
    (void)state;
    for (size_t r = 0; r < RULES; r++)
        for (unsigned k = 1; k <= 3; k++)
            for (uint64_t buckets = 1; buckets <= 3; buckets++) {
                struct fixture f;
                open_all(&f, rules[r], 2, k, LAYOUT_ONE, buckets * k);
                for (uint64_t trial = 0; trial < 30; trial++) {
                    start_trial(&f, trial);
                    for (unsigned n = 0; n < buckets * k + 2; n++)
                        inserter_add(&f.inserter, rng_next(&f.keys));
                    assert_true(f.table.stored <= f.scheme.slots);
                    assert_int_equal(table_verify(&f.table), ERR_NONE);
                }
                close_all(&f);
            }
}

/* The stream of keys and the functions do not depend on the search: all rules put a first
 * key into its first candidate, the same bucket. */
static void rules_see_the_same_keys(void **state)
{
    uint64_t first = 0;
    uint32_t place = 0;

    (void)state;
    for (size_t r = 0; r < RULES; r++) {
        struct fixture f;
        uint32_t bucket[SCHEME_D_MAX];
        open_all(&f, rules[r], 2, 1, LAYOUT_ONE, 64);
        start_trial(&f, 9);
        uint64_t key = rng_next(&f.keys);
        assert_int_equal(inserter_add(&f.inserter, key), INSERT_PLACED);
        table_candidates(&f.table, key, bucket);
        if (r == 0) {
            first = key;
            place = bucket[0];
        }
        assert_int_equal(key, first);
        assert_int_equal(bucket[0], place);
        assert_int_equal(f.table.used[place], 1);
        close_all(&f);
    }
}

/* A trial is a function of its number: what ran before in the same buffers leaves no trace. */
static void a_trial_can_be_repeated(void **state)
{
    (void)state;
    for (size_t r = 0; r < RULES; r++) {
        struct fixture f;
        uint64_t slots[2][128];
        open_all(&f, rules[r], 2, 2, LAYOUT_ONE, 128);
        for (int round = 0; round < 2; round++) {
            start_trial(&f, 4);
            memset(f.table.key, 0, 128 * sizeof(uint64_t));
            for (int n = 0; n < 118; n++)
                inserter_add(&f.inserter, rng_next(&f.keys));
            memcpy(slots[round], f.table.key, sizeof slots[round]);
            start_trial(&f, 5);
            for (int n = 0; n < 128; n++)
                inserter_add(&f.inserter, rng_next(&f.keys));
        }
        assert_memory_equal(slots[0], slots[1], sizeof slots[0]);
        close_all(&f);
    }
}

/* Breadth-first: visited bits are zero again after every insertion, failed ones too. */
static void visited_bits_are_cleared(void **state)
{
    struct fixture f;

    (void)state;
    open_all(&f, &insert_rule_breadth, 2, 1, LAYOUT_ONE, 500);
    start_trial(&f, 1);
    for (int n = 0; n < 400; n++) {
        inserter_add(&f.inserter, rng_next(&f.keys));
        for (uint32_t w = 0; w <= f.scheme.buckets / 64; w++)
            assert_int_equal(f.inserter.visited[w], 0);
    }
    close_all(&f);
}

/* Distinct lines against a set built bit by bit. */
static void lines_written_are_distinct(void **state)
{
    struct fixture f;
    unsigned most = 0;

    (void)state;
    open_all(&f, &insert_rule_walk500, 2, 1, LAYOUT_ONE, 512);
    start_trial(&f, 2);
    for (int n = 0; n < 300; n++) {
        unsigned char seen[64] = {0};
        unsigned lines = 0;
        inserter_add(&f.inserter, rng_next(&f.keys));
        for (uint32_t i = 0; i < f.inserter.cost.writes; i++)
            seen[f.inserter.written[i] / 8] = 1;
        for (size_t i = 0; i < sizeof seen; i++)
            lines += seen[i];
        assert_int_equal(inserter_lines_written(&f.inserter), lines);
        if (lines > most)
            most = lines;
    }
    assert_true(most > 10);
    close_all(&f);
}

static void free_is_legal_twice(void **state)
{
    struct fixture f;

    (void)state;
    open_all(&f, &insert_rule_complete, 2, 1, LAYOUT_ONE, 16);
    close_all(&f);
    close_all(&f);
}

/* The presets' limits are part of the definitions of the experiments. */
static void presets(void **state)
{
    (void)state;
    assert_int_equal(insert_rule_walk500.max_kicks, 500);
    assert_int_equal(insert_rule_original500.max_kicks, 500);
    assert_int_equal(insert_rule_original100.max_kicks, 100);
    assert_int_equal(insert_rule_breadth.max_slots, 2000);
    assert_int_equal(insert_rule_breadth.max_moves, 5);
    assert_int_equal(insert_rule_breadth_far.max_slots, 2000);
    assert_int_equal(insert_rule_breadth_far.max_moves, INSERT_UNLIMITED);
    assert_int_equal(insert_rule_complete.max_slots, INSERT_UNLIMITED);
    assert_int_equal(insert_rule_complete.max_moves, INSERT_UNLIMITED);
}

/* Many lines that agree in their last bits, which are told apart only one by one. */
static void lines_that_agree_in_their_bits(void **state)
{
    struct fixture f;

    (void)state;
    open_all(&f, &insert_rule_walk500, 2, 1, LAYOUT_ONE, 1 << 17);
    start_trial(&f, 3);
    for (unsigned round = 0; round < 100; round++) {
        unsigned char seen[1 << 14] = {0};
        unsigned lines = 0;
        f.inserter.cost.writes = 0;
        for (unsigned i = 0; i < 200; i++) {
            uint32_t line = rng_below(&f.keys, 16) << 10 | rng_below(&f.keys, 1 + round);
            lines += !seen[line];
            seen[line] = 1;
            inserter_note_write(&f.inserter, line * 8 + rng_below(&f.keys, 8), 0);
        }
        assert_int_equal(inserter_lines_written(&f.inserter), lines);
    }
    close_all(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(kick_limit_counts_kicks),
        cmocka_unit_test(breadth_limits_count_slots_and_moves),
        cmocka_unit_test(identical_candidates_fill_their_buckets),
        cmocka_unit_test(tiny_tables_end),
        cmocka_unit_test(rules_see_the_same_keys),
        cmocka_unit_test(a_trial_can_be_repeated),
        cmocka_unit_test(visited_bits_are_cleared),
        cmocka_unit_test(lines_written_are_distinct),
        cmocka_unit_test(lines_that_agree_in_their_bits),
        cmocka_unit_test(free_is_legal_twice),
        cmocka_unit_test(presets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
