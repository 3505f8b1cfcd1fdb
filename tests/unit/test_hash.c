/* test_hash.c -- the mixer and the map to a range. */
#include "unit.h"

#include "hash.h"

/* The first outputs of splitmix64 started at 1234567, as printed in the test vector of the
 * Rosetta Code task "Pseudo-random numbers/Splitmix64" and in many libraries' tests. */
static void known_answers_of_splitmix64(void **state)
{
    static const uint64_t expected[] = {
        UINT64_C(6457827717110365317),  UINT64_C(3203168211198807973),
        UINT64_C(9817491932198370423),  UINT64_C(4593380528125082431),
        UINT64_C(16408922859458223821),
    };
    uint64_t z = 1234567;

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        z += HASH_GAMMA;
        assert_int_equal(hash_mix(z), expected[i]);
    }
}

/* Started at 0: the first word as in the Java SplittableRandom and xoshiro sources' tests. */
static void known_answer_of_seed_zero(void **state)
{
    (void)state;
    assert_int_equal(hash_mix(HASH_GAMMA), UINT64_C(0xe220a8397b1dcdaf));
    assert_int_equal(hash_mix(2 * HASH_GAMMA), UINT64_C(0x6e789e6aa1b965f4));
    assert_int_equal(hash_mix(3 * HASH_GAMMA), UINT64_C(0x06c45d188009454f));
    assert_int_equal(hash_mix(0), 0);
}

/* The inverse of a multiplication by an odd number, by Newton's iteration. */
static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd;

    for (int i = 0; i < 6; i++)
        x *= 2 - odd * x;
    return x;
}

static uint64_t unmix(uint64_t z)
{
    z ^= (z >> 31) ^ (z >> 62);
    z *= inverse(UINT64_C(0x94d049bb133111eb));
    z ^= (z >> 27) ^ (z >> 54);
    z *= inverse(UINT64_C(0xbf58476d1ce4e5b9));
    return z ^ (z >> 30) ^ (z >> 60);
}

static void mixer_is_a_bijection(void **state)
{
    struct rng rng;

    (void)state;
    unit_stream(&rng, 1);
    for (int i = 0; i < 10000; i++) {
        uint64_t word = rng_next(&rng);
        assert_int_equal(unmix(hash_mix(word)), word);
        assert_int_equal(hash_mix(unmix(word)), word);
    }
}

/* One input bit changes every output bit half of the time: 64 x 64 proportions. */
static void mixer_avalanche(void **state)
{
    enum { ROUNDS = 4000 };
    static unsigned flips[64][64];
    struct rng rng;

    (void)state;
    unit_stream(&rng, 2);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t word = rng_next(&rng);
        for (int in = 0; in < 64; in++) {
            uint64_t changed = hash_mix(word) ^ hash_mix(word ^ (UINT64_C(1) << in));
            for (int out = 0; out < 64; out++)
                flips[in][out] += (unsigned)((changed >> out) & 1);
        }
    }
    for (int in = 0; in < 64; in++)
        for (int out = 0; out < 64; out++) /* 6 sigma of a fair coin: 190 */
            assert_in_range(flips[in][out], ROUNDS / 2 - 190, ROUNDS / 2 + 190);
}

static void reduce_keeps_its_range(void **state)
{
    static const uint32_t sizes[] = {1, 2, 3, 5, 1000, 1u << 20, UINT32_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint32_t n = sizes[i];
        assert_int_equal(hash_reduce(0, n), 0);
        assert_int_equal(hash_reduce(UINT32_MAX, n), n - 1);
        /* only the low half counts */
        assert_int_equal(hash_reduce(UINT64_C(0xffffffff00000000), n), 0);
    }
}

/* Each value's share of the 2^32 inputs is floor or ceiling of 2^32 / n: the first input of
 * value v is ceil(v 2^32 / n), so the shares follow from the borders. */
static void reduce_shares_differ_by_one_input(void **state)
{
    static const uint32_t sizes[] = {2, 3, 7, 100, 4096, 65537};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint64_t n = sizes[i];
        for (uint64_t v = 1; v < n; v++) {
            uint64_t first = ((v << 32) + n - 1) / n;
            assert_int_equal(hash_reduce(first, (uint32_t)n), v);
            assert_int_equal(hash_reduce(first - 1, (uint32_t)n), v - 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers_of_splitmix64),
        cmocka_unit_test(known_answer_of_seed_zero),
        cmocka_unit_test(mixer_is_a_bijection),
        cmocka_unit_test(mixer_avalanche),
        cmocka_unit_test(reduce_keeps_its_range),
        cmocka_unit_test(reduce_shares_differ_by_one_input),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
