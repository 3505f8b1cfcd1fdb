/* test_rng.c -- streams that depend on every word of their name, and unbiased draws. */
#include "unit.h"

#include <stdlib.h>

#include "rng.h"

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void stream_is_splitmix64(void **state)
{
    struct rng rng;

    (void)state;
    rng_init(&rng, 1234567);
    assert_int_equal(rng_next(&rng), UINT64_C(6457827717110365317));
    assert_int_equal(rng_next(&rng), UINT64_C(3203168211198807973));
    rng_init(&rng, 1234567);
    assert_int_equal(rng_next(&rng), UINT64_C(6457827717110365317));
}

static void words_of_a_stream_are_distinct(void **state)
{
    enum { COUNT = 1 << 16 };
    uint64_t *word = malloc(COUNT * sizeof *word);
    struct rng rng;

    (void)state;
    assert_non_null(word);
    unit_stream(&rng, 1);
    for (int i = 0; i < COUNT; i++)
        word[i] = rng_next(&rng);
    qsort(word, COUNT, sizeof *word, compare_words);
    for (int i = 1; i < COUNT; i++)
        assert_true(word[i - 1] < word[i]);
    free(word);
}

/* Trial t of seed s must not be trial t - 1 of seed s + 1 (or any other pair): 40 seeds x
 * 40 trials x 3 uses x 16 words, all different.  The chance of an honest collision among
 * 76800 random words is 2e-10. */
static void seeds_and_trials_share_nothing(void **state)
{
    enum { SEEDS = 40, TRIALS = 40, USES = 3, WORDS = 16 };
    size_t count = 0;
    uint64_t *word = malloc(sizeof *word * SEEDS * TRIALS * USES * WORDS);

    (void)state;
    assert_non_null(word);
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (uint64_t trial = 0; trial < TRIALS; trial++)
            for (uint64_t use = 1; use <= USES; use++) {
                const uint64_t name[] = {seed, trial, use};
                struct rng rng;
                rng_init(&rng, stream_key(name, 3));
                for (int i = 0; i < WORDS; i++)
                    word[count++] = rng_next(&rng);
            }
    qsort(word, count, sizeof *word, compare_words);
    for (size_t i = 1; i < count; i++)
        assert_true(word[i - 1] < word[i]);
    free(word);
}

/* A name is an ordered list: no word may be left out, swapped or shifted into its
 * neighbour without another key coming out. */
static void every_word_of_a_name_counts(void **state)
{
    static const uint64_t name[] = {3, 5, 8, 0};
    uint64_t swapped[] = {5, 3, 8, 0};
    uint64_t shifted[] = {3 + HASH_GAMMA, 5 - HASH_GAMMA, 8, 0};
    uint64_t key = stream_key(name, 4);

    (void)state;
    assert_int_equal(key, stream_key(name, 4));
    assert_int_not_equal(key, stream_key(name, 3));
    assert_int_not_equal(key, stream_key(swapped, 4));
    assert_int_not_equal(key, stream_key(shifted, 4));
    for (size_t i = 0; i < 4; i++)
        for (int bit = 0; bit < 64; bit++) {
            uint64_t other[] = {3, 5, 8, 0};
            other[i] ^= UINT64_C(1) << bit;
            assert_int_not_equal(key, stream_key(other, 4));
        }
}

/* The state whose next word has `high` as its upper half. */
static uint64_t state_before(uint64_t word)
{
    uint64_t z = word;
    uint64_t a = UINT64_C(0x94d049bb133111eb), b = UINT64_C(0xbf58476d1ce4e5b9), x = a, y = b;

    for (int i = 0; i < 6; i++) {
        x *= 2 - a * x;
        y *= 2 - b * y;
    }
    z ^= (z >> 31) ^ (z >> 62);
    z *= x;
    z ^= (z >> 27) ^ (z >> 54);
    z *= y;
    z ^= (z >> 30) ^ (z >> 60);
    return z - HASH_GAMMA;
}

/* What rng_below does with the 32-bit word x: the value, or n where x is rejected. */
static uint32_t first_draw(uint32_t x, uint32_t n)
{
    struct rng rng;

    rng_init(&rng, state_before((uint64_t)x << 32));
    uint64_t after = rng.state + HASH_GAMMA;
    uint32_t value = rng_below(&rng, n);
    return rng.state == after ? value : n;
}

/* Of the 2^32 words every value keeps exactly floor(2^32 / n).  The words that go to value
 * v form an interval; its first and last accepted word are found by bisection. */
static void below_is_exactly_uniform(void **state)
{
    static const uint32_t sizes[] = {2, 3, 5, 6, 7, 10, 641, 1000};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint64_t n = sizes[i], share = (UINT64_C(1) << 32) / n;
        for (uint64_t v = 0; v < n; v++) {
            uint64_t first = ((v << 32) + n - 1) / n; /* first x with x n >= v 2^32 */
            uint64_t end = (((v + 1) << 32) + n - 1) / n;
            uint64_t rejected = 0;
            while (first_draw((uint32_t)(first + rejected), (uint32_t)n) == n)
                rejected++;
            assert_int_equal(end - first - rejected, share);
            assert_int_equal(first_draw((uint32_t)(first + rejected), (uint32_t)n), v);
            assert_int_equal(first_draw((uint32_t)(first + rejected + share / 2), (uint32_t)n), v);
            assert_int_equal(first_draw((uint32_t)(end - 1), (uint32_t)n), v);
        }
    }
}

/* Almost half of all words are rejected here; the draw goes on with the next word. */
static void below_draws_again(void **state)
{
    const uint32_t n = (UINT32_C(1) << 31) + 1;
    unsigned again = 0;

    (void)state;
    for (uint64_t i = 0; i < 1000; i++) {
        struct rng rng, plain;
        unit_stream(&rng, i);
        plain = rng;
        uint64_t product;
        unsigned draws = 0;
        do {
            product = (rng_next(&plain) >> 32) * n;
            draws++;
        } while ((product & UINT32_MAX) < (UINT64_C(1) << 32) % n);
        assert_int_equal(rng_below(&rng, n), product >> 32);
        assert_int_equal(rng.state, plain.state);
        again += draws > 1;
    }
    assert_in_range(again, 400, 600);
}

static void below_of_one_is_zero(void **state)
{
    struct rng rng;

    (void)state;
    unit_stream(&rng, 5);
    for (int i = 0; i < 100; i++)
        assert_int_equal(rng_below(&rng, 1), 0);
}

static void below_passes_chi_square(void **state)
{
    uint64_t count[37] = {0};
    struct rng rng;

    (void)state;
    unit_stream(&rng, 6);
    for (int i = 0; i < 370000; i++)
        count[rng_below(&rng, 37)]++;
    unit_assert_uniform(count, 37);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stream_is_splitmix64),
        cmocka_unit_test(words_of_a_stream_are_distinct),
        cmocka_unit_test(seeds_and_trials_share_nothing),
        cmocka_unit_test(every_word_of_a_name_counts),
        cmocka_unit_test(below_is_exactly_uniform),
        cmocka_unit_test(below_draws_again),
        cmocka_unit_test(below_of_one_is_zero),
        cmocka_unit_test(below_passes_chi_square),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
