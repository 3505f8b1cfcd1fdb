/* graph_hyper.c -- see graph_hyper.h. */
#include "graph_hyper.h"

#include <stdlib.h>
#include <string.h>

/* A sweep goes on paying while it drops one key in so many: placing a key costs about as
 * much as sweeping over sixteen. */
#define SWEEP_GAIN 16
#define STOP_KEYS  4096 /* the search asks `stop` whenever it has placed so many */

static int is_packed(const struct scheme *scheme)
{
    return scheme->d <= 4 && scheme->buckets <= 65536;
}

/* Residents are stored as keys then, which the numbers give back. */
static int is_numbered(const struct scheme *scheme)
{
    return scheme->d == 1 || scheme->d > 3;
}

static uint64_t key_bytes(const struct scheme *scheme)
{
    uint64_t bytes = is_packed(scheme) ? sizeof(uint64_t) : scheme->d * sizeof(uint32_t);

    return bytes + (is_numbered(scheme) ? sizeof(uint32_t) : 0);
}

uint64_t hyper_bytes(const struct scheme *scheme, uint64_t capacity)
{
    return key_bytes(scheme) * capacity + sizeof(uint32_t) * scheme->buckets +
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
    if (is_packed(scheme))
        self->packed = malloc((size_t)(sizeof(uint64_t) * (capacity + 1)));
    else
        self->bucket = malloc((size_t)(scheme->d * sizeof(uint32_t) * (capacity + 1)));
    if (is_numbered(scheme))
        self->number = malloc((size_t)(sizeof(uint32_t) * (capacity + 1)));
    self->degree = malloc(scheme->buckets * sizeof(uint32_t));
    if ((self->packed == NULL && self->bucket == NULL) || self->degree == NULL ||
        (is_numbered(scheme) && self->number == NULL))
        return ERR_MEMORY;
    return complete_init(&self->complete, scheme);
}

void hyper_free(struct hyper *self)
{
    free(self->packed);
    free(self->bucket);
    free(self->number);
    free(self->degree);
    complete_free(&self->complete);
    memset(self, 0, sizeof *self);
}

/* Below, d, packed and numbered are constants to the compiler. */

static SPECIALIZED void load(const struct hyper *self, unsigned d, int packed, uint64_t i,
                             uint32_t *bucket)
{
    UNROLLED
    for (unsigned j = 0; j < d; j++)
        bucket[j] =
            packed ? (uint32_t)(self->packed[i] >> (16 * j)) & 0xffff : self->bucket[i * d + j];
}

static SPECIALIZED void store(struct hyper *self, unsigned d, int packed, uint64_t i,
                              const uint32_t *bucket)
{
    uint64_t word = 0;

    UNROLLED
    for (unsigned j = 0; j < d; j++) {
        word |= packed ? (uint64_t)bucket[j] << (16 * j) : 0;
        if (!packed)
            self->bucket[i * d + j] = bucket[j];
    }
    if (packed)
        self->packed[i] = word;
}

static SPECIALIZED void draw(struct hyper *self, unsigned d, int packed, int numbered, uint64_t n)
{
    /* Local copies, which no store can change. */
    const struct hasher hasher = self->complete.hasher;
    const struct scheme scheme = *self->scheme;
    uint32_t *degree = self->degree;
    struct rng keys;

    rng_init(&keys, self->key_stream);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t bucket[SCHEME_D_MAX];
        scheme_candidates_d(&scheme, &hasher, d, rng_next(&keys), bucket);
        store(self, d, packed, i, bucket);
        if (numbered)
            self->number[i] = (uint32_t)i;
        UNROLLED
        for (unsigned j = 0; j < d; j++)
            degree[bucket[j]]++;
    }
}

/* Drop each key that has a bucket which all its keys can use.  A key whose candidates
 * coincide counts twice there, which only keeps it for the search.  Without a branch,
 * since which keys go cannot be predicted. */
static SPECIALIZED uint64_t sweep(struct hyper *self, unsigned d, int packed, int numbered,
                                  uint64_t n)
{
    const uint32_t k = self->scheme->k;
    struct hyper local = *self; /* pointers that no store can change */
    uint32_t *degree = self->degree;
    uint64_t kept = 0;

    for (uint64_t i = 0; i < n; i++) {
        uint32_t bucket[SCHEME_D_MAX], drop = 0;
        load(&local, d, packed, i, bucket);
        UNROLLED
        for (unsigned j = 0; j < d; j++)
            drop |= degree[bucket[j]] <= k;
        UNROLLED
        for (unsigned j = 0; j < d; j++)
            degree[bucket[j]] -= drop;
        store(&local, d, packed, kept, bucket);
        if (numbered)
            local.number[kept] = local.number[i];
        kept += 1 - drop;
    }
    return kept;
}

void hyper_draw(struct hyper *self, uint64_t key_stream, const struct hasher *hasher, uint64_t n)
{
    unsigned d = self->scheme->d;

    self->keys = n;
    self->key_stream = key_stream;
    self->complete.hasher = *hasher;
    memset(self->degree, 0, self->scheme->buckets * sizeof(uint32_t));
    if (d == 3 && is_packed(self->scheme))
        draw(self, 3, 1, 0, n);
    else if (d == 2 && is_packed(self->scheme))
        draw(self, 2, 1, 0, n);
    else
        draw(self, d, is_packed(self->scheme), is_numbered(self->scheme), n);
}

static uint64_t sweep_once(struct hyper *self, uint64_t n)
{
    unsigned d = self->scheme->d;

    if (d == 3 && is_packed(self->scheme))
        return sweep(self, 3, 1, 0, n);
    if (d == 2 && is_packed(self->scheme))
        return sweep(self, 2, 1, 0, n);
    return sweep(self, d, is_packed(self->scheme), is_numbered(self->scheme), n);
}

static int is_stopped(const struct hyper *self)
{
    return self->complete.stop != NULL && self->complete.stop();
}

/* The buckets are free for the keys that are left: one that keys were dropped into has no
 * more keys left than it has room for, and no other had keys dropped into it. */
static int place_rest(struct hyper *self, uint64_t left, uint64_t *stash)
{
    complete_begin(&self->complete);
    for (uint64_t i = 0; i < left; i++) {
        uint32_t bucket[SCHEME_D_MAX];
        uint64_t key = 0; /* not needed where it has no number */
        load(self, self->scheme->d, is_packed(self->scheme), i, bucket);
        if (is_numbered(self->scheme))
            key = rng_word(self->key_stream, self->number[i]);
        int placed = complete_place(&self->complete, key, bucket);
        if (placed < 0)
            return placed;
        *stash += placed == 0;
        if (i % STOP_KEYS == STOP_KEYS - 1 && is_stopped(self))
            return ERR_STOPPED;
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
        if (is_stopped(self))
            return ERR_STOPPED;
    } while (left > 0 && (before - left) * SWEEP_GAIN >= before);
    return left > 0 ? place_rest(self, left, stash) : ERR_NONE;
}
