/* table.h -- the slots of a cuckoo table.
 *
 * Invariant: the occupied slots of a bucket come first, so that a count a bucket says
 * everything about its free slots.  Keys are never deleted here. */
#ifndef CUCKOO_TABLE_H
#define CUCKOO_TABLE_H

#include <stdint.h>

#include "scheme.h"

struct table {
    const struct scheme *scheme; /* borrowed */
    struct hasher hasher;        /* the trial's hash functions */
    uint64_t *key;               /* scheme->slots keys, on a cache line */
    uint8_t *used;               /* scheme->buckets counts, 0 .. k */
    uint64_t stored;             /* sum of `used` */
};

/* An empty table; ERR_MEMORY.  table_free() is legal after a failed init. */
int table_init(struct table *self, const struct scheme *scheme);
void table_free(struct table *self);

/* The same without room for keys: counts alone, for who keeps the residents elsewhere. */
int table_init_counts(struct table *self, const struct scheme *scheme);

/* Forget all keys and take the functions drawn from `hash_stream`. */
void table_reset(struct table *self, uint64_t hash_stream);

/* Bytes of a table of this scheme, for the memory budget. */
uint64_t table_bytes(const struct scheme *scheme);

static inline int table_full(const struct table *self, uint32_t bucket)
{
    return self->used[bucket] >= self->scheme->k;
}

static inline uint64_t *table_slot(const struct table *self, uint32_t bucket, unsigned slot)
{
    return &self->key[(uint64_t)bucket * self->scheme->k + slot];
}

/* Put `key` into the first free slot of `bucket`, which must not be full. */
static inline void table_add(struct table *self, uint32_t bucket, uint64_t key)
{
    *table_slot(self, bucket, self->used[bucket]) = key;
    self->used[bucket]++;
    self->stored++;
}

static inline void table_candidates(const struct table *self, uint64_t key, uint32_t *bucket)
{
    scheme_candidates(self->scheme, &self->hasher, key, bucket);
}

/* The same where d is a constant to the compiler, and the scheme's. */
static SPECIALIZED void table_candidates_d(const struct table *self, unsigned d, uint64_t key,
                                           uint32_t *bucket)
{
    scheme_candidates_d(self->scheme, &self->hasher, d, key, bucket);
}

/* Which candidate of `key` holds it: 0 .. d-1, or d where it is in none. */
unsigned table_find(const struct table *self, uint64_t key);

/* Every stored key is in one of its own candidates, and the counts add up.
 * Returns ERR_VERIFY where not.  Cost: a hash a slot. */
int table_verify(const struct table *self);

#endif
