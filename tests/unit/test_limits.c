/* test_limits.c -- sums at the edge of 64 bits, the last trials below 2^63, tallies that no
 * address can hold: with a stub for a trial, since no machine runs so many. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "tally.h"
#include "trials.h"

/* A stub: trial t adds `each` and reports its number; a block of any length takes no time. */
struct stub {
    uint64_t each, extra; /* trial 0 adds `extra` more */
};

static int open_stub(const void *setting, void **state)
{
    (void)setting;
    *state = malloc(1);
    return *state != NULL ? ERR_NONE : ERR_MEMORY;
}

static int run_stub(const void *setting, void *state, uint64_t first, uint64_t count,
                    uint64_t *tally)
{
    const struct stub *stub = setting;

    (void)state;
    tally[0] += stub->each * count + (first == 0 ? stub->extra : 0);
    tally[1] += count;
    if (first + count - 1 > tally[2])
        tally[2] = first + count - 1;
    return ERR_NONE;
}

static int run(const struct stub *stub, uint64_t trials, uint64_t block, int threads,
               uint64_t *tally, struct error *err)
{
    struct trials_work work = {
        .label = "stub",
        .setting = stub,
        .trials = trials,
        .block = block,
        .adds = 2,
        .maxes = 1,
        .state_bytes = 1,
        .open = open_stub,
        .close = free,
        .run_block = run_stub,
    };
    struct options options;
    uint64_t *cells = NULL;

    options_init(&options);
    options.quiet = 1;
    options.threads = threads;
    int code = trials_run(&work, &options, &cells, err);
    if (code == ERR_NONE)
        memcpy(tally, cells, 3 * sizeof *tally);
    free(cells);
    return code;
}

/* 7 trials of 2^61 and as much more as fits: exact up to 2^64-2, refused from there on. */
static void sums_are_exact_or_refused(void **state)
{
    const uint64_t each = UINT64_C(1) << 61;
    uint64_t tally[3];

    (void)state;
    for (int threads = 1; threads <= 4; threads++)
        for (uint64_t block = 1; block <= 7; block += 2) {
            struct error err = {0};
            const struct stub fits = {each, each - 2}, wraps = {each, each},
                              edge = {each, each - 1};
            assert_int_equal(run(&fits, 7, block, threads, tally, &err), ERR_NONE);
            assert_int_equal(tally[0], UINT64_MAX - 1);
            assert_int_equal(run(&edge, 7, block, threads, tally, &err), ERR_DOMAIN);
            if (block == 1) { /* within a block a stub may wrap; a trial cannot count so far */
                assert_int_equal(run(&wraps, 7, block, threads, tally, &err), ERR_DOMAIN);
                assert_non_null(strstr(err.text, "stub: a sum over 7 trials is beyond 2^64-2"));
                assert_int_equal(run(&wraps, 1000, block, threads, tally, &err), ERR_DOMAIN);
            }
        }
}

/* All 2^63-1 trials, in blocks of 2^58: each is counted once, and the last one is there. */
static void the_last_trials(void **state)
{
    const struct stub one = {1, 0}, two = {2, 0}, three = {3, 0};
    uint64_t tally[3];
    struct error err = {0};

    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        assert_int_equal(run(&one, INT64_MAX, UINT64_C(1) << 58, threads, tally, &err), ERR_NONE);
        assert_int_equal(tally[0], INT64_MAX);
        assert_int_equal(tally[1], INT64_MAX);
        assert_int_equal(tally[2], INT64_MAX - 1);
        assert_int_equal(run(&two, INT64_MAX, UINT64_C(1) << 58, threads, tally, &err), ERR_NONE);
        assert_int_equal(tally[0], UINT64_MAX - 1);
        assert_int_equal(run(&three, INT64_MAX, UINT64_C(1) << 58, threads, tally, &err),
                         ERR_DOMAIN);
    }
}

/* What no address can hold is refused before the first allocation, also where the product of
 * rows and trials wraps. */
static void rows_that_do_not_fit(void **state)
{
    static const uint64_t trials[] = {UINT64_C(1) << 61, UINT64_C(1) << 62, INT64_MAX,
                                      UINT64_C(1) << 60, (UINT64_C(1) << 61) + 1};
    const struct stub stub = {1, 0};
    struct options options;

    (void)state;
    options_init(&options);
    options.quiet = 1;
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++)
        for (size_t rows = 1; rows <= 9; rows++) {
            struct error err = {0};
            uint64_t *cells = NULL;
            struct trials_work work = {
                .label = "stub",
                .setting = &stub,
                .trials = trials[i],
                .block = 1,
                .adds = 1 + rows * (size_t)trials[i],
                .maxes = 1,
                .rows = rows,
                .state_bytes = 1,
                .open = open_stub,
                .close = free,
                .run_block = run_stub,
            };
            assert_int_equal(trials_run(&work, &options, &cells, &err), ERR_USAGE);
            assert_null(cells);
            assert_non_null(strstr(err.text, "fewer --trials is allowed"));
        }
}

static void cells_are_counted_or_refused(void **state)
{
    (void)state;
    assert_int_equal(trials_cells(7, 100, 3), 703);
    assert_int_equal(trials_cells(1, 0, 3), 3);
    assert_int_equal(trials_cells(4, (UINT64_C(1) << 62) + 1, 0), SIZE_MAX);
    assert_int_equal(trials_cells(9, INT64_MAX, 5), SIZE_MAX);
}

/* Whatever the order, many additions end in the sum or in 2^64-1. */
static void adding_has_no_order(void **state)
{
    static const uint64_t value[] = {UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63, 1, 2, 0};
    enum { COUNT = sizeof value / sizeof value[0] };

    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++)
            for (size_t k = 0; k < COUNT; k++) {
                uint64_t a = value[i], b = value[j], c = value[k];
                assert_int_equal(tally_add(tally_add(a, b), c), tally_add(a, tally_add(b, c)));
                assert_int_equal(tally_add(a, b), tally_add(b, a));
            }
    assert_int_equal(tally_add(UINT64_MAX - 2, 1), UINT64_MAX - 1);
    assert_int_equal(tally_add(UINT64_MAX - 2, 3), UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_exact_or_refused), cmocka_unit_test(the_last_trials),
        cmocka_unit_test(rows_that_do_not_fit),      cmocka_unit_test(cells_are_counted_or_refused),
        cmocka_unit_test(adding_has_no_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
