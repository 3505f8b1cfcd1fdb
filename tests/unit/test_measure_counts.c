/* test_measure_counts.c -- what the measures of growth, filters, rules and streams count, where
 * it can be said beforehand: a key more than there are slots, one bucket, a single item. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure_filter.h"
#include "measure_growth.h"

#define TRIALS 2000

/* All trials of a work as one block; free the cells. */
static uint64_t *run(const struct trials_work *work)
{
    uint64_t *cells = calloc(work->adds + work->maxes + 1, sizeof *cells);
    void *state = NULL;

    assert_non_null(cells);
    assert_int_equal(work->open(work->setting, &state), ERR_NONE);
    assert_int_equal(work->run_block(work->setting, state, 0, TRIALS, cells), ERR_NONE);
    work->close(state);
    return cells;
}

/* Two tables of one slot: the first key is written once, the second may kick the first back
 * and forth, the third goes to the stash. */
static void policies(void **state)
{
    struct policy_setting setting = {
        .rule = {.k = 1, .layout = LAYOUT_SPLIT, .max_kicks = 9, .stash = 2, .new_functions = 1},
        .slots = 2,
        .keys = 1,
        .seed = 1,
        .trials = TRIALS,
        .label = "test"};
    struct trials_work work;

    (void)state;
    for (; setting.keys <= 4; setting.keys++) {
        uint64_t stashed = setting.keys > 2 ? setting.keys - 2 : 0;
        policy_work(&setting, &work);
        uint64_t *cells = run(&work);
        assert_int_equal(cells[POLICY_STASHED], stashed * TRIALS);
        assert_int_equal(cells[POLICY_STASHES], stashed > 0 ? TRIALS : 0);
        assert_int_equal(cells[POLICY_MOST_STASHED], stashed);
        assert_int_equal(cells[POLICY_LOST] + cells[POLICY_REBUILDS] + cells[POLICY_ATTEMPTS], 0);
        if (setting.keys == 1) {
            assert_int_equal(cells[POLICY_WRITES], TRIALS);
            assert_int_equal(cells[POLICY_LARGEST], 1);
        }
        free(cells);
    }
}

/* Three keys for two slots: at each insertion one is left over and dropped, and no other is
 * missing. */
static void churn(void **state)
{
    /* not a multiple of 3 kicks, after which the new key would be the one left over */
    struct churn_setting setting = {.rule = {.k = 1, .layout = LAYOUT_SPLIT, .max_kicks = 10},
                                    .slots = 2,
                                    .keys = 3,
                                    .seed = 1,
                                    .trials = TRIALS,
                                    .label = "test"};
    struct trials_work work;

    (void)state;
    churn_work(&setting, &work);
    uint64_t *cells = run(&work);
    for (int turn = 1; turn <= CHURN_TURNS; turn++) {
        const uint64_t *cell = cells + turn * CHURN_CELLS;
        assert_int_equal(cell[CHURN_INSERTIONS], 3 * TRIALS);
        assert_int_equal(cell[CHURN_FAILED], 3 * TRIALS);
        assert_int_equal(cell[CHURN_MISSING], 0);
        /* the key, and what its ten placements throw out: the last has no place */
        assert_int_equal(cell[CHURN_WRITES], cell[CHURN_KICKS]);
    }
    free(cells);
    /* one key and tombstones: an insertion that fails writes once less than it kicks and one
     * more, and the table without the dead keys takes the one write that is missing */
    setting.keys = 1;
    setting.tombstones = 1;
    churn_work(&setting, &work);
    cells = run(&work);
    for (int turn = 1; turn <= CHURN_TURNS; turn++) {
        const uint64_t *cell = cells + turn * CHURN_CELLS;
        assert_int_equal(cell[CHURN_FAILED] + cell[CHURN_MISSING], 0);
        assert_int_equal(cell[CHURN_WRITES], cell[CHURN_KICKS] + cell[CHURN_INSERTIONS]);
        /* both slots are taken after every second insertion */
        assert_int_equal(cell[CHURN_REBUILDS], turn % 2 == 0 ? TRIALS : 0);
    }
    free(cells);
}

/* One bucket of four: of five tags one is left over, the last item's if nobody has moved it
 * on.  With 16 bits, tags that agree are rare. */
static void victims(void **state)
{
    struct fault_setting setting = {.shape = {.tag_bits = 16, .slots = 4, .buckets = 1},
                                    .seed = 1,
                                    .trials = TRIALS,
                                    .label = "test"};
    struct trials_work work;

    (void)state;
    victim_work(&setting, &work);
    uint64_t *cells = run(&work);
    assert_int_equal(cells[VICTIM_ITEMS], 5 * TRIALS);
    assert_int_equal(cells[VICTIM_MISSING], 0);
    assert_in_range(cells[VICTIM_LOST], TRIALS - 3, TRIALS);
    /* after 499 kicks of a random one of four, each of the five is left over alike */
    double off = (double)cells[VICTIM_RECENT] - TRIALS / 5.0;
    assert_true(fabs(off) < 5 * sqrt(TRIALS * 0.2 * 0.8));
    free(cells);
}

static void rates(void **state)
{
    struct rate_setting setting = {.shape = {.tag_bits = 8, .slots = 4, .buckets = 16},
                                   .items = {0, 8},
                                   .n_loads = 2,
                                   .lookups = 11,
                                   .seed = 1,
                                   .trials = TRIALS,
                                   .label = "test"};
    struct trials_work work;

    (void)state;
    rate_work(&setting, &work);
    uint64_t *cells = run(&work);
    for (int load = 0; load < 2; load++) {
        assert_int_equal(cells[load * RATE_CELLS + RATE_REACHED], TRIALS);
        assert_int_equal(cells[load * RATE_CELLS + RATE_LOOKUPS], 11 * TRIALS);
    }
    assert_int_equal(cells[RATE_POSITIVES], 0);
    free(cells);
}

/* One item again and again: both count it right, however long the stream. */
static void streams(void **state)
{
    struct stream_setting setting = {
        .shape = {.tag_bits = 12, .slots = 4, .buckets = 16, .counting = 1},
        .sketch_width = 8,
        .sketch_rows = 2,
        .ranks = 1,
        .length = 50,
        .seed = 1,
        .trials = TRIALS,
        .label = "test"};
    struct trials_work work;

    (void)state;
    stream_work(&setting, &work);
    uint64_t *cells = run(&work);
    for (int s = 0; s < STREAM_STRUCTURES; s++) {
        const uint64_t *cell = cells + s * STREAM_CELLS;
        assert_int_equal(cell[STREAM_SEEN], TRIALS);
        assert_int_equal(cell[STREAM_EXACT], TRIALS);
        assert_int_equal(cell[STREAM_OVER] + cell[STREAM_UNDER] + cell[STREAM_ERROR], 0);
    }
    free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies), cmocka_unit_test(churn),   cmocka_unit_test(victims),
        cmocka_unit_test(rates),    cmocka_unit_test(streams),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
