/* insert_pair.c -- random walk and the original insertion on pairs; see insert_pair.h.
 * Step by step what insert_walk.c does, its comments hold here. */
#include "insert_pair.h"

pair_insert *pair_rule(const struct scheme *scheme, const struct insert_rule *rule)
{
    if (scheme->d != 2 || scheme->buckets >= PAIR_SECOND)
        return NULL;
    if (rule->insert == insert_walk)
        return pair_walk;
    if (rule->insert == insert_original)
        return pair_original;
    return rule->insert == insert_breadth ? pair_breadth : NULL;
}

/* Evict from `bucket`, which is full, until a bucket with a free slot is met. */
static enum insert_outcome kick(struct inserter *self, uint32_t *other, uint32_t bucket,
                                uint32_t pair)
{
    struct table *table = self->table;
    const unsigned k = table->scheme->k;
    struct rng rng = self->rng;
    enum insert_outcome outcome = INSERT_GAVE_UP;

    while (self->cost.kicks < self->rule->max_kicks) {
        unsigned slot = k > 1 ? rng_below(&rng, k) : 0;
        uint32_t *place = &other[(uint64_t)bucket * k + slot];
        uint32_t resident = *place, next = resident & ~PAIR_SECOND;
        PREFETCH(&other[(uint64_t)next * k]);
        *place = pair;
        self->cost.kicks++;
        inserter_note_write(self, bucket, slot);
        pair = pair_moved(resident, bucket);
        bucket = next;
        self->cost.buckets_read++;
        if (table->used[bucket] < k) {
            outcome = pair_place(self, other, bucket, pair);
            break;
        }
    }
    self->rng = rng;
    return outcome;
}

enum insert_outcome pair_walk(struct inserter *self, uint32_t *other, const uint32_t *bucket)
{
    const struct table *table = self->table;

    self->cost = (struct insert_cost){.buckets_read = 1};
    if (table->used[bucket[0]] < table->scheme->k)
        return pair_place(self, other, bucket[0], bucket[1]);
    self->cost.buckets_read = 2;
    if (table->used[bucket[1]] < table->scheme->k)
        return pair_place(self, other, bucket[1], bucket[0] | PAIR_SECOND);
    if (self->rule->max_kicks == 0)
        return INSERT_GAVE_UP;
    unsigned j = rng_below(&self->rng, 2);
    return kick(self, other, bucket[j], bucket[1 - j] | (j == 1 ? PAIR_SECOND : 0));
}

enum insert_outcome pair_original(struct inserter *self, uint32_t *other, const uint32_t *bucket)
{
    self->cost = (struct insert_cost){.buckets_read = 1};
    if (self->table->used[bucket[0]] < self->table->scheme->k)
        return pair_place(self, other, bucket[0], bucket[1]);
    return kick(self, other, bucket[0], bucket[1]);
}
