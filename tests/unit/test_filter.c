/* test_filter.c -- the cuckoo filter, the Bloom filter and the sketch against definitions
 * taken word for word: every lookup tried, every copy counted. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bloom.h"
#include "filter.h"

static void make(struct filter *filter, unsigned f, unsigned b, uint32_t buckets, int counting,
                 uint64_t number)
{
    struct filter_shape shape = {f, b, buckets, counting};

    assert_int_equal(filter_init(filter, &shape), ERR_NONE);
    filter_reset(filter, hash_mix(number), hash_mix(number + 1));
}

static void refusals(void **state)
{
    struct filter filter;
    struct filter_shape bad[] = {{1, 4, 16, 0}, {17, 4, 16, 0}, {8, 0, 16, 0},
                                 {8, 9, 16, 0}, {8, 4, 0, 0},   {8, 4, 100, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(filter_init(&filter, &bad[i]), ERR_DOMAIN);
        filter_free(&filter);
    }
    make(&filter, 8, 4, 1, 0, 0); /* a single bucket: both coincide */
    assert_int_equal(filter_other_bucket(&filter, 0, 77), 0);
    filter_free(&filter);
}

/* The other bucket of the other bucket is the first one. */
static void involution(void **state)
{
    struct filter filter;

    (void)state;
    make(&filter, 8, 4, 128, 0, 3);
    for (uint32_t bucket = 0; bucket < 128; bucket++)
        for (uint16_t tag = 1; tag < 256; tag++) {
            uint32_t other = filter_other_bucket(&filter, bucket, tag);
            assert_true(other < 128);
            assert_int_equal(filter_other_bucket(&filter, other, tag), bucket);
        }
    filter_free(&filter);
}

/* All pairs of first bucket and low bits, looked up one by one. */
static void positives_by_enumeration(void **state)
{
    (void)state;
    for (unsigned b = 1; b <= 8; b *= 2)
        for (unsigned f = 2; f <= 8; f += 3)
            for (uint64_t number = 0; number < 20; number++) {
                struct filter filter;
                struct rng rng;
                uint64_t yes = 0;
                make(&filter, f, b, 16, 0, 100 + number);
                unit_stream(&rng, number);
                for (unsigned i = 0; i < 3 * number && !filter.victim.used; i++)
                    filter_add(&filter, rng_next(&rng));
                filter.victim.used = 0;
                for (uint64_t bucket = 0; bucket < 16; bucket++)
                    for (uint64_t low = 0; low < UINT64_C(1) << f; low++)
                        yes += (uint64_t)filter_contains(&filter, bucket << 32 | low);
                assert_int_equal(filter_positives(&filter), yes);
                filter_free(&filter);
            }
}

static void nothing_is_lost(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 50; number++) {
        struct filter filter;
        struct rng rng;
        uint64_t item[1024];
        unsigned stored = 0;
        enum filter_outcome outcome = FILTER_STORED;
        make(&filter, 12, 4, 128, 0, 7 * number);
        unit_stream(&rng, number);
        while (outcome == FILTER_STORED && stored < 1000) {
            item[stored] = rng_next(&rng);
            outcome = filter_add(&filter, item[stored++]);
        }
        assert_int_equal(outcome, FILTER_VICTIM);
        assert_true(stored > 400);
        assert_int_equal(filter.stored, stored - 1);
        for (unsigned i = 0; i < stored; i++)
            assert_true(filter_contains(&filter, item[i]));
        assert_int_equal(filter_add(&filter, rng_next(&rng)), FILTER_REFUSED);
        /* each item removed once: nothing is left, and none was missing on the way */
        for (unsigned i = 0; i < stored; i++)
            assert_true(filter_remove(&filter, item[i]));
        assert_int_equal(filter.stored, 0);
        assert_int_equal(filter.victim.used, 0);
        filter_free(&filter);
    }
}

/* 2b copies fit, and b where the two buckets coincide; one more is the victim. */
static void copies(void **state)
{
    unsigned coincide = 0;

    (void)state;
    for (unsigned b = 1; b <= 8; b++)
        for (uint64_t number = 0; number < 64; number++) {
            struct filter filter;
            uint64_t item = hash_mix(number);
            unsigned held = 0;
            make(&filter, 8, b, 8, 0, number);
            uint32_t bucket = filter_first_bucket(&filter, item);
            int same = filter_other_bucket(&filter, bucket, filter_tag(&filter, item)) == bucket;
            coincide += (unsigned)same;
            while (filter_add(&filter, item) == FILTER_STORED)
                held++;
            assert_int_equal(held, same ? b : 2 * b);
            assert_int_equal(filter_add(&filter, item), FILTER_REFUSED);
            filter_free(&filter);
        }
    assert_true(coincide > 0);
}

static void rates(void **state)
{
    struct filter_shape shape = {8, 4, 16, 0};

    (void)state;
    /* small rates: 2b (2^f + 2) / 4^f to first order */
    assert_true(fabs(filter_rate(&shape, 1e-6) / (8e-6 * 258 / 65536) - 1) < 1e-5);
    assert_true(fabs(filter_rate_uniform(&shape, 1e-6) / (8e-6 / 256) - 1) < 1e-5);
    shape.tag_bits = 2; /* tags 1, 2, 3 with 2/4, 1/4, 1/4, all slots taken */
    double rate = 0.5 * (1 - pow(0.5, 8)) + 0.5 * (1 - pow(0.75, 8));
    assert_true(fabs(filter_rate(&shape, 1.0) - rate) < 1e-14);
}

static void counting(void **state)
{
    struct filter filter;
    struct rng rng;
    uint64_t item[200];

    (void)state;
    make(&filter, 16, 4, 64, 1, 5);
    unit_stream(&rng, 5);
    for (unsigned i = 0; i < 200; i++)
        item[i] = rng_next(&rng);
    for (unsigned round = 0; round < 20; round++)
        for (unsigned i = 0; i < 200; i++)
            if (i % 20 <= round)
                assert_int_not_equal(filter_add(&filter, item[i]), FILTER_REFUSED);
    unsigned exact = 0;
    for (unsigned i = 0; i < 200; i++) {
        uint32_t times = 20 - i % 20;
        assert_true(filter_count(&filter, item[i]) >= times);
        exact += filter_count(&filter, item[i]) == times;
    }
    assert_true(exact >= 190); /* two items with one tag add up */
    filter_free(&filter);
}

static void bloom_and_sketch(void **state)
{
    struct bloom bloom;
    struct sketch sketch;
    struct rng rng;
    uint64_t yes = 0;

    (void)state;
    assert_int_equal(bloom_init(&bloom, 0, 3), ERR_DOMAIN);
    assert_int_equal(bloom_init(&bloom, 10000, 7), ERR_NONE);
    bloom_reset(&bloom, 1);
    unit_stream(&rng, 9);
    for (int i = 0; i < 1000; i++)
        bloom_add(&bloom, hash_mix((uint64_t)i));
    for (int i = 0; i < 1000; i++)
        assert_true(bloom_contains(&bloom, hash_mix((uint64_t)i)));
    double filled = (double)bloom_set(&bloom) / 10000;
    assert_true(fabs(filled - (1 - exp(-0.7))) < 0.02);
    for (int i = 0; i < 200000; i++)
        yes += (uint64_t)bloom_contains(&bloom, rng_next(&rng));
    double expected = 200000 * pow(filled, 7);
    assert_true(fabs((double)yes - expected) < 6 * sqrt(expected));
    bloom_free(&bloom);
    assert_int_equal(sketch_init(&sketch, 1000, 4), ERR_NONE);
    sketch_reset(&sketch, 2);
    for (int i = 0; i < 500; i++)
        for (int j = 0; j <= i % 7; j++)
            sketch_add(&sketch, hash_mix((uint64_t)i));
    for (int i = 0; i < 500; i++)
        assert_true(sketch_count(&sketch, hash_mix((uint64_t)i)) >= (uint32_t)(i % 7) + 1);
    sketch_free(&sketch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(involution),
        cmocka_unit_test(positives_by_enumeration),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(copies),
        cmocka_unit_test(rates),
        cmocka_unit_test(counting),
        cmocka_unit_test(bloom_and_sketch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
