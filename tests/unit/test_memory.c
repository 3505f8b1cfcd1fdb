/* test_memory.c -- what a thread takes in e2 to e7 is at most 1.3 times the tables' own size, 8
 * bytes a slot, as `help` says; by the bytes that the memory budget counts. */
#include "unit.h"

#include "graph_original.h"
#include "insert_node.h"
#include "measure.h"

#define SLOTS (UINT64_C(1) << 22)
#define SPARE (UINT64_C(1) << 17) /* what does not depend on the slots */

static void fits(const struct trials_work *work, uint64_t less)
{
    assert_true(10 * (work->state_bytes - less) <= 13 * (8 * SLOTS + SPARE));
}

static struct scheme shape(unsigned d, unsigned k)
{
    struct scheme scheme;

    assert_int_equal(scheme_init(&scheme, d, k, LAYOUT_ONE, POSITIONS_REPEAT, SLOTS), ERR_NONE);
    return scheme;
}

static const unsigned shapes[][2] = {{2, 1}, {3, 1}, {4, 1}, {2, 2}, {2, 3},
                                     {2, 4}, {2, 8}, {3, 2}, {3, 4}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static void fills(void **state)
{
    static const struct insert_rule *const rules[] = {&insert_rule_complete, &insert_rule_walk500,
                                                      &insert_rule_breadth,
                                                      &insert_rule_breadth_far};

    (void)state;
    for (size_t s = 0; s < SHAPES; s++)
        for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
            struct fill_setting fill = {
                .scheme = shape(shapes[s][0], shapes[s][1]), .rule = rules[r], .trials = 1};
            struct insert_setting insert = {.scheme = fill.scheme, .rule = rules[r], .trials = 1};
            struct trials_work work;
            fill_work(&fill, &work);
            fits(&work, 0);
            /* the queue of a search without limits may grow to every bucket */
            insert_work(&insert, &work);
            fits(&work, r == 0 ? fill.scheme.buckets * sizeof(struct insert_node) : 0);
        }
}

static void lookups(void **state)
{
    (void)state;
    for (int kind = LOOKUP_LINEAR; kind <= LOOKUP_ROBIN_HOOD; kind++) {
        struct lookup_setting setting = {
            .scheme = shape(1, 1), .kind = kind, .n_loads = 1, .trials = 1};
        struct trials_work work;
        lookup_work(&setting, &work);
        fits(&work, 0);
    }
}

/* As many keys as e4 draws at most, half the slots; small graphs are several at once. */
static void graphs(void **state)
{
    struct fail_setting setting = {.scheme = shape(2, 1), .keys = SLOTS / 2, .trials = 1};
    struct trials_work work;

    (void)state;
    fail_work(&setting, &work);
    fits(&work, 0);
    setting.rule = &insert_rule_original100;
    assert_int_equal(original_lanes(&setting.scheme), 1);
    fail_work(&setting, &work);
    fits(&work, 0);
}

/* A walk keeps each slot that it wrote: what it may need is asked for before it begins. */
static void long_walks(void **state)
{
    struct scheme scheme = shape(2, 1);
    struct insert_rule rule = insert_rule_walk500;

    (void)state;
    uint64_t few = inserter_bytes_of(&scheme, &rule);
    rule.max_kicks = 1000000000;
    assert_true(inserter_bytes_of(&scheme, &rule) - few >= UINT64_C(15000000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills),
        cmocka_unit_test(lookups),
        cmocka_unit_test(graphs),
        cmocka_unit_test(long_walks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
