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
    return scheme->buckets * sizeof(uint16_t) + cells * sizeof(uint64_t);
}

static int init(struct openaddr *self, const struct scheme *scheme, size_t cells, int linear,
                int robin_hood)
{
    memset(self, 0, sizeof *self);
    if (scheme->d != 1 || scheme->k != 1)
        return ERR_DOMAIN;
    self->scheme = scheme;
    if (linear)
        self->occupied = malloc(words(scheme) * sizeof(uint64_t));
    if (robin_hood)
        self->homes = malloc(scheme->buckets * sizeof(uint16_t));
    self->hits.histogram = calloc(cells, sizeof(uint64_t));
    self->hits.cells = cells;
    if ((linear && self->occupied == NULL) || (robin_hood && self->homes == NULL) ||
        self->hits.histogram == NULL)
        return ERR_MEMORY;
    return ERR_NONE;
}

int openaddr_init(struct openaddr *self, const struct scheme *scheme, size_t cells)
{
    return init(self, scheme, cells, 1, 1);
}

int openaddr_init_linear(struct openaddr *self, const struct scheme *scheme, size_t cells)
{
    return init(self, scheme, cells, 1, 0);
}

int openaddr_init_robin_hood(struct openaddr *self, const struct scheme *scheme, size_t cells)
{
    return init(self, scheme, cells, 0, 1);
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
    if (self->occupied != NULL)
        memset(self->occupied, 0, words(self->scheme) * sizeof(uint64_t));
    if (self->homes != NULL)
        memset(self->homes, 0, self->scheme->buckets * sizeof(uint16_t));
    for (size_t i = 0; i < cells && i <= self->hits.max_slots; i++) /* no other was counted in */
        histogram[i] = 0;
    self->hits = (struct lookup_costs){.histogram = histogram, .cells = cells};
    self->stored = 0;
}

static int is_occupied(const struct openaddr *self, uint32_t slot)
{
    return (int)(self->occupied[slot / 64] >> (slot % 64)) & 1;
}

/* Distinct lines of `count` slots from `start` on, around the end of the table. */
static inline uint64_t lines_of(const struct scheme *scheme, uint32_t start, uint64_t count)
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
            uint64_t found = slot + (uint64_t)TRAILING_ZEROS(word);
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

/* Linear probing from `home` on. */
static void probe(struct openaddr *self, uint32_t home)
{
    uint32_t slot = next_empty(self, home), slots = self->scheme->buckets;
    uint64_t cost = (slot >= home ? slot - home : slots - home + slot) + UINT64_C(1);

    self->occupied[slot / 64] |= UINT64_C(1) << (slot % 64);
    lookup_costs_add(&self->hits, cost, lines_of(self->scheme, home, cost), 1);
}

uint32_t openaddr_home(const struct openaddr *self, uint64_t key)
{
    uint32_t bucket[SCHEME_D_MAX];

    scheme_candidates_d(self->scheme, &self->hasher, 1, key, bucket);
    if (self->occupied != NULL)
        PREFETCH(&self->occupied[bucket[0] / 64]);
    if (self->homes != NULL)
        PREFETCH(&self->homes[bucket[0]]);
    return bucket[0];
}

int openaddr_add_home(struct openaddr *self, uint32_t home)
{
    if (self->stored + 1 >= self->scheme->buckets)
        return ERR_DOMAIN;
    if (self->homes != NULL) {
        if (self->homes[home] == UINT16_MAX)
            return ERR_DOMAIN;
        self->homes[home]++;
    }
    if (self->occupied != NULL)
        probe(self, home);
    self->stored++;
    return ERR_NONE;
}

int openaddr_add(struct openaddr *self, uint64_t key)
{
    return openaddr_add_home(self, openaddr_home(self, key));
}

/* A home behind which nothing is carried over: where the keys so far exceed the slots so
 * far by least. */
static uint32_t last_of_cluster(const struct openaddr *self)
{
    int64_t excess = 0, least = INT64_MAX;
    uint32_t last = 0;

    for (uint32_t home = 0; home < self->scheme->buckets; home++) {
        excess += self->homes[home] - 1;
        if (excess < least) {
            least = excess;
            last = home;
        }
    }
    return last;
}

/* Sweep all homes in probe order from the beginning of a cluster: `carried` keys of
 * earlier homes lie at or behind the home's slot. */
static SPECIALIZED void robin_hood(const struct openaddr *self, int misses,
                                   struct lookup_costs *costs)
{
    const struct scheme *scheme = self->scheme;
    struct lookup_costs sum = *costs; /* which stores into the histogram cannot change */
    uint32_t home = last_of_cluster(self);
    uint64_t carried = 0;

    for (uint32_t i = 0; i < scheme->buckets; i++) {
        home = home + 1 < scheme->buckets ? home + 1 : 0;
        uint64_t own = self->homes[home];
        if (misses)
            lookup_costs_add(&sum, carried + own + 1, lines_of(scheme, home, carried + own + 1), 1);
        else
            for (uint64_t j = 1; j <= own; j++)
                lookup_costs_add(&sum, carried + j, lines_of(scheme, home, carried + j), 1);
        carried = carried + own > 0 ? carried + own - 1 : 0;
    }
    *costs = sum;
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
    const struct scheme *scheme = self->scheme;
    struct lookup_costs sum = *costs;
    uint32_t home = next_empty(self, 0);
    uint64_t cost = 0;

    /* backwards from an empty slot: the distance to the next empty one grows by one */
    for (uint32_t i = 0; i < scheme->buckets; i++) {
        cost = is_occupied(self, home) ? cost + 1 : 1;
        lookup_costs_add(&sum, cost, lines_of(scheme, home, cost), 1);
        home = home > 0 ? home - 1 : scheme->buckets - 1;
    }
    *costs = sum;
}
