/* test_graph_hyper.c -- S of hypergraphs: peeling and labels against Kuhn's augmenting paths
 * and, where they are small, against trying everything (tests/oracle/slow.h). */
#include "unit.h"

#include "../oracle/slow.h"

#include "graph_hyper.h"

static unsigned expected(const struct scheme *scheme, const struct hasher *hasher,
                         uint64_t key_stream, unsigned n)
{
    static struct slow_keys keys;
    struct rng rng;

    keys = (struct slow_keys){.d = scheme->d, .k = scheme->k, .buckets = scheme->buckets, .n = n};
    rng_init(&rng, key_stream);
    for (unsigned i = 0; i < n; i++) {
        uint32_t bucket[SCHEME_D_MAX];
        scheme_candidates(scheme, hasher, rng_next(&rng), bucket);
        for (unsigned j = 0; j < scheme->d; j++)
            keys.bucket[i][j] = bucket[j];
    }
    unsigned placed = slow_most_placed(&keys);
    if (n <= 7) {
        unsigned used[SLOW_BUCKETS] = {0};
        assert_int_equal(slow_try_all(&keys, 0, used), placed);
    }
    return n - placed;
}

static void compare(const struct scheme *scheme, unsigned n, unsigned trials)
{
    struct hyper hyper;
    uint64_t stash;

    assert_int_equal(hyper_init(&hyper, scheme, n), ERR_NONE);
    for (unsigned trial = 0; trial < trials; trial++) {
        uint64_t keys = scheme_stream(scheme, 8, n, trial, STREAM_KEYS);
        struct hasher hasher;
        hasher_init_for(&hasher, scheme, scheme_stream(scheme, 8, n, trial, STREAM_HASH));
        hyper_draw(&hyper, keys, &hasher, n);
        assert_int_equal(hyper_stash(&hyper, &stash), ERR_NONE);
        assert_int_equal(stash, expected(scheme, &hasher, keys, n));
    }
    hyper_free(&hyper);
}

/* From an empty table to one with far too many keys, and around the thresholds. */
static void same_as_matching(void **state)
{
    static const unsigned shape[][2] = {{1, 1}, {1, 2}, {2, 2}, {2, 4}, {3, 1},
                                        {3, 2}, {4, 1}, {5, 1}, {8, 3}};
    static const unsigned buckets[] = {8, 24, 240}, percent[] = {0, 50, 80, 90, 96, 100, 103, 150};
    struct scheme scheme;

    (void)state;
    for (unsigned i = 0; i < 9 * 3 * 8; i++)
        for (unsigned kind = 0; kind < 3; kind++) {
            unsigned d = shape[i % 9][0], k = shape[i % 9][1], b = buckets[i / 9 % 3];
            unsigned n = b * k * percent[i / 27] / 100;
            if (n > SLOW_KEYS || scheme_init(&scheme, d, k, kind == 1 ? LAYOUT_SPLIT : LAYOUT_ONE,
                                             kind == 2 ? POSITIONS_DISTINCT : POSITIONS_REPEAT,
                                             (uint64_t)b * k) != ERR_NONE)
                continue;
            compare(&scheme, n, b > 100 ? 4 : 60);
        }
}

static void refuses_graphs(void **state)
{
    struct scheme scheme;
    struct hyper hyper;

    (void)state;
    assert_int_equal(scheme_init(&scheme, 2, 1, LAYOUT_ONE, POSITIONS_REPEAT, 8), ERR_NONE);
    assert_int_equal(hyper_init(&hyper, &scheme, 8), ERR_DOMAIN);
    hyper_free(&hyper);
    assert_int_equal(scheme_init(&scheme, 3, 1, LAYOUT_ONE, POSITIONS_REPEAT, 9), ERR_NONE);
    assert_int_equal(hyper_init(&hyper, &scheme, UINT32_MAX), ERR_DOMAIN);
    hyper_free(&hyper);
}

static int stop_now(void)
{
    return 1;
}

static void a_stop_ends_it(void **state)
{
    struct scheme scheme;
    struct hyper hyper;
    struct hasher hasher;
    uint64_t stash;

    (void)state;
    assert_int_equal(scheme_init(&scheme, 3, 1, LAYOUT_ONE, POSITIONS_REPEAT, 1000), ERR_NONE);
    assert_int_equal(hyper_init(&hyper, &scheme, 900), ERR_NONE);
    hyper.complete.stop = stop_now;
    hasher_init(&hasher, 1);
    hyper_draw(&hyper, 2, &hasher, 900);
    assert_int_equal(hyper_stash(&hyper, &stash), ERR_STOPPED);
    hyper_free(&hyper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_matching),
        cmocka_unit_test(refuses_graphs),
        cmocka_unit_test(a_stop_ends_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
