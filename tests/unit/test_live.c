/* test_live.c -- readers beside a writer: the table stays whole, safe protocols stay safe,
 * and without readers' checks false misses are seen. */
#include "unit.h"

#include <string.h>

#include "live.h"

static void run(const char *name, enum live_search search, unsigned readers, uint64_t *tally)
{
    struct live_setting setting = {
        .search = search, .readers = readers, .counters = 64, .steps = 300000, .keys = 240};
    struct live *live;

    for (setting.protocol = race_protocols; strcmp(setting.protocol->name, name) != 0;)
        setting.protocol++;
    assert_int_equal(scheme_init(&setting.scheme, 2, 4, LAYOUT_ONE, POSITIONS_REPEAT, 256),
                     ERR_NONE);
    memset(tally, 0, LIVE_CELLS * sizeof *tally);
    assert_int_equal(live_open(&live, &setting), ERR_NONE);
    for (uint64_t trial = 0; trial < 4; trial++) {
        assert_int_equal(live_run(live, 3 * trial, 3 * trial + 1, 3 * trial + 2, tally), ERR_NONE);
        assert_int_equal(live_verify(live), ERR_NONE);
    }
    live_close(live);
    assert_int_equal(tally[LIVE_READER_STEPS] + tally[LIVE_WRITER_STEPS], 4 * setting.steps);
    assert_true(tally[LIVE_LOOKUPS] >= tally[LIVE_HITS_LOOKED_UP] + tally[LIVE_ABSENT_LOOKED_UP]);
    assert_true(tally[LIVE_NEEDLESS] <= tally[LIVE_RETRIES]);
    assert_int_equal(tally[LIVE_WRONG_HITS], 0);
    assert_true(tally[LIVE_INSERTIONS] > 1000);
    assert_true(tally[LIVE_LOOKUPS] > 10000);
}

static void safe_protocols(void **state)
{
    static const char *const names[] = {"memc3", "libcuckoo", "dpdk", "ovs"};
    uint64_t tally[LIVE_CELLS];

    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (unsigned readers = 1; readers <= 8; readers *= 2)
            for (int search = 0; search < 2; search++) {
                run(names[i], search ? LIVE_WALK : LIVE_BREADTH, readers, tally);
                assert_int_equal(tally[LIVE_FALSE_MISSES], 0);
                if (strcmp(names[i], "libcuckoo") == 0)
                    assert_int_equal(tally[LIVE_RETRIES], 0);
                else
                    assert_true(tally[LIVE_RETRIES] > 0);
                if (strcmp(names[i], "dpdk") == 0)
                    assert_int_equal(tally[LIVE_HELD], 0);
                else
                    assert_true(tally[LIVE_HELD] > 0);
            }
}

static void unsafe_protocols(void **state)
{
    uint64_t tally[LIVE_CELLS];

    (void)state;
    run("kick-first", LIVE_WALK, 2, tally);
    assert_true(tally[LIVE_FALSE_MISSES] > 0);
    run("backwards", LIVE_WALK, 2, tally);
    assert_true(tally[LIVE_FALSE_MISSES] > 0);
}

static void refusals(void **state)
{
    struct live_setting setting = {
        .protocol = race_protocols, .readers = 1, .counters = 48, .steps = 1, .keys = 8};
    struct live *live;
    uint64_t tally[LIVE_CELLS] = {0};

    (void)state;
    assert_int_equal(scheme_init(&setting.scheme, 2, 4, LAYOUT_ONE, POSITIONS_REPEAT, 8), ERR_NONE);
    assert_int_equal(live_open(&live, &setting), ERR_DOMAIN); /* counters: a power of two */
    live_close(live);
    setting.counters = 64;
    setting.keys = 9;
    assert_int_equal(live_open(&live, &setting), ERR_DOMAIN);
    live_close(live);
    setting.keys = 8;
    assert_int_equal(live_open(&live, &setting), ERR_NONE);
    live_run(live, 1, 2, 3, tally); /* filled to the last slot, or ERR_DOMAIN; not endless */
    live_close(live);
    live_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(safe_protocols),
        cmocka_unit_test(unsafe_protocols),
        cmocka_unit_test(refusals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
