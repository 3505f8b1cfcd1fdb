/* insert_pair.h -- the insertion rules for d = 2, on a table that holds of a key only where
 * else it may live.
 *
 * A resident is its other bucket (its own is where it lies) and one bit: whether it lies
 * in its second candidate.  That is all that the rules, their costs and a hit's costs
 * depend on.  It takes half the room of a key, so that more of the table is in a cache,
 * and a kick need not hash, which is what a chain of kicks waits for.
 *
 * Every outcome, cost and random choice is that of the rule on keys: insert_walk.c and
 * insert_breadth.c are the plain version, and tests/unit/test_insert_pair.c compares. */
#ifndef CUCKOO_INSERT_PAIR_H
#define CUCKOO_INSERT_PAIR_H

#include "insert.h"

#define PAIR_SECOND UINT32_C(0x80000000) /* and bucket numbers below it */

/* A rule as it works on pairs: insert the key with these two candidates.  `self` has a
 * table without keys (table_init_counts), `other` a word a slot.  The cost's `nestless`
 * is not set. */
typedef enum insert_outcome pair_insert(struct inserter *self, uint32_t *other,
                                        const uint32_t *bucket);

/* The rule on pairs, or NULL where scheme or rule do not allow it. */
pair_insert *pair_rule(const struct scheme *scheme, const struct insert_rule *rule);

pair_insert pair_walk, pair_original, pair_breadth;

/* A resident of `bucket` that moves to its other one: what it is there. */
static inline uint32_t pair_moved(uint32_t resident, uint32_t bucket)
{
    return bucket | (~resident & PAIR_SECOND);
}

/* Whether the key of this resident is found in its second candidate only. */
static inline int pair_in_second(uint32_t resident, uint32_t bucket)
{
    return (resident & PAIR_SECOND) != 0 && (resident & ~PAIR_SECOND) != bucket;
}

static inline void pair_prefetch(const struct inserter *self, const uint32_t *other,
                                 const uint32_t *bucket)
{
    for (unsigned j = 0; j < 2; j++) {
        PREFETCH(&self->table->used[bucket[j]]);
        PREFETCH(&other[(uint64_t)bucket[j] * self->table->scheme->k]);
    }
}

/* Put what `pair` says into the first free slot of `bucket`. */
static inline enum insert_outcome pair_place(struct inserter *self, uint32_t *other,
                                             uint32_t bucket, uint32_t pair)
{
    struct table *table = self->table;
    unsigned slot = table->used[bucket];

    other[(uint64_t)bucket * table->scheme->k + slot] = pair;
    inserter_note_write(self, bucket, slot);
    table->used[bucket] = (uint8_t)(slot + 1);
    table->stored++;
    return INSERT_PLACED;
}

#endif
