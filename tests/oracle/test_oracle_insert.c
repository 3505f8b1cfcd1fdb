/* test_oracle_insert.c -- the insertion rules of src/ against their plain transcriptions:
 * after every insertion outcome, costs, nestless key and the whole table are the same. */
#include "../unit/unit.h"

#include "insert.h"
#include "slow.h"

struct pair {
    struct scheme scheme;
    struct table table;
    struct inserter inserter;
    struct slow_table slow;
    uint64_t choices; /* state of the slow search stream */
};

/* Once the scheme is made. */
static void open_rest(struct pair *p, const struct insert_rule *rule, unsigned d, unsigned k)
{
    assert_int_equal(table_init(&p->table, &p->scheme), ERR_NONE);
    assert_int_equal(inserter_init(&p->inserter, &p->table, rule), ERR_NONE);
    memset(&p->slow, 0, sizeof p->slow);
    p->slow.d = d;
    p->slow.k = k;
}

static void open_windows(struct pair *p, const struct insert_rule *rule, unsigned windows,
                         unsigned length, unsigned page, uint64_t slots)
{
    assert_int_equal(scheme_init_windows(&p->scheme, windows, length, page, slots), ERR_NONE);
    open_rest(p, rule, windows * length, 1);
    p->slow.window = length;
    p->slow.page = page;
    p->slow.buckets = (unsigned)(page > 0 ? slots / page * page : slots);
    assert_int_equal(p->scheme.slots, p->slow.buckets);
}

static void open_pair(struct pair *p, const struct insert_rule *rule, unsigned d, unsigned k,
                      int split, int distinct, uint64_t slots)
{
    assert_int_equal(scheme_init(&p->scheme, d, k, split ? LAYOUT_SPLIT : LAYOUT_ONE,
                                 distinct ? POSITIONS_DISTINCT : POSITIONS_REPEAT, slots),
                     ERR_NONE);
    open_rest(p, rule, d, k);
    p->slow.split = split;
    p->slow.distinct = distinct;
    p->slow.buckets = (unsigned)(split ? slots / d / k * d : slots / k);
    assert_int_equal(p->scheme.buckets, p->slow.buckets);
}

static void close_pair(struct pair *p)
{
    inserter_free(&p->inserter);
    table_free(&p->table);
}

static void start(struct pair *p, uint64_t hash_stream, uint64_t search_stream)
{
    inserter_reset(&p->inserter, hash_stream, search_stream);
    memset(p->slow.used, 0, sizeof p->slow.used);
    memset(p->slow.key, 0, sizeof p->slow.key);
    for (unsigned i = 0; i < SLOW_D / 2; i++)
        p->slow.seed[i] = slow_next(&hash_stream);
    p->choices = search_stream;
}

static enum slow_outcome slow_insert(struct pair *p, uint64_t key, struct slow_cost *cost)
{
    const struct insert_rule *rule = p->inserter.rule;

    memset(cost, 0, sizeof *cost);
    if (rule->insert == insert_walk)
        return slow_walk(&p->slow, key, rule->max_kicks, &p->choices, cost);
    if (rule->insert == insert_original)
        return slow_original(&p->slow, key, rule->max_kicks, &p->choices, cost);
    return slow_breadth(&p->slow, key, rule->max_slots, rule->max_moves, cost);
}

/* One insertion in both; returns the outcome. */
static enum insert_outcome insert_both(struct pair *p, uint64_t key)
{
    struct slow_cost cost;
    unsigned lines = 0, stored = 0;
    enum slow_outcome expected = slow_insert(p, key, &cost);
    enum insert_outcome outcome = inserter_add(&p->inserter, key);
    const struct insert_cost *got = &p->inserter.cost;

    assert_int_equal((int)outcome, (int)expected);
    assert_int_equal(got->kicks, cost.kicks);
    assert_int_equal(got->moves, cost.moves);
    assert_int_equal(got->buckets_read, cost.buckets_read);
    assert_int_equal(got->writes, cost.writes);
    if (outcome != INSERT_PLACED)
        assert_int_equal(got->nestless, cost.nestless);
    for (size_t i = 0; i < sizeof cost.line; i++)
        lines += cost.line[i];
    assert_int_equal(inserter_lines_written(&p->inserter), lines);
    assert_int_equal(p->inserter.rng.state, p->choices); /* no choice more, none less */
    for (unsigned b = 0; b < p->slow.buckets; b++) {
        assert_int_equal(p->table.used[b], p->slow.used[b]);
        stored += p->slow.used[b];
        for (unsigned s = 0; s < p->slow.used[b]; s++)
            assert_int_equal(*table_slot(&p->table, b, s), p->slow.key[b][s]);
    }
    assert_int_equal(p->table.stored, stored);
    return outcome;
}

struct tally {
    unsigned placed, gave_up, no_place, longest;
};

/* Limits of some size. */
static void draw_limits(struct insert_rule *rule, struct rng *rng)
{
    if (rule->insert != insert_breadth) {
        rule->max_kicks = rng_below(rng, 4) > 0 ? 1 + rng_below(rng, 40) : rng_below(rng, 2);
    } else if (rule->max_slots != INSERT_UNLIMITED) {
        rule->max_slots = 1 + rng_below(rng, 60);
        rule->max_moves = rng_below(rng, 2) ? rng_below(rng, 6) : INSERT_UNLIMITED;
    }
}

/* To ten failures beyond the end. */
static void fill_both(struct pair *p, struct rng *rng, struct tally *tally)
{
    start(p, rng_next(rng), rng_next(rng));
    for (unsigned failures = 0; failures < 10;) {
        enum insert_outcome outcome = insert_both(p, rng_next(rng));
        const struct insert_cost *cost = &p->inserter.cost;
        failures += outcome != INSERT_PLACED;
        tally->placed += outcome == INSERT_PLACED;
        tally->gave_up += outcome == INSERT_GAVE_UP;
        tally->no_place += outcome == INSERT_NO_PLACE;
        if (outcome == INSERT_PLACED && cost->kicks + cost->moves > tally->longest)
            tally->longest = cost->kicks + cost->moves;
    }
    close_pair(p);
}

/* Random small tables with windows of every length that is allowed. */
static void windows(void **state)
{
    const struct insert_rule rules[] = {insert_rule_walk500, insert_rule_breadth,
                                        insert_rule_complete};
    struct rng rng;

    (void)state;
    unit_stream(&rng, 6);
    for (unsigned i = 0; i < 3; i++) {
        struct tally tally = {0};
        for (unsigned round = 0; round < 400; round++) {
            struct insert_rule rule = rules[i];
            struct pair p;
            unsigned number = 2 + rng_below(&rng, 4);
            unsigned length = 2 + rng_below(&rng, SCHEME_D_MAX / number - 1);
            unsigned page = rng_below(&rng, 2) ? length + rng_below(&rng, 9) : 0;
            uint64_t slots = (page > 0 ? page : length) + rng_below(&rng, 60);
            draw_limits(&rule, &rng);
            open_windows(&p, &rule, number, length, page, slots);
            fill_both(&p, &rng, &tally);
        }
        assert_true(tally.longest > (i == 0 ? 20 : 3));
        assert_true(i == 2 ? tally.gave_up == 0 : tally.gave_up > 1000);
        assert_true(i == 0 ? tally.no_place == 0 : tally.no_place > 100);
    }
}

/* Fill random small tables to their end and ten failures beyond. */
static void compare(struct insert_rule rule, unsigned rounds, uint64_t number, struct tally *tally)
{
    struct rng rng;

    unit_stream(&rng, number);
    for (unsigned round = 0; round < rounds; round++) {
        struct pair p;
        unsigned d = rule.insert == insert_original ? 2 : 1 + rng_below(&rng, 4);
        unsigned k = 1 + rng_below(&rng, 4);
        unsigned buckets = d + rng_below(&rng, 1 + rng_below(&rng, 40));
        int split = (int)rng_below(&rng, 2), distinct = (int)rng_below(&rng, 2);
        uint64_t slots = (uint64_t)buckets * k;
        if (split)
            slots *= d;
        else
            slots += rng_below(&rng, k); /* slots that are no whole bucket */
        draw_limits(&rule, &rng);
        open_pair(&p, &rule, d, k, split, distinct, slots);
        fill_both(&p, &rng, tally);
    }
}

static void walk(void **state)
{
    struct tally tally = {0};

    (void)state;
    compare(insert_rule_walk500, 2000, 1, &tally);
    assert_true(tally.longest > 20);
}

static void original(void **state)
{
    struct tally tally = {0};

    (void)state;
    compare(insert_rule_original500, 2000, 2, &tally);
    assert_true(tally.longest > 20);
}

static void breadth_first_with_limits(void **state)
{
    struct tally tally = {0};

    (void)state;
    compare(insert_rule_breadth, 1000, 3, &tally);
    assert_true(tally.longest > 4);
    assert_true(tally.gave_up > 1000 && tally.no_place > 100);
}

static void complete_search(void **state)
{
    struct tally tally = {0};

    (void)state;
    compare(insert_rule_complete, 500, 4, &tally);
    assert_true(tally.longest > 6);
    assert_int_equal(tally.gave_up, 0);
}

/* The presets' own limits, in tables large enough to meet them. */
static void presets(void **state)
{
    static const struct insert_rule *const rules[] = {
        &insert_rule_walk500,     &insert_rule_breadth,     &insert_rule_breadth_far,
        &insert_rule_original500, &insert_rule_original100,
    };

    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        for (unsigned k = 1; k <= 4; k += 3) {
            struct pair p;
            struct rng rng;
            unsigned gave_up = 0;
            unit_stream(&rng, 50 + i);
            open_pair(&p, rules[i], 2, k, 0, 0, 512 * k);
            start(&p, rng_next(&rng), rng_next(&rng));
            for (unsigned n = 0; n < 512 * k * (k == 1 ? 60 : 99) / 100; n++)
                gave_up += insert_both(&p, rng_next(&rng)) == INSERT_GAVE_UP;
            assert_true(gave_up > 0 || (k == 1 && rules[i]->insert == insert_breadth) ||
                        rules[i] == &insert_rule_breadth_far);
            close_pair(&p);
        }
}

/* Same streams in all layouts: the candidates of src/ are those of the transcription. */
static void candidates(void **state)
{
    struct rng rng;

    (void)state;
    unit_stream(&rng, 5);
    for (unsigned round = 0; round < 400; round++) {
        struct pair p;
        unsigned d = 1 + rng_below(&rng, SCHEME_D_MAX), k = 1 + rng_below(&rng, 3);
        int split = (int)rng_below(&rng, 2), distinct = (int)rng_below(&rng, 2);
        uint64_t buckets = d + rng_below(&rng, 15);
        open_pair(&p, &insert_rule_walk500, d, k, split, distinct, buckets * k * (split ? d : 1));
        start(&p, rng_next(&rng), 0);
        for (unsigned i = 0; i < 100; i++) {
            uint32_t bucket[SCHEME_D_MAX];
            unsigned expected[SLOW_D];
            uint64_t key = rng_next(&rng);
            table_candidates(&p.table, key, bucket);
            slow_candidates(&p.slow, key, expected);
            for (unsigned j = 0; j < d; j++)
                assert_int_equal(bucket[j], expected[j]);
        }
        close_pair(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates),      cmocka_unit_test(walk),
        cmocka_unit_test(original),        cmocka_unit_test(breadth_first_with_limits),
        cmocka_unit_test(complete_search), cmocka_unit_test(presets),
        cmocka_unit_test(windows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
