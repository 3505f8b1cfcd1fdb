/* filter.c -- see filter.h. */
#include "filter.h"

#include <stdlib.h>
#include <string.h>

static size_t slot_count(const struct filter_shape *shape)
{
    return (size_t)shape->buckets * shape->slots;
}

uint64_t filter_bytes(const struct filter_shape *shape)
{
    return slot_count(shape) * sizeof(uint16_t) * (shape->counting ? 2 : 1);
}

int filter_init(struct filter *self, const struct filter_shape *shape)
{
    memset(self, 0, sizeof *self);
    if (shape->tag_bits < 2 || shape->tag_bits > FILTER_TAG_MAX || shape->slots < 1 ||
        shape->slots > FILTER_SLOT_MAX || shape->buckets < 1 ||
        (shape->buckets & (shape->buckets - 1)) != 0)
        return ERR_DOMAIN;
    self->shape = *shape;
    self->tag = malloc(slot_count(shape) * sizeof *self->tag);
    if (shape->counting)
        self->count = malloc(slot_count(shape) * sizeof *self->count);
    return self->tag == NULL || (shape->counting && self->count == NULL) ? ERR_MEMORY : ERR_NONE;
}

void filter_free(struct filter *self)
{
    free(self->tag);
    free(self->count);
    memset(self, 0, sizeof *self);
}

void filter_reset(struct filter *self, uint64_t hash_stream, uint64_t search_stream)
{
    self->seed = hash_stream;
    rng_init(&self->rng, search_stream);
    memset(self->tag, 0, slot_count(&self->shape) * sizeof *self->tag);
    self->stored = 0;
    self->victim.used = 0;
}

uint32_t filter_first_bucket(const struct filter *self, uint64_t item)
{
    return (uint32_t)(item >> 32) & (self->shape.buckets - 1);
}

uint16_t filter_tag(const struct filter *self, uint64_t item)
{
    uint64_t tag = item & ((UINT64_C(1) << self->shape.tag_bits) - 1);

    return (uint16_t)(tag > 0 ? tag : 1);
}

uint32_t filter_other_bucket(const struct filter *self, uint32_t bucket, uint16_t tag)
{
    return bucket ^ ((uint32_t)(hash_mix(tag ^ self->seed) >> 32) & (self->shape.buckets - 1));
}

/* Index of a slot of `bucket` that holds `tag` (0: a free one), or SIZE_MAX. */
static size_t find_in(const struct filter *self, uint32_t bucket, uint16_t tag)
{
    size_t first = (size_t)bucket * self->shape.slots;

    for (size_t i = first; i < first + self->shape.slots; i++)
        if (self->tag[i] == tag)
            return i;
    return SIZE_MAX;
}

static void put(struct filter *self, size_t slot, uint16_t tag, uint16_t count)
{
    self->tag[slot] = tag;
    if (self->count != NULL)
        self->count[slot] = count;
}

static int put_if_free(struct filter *self, uint32_t bucket, uint16_t tag, uint16_t count)
{
    size_t slot = find_in(self, bucket, 0);

    if (slot == SIZE_MAX)
        return 0;
    put(self, slot, tag, count);
    self->stored++;
    return 1;
}

/* Swap with a random resident of a full bucket. */
static void evict(struct filter *self, uint32_t bucket, uint16_t *tag, uint16_t *count)
{
    unsigned b = self->shape.slots;
    size_t slot = (size_t)bucket * b + (b > 1 ? rng_below(&self->rng, b) : 0);
    uint16_t old_tag = self->tag[slot], old_count = self->count != NULL ? self->count[slot] : 0;

    put(self, slot, *tag, *count);
    *tag = old_tag;
    *count = old_count;
}

static enum filter_outcome insert(struct filter *self, uint32_t bucket, uint16_t tag,
                                  uint16_t count)
{
    uint32_t other = filter_other_bucket(self, bucket, tag);

    if (put_if_free(self, bucket, tag, count) || put_if_free(self, other, tag, count))
        return FILTER_STORED;
    if (rng_below(&self->rng, 2) == 1)
        bucket = other;
    for (unsigned kick = 0; kick < FILTER_KICKS; kick++) {
        evict(self, bucket, &tag, &count);
        bucket = filter_other_bucket(self, bucket, tag);
        if (put_if_free(self, bucket, tag, count))
            return FILTER_STORED;
    }
    self->victim.used = 1;
    self->victim.bucket = bucket;
    self->victim.tag = tag;
    self->victim.count = count;
    return FILTER_VICTIM;
}

static int is_victim(const struct filter *self, uint32_t bucket, uint32_t other, uint16_t tag)
{
    return self->victim.used && self->victim.tag == tag &&
           (self->victim.bucket == bucket || self->victim.bucket == other);
}

/* Raise the counter of a tag that is there; 0 if it is not. */
static int raise(struct filter *self, uint32_t bucket, uint16_t tag)
{
    uint32_t other = filter_other_bucket(self, bucket, tag);
    size_t slot = find_in(self, bucket, tag);
    uint16_t *count;

    if (slot == SIZE_MAX)
        slot = find_in(self, other, tag);
    if (slot != SIZE_MAX)
        count = &self->count[slot];
    else if (is_victim(self, bucket, other, tag))
        count = &self->victim.count;
    else
        return 0;
    if (*count < UINT16_MAX)
        (*count)++;
    return 1;
}

enum filter_outcome filter_add(struct filter *self, uint64_t item)
{
    uint32_t bucket = filter_first_bucket(self, item);
    uint16_t tag = filter_tag(self, item);

    if (self->count != NULL && raise(self, bucket, tag))
        return FILTER_STORED;
    if (self->victim.used)
        return FILTER_REFUSED;
    return insert(self, bucket, tag, 1);
}

int filter_contains(const struct filter *self, uint64_t item)
{
    uint32_t bucket = filter_first_bucket(self, item);
    uint16_t tag = filter_tag(self, item);
    uint32_t other = filter_other_bucket(self, bucket, tag);

    return find_in(self, bucket, tag) != SIZE_MAX || find_in(self, other, tag) != SIZE_MAX ||
           is_victim(self, bucket, other, tag);
}

int filter_remove(struct filter *self, uint64_t item)
{
    uint32_t bucket = filter_first_bucket(self, item);
    uint16_t tag = filter_tag(self, item);
    uint32_t other = filter_other_bucket(self, bucket, tag);
    size_t slot = find_in(self, bucket, tag);

    if (slot == SIZE_MAX)
        slot = find_in(self, other, tag);
    if (slot == SIZE_MAX) {
        int found = is_victim(self, bucket, other, tag);
        if (found)
            self->victim.used = 0;
        return found;
    }
    self->tag[slot] = 0;
    self->stored--;
    if (self->victim.used) {
        self->victim.used = 0;
        insert(self, self->victim.bucket, self->victim.tag, self->victim.count);
    }
    return 1;
}

uint32_t filter_count(const struct filter *self, uint64_t item)
{
    uint32_t bucket[2], most = 0;
    uint16_t tag = filter_tag(self, item);

    bucket[0] = filter_first_bucket(self, item);
    bucket[1] = filter_other_bucket(self, bucket[0], tag);
    for (unsigned j = 0; j < 2; j++)
        for (unsigned s = 0; s < self->shape.slots; s++) {
            size_t slot = (size_t)bucket[j] * self->shape.slots + s;
            if (self->tag[slot] == tag && self->count[slot] > most)
                most = self->count[slot];
        }
    if (is_victim(self, bucket[0], bucket[1], tag) && self->victim.count > most)
        most = self->victim.count;
    return most;
}

uint64_t filter_positives(const struct filter *self)
{
    uint64_t positives = 0;

    for (uint32_t bucket = 0; bucket < self->shape.buckets; bucket++)
        for (unsigned s = 0; s < self->shape.slots; s++) {
            size_t slot = (size_t)bucket * self->shape.slots + s;
            uint16_t tag = self->tag[slot];
            if (tag == 0 || find_in(self, bucket, tag) != slot)
                continue; /* free, or the bucket's second copy */
            uint64_t weight = tag == 1 ? 2 : 1;
            uint32_t other = filter_other_bucket(self, bucket, tag);
            /* lookups that begin here, and those that begin in the other bucket unless
             * that one counts them itself */
            positives += weight;
            if (other != bucket && find_in(self, other, tag) == SIZE_MAX)
                positives += weight;
        }
    return positives;
}

/* (1 - load p)^(2b), by multiplications alone: the same digits everywhere. */
static double all_miss(const struct filter_shape *shape, double load, double p)
{
    double product = 1.0;

    for (unsigned i = 0; i < 2 * shape->slots; i++)
        product *= 1.0 - load * p;
    return product;
}

double filter_rate(const struct filter_shape *shape, double load)
{
    double tags = (double)(UINT64_C(1) << shape->tag_bits);
    double one = 2.0 / tags, rest = 1.0 / tags;

    return one * (1.0 - all_miss(shape, load, one)) +
           (tags - 2.0) * rest * (1.0 - all_miss(shape, load, rest));
}

double filter_rate_uniform(const struct filter_shape *shape, double load)
{
    return 1.0 - all_miss(shape, load, 1.0 / (double)(UINT64_C(1) << shape->tag_bits));
}
