/* measure_compare.c -- trials of the tables of compare.h: see measure_growth.h. */
#include "measure_growth.h"

#include <stdlib.h>

static int open_largest(const void *pointer, void **opened)
{
    const struct largest_setting *setting = pointer;
    struct compare_buckets *buckets = calloc(1, sizeof *buckets);

    *opened = buckets;
    return buckets != NULL
               ? compare_buckets_init(buckets, setting->buckets, setting->d, setting->choice)
               : ERR_MEMORY;
}

static void close_largest(void *opened)
{
    compare_buckets_free(opened);
    free(opened);
}

static int run_largest(const void *pointer, void *opened, uint64_t first, uint64_t count,
                       uint64_t *tally)
{
    const struct largest_setting *setting = pointer;

    for (uint64_t trial = first; trial < first + count; trial++) {
        const uint64_t words[] = {setting->seed, setting->buckets,          setting->keys,
                                  setting->d,    (uint64_t)setting->choice, trial};
        struct rng rng;
        rng_init(&rng, stream_key(words, 6));
        compare_buckets_fill(opened, &rng, setting->keys);
        uint32_t largest = compare_buckets_largest(opened);
        tally[largest < LARGEST_CELLS ? largest : LARGEST_CELLS - 1]++;
        tally[LARGEST_CELLS] += compare_buckets_hits(opened);
    }
    return ERR_NONE;
}

void largest_work(struct largest_setting *setting, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .done = &setting->trials,
        .block = 1 + 100000 / (setting->keys + 1),
        .adds = LARGEST_CELLS + 1,
        .state_bytes = setting->buckets * sizeof(uint32_t),
        .open = open_largest,
        .close = close_largest,
        .run_block = run_largest,
    };
}

static int open_double(const void *pointer, void **opened)
{
    const struct double_setting *setting = pointer;
    struct compare_double *hash = calloc(1, sizeof *hash);

    *opened = hash;
    return hash != NULL ? compare_double_init(hash, setting->slots) : ERR_MEMORY;
}

static void close_double(void *opened)
{
    compare_double_free(opened);
    free(opened);
}

static void count(uint64_t *sum, uint64_t *most, uint32_t compared)
{
    *sum += compared;
    if (compared > *most)
        *most = compared;
}

static int run_double(const void *pointer, void *opened, uint64_t first, uint64_t number,
                      uint64_t *tally)
{
    const struct double_setting *setting = pointer;

    for (uint64_t trial = first; trial < first + number; trial++) {
        const uint64_t words[] = {setting->seed, setting->slots, trial, STREAM_KEYS};
        uint64_t stream = stream_key(words, 4);
        struct rng rng;
        rng_init(&rng, stream);
        compare_double_reset(opened, hash_mix(stream));
        /* a key stays where it was put: its hit costs what its insertion did */
        for (uint64_t i = 0; i < setting->keys; i++)
            count(&tally[DOUBLE_HIT], &tally[DOUBLE_MOST_HIT],
                  compare_double_probe(opened, rng_next(&rng), 1));
        for (uint64_t i = 0; i < setting->lookups; i++)
            count(&tally[DOUBLE_MISS], &tally[DOUBLE_MOST_MISS],
                  compare_double_probe(opened, rng_next(&rng), 0));
    }
    return ERR_NONE;
}

void double_work(struct double_setting *setting, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .done = &setting->trials,
        .block = 1,
        .adds = DOUBLE_SUMS,
        .maxes = DOUBLE_CELLS - DOUBLE_SUMS,
        .state_bytes = setting->slots * sizeof(uint64_t),
        .open = open_double,
        .close = close_double,
        .run_block = run_double,
    };
}
