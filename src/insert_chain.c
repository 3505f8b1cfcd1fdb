/* insert_chain.c -- rules that carry a nestless key from bucket to bucket; see
 * insert_production.h. */
#include "insert_production.h"

static void begin(struct inserter *self)
{
    self->cost = (struct insert_cost){0};
}

/* Take a free slot of `bucket` if it has one. */
static int try_place(struct inserter *self, uint32_t bucket, uint64_t key)
{
    self->cost.buckets_read++;
    if (table_full(self->table, bucket))
        return 0;
    inserter_note_write(self, bucket, self->table->used[bucket]);
    table_add(self->table, bucket, key);
    return 1;
}

static uint64_t evict(struct inserter *self, uint32_t bucket, unsigned slot, uint64_t key)
{
    uint64_t *place = table_slot(self->table, bucket, slot);
    uint64_t resident = *place;

    *place = key;
    self->cost.kicks++;
    inserter_note_write(self, bucket, slot);
    return resident;
}

static unsigned random_slot(struct inserter *self)
{
    unsigned k = self->table->scheme->k;

    return k > 1 ? rng_below(&self->rng, k) : 0;
}

/* d = 2: the other candidate of a key that is in `bucket`. */
static uint32_t other_of(const struct table *table, uint64_t key, uint32_t bucket)
{
    uint32_t both[SCHEME_D_MAX];

    table_candidates(table, key, both);
    return both[0] == bucket ? both[1] : both[0];
}

static enum insert_outcome give_up(struct inserter *self, uint64_t key)
{
    self->cost.nestless = key;
    return INSERT_GAVE_UP;
}

enum insert_outcome insert_filter(struct inserter *self, uint64_t key)
{
    uint32_t both[SCHEME_D_MAX];

    begin(self);
    table_candidates(self->table, key, both);
    if (try_place(self, both[0], key))
        return INSERT_PLACED;
    for (uint32_t bucket = both[1];; bucket = other_of(self->table, key, bucket)) {
        if (try_place(self, bucket, key))
            return INSERT_PLACED;
        key = evict(self, bucket, random_slot(self), key);
        if (self->cost.kicks >= self->rule->max_kicks)
            return give_up(self, key);
    }
}

/* Undo the evictions of this insertion, the last one first; `key` is nestless. */
static uint64_t put_back(struct inserter *self, uint64_t key)
{
    for (uint32_t i = self->cost.writes; i-- > 0;) {
        uint64_t newcomer = self->table->key[self->written[i]];
        self->table->key[self->written[i]] = key;
        key = newcomer;
    }
    return key;
}

enum insert_outcome insert_slot_robin(struct inserter *self, uint64_t key)
{
    uint32_t both[SCHEME_D_MAX];
    unsigned slot = 0;

    begin(self);
    table_candidates(self->table, key, both);
    if (try_place(self, both[0], key) || try_place(self, both[1], key))
        return INSERT_PLACED;
    for (uint32_t bucket = both[0]; self->cost.kicks < self->rule->max_kicks;) {
        key = evict(self, bucket, slot, key);
        bucket = other_of(self->table, key, bucket);
        if (try_place(self, bucket, key))
            return INSERT_PLACED;
        slot = (slot + 1) % self->table->scheme->k;
    }
    return give_up(self, put_back(self, key));
}

enum insert_outcome insert_round_robin(struct inserter *self, uint64_t key)
{
    uint32_t bucket[SCHEME_D_MAX];
    unsigned number = 0; /* the candidate it goes to */

    begin(self);
    for (;;) {
        table_candidates(self->table, key, bucket);
        uint32_t at = bucket[number];
        if (try_place(self, at, key)) {
            self->mark[at] = (uint8_t)number;
            return INSERT_PLACED;
        }
        unsigned next = (self->mark[at] + 1u) % self->table->scheme->d;
        key = evict(self, at, 0, key);
        self->mark[at] = (uint8_t)number;
        number = next;
        if (self->cost.kicks >= self->rule->max_kicks)
            return give_up(self, key);
    }
}

enum insert_outcome insert_next_bucket(struct inserter *self, uint64_t key)
{
    uint32_t bucket[SCHEME_D_MAX];
    unsigned d = self->table->scheme->d;

    begin(self);
    table_candidates(self->table, key, bucket);
    for (uint32_t at = bucket[0];;) {
        if (try_place(self, at, key))
            return INSERT_PLACED;
        key = evict(self, at, random_slot(self), key);
        if (self->cost.kicks >= self->rule->max_kicks)
            return give_up(self, key);
        table_candidates(self->table, key, bucket);
        unsigned j = 0;
        while (j + 1 < d && bucket[j] != at)
            j++;
        at = bucket[(j + 1) % d];
    }
}

enum insert_outcome insert_until_cycle(struct inserter *self, uint64_t key)
{
    uint32_t both[SCHEME_D_MAX];

    begin(self);
    table_candidates(self->table, key, both);
    if (try_place(self, both[0], key) || try_place(self, both[1], key))
        return INSERT_PLACED;
    for (uint32_t bucket = both[1];;) {
        key = evict(self, bucket, random_slot(self), key);
        uint32_t candidates[SCHEME_D_MAX];
        table_candidates(self->table, key, candidates);
        bucket = candidates[1] == bucket ? candidates[0] : candidates[1];
        if (bucket == both[1])
            return give_up(self, key);
        if (try_place(self, bucket, key))
            return INSERT_PLACED;
    }
}
