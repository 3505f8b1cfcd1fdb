/* test_streams.c -- the streams of different seeds, schemes, settings, trials and uses have no
 * draw in common, and their names have known answers.
 *
 * The words of a stream are hash_mix(key + i gamma), i = 1, 2, ...; hash_mix is a bijection.
 * So two streams share a word among their first L exactly if their keys differ by less than
 * L gammas: with every key divided by gamma modulo 2^64, two streams are disjoint exactly as
 * far as they lie apart.  That is proved here for all pairs at once by sorting, not sampled.
 * (Experiments with the same scheme and number of keys meet the same keys on purpose:
 * scheme_stream() in src/scheme.h.) */
#include "unit.h"

#include <stdlib.h>

#include "measure_filter_state.h"
#include "scheme.h"

/* 2^27 draws are more than the largest table's keys.  Of N random keys the closest are about
 * 2^64 / N^2 apart: 2^33 for the 27000 here. */
#define DRAWS (UINT64_C(1) << 27)

/* The number whose product with HASH_GAMMA is 1 modulo 2^64: Newton's iteration. */
static uint64_t gamma_inverse(void)
{
    uint64_t x = HASH_GAMMA;

    for (int i = 0; i < 6; i++)
        x *= 2 - HASH_GAMMA * x;
    return x;
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Every pair of streams, the last and the first included: the words form a ring. */
static void assert_apart(uint64_t *key, size_t count)
{
    uint64_t inverse = gamma_inverse();

    assert_int_equal(inverse * HASH_GAMMA, 1);
    for (size_t i = 0; i < count; i++)
        key[i] *= inverse;
    qsort(key, count, sizeof *key, compare_words);
    for (size_t i = 0; i < count; i++)
        assert_true(key[(i + 1) % count] - key[i] >= DRAWS);
}

static const uint64_t seeds[] = {0, 1, 2, 3, 41, 42, 1000000, UINT64_C(1) << 32, UINT64_MAX};

enum { SEEDS = sizeof seeds / sizeof seeds[0], TRIALS = 60, USES = 3 };

static size_t add_trials(uint64_t *key, const struct scheme *scheme, uint64_t keys)
{
    size_t count = 0;

    for (size_t s = 0; s < SEEDS; s++)
        for (uint64_t trial = 0; trial < TRIALS; trial++)
            for (unsigned use = STREAM_KEYS; use <= STREAM_SEARCH; use++)
                key[count++] = scheme_stream(scheme, seeds[s], keys, trial, (enum stream_use)use);
    return count;
}

/* Schemes that differ in one thing each, and numbers of keys that differ by one. */
static void no_two_streams_meet(void **state)
{
    static const struct {
        unsigned d, k;
        enum layout layout;
        enum positions positions;
        uint64_t slots, keys;
    } row[] = {
        {2, 1, LAYOUT_ONE, POSITIONS_REPEAT, 600, 0},
        {2, 1, LAYOUT_ONE, POSITIONS_REPEAT, 600, 270},
        {2, 1, LAYOUT_ONE, POSITIONS_REPEAT, 600, 271},
        {2, 1, LAYOUT_ONE, POSITIONS_DISTINCT, 600, 270},
        {2, 1, LAYOUT_SPLIT, POSITIONS_REPEAT, 600, 270},
        {2, 1, LAYOUT_ONE, POSITIONS_REPEAT, 601, 270},
        {3, 1, LAYOUT_ONE, POSITIONS_REPEAT, 600, 270},
        {2, 2, LAYOUT_ONE, POSITIONS_REPEAT, 1200, 270},
        {2, 4, LAYOUT_ONE, POSITIONS_REPEAT, 2400, 0},
        {4, 2, LAYOUT_ONE, POSITIONS_REPEAT, 1200, 0},
    };
    enum { ROWS = sizeof row / sizeof row[0] };
    const struct filter_shape shape = {.tag_bits = 8, .slots = 4, .buckets = 256};
    uint64_t *key = malloc(sizeof *key * SEEDS * TRIALS * USES * (ROWS + 1));
    size_t count = 0;

    (void)state;
    assert_non_null(key);
    for (size_t r = 0; r < ROWS; r++) {
        struct scheme scheme;
        assert_int_equal(
            scheme_init(&scheme, row[r].d, row[r].k, row[r].layout, row[r].positions, row[r].slots),
            ERR_NONE);
        count += add_trials(key + count, &scheme, row[r].keys);
    }
    for (size_t s = 0; s < SEEDS; s++)
        for (uint64_t trial = 0; trial < TRIALS; trial++)
            for (unsigned use = STREAM_KEYS; use <= STREAM_SEARCH; use++)
                key[count++] = filter_stream(&shape, seeds[s], trial, (enum stream_use)use);
    assert_int_equal(count, SEEDS * TRIALS * USES * (ROWS + 1));
    assert_apart(key, count);
    free(key);
}

/* The same for many seeds in a row: seed s, trial t against seed s + 1, trial t - 1. */
static void no_two_seeds_meet(void **state)
{
    enum { ROW = 400 };
    struct scheme scheme;
    uint64_t *key = malloc(sizeof *key * ROW * TRIALS);
    size_t count = 0;

    (void)state;
    assert_non_null(key);
    assert_int_equal(scheme_init(&scheme, 2, 4, LAYOUT_ONE, POSITIONS_REPEAT, 4096), ERR_NONE);
    for (uint64_t seed = 0; seed < ROW; seed++)
        for (uint64_t trial = 0; trial < TRIALS; trial++)
            key[count++] = scheme_stream(&scheme, seed, 0, trial, STREAM_KEYS);
    assert_apart(key, count);
    free(key);
}

/* Large trial numbers, where a sum of seed and number would wrap. */
static void trials_to_the_end_count(void **state)
{
    static const uint64_t trial[] = {
        0, 1, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 1, UINT64_C(1) << 62, INT64_MAX};
    enum { ROW = sizeof trial / sizeof trial[0] };
    uint64_t key[SEEDS * ROW];
    struct scheme scheme;
    size_t count = 0;

    (void)state;
    assert_int_equal(scheme_init(&scheme, 2, 1, LAYOUT_SPLIT, POSITIONS_REPEAT, 600), ERR_NONE);
    for (size_t s = 0; s < SEEDS; s++)
        for (size_t t = 0; t < ROW; t++)
            key[count++] = scheme_stream(&scheme, seeds[s], 270, trial[t], STREAM_KEYS);
    assert_apart(key, count);
}

/* Computed by a few lines of Python from the definitions in src/rng.h and src/scheme.c. */
static void known_answers(void **state)
{
    static const uint64_t one[] = {1}, three[] = {1, 2, 3}, ends[] = {UINT64_MAX, 0, UINT64_MAX};
    static const uint32_t draws[] = {360, 901, 154, 35, 502};
    struct rng rng;

    (void)state;
    assert_int_equal(stream_key(one, 0), HASH_GAMMA);
    assert_int_equal(stream_key(one, 1), UINT64_C(0xddc1ed05282d1d64));
    assert_int_equal(stream_key(three, 3), UINT64_C(0x0f7e3ea3fd2bcc85));
    assert_int_equal(stream_key(ends, 3), UINT64_C(0xa3a677d07717891a));
    rng_init(&rng, stream_key(one, 1));
    for (size_t i = 0; i < sizeof draws / sizeof draws[0]; i++)
        assert_int_equal(rng_below(&rng, 1000), draws[i]);
}

static void known_answers_of_a_trial(void **state)
{
    const uint64_t key = UINT64_C(0x123456789abcdef0);
    struct scheme scheme;
    struct hasher hasher;
    uint32_t bucket[SCHEME_D_MAX];

    (void)state;
    assert_int_equal(scheme_init(&scheme, 2, 4, LAYOUT_ONE, POSITIONS_REPEAT, 1024), ERR_NONE);
    uint64_t stream = scheme_stream(&scheme, 1, 0, 5, STREAM_KEYS);
    assert_int_equal(stream, UINT64_C(0xb6c805b765d0ab17));
    assert_int_equal(rng_word(stream, 0), UINT64_C(0x6416999183c5f578));
    assert_int_equal(rng_word(stream, 2), UINT64_C(0x8da5ed55d8dbf9d8));
    hasher_init(&hasher, scheme_stream(&scheme, 1, 0, 5, STREAM_HASH));
    scheme_candidates(&scheme, &hasher, key, bucket);
    assert_true(bucket[0] == 188 && bucket[1] == 121);

    assert_int_equal(scheme_init(&scheme, 3, 1, LAYOUT_SPLIT, POSITIONS_REPEAT, 300), ERR_NONE);
    stream = scheme_stream(&scheme, 2, 270, 4, STREAM_HASH);
    assert_int_equal(stream, UINT64_C(0x339288b2e952e03f));
    hasher_init(&hasher, stream);
    scheme_candidates(&scheme, &hasher, key, bucket);
    assert_true(bucket[0] == 88 && bucket[1] == 157 && bucket[2] == 230);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_streams_meet),      cmocka_unit_test(no_two_seeds_meet),
        cmocka_unit_test(trials_to_the_end_count),  cmocka_unit_test(known_answers),
        cmocka_unit_test(known_answers_of_a_trial),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
