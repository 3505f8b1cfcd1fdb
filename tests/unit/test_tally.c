/* test_tally.c -- a block's common cells are taken whole, whatever the block before left there. */
#include "unit.h"

#include "tally.h"

static void a_block_leaves_nothing_to_the_next(void **state)
{
    static const struct trials_work work = {.adds = 3, .maxes = 2};
    uint64_t cells[5] = {1, 0, 2, 5, 0}, common[5] = {0}, sum[5] = {0};

    (void)state;
    tally_take_common(&work, cells, common);
    tally_add_common(sum, common, 3, 2);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(cells[i], 0);
    cells[1] = 4;
    cells[4] = 7;
    tally_take_common(&work, cells, common);
    const uint64_t second[5] = {0, 4, 0, 0, 7}, both[5] = {1, 4, 2, 5, 7};
    assert_memory_equal(common, second, sizeof second);
    tally_add_common(sum, common, 3, 2);
    assert_memory_equal(sum, both, sizeof both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_block_leaves_nothing_to_the_next)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
