/* test_oracle_beyond.c -- the measures beyond the seven: the same tallies whatever the
 * threads, and some of them against loops written down once more from the definition. */
#include "../unit/unit.h"

#include <stdlib.h>
#include <string.h>

#include "measure_filter.h"
#include "measure_growth.h"
#include "measure_live.h"

static uint64_t *run(const struct trials_work *work, int threads)
{
    struct options options;
    struct error err = {0};
    uint64_t *tally;

    options_init(&options);
    options.threads = threads;
    options.quiet = 1;
    assert_int_equal(trials_run(work, &options, &tally, &err), ERR_NONE);
    return tally;
}

/* One thread and three; the tally of one is returned. */
static uint64_t *run_both(const struct trials_work *work)
{
    uint64_t *one = run(work, 1), *three = run(work, 3);

    for (size_t i = 0; i < work->adds + work->maxes; i++)
        assert_int_equal(one[i], three[i]);
    free(three);
    return one;
}

/* The sampled rate against the exact one of the same filters. */
static void filter_rates(void **state)
{
    struct rate_setting setting = {.shape = {6, 4, 64, 0},
                                   .items = {100, 200},
                                   .n_loads = 2,
                                   .lookups = 3000,
                                   .seed = 5,
                                   .trials = 7,
                                   .label = "t"};
    struct trials_work work;

    (void)state;
    rate_work(&setting, &work);
    uint64_t *tally = run_both(&work);
    for (size_t load = 0; load < 2; load++) {
        const uint64_t *cell = &tally[load * RATE_CELLS];
        assert_int_equal(cell[RATE_REACHED], 7);
        assert_int_equal(cell[RATE_LOOKUPS], 7 * 3000);
        /* the sample against the exact rate: within six standard deviations */
        double rate = (double)cell[RATE_EXACT] / 7 / 64 / 64, n = 7 * 3000;
        double off = (double)cell[RATE_POSITIVES] - n * rate;
        assert_true(off * off < 36 * n * rate * (1 - rate));
    }
    free(tally);
}

static void filter_faults(void **state)
{
    struct fault_setting setting = {.shape = {8, 2, 32, 0},
                                    .items = 40,
                                    .deletions = 500,
                                    .seed = 5,
                                    .trials = 9,
                                    .label = "t"};
    struct trials_work work;

    (void)state;
    deletion_work(&setting, &work);
    uint64_t *tally = run_both(&work);
    assert_int_equal(tally[DELETION_ITEMS], 9 * 40);
    assert_int_equal(tally[DELETION_TRIED], 9 * 500);
    assert_true(tally[DELETION_MISSING] <= tally[DELETION_REMOVED]);
    assert_true(tally[DELETION_MISSING] > 0);
    free(tally);
    copies_work(&setting, &work);
    tally = run_both(&work);
    assert_int_equal(tally[4] + tally[COPIES_CELLS + 2], 9 * 40); /* 2b apart, b together */
    free(tally);
    victim_work(&setting, &work);
    tally = run_both(&work);
    assert_int_equal(tally[VICTIM_MISSING], 0);
    assert_true(tally[VICTIM_LOST] <= 9);
    free(tally);
}

/* Every item that came is counted as exact, over or under; nothing is under while it fits. */
static void streams(void **state)
{
    struct stream_setting setting = {.shape = {16, 4, 64, 1},
                                     .sketch_width = 64,
                                     .sketch_rows = 3,
                                     .ranks = 100,
                                     .length = 5000,
                                     .seed = 2,
                                     .trials = 4,
                                     .label = "t"};
    struct trials_work work;

    (void)state;
    stream_work(&setting, &work);
    uint64_t *tally = run_both(&work);
    for (int s = 0; s < STREAM_STRUCTURES; s++) {
        const uint64_t *cell = &tally[s * STREAM_CELLS];
        assert_int_equal(cell[STREAM_SEEN],
                         cell[STREAM_EXACT] + cell[STREAM_OVER] + cell[STREAM_UNDER]);
        assert_int_equal(cell[STREAM_UNDER], 0);
        assert_true(cell[STREAM_SEEN] > 350 && cell[STREAM_SEEN] <= 400);
    }
    assert_int_equal(tally[STREAM_REFUSED], 0);
    free(tally);
}

static void growth_policies(void **state)
{
    struct policy_setting setting = {
        .rule = {.k = 1, .layout = LAYOUT_SPLIT, .max_kicks = 7, .stash = 1, .new_functions = 1},
        .slots = 64,
        .keys = 30,
        .seed = 3,
        .trials = 200,
        .label = "t"};
    struct trials_work work;
    uint64_t writes = 0, rebuilds = 0, stashed = 0;
    struct growth growth;

    (void)state;
    policy_work(&setting, &work);
    uint64_t *tally = run_both(&work);
    /* the same by one loop, with the documented streams */
    assert_int_equal(growth_init(&growth, &setting.rule, 64), ERR_NONE);
    for (uint64_t trial = 0; trial < 200; trial++) {
        uint64_t words[] = {3, 1, LAYOUT_SPLIT, 64, trial, STREAM_KEYS};
        struct rng keys;
        int placed;
        rng_init(&keys, stream_key(words, 6));
        words[5] = STREAM_HASH;
        uint64_t hash = stream_key(words, 6);
        words[5] = STREAM_SEARCH;
        assert_int_equal(growth_reset(&growth, 64, hash, stream_key(words, 6)), ERR_NONE);
        for (int i = 0; i < 30; i++)
            assert_int_equal(growth_add(&growth, rng_next(&keys), &placed), ERR_NONE);
        writes += growth.writes;
        rebuilds += growth.rebuilds;
        stashed += growth.stashed;
    }
    growth_free(&growth);
    assert_int_equal(tally[POLICY_WRITES], writes);
    assert_int_equal(tally[POLICY_REBUILDS], rebuilds);
    assert_int_equal(tally[POLICY_STASHED], stashed);
    assert_true(rebuilds > 0 && stashed > 0);
    free(tally);
}

/* With the same functions at the same size nothing changes where no placement exists. */
static void rebuilds(void **state)
{
    struct trials_work work;

    (void)state;
    for (int mode = 0; mode < 4; mode++) {
        struct rebuild_setting setting = {.rule = {.k = 1,
                                                   .layout = LAYOUT_SPLIT,
                                                   .max_kicks = 500,
                                                   .doubles = mode >> 1,
                                                   .new_functions = mode & 1},
                                          .slots = 32,
                                          .seed = 4,
                                          .trials = 100,
                                          .label = "t"};
        rebuild_work(&setting, &work);
        uint64_t *tally = run_both(&work);
        assert_int_equal(tally[REBUILD_IMPOSSIBLE], 100); /* 500 kicks are enough here */
        if (mode == 0)
            assert_int_equal(tally[REBUILD_PLACED], 0);
        else
            assert_true(tally[REBUILD_PLACED] > 20);
        free(tally);
    }
}

static void churn(void **state)
{
    struct trials_work work;

    (void)state;
    for (int tombstones = 0; tombstones < 2; tombstones++) {
        struct churn_setting setting = {.rule = {.k = 4, .layout = LAYOUT_ONE, .max_kicks = 500},
                                        .slots = 256,
                                        .keys = 200,
                                        .tombstones = tombstones,
                                        .seed = 6,
                                        .trials = 6,
                                        .label = "t"};
        churn_work(&setting, &work);
        uint64_t *tally = run_both(&work);
        for (int turn = 1; turn <= CHURN_TURNS; turn++) {
            const uint64_t *cell = &tally[turn * CHURN_CELLS];
            assert_int_equal(cell[CHURN_INSERTIONS], 6 * 200);
            assert_int_equal(cell[CHURN_MISSING], 0);
            if (!tombstones) /* a write is a placement: each insertion's first, and its kicks */
                assert_int_equal(cell[CHURN_WRITES], cell[CHURN_KICKS] + 6 * 200);
            else
                assert_true(cell[CHURN_REBUILDS] > 0);
        }
        free(tally);
    }
}

static void comparators(void **state)
{
    struct largest_setting largest = {.buckets = 60,
                                      .keys = 600,
                                      .d = 3,
                                      .choice = COMPARE_LEFT,
                                      .seed = 1,
                                      .trials = 50,
                                      .label = "t"};
    struct double_setting probes = {
        .slots = 64, .keys = 48, .lookups = 1000, .seed = 1, .trials = 20, .label = "t"};
    struct trials_work work;
    uint64_t sum = 0;

    (void)state;
    largest_work(&largest, &work);
    uint64_t *tally = run_both(&work);
    for (size_t i = 0; i < LARGEST_CELLS; i++)
        sum += tally[i];
    assert_int_equal(sum, 50);
    free(tally);
    double_work(&probes, &work);
    tally = run_both(&work);
    assert_true(tally[DOUBLE_HIT] >= 20 * 48);
    assert_true(tally[DOUBLE_MOST_MISS] <= 64);
    free(tally);
}

static void live(void **state)
{
    struct live_trials setting = {.seed = 1, .trials = 4, .label = "t"};
    struct trials_work work;

    (void)state;
    assert_int_equal(scheme_init(&setting.live.scheme, 2, 4, LAYOUT_ONE, POSITIONS_REPEAT, 512),
                     ERR_NONE);
    setting.live.protocol = race_protocols;
    setting.live.search = LIVE_WALK;
    setting.live.keys = 460;
    setting.live.readers = 3;
    setting.live.counters = 64;
    setting.live.steps = 50000;
    live_work(&setting, &work);
    uint64_t *tally = run_both(&work);
    assert_int_equal(tally[LIVE_READER_STEPS] + tally[LIVE_WRITER_STEPS], 4 * 50000);
    assert_true(tally[LIVE_FALSE_MISSES] > 0); /* the first protocol: kick first */
    free(tally);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filter_rates), cmocka_unit_test(filter_faults),
        cmocka_unit_test(streams),      cmocka_unit_test(growth_policies),
        cmocka_unit_test(rebuilds),     cmocka_unit_test(churn),
        cmocka_unit_test(comparators),  cmocka_unit_test(live),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
