/* test_trials.c -- any number of threads and any size of block gives the same tally; a
 * block that fails, a state that does not open, a budget that is too small. */
#include "unit.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "trials.h"

#define ADDS  4
#define MAXES 2

struct setting {
    uint64_t trials; /* trials outside [0, trials) are a mistake of the pool */
    uint64_t fail_at;
    int open_fails;
    int together; /* as many blocks as threads, at least: all threads take part */
};

struct state {
    uint64_t *seen; /* trials of this thread; a partial open leaves it NULL */
    int working;
};

static int opened, closed;
static atomic_int at_work; /* threads that have a block */

static void count_up(int *counter)
{
#ifdef _OPENMP
#pragma omp atomic
#endif
    ++*counter;
}

static int open_state(const void *data, void **state)
{
    const struct setting *setting = data;
    struct state *self = calloc(1, sizeof *self);

    *state = self;
    count_up(&opened);
    if (setting->open_fails)
        return ERR_MEMORY;
    self->seen = calloc(setting->trials, sizeof *self->seen);
    return ERR_NONE;
}

static void close_state(void *state)
{
    struct state *self = state;

    count_up(&closed);
    free(self->seen);
    free(self);
}

/* The first block of a thread lasts until every thread has one: work that one thread does
 * alone, because it is over so soon, would test no merging. */
static void wait_for_the_others(const struct setting *setting, struct state *self)
{
#ifdef _OPENMP
    if (self->working || !setting->together)
        return;
    self->working = 1;
    atomic_fetch_add(&at_work, 1);
    while (atomic_load(&at_work) < omp_get_num_threads())
        sched_yield();
#else
    (void)setting;
    (void)self;
#endif
}

static int run_block(const void *data, void *state, uint64_t first, uint64_t count, uint64_t *tally)
{
    const struct setting *setting = data;
    struct state *self = state;

    wait_for_the_others(setting, self);
    for (uint64_t trial = first; trial < first + count; trial++) {
        if (trial >= setting->trials || self->seen[trial]++ > 0)
            return ERR_VERIFY;
        if (trial == setting->fail_at)
            return ERR_NUMERIC;
        struct rng rng;
        unit_stream(&rng, trial);
        uint64_t value = rng_next(&rng) >> 32;
        tally[0]++;
        tally[1] += value;
        tally[2] += trial;
        tally[3] += trial * trial;
        if (value > tally[4])
            tally[4] = value;
        if (trial > tally[5])
            tally[5] = trial;
    }
    return ERR_NONE;
}

static int run(uint64_t trials, uint64_t block, int threads, uint64_t fail_at, uint64_t *tally,
               struct error *err)
{
    struct setting setting = {.trials = trials, .fail_at = fail_at, .together = fail_at > trials};
    struct options options;
    const struct trials_work work = {
        .label = "test m=5",
        .setting = &setting,
        .trials = trials,
        .block = block,
        .adds = ADDS,
        .maxes = MAXES,
        .state_bytes = 1000,
        .open = open_state,
        .close = close_state,
        .run_block = run_block,
    };

    options_init(&options);
    options.threads = threads;
    options.quiet = 1;
    opened = closed = 0;
    atomic_store(&at_work, 0);
    memset(err, 0, sizeof *err);
    uint64_t *result = NULL;
    int code = trials_run(&work, &options, &result, err);
    assert_int_equal(opened, closed);
    if (code == ERR_NONE)
        memcpy(tally, result, (ADDS + MAXES) * sizeof *tally);
    free(result); /* the caller's, after a failure too */
    return code;
}

static void any_threads_and_blocks_agree(void **state)
{
    static const uint64_t trials[] = {1, 2, 7, 1000};
    static const uint64_t blocks[] = {1, 2, 3, 16, 999, 1000, 1001, UINT64_C(1) << 40};
    static const int threads[] = {1, 2, 3, 7, 64};

    (void)state;
    for (size_t n = 0; n < sizeof trials / sizeof trials[0]; n++) {
        uint64_t expected[ADDS + MAXES] = {0}, sum = 0, squares = 0;
        struct setting setting = {.trials = trials[n], .fail_at = UINT64_MAX};
        void *plain;
        assert_int_equal(open_state(&setting, &plain), ERR_NONE);
        assert_int_equal(run_block(&setting, plain, 0, trials[n], expected), ERR_NONE);
        close_state(plain);
        for (uint64_t t = 0; t < trials[n]; t++) {
            sum += t;
            squares += t * t;
        }
        assert_int_equal(expected[0], trials[n]);
        assert_int_equal(expected[2], sum);
        assert_int_equal(expected[3], squares);
        for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++)
            for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
                uint64_t tally[ADDS + MAXES];
                struct error err;

                assert_int_equal(run(trials[n], blocks[b], threads[t], UINT64_MAX, tally, &err),
                                 ERR_NONE);
                assert_memory_equal(tally, expected, sizeof tally);
            }
    }
}

static void a_failing_block_fails_the_run(void **state)
{
    static const uint64_t where[] = {0, 1, 500, 999};

    (void)state;
    for (size_t i = 0; i < sizeof where / sizeof where[0]; i++)
        for (int threads = 1; threads <= 4; threads++) {
            uint64_t tally[ADDS + MAXES];
            struct error err;
            assert_int_equal(run(1000, 10, threads, where[i], tally, &err), ERR_NUMERIC);
            assert_non_null(strstr(err.text, "test m=5"));
            assert_non_null(strstr(err.text, error_text(ERR_NUMERIC)));
            assert_int_equal(err.code, ERR_NUMERIC);
        }
}

static void a_state_that_does_not_open(void **state)
{
    struct setting setting = {.trials = 10, .fail_at = UINT64_MAX, .open_fails = 1};
    const struct trials_work work = {
        .label = "label",
        .setting = &setting,
        .trials = 10,
        .block = 1,
        .adds = ADDS,
        .maxes = MAXES,
        .state_bytes = 1,
        .open = open_state,
        .close = close_state,
        .run_block = run_block,
    };
    struct options options;
    uint64_t *tally;

    (void)state;
    options_init(&options);
    options.quiet = 1;
    for (options.threads = 1; options.threads <= 4; options.threads++) {
        struct error err = {0};
        opened = closed = 0;
        assert_int_equal(trials_run(&work, &options, &tally, &err), ERR_MEMORY);
        free(tally);
        assert_true(opened > 0);
        assert_int_equal(opened, closed);
        assert_non_null(strstr(err.text, "label"));
    }
}

/* One state must fit into the budget; more run only while all of them fit. */
static void memory_budget(void **state)
{
    struct setting setting = {.trials = 100, .fail_at = UINT64_MAX};
    struct trials_work work = {
        .label = "label",
        .setting = &setting,
        .trials = 100,
        .block = 1,
        .adds = ADDS,
        .maxes = MAXES,
        .state_bytes = 3 << 20,
        .open = open_state,
        .close = close_state,
        .run_block = run_block,
    };
    struct options options;
    uint64_t *tally;
    struct error err = {0};

    (void)state;
    options_init(&options);
    options.quiet = 1;
    options.threads = 4;
    options.memory = 2 << 20;
    opened = closed = 0;
    assert_int_equal(trials_run(&work, &options, &tally, &err), ERR_USAGE);
    assert_non_null(strstr(err.text, "label"));
    assert_non_null(strstr(err.text, "--memory"));
    assert_non_null(strstr(err.text, "allowed"));
    assert_int_equal(opened, 0);
    for (int fit = 1; fit <= 4; fit++) {
        options.memory = (uint64_t)fit * (4 << 20);
        work.state_bytes = (4 << 20) - 100;
        opened = closed = 0;
        assert_int_equal(trials_run(&work, &options, &tally, &err), ERR_NONE);
        assert_true(opened >= 1 && opened <= fit);
        assert_int_equal(opened, closed);
        assert_int_equal(tally[0], 100);
        free(tally);
    }
    /* half of what is free, where no budget is given: nothing fits 2^62 bytes */
    options.memory = 0;
    work.state_bytes = UINT64_C(1) << 62;
    assert_int_equal(trials_run(&work, &options, &tally, &err), ERR_USAGE);
    assert_null(tally);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_threads_and_blocks_agree),
        cmocka_unit_test(a_failing_block_fails_the_run),
        cmocka_unit_test(a_state_that_does_not_open),
        cmocka_unit_test(memory_budget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
