/* The first failure of a complete search: the kernel against the search itself, which
 * places key after key breadth-first until none of its searches finds a free slot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "complete.h"
#include "insert.h"

static uint64_t slow(const struct scheme *scheme, uint64_t hash_stream, uint64_t key_stream)
{
    struct table table;
    struct inserter inserter;
    struct rng keys;

    assert_int_equal(table_init(&table, scheme), ERR_NONE);
    assert_int_equal(inserter_init(&inserter, &table, &insert_rule_complete), ERR_NONE);
    inserter_reset(&inserter, hash_stream, 0);
    rng_init(&keys, key_stream);
    while (inserter_add(&inserter, rng_next(&keys)) == INSERT_PLACED)
        ;
    uint64_t stored = table.stored;
    assert_int_equal(table_verify(&table), ERR_NONE);
    inserter_free(&inserter);
    table_free(&table);
    return stored;
}

static void compare(const struct scheme *scheme, unsigned trials)
{
    struct complete complete;

    assert_int_equal(complete_init(&complete, scheme), ERR_NONE);
    for (unsigned trial = 0; trial < trials; trial++) {
        uint64_t hash = scheme_stream(scheme, 5, 0, trial, STREAM_HASH);
        uint64_t keys = scheme_stream(scheme, 5, 0, trial, STREAM_KEYS), placed = 0;
        assert_int_equal(complete_first_failure(&complete, hash, keys, &placed), ERR_NONE);
        assert_int_equal(placed, slow(scheme, hash, keys));
    }
    complete_free(&complete);
}

/* Every shape that stores residents its own way, both layouts, both kinds of positions,
 * and sizes from one bucket to a few thousand. */
static void test_shapes(void **state)
{
    static const unsigned d[] = {1, 2, 3, 4, 5, 8}, k[] = {1, 2, 3, 4, 8};
    static const uint64_t sizes[] = {1, 2, 3, 5, 8, 20, 100, 480, 4000};
    struct scheme scheme;

    (void)state;
    for (unsigned i = 0; i < 6 * 5 * 9; i++)
        for (unsigned kind = 0; kind < 3; kind++) {
            uint64_t slots = sizes[i / 30] * (kind == 1 ? d[i % 6] : 1) * k[i / 6 % 5];
            if (scheme_init(&scheme, d[i % 6], k[i / 6 % 5], kind == 1 ? LAYOUT_SPLIT : LAYOUT_ONE,
                            kind == 2 ? POSITIONS_DISTINCT : POSITIONS_REPEAT, slots) == ERR_NONE)
                compare(&scheme, slots < 200 ? 40 : 3);
        }
}

static void test_windows(void **state)
{
    static const uint64_t sizes[] = {4, 5, 9, 30, 200, 3000};
    struct scheme scheme;

    (void)state;
    for (unsigned i = 0; i < 6; i++)
        for (unsigned windows = 2; windows <= 4; windows++)
            for (unsigned length = 2; length <= 4; length++) {
                assert_int_equal(scheme_init_windows(&scheme, windows, length, 0, sizes[i]),
                                 ERR_NONE);
                compare(&scheme, sizes[i] < 200 ? 40 : 3);
            }
}

static void test_larger(void **state)
{
    static const unsigned shapes[][2] = {{2, 1}, {3, 1}, {4, 1}, {2, 2}, {2, 4}, {3, 2}};
    struct scheme scheme;

    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(
            scheme_init(&scheme, shapes[i][0], shapes[i][1], LAYOUT_ONE, POSITIONS_REPEAT, 30000),
            ERR_NONE);
        compare(&scheme, 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_larger),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
