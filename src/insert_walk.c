/* insert_walk.c -- random walk and the original insertion: both carry a nestless key
 * from bucket to bucket.  The limit counts kicks: the key that is nestless after the
 * last kick that is allowed may still take a free slot, a further kick is refused. */
#include "insert.h"

static inline void begin(struct inserter *self)
{
    self->cost = (struct insert_cost){0};
}

static inline enum insert_outcome place(struct inserter *self, uint32_t bucket, uint64_t key)
{
    inserter_note_write(self, bucket, self->table->used[bucket]);
    table_add(self->table, bucket, key);
    return INSERT_PLACED;
}

/* Swap `key` with a random resident of a full bucket; returns the resident. */
static inline uint64_t evict(struct inserter *self, uint32_t bucket, uint64_t key)
{
    unsigned slot = 0;

    if (self->table->scheme->k > 1)
        slot = rng_below(&self->rng, self->table->scheme->k);
    uint64_t *place = table_slot(self->table, bucket, slot);
    uint64_t resident = *place;
    *place = key;
    self->cost.kicks++;
    inserter_note_write(self, bucket, slot);
    return resident;
}

/* The first bucket of the list with a free slot, or `count`; counts the reads. */
static SPECIALIZED unsigned first_free(struct inserter *self, const uint32_t *bucket,
                                       unsigned count)
{
    unsigned j = 0;

    while (j < count && table_full(self->table, bucket[j]))
        j++;
    self->cost.buckets_read += j < count ? j + 1 : count;
    return j;
}

/* The candidates of `key` other than the bucket it was evicted from; where all coincide
 * there is none, and that bucket is the list. */
static SPECIALIZED unsigned other_candidates(const struct table *table, unsigned d, uint64_t key,
                                             uint32_t from, uint32_t *bucket)
{
    unsigned others = 0;

    table_candidates_d(table, d, key, bucket);
    for (unsigned j = 0; j < d; j++)
        if (bucket[j] != from)
            bucket[others++] = bucket[j];
    if (others > 0)
        return others;
    bucket[0] = from;
    return 1;
}

static SPECIALIZED enum insert_outcome walk(struct inserter *self, unsigned d, uint64_t key)
{
    uint32_t bucket[SCHEME_D_MAX];
    unsigned count = d;

    begin(self);
    table_candidates_d(self->table, d, key, bucket);
    for (;;) {
        unsigned j = first_free(self, bucket, count);
        if (j < count)
            return place(self, bucket[j], key);
        if (self->cost.kicks >= self->rule->max_kicks)
            break;
        uint32_t from = bucket[count > 1 ? rng_below(&self->rng, count) : 0];
        key = evict(self, from, key);
        count = other_candidates(self->table, d, key, from, bucket);
    }
    self->cost.nestless = key;
    return INSERT_GAVE_UP;
}

enum insert_outcome insert_walk(struct inserter *self, uint64_t key)
{
    return self->table->scheme->d == 2 ? walk(self, 2, key)
                                       : walk(self, self->table->scheme->d, key);
}

enum insert_outcome insert_original(struct inserter *self, uint64_t key)
{
    uint32_t bucket[SCHEME_D_MAX];

    begin(self);
    table_candidates_d(self->table, 2, key, bucket);
    for (uint32_t target = bucket[0];;) {
        self->cost.buckets_read++;
        if (!table_full(self->table, target))
            return place(self, target, key);
        if (self->cost.kicks >= self->rule->max_kicks)
            break;
        key = evict(self, target, key);
        table_candidates_d(self->table, 2, key, bucket);
        target = bucket[0] == target ? bucket[1] : bucket[0];
    }
    self->cost.nestless = key;
    return INSERT_GAVE_UP;
}
