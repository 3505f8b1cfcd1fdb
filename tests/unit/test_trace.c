/* test_trace.c -- the traced insertion: worked examples with known endings, and agreement
 * with the definition on all small sets of keys. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "trace.h"

static void add(struct trace *trace, unsigned key, unsigned first, unsigned second)
{
    char name[24];

    snprintf(name, sizeof name, "%u", key);
    assert_int_equal(trace_add_key(trace, name, first, second), ERR_NONE);
}

static void assert_table(const struct trace *trace, int table, const int *expected)
{
    for (unsigned slot = 0; slot < trace->slots[table]; slot++) {
        int key = trace->cell[table][slot];
        if (expected[slot] < 0) {
            assert_int_equal(key, TRACE_NONE);
        } else {
            char name[24];
            assert_int_not_equal(key, TRACE_NONE);
            snprintf(name, sizeof name, "%d", expected[slot]);
            assert_string_equal(trace->key[key].name, name);
        }
    }
}

/* A published example: ten keys fit, the eleventh leaves 105 over after 11 placements. */
static void division_example(void **state)
{
    static const unsigned keys[] = {20, 50, 53, 75, 100, 67, 105, 3, 36, 39, 6};
    static const int ten[2][11] = {{-1, 100, -1, 36, -1, -1, 50, -1, -1, 75, -1},
                                   {3, 20, -1, 39, 53, -1, 67, -1, -1, 105, -1}};
    static const int eleven[2][11] = {{-1, 67, -1, 3, -1, -1, 39, -1, -1, 53, -1},
                                      {6, 20, -1, 36, 50, -1, 75, -1, -1, 100, -1}};
    struct trace trace;
    int nestless;

    (void)state;
    assert_int_equal(trace_init(&trace, 11, 11), ERR_NONE);
    for (int i = 0; i < 11; i++)
        add(&trace, keys[i], keys[i] % 11, keys[i] / 11 % 11);
    for (int i = 0; i < 10; i++) {
        trace_insert(&trace, i, 11, NULL, NULL, &nestless);
        assert_int_equal(nestless, TRACE_NONE);
    }
    assert_table(&trace, 0, ten[0]);
    assert_table(&trace, 1, ten[1]);
    assert_int_equal(trace_insert(&trace, 10, 11, NULL, NULL, &nestless), 11);
    assert_string_equal(trace.key[nestless].name, "105");
    assert_table(&trace, 0, eleven[0]);
    assert_table(&trace, 1, eleven[1]);
}

static void refusals(void **state)
{
    struct trace trace;

    (void)state;
    assert_int_equal(trace_init(&trace, 0, 4), ERR_DOMAIN);
    assert_int_equal(trace_init(&trace, TRACE_SLOTS_MAX + 1, 4), ERR_DOMAIN);
    assert_int_equal(trace_init(&trace, 4, TRACE_SLOTS_MAX + 1), ERR_DOMAIN);
    assert_int_equal(trace_init(&trace, 4, 3), ERR_NONE);
    assert_int_equal(trace_add_key(&trace, "a", 3, 2), ERR_NONE);
    assert_int_equal(trace_add_key(&trace, "b", 4, 2), ERR_DOMAIN);
    assert_int_equal(trace_add_key(&trace, "b", 3, 3), ERR_DOMAIN);
    assert_int_equal(trace_vertex(&trace, 0, 0), 3);
    assert_int_equal(trace_vertex(&trace, 0, 1), 4 + 2);
    assert_int_equal(trace_init(&trace, 4, 0), ERR_NONE);
    assert_int_equal(trace_add_key(&trace, "a", 3, 3), ERR_NONE);
    assert_int_equal(trace_vertex(&trace, 0, 1), 3);
}

/* Some assignment gives every key one of its two slots, each slot to one key. */
static int placeable(const struct trace *trace, int keys)
{
    for (unsigned choice = 0; choice < 1U << keys; choice++) {
        unsigned taken = 0;
        int i = 0;
        for (; i < keys; i++) {
            unsigned slot = 1U << trace_vertex(trace, i, (int)(choice >> i & 1));
            if (taken & slot)
                break;
            taken |= slot;
        }
        if (i == keys)
            return 1;
    }
    return 0;
}

struct check {
    int steps, carry; /* the key that the next step must place */
};

/* Steps follow on each other: the evicted key is the next one placed, elsewhere. */
static void see(const struct trace *trace, const struct trace_step *step, void *pointer)
{
    struct check *check = pointer;

    assert_int_equal(step->step, ++check->steps);
    assert_int_equal(step->round, (step->step + 1) / 2);
    assert_int_equal(step->key, check->carry);
    assert_int_equal(trace->cell[step->table][step->slot], step->key);
    if (trace->tables == 2)
        assert_int_equal(step->table, (step->step + 1) % 2);
    check->carry = step->evicted;
}

static void assert_consistent(const struct trace *trace)
{
    for (int table = 0; table < trace->tables; table++)
        for (unsigned slot = 0; slot < trace->slots[table]; slot++) {
            int key = trace->cell[table][slot];
            if (key == TRACE_NONE)
                continue;
            int first = table == 0 && trace->key[key].slot[0] == slot;
            int second = table == trace->tables - 1 && trace->key[key].slot[1] == slot;
            assert_true(first || second);
        }
}

/* With a limit of twice the keys an insertion stops exactly where no placement exists. */
static void stops_only_where_nothing_fits(void **state)
{
    unsigned most = 0, stops = 0;

    (void)state;
    for (uint64_t number = 0; number < 20000; number++) {
        struct rng rng;
        struct trace trace;
        unit_stream(&rng, number);
        unsigned first = 1 + rng_below(&rng, 4), second = rng_below(&rng, 5);
        assert_int_equal(trace_init(&trace, first, second), ERR_NONE);
        for (unsigned i = 0; i < 8; i++) {
            unsigned slot = rng_below(&rng, first);
            add(&trace, i, slot, rng_below(&rng, second > 0 ? second : first));
        }
        for (int i = 0; i < trace.keys; i++) {
            struct check check = {0, i};
            int nestless;
            int steps = trace_insert(&trace, i, 2 * (i + 1), see, &check, &nestless);
            assert_int_equal(check.steps, steps);
            assert_int_equal(check.carry, nestless);
            assert_consistent(&trace);
            assert_int_equal(nestless == TRACE_NONE, placeable(&trace, i + 1));
            if (nestless != TRACE_NONE) {
                stops++;
                break;
            }
            if ((unsigned)steps > most)
                most = (unsigned)steps;
        }
    }
    assert_true(stops > 10000);
    assert_true(most > 8); /* more placements than keys are needed at times */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(division_example),
        cmocka_unit_test(refusals),
        cmocka_unit_test(stops_only_where_nothing_fits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
