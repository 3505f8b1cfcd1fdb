/* graph_hyper.c -- see graph_hyper.h. */
#include "graph_hyper.h"

#include <stdlib.h>
#include <string.h>

/* A sweep goes on paying while it drops one key in so many: placing a key costs about as
 * much as sweeping over sixteen. */
#define SWEEP_GAIN 16

uint64_t hyper_bytes(const struct scheme *scheme, uint64_t capacity)
{
    return (scheme->d + 1) * sizeof(uint32_t) * capacity + sizeof(uint32_t) * scheme->buckets +
           complete_bytes(scheme);
}

int hyper_init(struct hyper *self, const struct scheme *scheme, uint64_t capacity)
{
    memset(self, 0, sizeof *self);
    if ((scheme->d == 2 && scheme->k == 1) || capacity >= UINT32_MAX ||
        hyper_bytes(scheme, capacity) > SIZE_MAX / 2)
        return ERR_DOMAIN;
    self->scheme = scheme;
    self->capacity = capacity;
    self->bucket = malloc((size_t)(scheme->d * sizeof(uint32_t) * (capacity + 1)));
    self->number = malloc((size_t)(sizeof(uint32_t) * (capacity + 1)));
    self->degree = malloc(scheme->buckets * sizeof(uint32_t));
    if (self->bucket == NULL || self->number == NULL || self->degree == NULL)
        return ERR_MEMORY;
    return complete_init(&self->complete, scheme);
}

void hyper_free(struct hyper *self)
{
    free(self->bucket);
    free(self->number);
    free(self->degree);
    complete_free(&self->complete);
    memset(self, 0, sizeof *self);
}

static SPECIALIZED void draw(struct hyper *self, unsigned d, uint64_t n)
{
    const struct hasher *hasher = &self->complete.hasher;
    uint32_t *degree = self->degree, *bucket = self->bucket;
    struct rng keys;

    rng_init(&keys, self->key_stream);
    for (uint64_t i = 0; i < n; i++, bucket += d) {
        scheme_candidates_d(self->scheme, hasher, d, rng_next(&keys), bucket);
        self->number[i] = (uint32_t)i;
        for (unsigned j = 0; j < d; j++)
            degree[bucket[j]]++;
    }
}

/* Drop each key that has a bucket which all its keys can use.  A key whose candidates
 * coincide counts twice there, which only keeps it for the search.  Without a branch,
 * since which keys go cannot be predicted. */
static SPECIALIZED uint64_t sweep(struct hyper *self, unsigned d, uint64_t n)
{
    const uint32_t k = self->scheme->k;
    uint32_t *degree = self->degree, *number = self->number;
    const uint32_t *from = self->bucket;
    uint32_t *to = self->bucket;
    uint64_t kept = 0;

    for (uint64_t i = 0; i < n; i++, from += d) {
        uint32_t bucket[SCHEME_D_MAX], drop = 0;
        for (unsigned j = 0; j < d; j++) {
            bucket[j] = from[j];
            drop |= degree[bucket[j]] <= k;
        }
        for (unsigned j = 0; j < d; j++) {
            degree[bucket[j]] -= drop;
            to[j] = bucket[j];
        }
        number[kept] = number[i];
        kept += 1 - drop;
        to += d * (1 - drop);
    }
    return kept;
}

void hyper_draw(struct hyper *self, uint64_t key_stream, const struct hasher *hasher, uint64_t n)
{
    self->keys = n;
    self->key_stream = key_stream;
    self->complete.hasher = *hasher;
    memset(self->degree, 0, self->scheme->buckets * sizeof(uint32_t));
    if (self->scheme->d == 3)
        draw(self, 3, n);
    else if (self->scheme->d == 2)
        draw(self, 2, n);
    else
        draw(self, self->scheme->d, n);
}

static uint64_t sweep_once(struct hyper *self, uint64_t n)
{
    if (self->scheme->d == 3)
        return sweep(self, 3, n);
    return self->scheme->d == 2 ? sweep(self, 2, n) : sweep(self, self->scheme->d, n);
}

/* The buckets are free for the keys that are left: one that keys were dropped into has no
 * more keys left than it has room for, and no other had keys dropped into it. */
static int place_rest(struct hyper *self, uint64_t left, uint64_t *stash)
{
    const uint32_t *bucket = self->bucket;

    complete_begin(&self->complete);
    for (uint64_t i = 0; i < left; i++, bucket += self->scheme->d) {
        uint64_t key = rng_word(self->key_stream, self->number[i]);
        int placed = complete_place(&self->complete, key, bucket);
        if (placed < 0)
            return placed;
        *stash += placed == 0;
    }
    return ERR_NONE;
}

int hyper_stash(struct hyper *self, uint64_t *stash)
{
    uint64_t left = self->keys, before;

    *stash = 0;
    self->keys = 0; /* used up */
    do {
        before = left;
        left = sweep_once(self, left);
    } while (left > 0 && (before - left) * SWEEP_GAIN >= before);
    return left > 0 ? place_rest(self, left, stash) : ERR_NONE;
}
