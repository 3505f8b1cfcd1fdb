/* compare.c -- see compare.h. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

int compare_buckets_init(struct compare_buckets *self, uint32_t buckets, unsigned d,
                         enum compare_choice choice)
{
    memset(self, 0, sizeof *self);
    if (d < 1 || buckets < d || (choice == COMPARE_LEFT && buckets % d != 0))
        return ERR_DOMAIN;
    self->buckets = buckets;
    self->d = d;
    self->choice = choice;
    self->load = malloc(buckets * sizeof *self->load);
    return self->load != NULL ? ERR_NONE : ERR_MEMORY;
}

void compare_buckets_free(struct compare_buckets *self)
{
    free(self->load);
    memset(self, 0, sizeof *self);
}

void compare_buckets_fill(struct compare_buckets *self, struct rng *rng, uint64_t keys)
{
    uint32_t part = self->choice == COMPARE_LEFT ? self->buckets / self->d : 0;
    uint32_t range = part > 0 ? part : self->buckets;

    memset(self->load, 0, self->buckets * sizeof *self->load);
    for (uint64_t i = 0; i < keys; i++) {
        uint32_t best = rng_below(rng, range);
        for (unsigned j = 1; j < self->d; j++) {
            uint32_t bucket = j * part + rng_below(rng, range);
            if (self->load[bucket] < self->load[best])
                best = bucket;
        }
        self->load[best]++;
    }
}

uint32_t compare_buckets_largest(const struct compare_buckets *self)
{
    uint32_t largest = 0;

    for (uint32_t b = 0; b < self->buckets; b++)
        if (self->load[b] > largest)
            largest = self->load[b];
    return largest;
}

uint64_t compare_buckets_hits(const struct compare_buckets *self)
{
    uint64_t sum = 0;

    for (uint32_t b = 0; b < self->buckets; b++)
        sum += (uint64_t)self->load[b] * (self->load[b] + 1) / 2;
    return sum;
}

int compare_double_init(struct compare_double *self, uint32_t slots)
{
    memset(self, 0, sizeof *self);
    if (slots < 2 || (slots & (slots - 1)) != 0)
        return ERR_DOMAIN;
    self->slots = slots;
    self->key = malloc(slots * sizeof *self->key);
    return self->key != NULL ? ERR_NONE : ERR_MEMORY;
}

void compare_double_free(struct compare_double *self)
{
    free(self->key);
    memset(self, 0, sizeof *self);
}

void compare_double_reset(struct compare_double *self, uint64_t seed)
{
    self->seed = seed;
    memset(self->key, 0, self->slots * sizeof *self->key);
}

uint32_t compare_double_probe(struct compare_double *self, uint64_t key, int add)
{
    uint64_t hash = hash_mix(key ^ self->seed);
    uint32_t slot = (uint32_t)(hash >> 32) & (self->slots - 1);
    uint32_t step = ((uint32_t)hash & (self->slots - 1)) | 1;
    uint32_t compared = 1;

    while (self->key[slot] != 0 && self->key[slot] != key) {
        slot = (slot + step) & (self->slots - 1);
        compared++;
    }
    if (add)
        self->key[slot] = key;
    return compared;
}
