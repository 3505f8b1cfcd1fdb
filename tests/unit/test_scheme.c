/* test_scheme.c -- where a key may live: sizes, ranges, distributions, streams. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "scheme.h"

static void sizes_are_whole_buckets(void **state)
{
    struct scheme scheme;

    (void)state;
    assert_int_equal(scheme_init(&scheme, 2, 3, LAYOUT_ONE, POSITIONS_REPEAT, UINT64_C(1) << 18),
                     ERR_NONE);
    assert_int_equal(scheme.slots, 262143); /* 2^18 = 3 x 87381 + 1 */
    assert_int_equal(scheme.buckets, 87381);
    assert_int_equal(scheme_init(&scheme, 2, 1, LAYOUT_SPLIT, POSITIONS_REPEAT, 2400), ERR_NONE);
    assert_int_equal(scheme.slots, 2400);
    assert_int_equal(scheme.width[0], 1200);
    assert_int_equal(scheme.width[1], 1200);
    assert_int_equal(scheme.base[0], 0);
    assert_int_equal(scheme.base[1], 1200);
    /* two tables of 7 slots: three buckets of 2 in each */
    assert_int_equal(scheme_init(&scheme, 2, 2, LAYOUT_SPLIT, POSITIONS_REPEAT, 14), ERR_NONE);
    assert_int_equal(scheme.slots, 12);
    assert_int_equal(scheme.base[1], 3);
}

static void two_tables_of_two_sizes(void **state)
{
    struct scheme scheme;

    (void)state;
    assert_int_equal(scheme_init_two(&scheme, 4, 1201, 102), ERR_NONE);
    assert_int_equal(scheme.slots, 1300); /* 300 and 25 whole buckets of 4 */
    assert_int_equal(scheme.buckets, 325);
    assert_int_equal(scheme.width[0], 300);
    assert_int_equal(scheme.width[1], 25);
    assert_int_equal(scheme.base[0], 0);
    assert_int_equal(scheme.base[1], 300);
    assert_true(scheme_is_unequal(&scheme));
    assert_int_equal(scheme_init_two(&scheme, 1, 7, 7), ERR_NONE);
    assert_false(scheme_is_unequal(&scheme));
    assert_int_equal(scheme_init_two(&scheme, 4, 3, 100), ERR_DOMAIN);
    assert_int_equal(scheme_init_two(&scheme, 4, 100, 3), ERR_DOMAIN);
    assert_int_equal(scheme_init_two(&scheme, 0, 100, 3), ERR_DOMAIN);
    assert_int_equal(scheme_init_two(&scheme, 1, SCHEME_BUCKETS_MAX, 1), ERR_DOMAIN);
}

/* Small tables exist for every d and k, never with zero buckets. */
static void tiny_tables(void **state)
{
    (void)state;
    for (unsigned d = 1; d <= SCHEME_D_MAX; d++)
        for (unsigned k = 1; k <= 8; k++)
            for (uint64_t slots = 0; slots <= 40; slots++) {
                struct scheme scheme;
                int one = scheme_init(&scheme, d, k, LAYOUT_ONE, POSITIONS_REPEAT, slots);
                assert_int_equal(one, slots >= k ? ERR_NONE : ERR_DOMAIN);
                if (one == ERR_NONE)
                    assert_int_equal(scheme.buckets, slots / k);
                int split = scheme_init(&scheme, d, k, LAYOUT_SPLIT, POSITIONS_REPEAT, slots);
                int fits = slots % d == 0 && slots / d >= k;
                assert_int_equal(split, fits ? ERR_NONE : ERR_DOMAIN);
                int distinct = scheme_init(&scheme, d, k, LAYOUT_ONE, POSITIONS_DISTINCT, slots);
                assert_int_equal(distinct, slots / k >= d ? ERR_NONE : ERR_DOMAIN);
            }
}

static void refuses_what_does_not_exist(void **state)
{
    struct scheme scheme;
    enum layout one = LAYOUT_ONE;
    enum positions repeat = POSITIONS_REPEAT;

    (void)state;
    assert_int_equal(scheme_init(&scheme, 0, 1, one, repeat, 16), ERR_DOMAIN);
    assert_int_equal(scheme_init(&scheme, SCHEME_D_MAX + 1, 1, one, repeat, 16), ERR_DOMAIN);
    assert_int_equal(scheme_init(&scheme, 2, 0, one, repeat, 16), ERR_DOMAIN);
    assert_int_equal(scheme_init(&scheme, 2, SCHEME_K_MAX + 1, one, repeat, 1000), ERR_DOMAIN);
    assert_int_equal(scheme_init(&scheme, 2, 1, one, repeat, UINT64_C(1) << 32), ERR_DOMAIN);
    assert_int_equal(scheme_init(&scheme, 2, 1, one, repeat, SCHEME_BUCKETS_MAX), ERR_NONE);
    assert_int_equal(scheme_init(&scheme, 2, 64, one, repeat, UINT64_C(64) * SCHEME_BUCKETS_MAX),
                     ERR_NONE);
    assert_int_equal(scheme_init(&scheme, 2, 1, one, repeat, UINT64_MAX), ERR_DOMAIN);
    assert_int_equal(scheme_init(&scheme, 2, 1, LAYOUT_SPLIT, repeat, 15), ERR_DOMAIN);
}

static void make(struct scheme *scheme, struct hasher *hasher, unsigned d, enum layout layout,
                 enum positions positions, uint64_t slots, uint64_t trial)
{
    assert_int_equal(scheme_init(scheme, d, 1, layout, positions, slots), ERR_NONE);
    hasher_init(hasher, scheme_stream(scheme, 1, 0, trial, STREAM_HASH));
}

/* Ranges for every d, and candidate j of a split table in table j. */
static void candidates_keep_their_ranges(void **state)
{
    (void)state;
    for (unsigned d = 1; d <= SCHEME_D_MAX; d++)
        for (int variant = 0; variant < 3; variant++) {
            struct scheme scheme;
            struct hasher hasher;
            uint32_t bucket[SCHEME_D_MAX];
            enum layout layout = variant == 2 ? LAYOUT_SPLIT : LAYOUT_ONE;
            make(&scheme, &hasher, d, layout, variant == 1 ? POSITIONS_DISTINCT : POSITIONS_REPEAT,
                 9 * d, d);
            for (uint64_t key = 0; key < 2000; key++) {
                scheme_candidates(&scheme, &hasher, key, bucket);
                for (unsigned j = 0; j < d; j++) {
                    assert_true(bucket[j] < scheme.buckets);
                    if (variant == 2)
                        assert_int_equal(bucket[j] / 9, j);
                    for (unsigned i = 0; variant == 1 && i < j; i++)
                        assert_int_not_equal(bucket[i], bucket[j]);
                }
            }
        }
}

/* Joint counts of (candidate 0, 1, 2) of three candidates in n buckets, for one hash
 * function over many keys and for one key over many hash functions. */
static void count_tuples(enum layout layout, enum positions positions, uint32_t n, int over_trials,
                         uint64_t *count)
{
    struct scheme scheme;
    struct hasher hasher;
    uint32_t bucket[SCHEME_D_MAX];

    memset(count, 0, n * n * n * sizeof *count);
    make(&scheme, &hasher, 3, layout, positions, layout == LAYOUT_SPLIT ? 3 * n : n, 0);
    for (uint64_t i = 0; i < 200000; i++) {
        if (over_trials)
            hasher_init(&hasher, scheme_stream(&scheme, 7, 0, i, STREAM_HASH));
        scheme_candidates(&scheme, &hasher, over_trials ? 12345 : i, bucket);
        uint32_t b = bucket[0] - scheme.base[0];
        b = b * n + bucket[1] - scheme.base[1];
        count[b * n + bucket[2] - scheme.base[2]]++;
    }
}

static void repeated_positions_are_independent(void **state)
{
    enum { N = 6 };
    static uint64_t count[N * N * N];

    (void)state;
    for (int over_trials = 0; over_trials < 2; over_trials++) {
        count_tuples(LAYOUT_ONE, POSITIONS_REPEAT, N, over_trials, count);
        unit_assert_uniform(count, (size_t)N * N * N);
        count_tuples(LAYOUT_SPLIT, POSITIONS_REPEAT, N, over_trials, count);
        unit_assert_uniform(count, (size_t)N * N * N);
    }
}

/* Uniform over the n (n-1) (n-2) ordered triples, and nothing else. */
static void distinct_positions_are_uniform_tuples(void **state)
{
    enum { N = 6 };
    static uint64_t count[N * N * N];
    uint64_t kept[N * (N - 1) * (N - 2)];

    (void)state;
    for (int over_trials = 0; over_trials < 2; over_trials++) {
        size_t n = 0;
        count_tuples(LAYOUT_ONE, POSITIONS_DISTINCT, N, over_trials, count);
        for (unsigned a = 0; a < N; a++)
            for (unsigned b = 0; b < N; b++)
                for (unsigned c = 0; c < N; c++) {
                    if (a != b && a != c && b != c)
                        kept[n++] = count[(a * N + b) * N + c];
                    else
                        assert_int_equal(count[(a * N + b) * N + c], 0);
                }
        assert_int_equal(n, sizeof kept / sizeof kept[0]);
        unit_assert_uniform(kept, n);
    }
}

/* Starts are independent and uniform over 0 ... slots - length; every window is whole. */
static void windows_start_anywhere(void **state)
{
    enum { SLOTS = 9, LENGTH = 4, STARTS = SLOTS - LENGTH + 1 };
    static uint64_t count[STARTS * STARTS * STARTS];

    (void)state;
    for (int family = 0; family < 2; family++) {
        struct scheme scheme;
        struct hasher hasher;
        struct family tabulation;
        memset(count, 0, sizeof count);
        assert_int_equal(scheme_init_windows(&scheme, 3, LENGTH, 0, SLOTS), ERR_NONE);
        assert_int_equal(scheme.slots, SLOTS);
        assert_int_equal(scheme.d, 3 * LENGTH);
        assert_int_equal(scheme.k, 1);
        family_init(&tabulation, FAMILY_TABULATION8, 0, 0);
        if (family)
            assert_int_equal(scheme_use_family(&scheme, &tabulation), ERR_NONE);
        hasher_init_for(&hasher, &scheme, scheme_stream(&scheme, 1, 0, 0, STREAM_HASH));
        for (uint64_t key = 0; key < 100000; key++) {
            uint32_t bucket[SCHEME_D_MAX];
            scheme_candidates(&scheme, &hasher, hash_mix(key), bucket);
            for (unsigned j = 0; j < 3 * LENGTH; j++)
                assert_int_equal(bucket[j], bucket[j - j % LENGTH] + j % LENGTH);
            count[(bucket[0] * STARTS + bucket[LENGTH]) * STARTS + bucket[2 * LENGTH]]++;
        }
        unit_assert_uniform(count, (size_t)STARTS * STARTS * STARTS);
    }
}

static void refuses_windows_that_do_not_exist(void **state)
{
    struct scheme scheme;
    struct derive derive = {DERIVE_XOR_HASH, 8};
    struct family twice;

    (void)state;
    assert_int_equal(scheme_init_windows(&scheme, 1, 4, 0, 100), ERR_DOMAIN);
    assert_int_equal(scheme_init_windows(&scheme, 2, 1, 0, 100), ERR_DOMAIN);
    assert_int_equal(scheme_init_windows(&scheme, 2, SCHEME_D_MAX / 2 + 1, 0, 100), ERR_DOMAIN);
    assert_int_equal(scheme_init_windows(&scheme, UINT32_MAX, UINT32_MAX, 0, 100), ERR_DOMAIN);
    assert_int_equal(scheme_init_windows(&scheme, 2, 4, 0, 3), ERR_DOMAIN);
    assert_int_equal(scheme_init_windows(&scheme, 2, 4, 0, UINT64_C(1) << 32), ERR_DOMAIN);
    assert_int_equal(scheme_init_windows(&scheme, 2, 4, 0, 4), ERR_NONE);
    assert_int_equal(scheme_use_derive(&scheme, &derive), ERR_DOMAIN);
    family_init(&twice, FAMILY_DOUBLE, 0, 0);
    assert_int_equal(scheme_init_windows(&scheme, 2, 2, 0, 64), ERR_NONE);
    assert_int_equal(scheme_use_family(&scheme, &twice), ERR_NONE);
    assert_int_equal(scheme_init_windows(&scheme, 2, 4, 3, 64), ERR_DOMAIN);
    assert_int_equal(scheme_init_windows(&scheme, 2, 4, 65, 64), ERR_DOMAIN);
    assert_int_equal(scheme_init_windows(&scheme, 2, 4, UINT64_C(1) << 32, 64), ERR_DOMAIN);
    assert_int_equal(scheme_init_windows(&scheme, 2, 4, 6, 64), ERR_NONE);
    assert_int_equal(scheme.slots, 60); /* ten pages of three starts */
    assert_int_equal(scheme.width[0], 30);
}

/* All of d buckets: a permutation, each equally often. */
static void distinct_positions_of_all_buckets(void **state)
{
    uint64_t count[24] = {0};
    struct scheme scheme;
    struct hasher hasher;
    uint32_t bucket[SCHEME_D_MAX];

    (void)state;
    make(&scheme, &hasher, 4, LAYOUT_ONE, POSITIONS_DISTINCT, 4, 0);
    for (uint64_t key = 0; key < 48000; key++) {
        scheme_candidates(&scheme, &hasher, key, bucket);
        unsigned rank = 0;
        for (unsigned j = 0; j < 4; j++) { /* rank in lexicographic order */
            unsigned smaller = 0;
            for (unsigned i = j + 1; i < 4; i++)
                smaller += bucket[i] < bucket[j];
            rank = rank * (4 - j) + smaller;
        }
        count[rank]++;
    }
    unit_assert_uniform(count, 24);
}

/* Two keys of one trial: their buckets are independent too. */
static void two_keys_are_independent(void **state)
{
    enum { N = 5 };
    static uint64_t count[N * N * N * N];
    struct scheme scheme;
    struct hasher hasher;
    uint32_t a[SCHEME_D_MAX], b[SCHEME_D_MAX];

    (void)state;
    make(&scheme, &hasher, 2, LAYOUT_ONE, POSITIONS_REPEAT, N, 0);
    for (uint64_t trial = 0; trial < 200000; trial++) {
        hasher_init(&hasher, scheme_stream(&scheme, 3, 2, trial, STREAM_HASH));
        struct rng keys;
        rng_init(&keys, scheme_stream(&scheme, 3, 2, trial, STREAM_KEYS));
        scheme_candidates(&scheme, &hasher, rng_next(&keys), a);
        scheme_candidates(&scheme, &hasher, rng_next(&keys), b);
        count[((a[0] * N + a[1]) * N + b[0]) * N + b[1]]++;
    }
    unit_assert_uniform(count, (size_t)N * N * N * N);
}

/* A trial is named by seed, scheme, number of keys, trial and use; each of them counts. */
static void streams_depend_on_all_that_names_them(void **state)
{
    struct scheme base, other;
    enum positions repeat = POSITIONS_REPEAT;

    (void)state;
    assert_int_equal(scheme_init(&base, 2, 1, LAYOUT_ONE, repeat, 64), ERR_NONE);
    uint64_t key = scheme_stream(&base, 1, 10, 5, STREAM_KEYS);
    assert_int_equal(key, scheme_stream(&base, 1, 10, 5, STREAM_KEYS));
    assert_int_not_equal(key, scheme_stream(&base, 2, 10, 5, STREAM_KEYS));
    assert_int_not_equal(key, scheme_stream(&base, 2, 10, 4, STREAM_KEYS));
    assert_int_not_equal(key, scheme_stream(&base, 1, 11, 5, STREAM_KEYS));
    assert_int_not_equal(key, scheme_stream(&base, 1, 10, 6, STREAM_KEYS));
    assert_int_not_equal(key, scheme_stream(&base, 1, 10, 5, STREAM_HASH));
    assert_int_not_equal(key, scheme_stream(&base, 1, 10, 5, STREAM_SEARCH));
    assert_int_equal(scheme_init(&other, 3, 1, LAYOUT_ONE, repeat, 64), ERR_NONE);
    assert_int_not_equal(key, scheme_stream(&other, 1, 10, 5, STREAM_KEYS));
    assert_int_equal(scheme_init(&other, 2, 2, LAYOUT_ONE, repeat, 128), ERR_NONE);
    assert_int_not_equal(key, scheme_stream(&other, 1, 10, 5, STREAM_KEYS));
    assert_int_equal(scheme_init(&other, 2, 1, LAYOUT_SPLIT, repeat, 64), ERR_NONE);
    assert_int_not_equal(key, scheme_stream(&other, 1, 10, 5, STREAM_KEYS));
    assert_int_equal(scheme_init(&other, 2, 1, LAYOUT_ONE, POSITIONS_DISTINCT, 64), ERR_NONE);
    assert_int_not_equal(key, scheme_stream(&other, 1, 10, 5, STREAM_KEYS));
    assert_int_equal(scheme_init(&other, 2, 1, LAYOUT_ONE, repeat, 65), ERR_NONE);
    assert_int_not_equal(key, scheme_stream(&other, 1, 10, 5, STREAM_KEYS));
    /* two tables with 64 slots in all */
    assert_int_equal(scheme_init(&base, 2, 1, LAYOUT_SPLIT, repeat, 64), ERR_NONE);
    for (uint64_t first = 30; first <= 34; first++) {
        assert_int_equal(scheme_init_two(&other, 1, first, 64 - first), ERR_NONE);
        assert_int_equal(scheme_stream(&base, 1, 10, 5, STREAM_KEYS) ==
                             scheme_stream(&other, 1, 10, 5, STREAM_KEYS),
                         first == 32);
    }
    /* what is left out of the table changes nothing */
    assert_int_equal(scheme_init(&base, 2, 3, LAYOUT_ONE, repeat, 62), ERR_NONE);
    assert_int_equal(scheme_init(&other, 2, 3, LAYOUT_ONE, repeat, 60), ERR_NONE);
    assert_int_equal(scheme_stream(&base, 1, 0, 5, STREAM_KEYS),
                     scheme_stream(&other, 1, 0, 5, STREAM_KEYS));
}

static void lines_of_buckets(void **state)
{
    struct scheme scheme;
    const uint32_t same[] = {4, 4}, near[] = {0, 1}, far[] = {0, 2}, straddling[] = {2, 5};

    (void)state;
    assert_int_equal(scheme_init(&scheme, 2, 4, LAYOUT_ONE, POSITIONS_REPEAT, 64), ERR_NONE);
    assert_int_equal(scheme_lines(&scheme, same, 2), 1);
    assert_int_equal(scheme_lines(&scheme, near, 2), 1); /* two buckets of 32 bytes: one line */
    assert_int_equal(scheme_lines(&scheme, far, 2), 2);
    assert_int_equal(scheme_lines(&scheme, far, 1), 1);
    assert_int_equal(scheme_init(&scheme, 2, 3, LAYOUT_ONE, POSITIONS_REPEAT, 64), ERR_NONE);
    assert_int_equal(scheme_first_line(&scheme, 2), 0); /* slots 6, 7, 8 */
    assert_int_equal(scheme_last_line(&scheme, 2), 1);
    assert_int_equal(scheme_lines(&scheme, straddling, 2), 3); /* 6..8 and 15..17 */
    assert_int_equal(scheme_init(&scheme, 2, 8, LAYOUT_ONE, POSITIONS_REPEAT, 64), ERR_NONE);
    assert_int_equal(scheme_lines(&scheme, near, 2), 2);
    assert_int_equal(scheme_init(&scheme, 8, 64, LAYOUT_ONE, POSITIONS_REPEAT, 1024), ERR_NONE);
    const uint32_t all[] = {0, 1, 2, 3, 4, 5, 6, 7};
    assert_int_equal(scheme_lines(&scheme, all, 8), 64);
}

/* The lines that a miss in two windows touches on average, against all pairs of starts. */
static void lines_of_windows(void **state)
{
    static const unsigned pages[] = {0, 8, 10, 20};

    (void)state;
    for (unsigned i = 0; i < 4 * 7; i++) {
        struct scheme scheme;
        double mean;
        unsigned length = 2 + i / 4, page = pages[i % 4], start[40], starts = 0;
        uint64_t sum = 0;
        assert_int_equal(scheme_init_windows(&scheme, 2, length, page, 40), ERR_NONE);
        for (unsigned s = 0; s < 40; s++)
            if (page > 0 ? s / page == (s + length - 1) / page : s + length <= 40)
                start[starts++] = s;
        assert_int_equal(scheme.width[1], starts);
        for (unsigned code = 0; code < starts * starts; code++) {
            unsigned char line[5] = {0};
            for (unsigned s = 0; s < length; s++) {
                line[(start[code / starts] + s) / 8] = 1;
                line[(start[code % starts] + s) / 8] = 1;
            }
            for (size_t l = 0; l < sizeof line; l++)
                sum += line[l];
        }
        assert_int_equal(scheme_mean_lines(&scheme, &mean), ERR_NONE);
        assert_true(fabs(mean - (double)sum / (double)(starts * starts)) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_windows),
        cmocka_unit_test(windows_start_anywhere),
        cmocka_unit_test(refuses_windows_that_do_not_exist),
        cmocka_unit_test(sizes_are_whole_buckets),
        cmocka_unit_test(two_tables_of_two_sizes),
        cmocka_unit_test(tiny_tables),
        cmocka_unit_test(refuses_what_does_not_exist),
        cmocka_unit_test(candidates_keep_their_ranges),
        cmocka_unit_test(repeated_positions_are_independent),
        cmocka_unit_test(distinct_positions_are_uniform_tuples),
        cmocka_unit_test(distinct_positions_of_all_buckets),
        cmocka_unit_test(two_keys_are_independent),
        cmocka_unit_test(streams_depend_on_all_that_names_them),
        cmocka_unit_test(lines_of_buckets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
