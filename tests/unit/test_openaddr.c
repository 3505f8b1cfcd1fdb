/* test_openaddr.c -- limits of the open-addressing yardsticks and one example by hand;
 * agreement with literal insertion is tested in tests/oracle/test_oracle_openaddr.c. */
#include "unit.h"

#include "openaddr.h"

static void open_table(struct openaddr *table, struct scheme *scheme, uint64_t slots, size_t cells)
{
    assert_int_equal(scheme_init(scheme, 1, 1, LAYOUT_ONE, POSITIONS_REPEAT, slots), ERR_NONE);
    assert_int_equal(openaddr_init(table, scheme, cells), ERR_NONE);
    openaddr_reset(table, 1);
}

static void refuses_other_schemes(void **state)
{
    struct scheme scheme;
    struct openaddr table;

    (void)state;
    assert_int_equal(scheme_init(&scheme, 2, 1, LAYOUT_ONE, POSITIONS_REPEAT, 8), ERR_NONE);
    assert_int_equal(openaddr_init(&table, &scheme, 8), ERR_DOMAIN);
    openaddr_free(&table);
}

/* An empty table: a miss compares the empty slot at home and touches its line. */
static void empty_table(void **state)
{
    struct scheme scheme;
    struct openaddr table;
    uint64_t histogram[10] = {0};
    struct lookup_costs costs = {.histogram = histogram, .cells = 10};

    (void)state;
    open_table(&table, &scheme, 9, 10);
    openaddr_linear_misses(&table, &costs);
    openaddr_robin_hood_misses(&table, &costs);
    openaddr_robin_hood_hits(&table, &costs); /* no keys, no lookups */
    assert_int_equal(costs.lookups, 18);
    assert_int_equal(histogram[1], 18);
    assert_int_equal(costs.lines, 18);
    assert_int_equal(costs.max_slots, 1);
    openaddr_free(&table);
}

/* One slot: no key fits, since one slot stays empty. */
static void smallest_tables(void **state)
{
    struct scheme scheme;
    struct openaddr table;

    (void)state;
    for (uint64_t slots = 1; slots <= 130; slots++) {
        open_table(&table, &scheme, slots, 8);
        for (uint64_t key = 0; key < slots; key++)
            assert_int_equal(openaddr_add(&table, key), key + 1 < slots ? ERR_NONE : ERR_DOMAIN);
        assert_int_equal(table.stored, slots - 1);
        openaddr_free(&table);
    }
}

/* Keys of one home: costs 1, 2, 3 in either scheme; a home holds at most 65,535 keys. */
static void one_home(void **state)
{
    struct scheme scheme;
    struct openaddr table;
    uint64_t histogram[10] = {0};
    struct lookup_costs costs = {.histogram = histogram, .cells = 10};
    uint32_t bucket[SCHEME_D_MAX];

    (void)state;
    open_table(&table, &scheme, 50, 10);
    for (uint64_t key = 0; table.stored < 5; key++) {
        scheme_candidates(&scheme, &table.hasher, key, bucket);
        if (bucket[0] == 47)
            assert_int_equal(openaddr_add(&table, key), ERR_NONE);
    }
    openaddr_robin_hood_hits(&table, &costs);
    for (int cost = 1; cost <= 5; cost++) {
        assert_int_equal(histogram[cost], 1);
        assert_int_equal(table.hits.histogram[cost], 1);
    }
    /* slots 47, 48, 49 lie in lines 5 and 6, then 0 and 1 in line 0 */
    assert_int_equal(table.hits.lines, 1 + 2 + 2 + 3 + 3);
    assert_int_equal(costs.lines, 1 + 2 + 2 + 3 + 3);
    assert_int_equal(table.hits.max_lines, 3);
    openaddr_free(&table);
}

static void copy_keeps_the_histogram(void **state)
{
    uint64_t from_cells[4] = {0, 1, 2, 3}, to_cells[4] = {10, 10, 10, 10};
    struct lookup_costs from = {
        .histogram = from_cells, .cells = 4, .lookups = 6, .slots = 14, .max_slots = 3};
    struct lookup_costs to = {.histogram = to_cells, .cells = 4, .lookups = 99};

    (void)state;
    lookup_costs_copy(&to, &from);
    assert_ptr_equal(to.histogram, to_cells);
    assert_int_equal(to.lookups, 6);
    assert_int_equal(to.slots, 14);
    for (uint64_t i = 0; i < 4; i++)
        assert_int_equal(to_cells[i], 10 + i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_other_schemes),    cmocka_unit_test(empty_table),
        cmocka_unit_test(smallest_tables),          cmocka_unit_test(one_home),
        cmocka_unit_test(copy_keeps_the_histogram),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
