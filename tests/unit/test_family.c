/* test_family.c -- hash families against values computed elsewhere (Python's integers). */
#include "unit.h"

#include <string.h>

#include "family.h"
#include "scheme.h"

#define KEY UINT64_C(0x123456789abcdef0)

static const uint64_t raw[FAMILY_WORDS] = {
    UINT64_C(0x0123456789abcdef), UINT64_C(0xfedcba9876543211), UINT64_C(0x5555aaaa5555aaab),
    UINT64_C(0x1111111111111111), UINT64_C(0x0fedcba987654321), UINT64_C(0x7),
};

static uint64_t value_of(enum hash_family kind, const uint64_t *word, uint64_t universe)
{
    struct family family;

    family_init(&family, kind, universe, universe != 0);
    return family_value(&family, word, KEY);
}

static void known_answers(void **state)
{
    uint64_t word[FAMILY_WORDS], small[FAMILY_WORDS];

    (void)state;
    for (unsigned i = 0; i < FAMILY_WORDS; i++) {
        word[i] = raw[i] % FAMILY_P61;
        small[i] = raw[i] % 65537;
    }
    assert_int_equal(value_of(FAMILY_MIXER, raw, 0), UINT64_C(0xc24bf2b130903242));
    assert_int_equal(value_of(FAMILY_MIXER_EACH, raw, 0), UINT64_C(0xc24bf2b130903242));
    assert_int_equal(value_of(FAMILY_MULTIPLY, raw, 0), UINT64_C(0xca5e20890f2a5210));
    assert_int_equal(value_of(FAMILY_MULTIPLY, raw, 8192), UINT64_C(0x9080000000000000));
    assert_int_equal(value_of(FAMILY_MULTIPLY_XOR, raw, 0), UINT64_C(0x710aa493821bb5b0));
    assert_int_equal(value_of(FAMILY_LINEAR, small, 65537), 6663);
    assert_int_equal(value_of(FAMILY_POLY1, word, 0), UINT64_C(0x7c22535366d1cf5));
    assert_int_equal(value_of(FAMILY_LINEAR, word, 0), UINT64_C(0x7c22535366d1cf5));
    assert_int_equal(value_of(FAMILY_POLY4, word, 0), UINT64_C(0x18ad7658402b911));
    assert_int_equal(value_of(FAMILY_POLY5, word, 0), UINT64_C(0x1d6ac20616384449));
    assert_int_equal(value_of(FAMILY_TABULATION8, raw, 0), UINT64_C(0x6dc47aace2dc0d8e));
    assert_int_equal(value_of(FAMILY_TABULATION16, raw, 0), UINT64_C(0x7a674dbb5e77939));
}

static void buckets_of_a_cut_and_of_double_hashing(void **state)
{
    static const uint32_t width[4] = {1000, 1000, 1000, 1000};
    uint64_t word[SCHEME_D_MAX][FAMILY_WORDS] = {{0}};
    struct family family;
    uint32_t bucket[4];

    (void)state;
    memcpy(word[0], raw, sizeof raw);
    family_init(&family, FAMILY_DOUBLE, 0, 0);
    family_candidates(&family, (const uint64_t(*)[FAMILY_WORDS])word, KEY, 4, width, bucket);
    assert_int_equal(bucket[0], 758);
    assert_int_equal(bucket[1], 948);
    assert_int_equal(bucket[2], 138);
    assert_int_equal(bucket[3], 328);
    family_init(&family, FAMILY_MULTIPLY_CUT, 0, 0);
    family_candidates(&family, (const uint64_t(*)[FAMILY_WORDS])word, KEY, 2, width, bucket);
    assert_int_equal(bucket[0], 790);
    assert_int_equal(bucket[1], 59);
}

static void products_modulo_a_prime(void **state)
{
    (void)state;
    assert_int_equal(family_multiply(FAMILY_P61 - 1, FAMILY_P61 - 1, FAMILY_P61), 1);
    assert_int_equal(family_multiply(UINT64_C(1) << 60, (UINT64_C(1) << 60) + 12345, FAMILY_P61),
                     UINT64_C(0x180000000000181c));
    assert_int_equal(
        family_multiply(UINT64_C(0x123456789abcdef), UINT64_C(0xfedcba987654321), FAMILY_P61),
        UINT64_C(0x2b46a8955120470));
    assert_int_equal(family_multiply(65536, 65536, 65537), 1);
    assert_int_equal(family_prime(0), 2);
    assert_int_equal(family_prime(14), 17);
    assert_int_equal(family_prime(8192), 8209);
    assert_int_equal(family_prime(UINT64_C(4294967291)), UINT64_C(4294967291));
}

static void parameters_fit_the_universe(void **state)
{
    struct family family;

    (void)state;
    family_init(&family, FAMILY_MULTIPLY, 16384, 1);
    assert_int_equal(family.bits, 14);
    assert_int_equal(family.prime, 16411);
    family_init(&family, FAMILY_MULTIPLY, 16385, 1);
    assert_int_equal(family.bits, 15);
    family_init(&family, FAMILY_MULTIPLY, 16384, 0);
    assert_int_equal(family.bits, 64);
    family_init(&family, FAMILY_LINEAR, 0, 1);
    assert_int_equal(family.prime, FAMILY_P61);
}

/* What is drawn is legal: odd factors, residues, a factor that is not zero. */
static void drawn_words_are_legal(void **state)
{
    uint64_t word[FAMILY_WORDS];
    struct family family;

    (void)state;
    for (uint64_t i = 0; i < 2000; i++) {
        family_init(&family, FAMILY_MULTIPLY_XOR, 0, 0);
        family_draw(&family, i, word);
        assert_true(word[0] & word[1] & word[2] & 1);
        family_init(&family, FAMILY_LINEAR, 3, 1);
        family_draw(&family, i, word);
        assert_true(word[0] < 3 && word[1] > 0 && word[1] < 3);
        family_init(&family, FAMILY_POLY5, 0, 0);
        family_draw(&family, i, word);
        for (unsigned j = 0; j < 6; j++)
            assert_true(word[j] < FAMILY_P61);
    }
}

/* Every family over many draws: both buckets of a key, jointly uniform. */
static void both_buckets_are_uniform_over_draws(void **state)
{
    enum { N = 8 };
    static uint64_t count[N * N];

    (void)state;
    for (int kind = 0; kind < FAMILY_DOUBLE; kind++) {
        struct scheme scheme;
        struct family family;
        memset(count, 0, sizeof count);
        assert_int_equal(scheme_init(&scheme, 2, 1, LAYOUT_SPLIT, POSITIONS_REPEAT, 2 * N), 0);
        family_init(&family, (enum hash_family)kind, 0, 0);
        assert_int_equal(scheme_use_family(&scheme, &family), ERR_NONE);
        for (uint64_t trial = 0; trial < 64000; trial++) {
            struct hasher hasher;
            uint32_t bucket[SCHEME_D_MAX];
            hasher_init_for(&hasher, &scheme, scheme_stream(&scheme, 3, 1, trial, STREAM_HASH));
            scheme_candidates(&scheme, &hasher, KEY, bucket);
            assert_true(bucket[0] < N && bucket[1] >= N && bucket[1] < 2 * N);
            count[bucket[0] * N + bucket[1] - N]++;
        }
        unit_assert_uniform(count, (size_t)N * N);
    }
}

/* Six keys under 6-wise independent functions: all joint values equally often; this many
 * draws would show a 2-wise family. */
static void polynomials_are_as_independent_as_they_say(void **state)
{
    static const unsigned points[] = {2, 5, 6};
    static const enum hash_family kinds[] = {FAMILY_POLY1, FAMILY_POLY4, FAMILY_POLY5};
    uint64_t count[64];

    (void)state;
    for (size_t f = 0; f < 3; f++) {
        struct family family;
        size_t cells = (size_t)1 << points[f];
        memset(count, 0, sizeof count);
        family_init(&family, kinds[f], 0, 0);
        for (uint64_t draw = 0; draw < 64000; draw++) {
            uint64_t word[FAMILY_WORDS];
            size_t cell = 0;
            family_draw(&family, hash_mix(draw), word);
            for (unsigned i = 0; i < points[f]; i++)
                cell = cell * 2 + (family_value(&family, word, i) >> 60);
            count[cell]++;
        }
        unit_assert_uniform(count, cells);
    }
}

static void refuses_schemes_that_do_not_fit(void **state)
{
    struct scheme scheme;
    struct family family;

    (void)state;
    family_init(&family, FAMILY_DOUBLE, 0, 0);
    assert_int_equal(scheme_init(&scheme, 2, 1, LAYOUT_SPLIT, POSITIONS_REPEAT, 16), ERR_NONE);
    assert_int_equal(scheme_use_family(&scheme, &family), ERR_DOMAIN);
    assert_int_equal(scheme_init(&scheme, 2, 1, LAYOUT_ONE, POSITIONS_DISTINCT, 16), ERR_NONE);
    assert_int_equal(scheme_use_family(&scheme, &family), ERR_DOMAIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(buckets_of_a_cut_and_of_double_hashing),
        cmocka_unit_test(products_modulo_a_prime),
        cmocka_unit_test(parameters_fit_the_universe),
        cmocka_unit_test(drawn_words_are_legal),
        cmocka_unit_test(both_buckets_are_uniform_over_draws),
        cmocka_unit_test(polynomials_are_as_independent_as_they_say),
        cmocka_unit_test(refuses_schemes_that_do_not_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
