/* rng.h -- random streams that depend on what they are for and on nothing else.
 *
 * A stream is named by a 64-bit key, folded from the seed and the words that describe
 * its use (stream_key).  Word i of the stream is hash_mix(key + i * gamma), the
 * splitmix64 generator; within a stream all words differ, since hash_mix is a
 * bijection, so the words of a stream serve as distinct random keys. */
#ifndef CUCKOO_RNG_H
#define CUCKOO_RNG_H

#include <stddef.h>
#include <stdint.h>

#include "hash.h"

/* What a stream of a trial is used for; a word of its key. */
enum stream_use {
    STREAM_KEYS = 1,   /* the keys offered, in order */
    STREAM_HASH = 2,   /* the seeds of the trial's hash functions */
    STREAM_SEARCH = 3, /* the random choices of an insertion rule */
    STREAM_TEST = 4    /* tests only */
};

struct rng {
    uint64_t state;
};

/* Fold `count` words into one key.  Every word passes through the mixer, so that
 * (seed, trial) and (seed + 1, trial - 1) have nothing in common. */
static inline uint64_t stream_key(const uint64_t *words, size_t count)
{
    uint64_t key = HASH_GAMMA;

    for (size_t i = 0; i < count; i++)
        key = hash_mix(key ^ hash_mix(words[i] + (i + 1) * HASH_GAMMA));
    return key;
}

static inline void rng_init(struct rng *self, uint64_t key)
{
    self->state = key;
}

static inline uint64_t rng_next(struct rng *self)
{
    self->state += HASH_GAMMA;
    return hash_mix(self->state);
}

/* Word `i` of the stream `key`, i from 0: what rng_next returns after i others. */
static inline uint64_t rng_word(uint64_t key, uint64_t i)
{
    return hash_mix(key + (i + 1) * HASH_GAMMA);
}

/* A uniform value in [0, n), 1 <= n < 2^32, unbiased: Lemire's rejection. */
static inline uint32_t rng_below(struct rng *self, uint32_t n)
{
    uint64_t product = (rng_next(self) >> 32) * n;

    if ((uint32_t)product < n) {
        uint32_t limit = (uint32_t)(-n) % n;
        while ((uint32_t)product < limit)
            product = (rng_next(self) >> 32) * n;
    }
    return (uint32_t)(product >> 32);
}

#endif
