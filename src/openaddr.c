/* openaddr.c -- see openaddr.h. */
#include "openaddr.h"

#include <stdlib.h>
#include <string.h>

static size_t words(const struct scheme *scheme)
{
    return (size_t)scheme->buckets / 64 + 1;
}

uint64_t openaddr_bytes(const struct scheme *scheme, size_t cells)
{
    return words(scheme) * sizeof(uint64_t) + scheme->buckets * sizeof(uint16_t) +
           cells * sizeof(uint64_t);
}

int openaddr_init(struct openaddr *self, const struct scheme *scheme, size_t cells)
{
    memset(self, 0, sizeof *self);
    if (scheme->d != 1 || scheme->k != 1)
        return ERR_DOMAIN;
    self->scheme = scheme;
    self->occupied = malloc(words(scheme) * sizeof(uint64_t));
    self->homes = malloc(scheme->buckets * sizeof(uint16_t));
    self->hits.histogram = malloc(cells * sizeof(uint64_t));
    self->hits.cells = cells;
    if (self->occupied == NULL || self->homes == NULL || self->hits.histogram == NULL)
        return ERR_MEMORY;
    return ERR_NONE;
}

void openaddr_free(struct openaddr *self)
{
    free(self->occupied);
    free(self->homes);
    free(self->hits.histogram);
    memset(self, 0, sizeof *self);
}

void openaddr_reset(struct openaddr *self, uint64_t hash_stream)
{
    uint64_t *histogram = self->hits.histogram;
    size_t cells = self->hits.cells;

    hasher_init(&self->hasher, hash_stream);
    memset(self->occupied, 0, words(self->scheme) * sizeof(uint64_t));
    memset(self->homes, 0, self->scheme->buckets * sizeof(uint16_t));
    memset(histogram, 0, cells * sizeof(uint64_t));
    self->hits = (struct lookup_costs){.histogram = histogram, .cells = cells};
    self->stored = 0;
}

static int is_occupied(const struct openaddr *self, uint32_t slot)
{
    return (int)(self->occupied[slot / 64] >> (slot % 64)) & 1;
}

/* Distinct lines of `count` slots from `start` on, around the end of the table. */
static uint64_t lines_of(const struct scheme *scheme, uint32_t start, uint64_t count)
{
    const uint64_t line = SCHEME_LINE_SLOTS;
    uint64_t end = start + count; /* one past the last, not yet wrapped */

    if (end <= scheme->buckets)
        return (end - 1) / line - start / line + 1;
    uint64_t last = end - scheme->buckets - 1; /* after the wrap, from slot 0 on */
    uint64_t lines = (scheme->buckets - 1) / line - start / line + 1;
    lines += last / line + 1;
    return last / line == start / line ? lines - 1 : lines;
}

/* The first empty slot at or after `slot`, around the end.  There is one. */
static uint32_t next_empty(const struct openaddr *self, uint32_t slot)
{
    uint32_t slots = self->scheme->buckets;

    for (;;) {
        uint64_t word = ~self->occupied[slot / 64] >> (slot % 64);
        if (word != 0) {
            uint64_t found = slot;
            while ((word & 1) == 0) {
                word >>= 1;
                found++;
            }
            if (found < slots)
                return (uint32_t)found;
            slot = 0;
        } else {
            slot = slot / 64 * 64 + 64;
            if (slot >= slots)
                slot = 0;
        }
    }
}

int openaddr_add(struct openaddr *self, uint64_t key)
{
    uint32_t bucket[SCHEME_D_MAX], slots = self->scheme->buckets;

    scheme_candidates(self->scheme, &self->hasher, key, bucket);
    uint32_t home = bucket[0];
    if (self->stored + 1 >= slots || self->homes[home] == UINT16_MAX)
        return ERR_DOMAIN;
    uint32_t slot = next_empty(self, home);
    uint64_t cost = (slot >= home ? slot - home : slots - home + slot) + UINT64_C(1);
    self->occupied[slot / 64] |= UINT64_C(1) << (slot % 64);
    self->homes[home]++;
    self->stored++;
    lookup_costs_add(&self->hits, cost, lines_of(self->scheme, home, cost), 1);
    return ERR_NONE;
}

/* Sweep all homes in probe order, beginning behind an empty slot, where nothing is
 * carried over: `carried` keys of earlier homes lie at or behind the home's slot. */
static void robin_hood(const struct openaddr *self, int misses, struct lookup_costs *costs)
{
    uint32_t slots = self->scheme->buckets;
    uint32_t home = next_empty(self, 0);
    uint64_t carried = 0;

    for (uint32_t i = 0; i < slots; i++) {
        home = home + 1 < slots ? home + 1 : 0;
        uint64_t own = self->homes[home];
        if (misses) {
            uint64_t cost = carried + own + 1;
            lookup_costs_add(costs, cost, lines_of(self->scheme, home, cost), 1);
        } else {
            for (uint64_t j = 1; j <= own; j++)
                lookup_costs_add(costs, carried + j, lines_of(self->scheme, home, carried + j), 1);
        }
        carried = carried + own > 0 ? carried + own - 1 : 0;
    }
}

void openaddr_robin_hood_hits(const struct openaddr *self, struct lookup_costs *costs)
{
    robin_hood(self, 0, costs);
}

void openaddr_robin_hood_misses(const struct openaddr *self, struct lookup_costs *costs)
{
    robin_hood(self, 1, costs);
}

void openaddr_linear_misses(const struct openaddr *self, struct lookup_costs *costs)
{
    uint32_t slots = self->scheme->buckets;
    uint32_t home = next_empty(self, 0);
    uint64_t cost = 0;

    /* backwards from an empty slot: the distance to the next empty one grows by one */
    for (uint32_t i = 0; i < slots; i++) {
        cost = is_occupied(self, home) ? cost + 1 : 1;
        lookup_costs_add(costs, cost, lines_of(self->scheme, home, cost), 1);
        home = home > 0 ? home - 1 : slots - 1;
    }
}
