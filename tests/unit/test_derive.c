/* test_derive.c -- derived second buckets: known answers, involutions, parts. */
#include "unit.h"

#include <stdlib.h>

#include "derive.h"
#include "error.h"
#include "scheme.h"

#define HASH UINT64_C(0xdeadbeefcafef00d)
#define MORE UINT64_C(0x0123456789abcdef)

static void check(enum derivation kind, unsigned bits, uint32_t m, uint32_t first, uint32_t second)
{
    struct derive derive = {kind, bits};
    uint32_t bucket[2];

    derive_buckets(&derive, HASH, MORE, m, bucket);
    assert_int_equal(bucket[0], first);
    assert_int_equal(bucket[1], second);
}

/* Computed with Python's integers from the rules' descriptions. */
static void known_answers(void **state)
{
    (void)state;
    check(DERIVE_XOR_TAG, 8, 1 << 10, 890, 887);
    check(DERIVE_XOR_HASH, 8, 1 << 10, 890, 1003);
    check(DERIVE_XOR_MIX, 8, 1 << 10, 890, 389);
    check(DERIVE_XOR_REDIS, 8, 1 << 10, 890, 786);
    check(DERIVE_DPDK, 16, 1 << 10, 13, 755);
    check(DERIVE_ROTATE, 0, 1 << 10, 13, 766);
    check(DERIVE_XOR_TAG, 8, 1 << 20, 912091, 912086);
    check(DERIVE_XOR_HASH, 8, 1 << 20, 912091, 341578);
    check(DERIVE_XOR_MIX, 8, 1 << 20, 912091, 24612);
    check(DERIVE_XOR_REDIS, 8, 1 << 20, 912091, 235187);
    check(DERIVE_DPDK, 16, 1 << 20, 978957, 932595);
    check(DERIVE_ROTATE, 0, 1 << 20, 978957, 903934);
    check(DERIVE_ADDITIVE, 8, 1000, 869, 899);
    check(DERIVE_WORDS, 0, 1000, 693, 254);
}

/* From either bucket and the tag the other one, for every bucket and tag. */
static void other_buckets_are_involutions(void **state)
{
    static const enum derivation kinds[] = {DERIVE_XOR_TAG,   DERIVE_XOR_HASH, DERIVE_XOR_MIX,
                                            DERIVE_XOR_REDIS, DERIVE_DPDK,     DERIVE_ADDITIVE};

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (uint32_t m = 1; m <= 130; m++) {
            struct derive derive = {kinds[i], 8};
            if (derive_check(&derive, m) != ERR_NONE)
                continue;
            for (uint32_t tag = 0; tag < 256; tag++)
                for (uint32_t b = 0; b < m; b++) {
                    uint32_t other = derive_other(&derive, b, tag, m);
                    assert_true(other < m);
                    assert_int_equal(derive_other(&derive, other, tag, m), b);
                }
        }
}

/* The question of seiflotfy/cuckoofilter issue 40: xor reduced modulo 100 loses its way in
 * 19.25% of the pairs of a bucket and a hash below 128. */
static void xor_needs_a_power_of_two(void **state)
{
    struct derive derive = {DERIVE_XOR_HASH, 8};
    unsigned broken = 0;

    (void)state;
    for (uint32_t b = 0; b < 100; b++)
        for (uint32_t h = 0; h < 128; h++)
            broken += ((b ^ h) % 100 ^ h) % 100 != b;
    assert_int_equal(broken, 2464); /* of 12800 */
    assert_int_equal(derive_check(&derive, 100), ERR_DOMAIN);
    assert_int_equal(derive_check(&derive, 128), ERR_NONE);
    derive.kind = DERIVE_ADDITIVE;
    assert_int_equal(derive_check(&derive, 100), ERR_NONE);
    derive.bits = 33;
    assert_int_equal(derive_check(&derive, 100), ERR_DOMAIN);
    derive = (struct derive){DERIVE_ROTATE, 0};
    assert_int_equal(derive_check(&derive, 3), ERR_DOMAIN);
    assert_int_equal(derive_check(&derive, 0), ERR_DOMAIN);
}

/* The additive rule maps a bucket to itself for one bucket where m is odd, for none or two
 * where it is even (axiomhq/rust-cuckoofilter issue 31). */
static void additive_fixed_points(void **state)
{
    struct derive derive = {DERIVE_ADDITIVE, 8};

    (void)state;
    for (uint32_t m = 100; m <= 101; m++)
        for (uint32_t tag = 0; tag < 256; tag++) {
            unsigned fixed = 0;
            for (uint32_t b = 0; b < m; b++)
                fixed += derive_other(&derive, b, tag, m) == b;
            assert_true(m % 2 == 1 ? fixed == 1 : fixed == 0 || fixed == 2);
        }
}

static uint32_t root(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

/* The parts of derive_split are what keys join: union-find over 24 keys a bucket. */
static void parts_are_what_keys_join(const struct derive *derive, unsigned b)
{
    uint32_t m = UINT32_C(1) << b;
    uint32_t *parent = malloc(m * sizeof *parent), *size = calloc(m, sizeof *size);
    struct derive_parts parts;
    uint64_t pairs = 0, singles = 0;
    struct rng rng;

    assert_non_null(parent);
    assert_non_null(size);
    for (uint32_t v = 0; v < m; v++)
        parent[v] = v;
    unit_stream(&rng, b);
    for (uint64_t i = 0; i < UINT64_C(24) * m; i++) {
        uint32_t bucket[2];
        derive_buckets(derive, rng_next(&rng), 0, m, bucket);
        parent[root(parent, bucket[0])] = root(parent, bucket[1]);
    }
    for (uint32_t v = 0; v < m; v++)
        size[root(parent, v)]++;
    assert_int_equal(derive_split(derive, b, &parts), ERR_NONE);
    for (uint32_t v = 0; v < m; v++) {
        pairs += parts.pairs > 0 && size[v] == parts.pair_buckets;
        singles += size[v] == parts.single_buckets;
        assert_true(size[v] == 0 || size[v] == parts.single_buckets ||
                    size[v] == parts.pair_buckets);
    }
    assert_int_equal(pairs, parts.pairs);
    assert_int_equal(singles, parts.singles);
    free(parent);
    free(size);
}

static void derivations_split_large_tables(void **state)
{
    struct derive dpdk = {DERIVE_DPDK, 16}, rotate = {DERIVE_ROTATE, 0}, tag = {DERIVE_XOR_TAG, 4};
    struct derive_parts parts;

    (void)state;
    for (unsigned b = 16; b <= 19; b++) {
        parts_are_what_keys_join(&dpdk, b);
        parts_are_what_keys_join(&rotate, b);
    }
    parts_are_what_keys_join(&tag, 10);
    assert_int_equal(derive_split(&dpdk, 24, &parts), ERR_NONE);
    assert_int_equal(parts.pair_buckets, 512);
    assert_int_equal(parts.pairs * parts.pair_buckets + parts.singles * parts.single_buckets,
                     1 << 24);
    assert_int_equal(derive_split(&dpdk, 15, &parts), ERR_DOMAIN);
}

static void a_scheme_takes_what_exists(void **state)
{
    struct derive derive = {DERIVE_XOR_HASH, 8};
    struct scheme scheme;
    struct hasher hasher;
    uint32_t bucket[SCHEME_D_MAX];

    (void)state;
    assert_int_equal(scheme_init(&scheme, 2, 4, LAYOUT_ONE, POSITIONS_REPEAT, 400), ERR_NONE);
    assert_int_equal(scheme_use_derive(&scheme, &derive), ERR_DOMAIN);
    assert_int_equal(scheme_init(&scheme, 2, 4, LAYOUT_ONE, POSITIONS_REPEAT, 512), ERR_NONE);
    assert_int_equal(scheme_use_derive(&scheme, &derive), ERR_NONE);
    hasher_init_for(&hasher, &scheme, 7);
    for (uint64_t key = 0; key < 1000; key++) {
        uint32_t expected[2];
        scheme_candidates(&scheme, &hasher, key, bucket);
        derive_buckets(&derive, hash_mix(key ^ hasher.seed[0]), 0, 128, expected);
        assert_int_equal(bucket[0], expected[0]);
        assert_int_equal(bucket[1], expected[1]);
    }
    /* two tables of 64 buckets: the same place rule, the second in the second table */
    assert_int_equal(scheme_init(&scheme, 2, 4, LAYOUT_SPLIT, POSITIONS_REPEAT, 512), ERR_NONE);
    assert_int_equal(scheme_use_derive(&scheme, &derive), ERR_NONE);
    hasher_init_for(&hasher, &scheme, 7);
    for (uint64_t key = 0; key < 1000; key++) {
        uint32_t expected[2];
        scheme_candidates(&scheme, &hasher, key, bucket);
        derive_buckets(&derive, hash_mix(key ^ hasher.seed[0]), 0, 64, expected);
        assert_int_equal(bucket[0], expected[0]);
        assert_int_equal(bucket[1], 64 + expected[1]);
    }
    assert_int_equal(scheme_init(&scheme, 2, 4, LAYOUT_SPLIT, POSITIONS_REPEAT, 400), ERR_NONE);
    assert_int_equal(scheme_use_derive(&scheme, &derive), ERR_DOMAIN);
}

static uint32_t digits(uint32_t a, uint32_t b, uint32_t base, unsigned places)
{
    if (places == 0)
        return 0;
    return digits(a / base, b / base, base, places - 1) * base + (a % base + b % base) % base;
}

/* d steps lead back, whichever candidate one starts from; without a table of powers no step. */
static void many_candidates_go_round(void **state)
{
    const struct derive derive = {DERIVE_XOR_HASH, 12};
    static const uint32_t factors[] = {0x5bd1e995, 0xcc9e2d51, 0x1b873593};

    (void)state;
    for (unsigned d = 3; d <= 4; d++) {
        const uint32_t m = d == 3 ? 2187 : 4096; /* 3^7, 4^6 */
        struct rng rng;
        unit_stream(&rng, d);
        for (int i = 0; i < 5000; i++) {
            uint32_t bucket[DERIVE_MANY], at;
            uint64_t hash = rng_next(&rng);
            uint32_t tag = derive_tag(&derive, hash);
            derive_many(&derive, d, 0, hash, m, bucket);
            at = bucket[0];
            for (unsigned j = 1; j <= d; j++) {
                at = digits(at, tag * factors[0] % m, d, d == 3 ? 7 : 6);
                assert_int_equal(at, bucket[j % d]);
            }
            derive_many(&derive, d, 1, hash, 1024, bucket);
            assert_int_equal(bucket[0], (hash >> 32) * 1024 >> 32);
            for (unsigned j = 1; j < d; j++)
                assert_int_equal(bucket[j], bucket[j - 1] ^ (tag * factors[j - 1] % 1024));
        }
        assert_int_equal(derive_check_many(&derive, d, 0, m), ERR_NONE);
        assert_int_equal(derive_check_many(&derive, d, 0, 2 * m), ERR_DOMAIN);
        assert_int_equal(derive_check_many(&derive, d, 1, 512), ERR_NONE);
        assert_int_equal(derive_check_many(&derive, d, 1, 513), ERR_DOMAIN);
    }
    assert_int_equal(derive_check_many(&derive, 5, 1, 512), ERR_DOMAIN);
    struct derive tag = {DERIVE_XOR_TAG, 12};
    assert_int_equal(derive_check_many(&tag, 3, 1, 512), ERR_DOMAIN);
    struct scheme scheme;
    struct hasher hasher;
    assert_int_equal(scheme_init(&scheme, 4, 2, LAYOUT_SPLIT, POSITIONS_REPEAT, 512), ERR_NONE);
    assert_int_equal(scheme_use_derive(&scheme, &derive), ERR_NONE);
    hasher_init_for(&hasher, &scheme, 7);
    for (uint64_t key = 0; key < 1000; key++) {
        uint32_t bucket[SCHEME_D_MAX], expected[DERIVE_MANY];
        scheme_candidates(&scheme, &hasher, key, bucket);
        derive_many(&derive, 4, 1, hash_mix(key ^ hasher.seed[0]), 64, expected);
        for (unsigned j = 0; j < 4; j++)
            assert_int_equal(bucket[j], 64 * j + expected[j]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(other_buckets_are_involutions),
        cmocka_unit_test(xor_needs_a_power_of_two),
        cmocka_unit_test(additive_fixed_points),
        cmocka_unit_test(derivations_split_large_tables),
        cmocka_unit_test(a_scheme_takes_what_exists),
        cmocka_unit_test(many_candidates_go_round),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
