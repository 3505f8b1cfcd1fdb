/* complete.c -- see complete.h. */
#include "complete.h"

#include <stdlib.h>
#include <string.h>

#include "graph_unite.h"

#define STOP_MASK      4095 /* `stop` is asked every 4096 keys */
#define LARGEST_OTHERS 2    /* other candidates stored instead of a key of 8 bytes */

/* Steps of one insertion before the labels are made exact, which costs some steps a
 * bucket: too early wastes sweeps, too late creeps through closed regions.  Measured at
 * 2^18 slots; distances are longer where d = 2 (or two windows), and the sweeps more. */
static uint64_t first_patience(const struct scheme *scheme)
{
    return 64 + (scheme->d / scheme->window == 2 ? scheme->buckets : scheme->buckets / 16);
}

/* Union-find: a component's root holds UNITE_ROOT and the number of its vertices above
 * CYCLE, and CYCLE where it has as many edges as vertices; every other vertex holds its
 * parent's number.  Below 2^30 vertices. */
#define CYCLE         UINT32_C(0x40000000)
#define VERTICES      (CYCLE - 1)
#define PAIR_VERTICES (UINT32_C(1) << 30)

static int is_graph(const struct scheme *scheme)
{
    return scheme->d == 2 && scheme->k == 1 && scheme->buckets < PAIR_VERTICES;
}

static int stores_others(const struct scheme *scheme)
{
    return scheme->d >= 2 && scheme->d <= LARGEST_OTHERS + 1;
}

static uint64_t resident_bytes(const struct scheme *scheme)
{
    return stores_others(scheme) ? (scheme->d - 1) * sizeof(uint32_t) : sizeof(uint64_t);
}

uint64_t complete_bytes(const struct scheme *scheme)
{
    if (is_graph(scheme))
        return sizeof(struct complete) + scheme->buckets * sizeof(uint32_t);
    return sizeof(struct complete) + scheme->slots * resident_bytes(scheme) +
           scheme->buckets * (sizeof(uint16_t) + (scheme->k > 1));
}

int complete_init(struct complete *self, const struct scheme *scheme)
{
    memset(self, 0, sizeof *self);
    self->scheme = scheme;
    if (complete_bytes(scheme) > SIZE_MAX / 2)
        return ERR_MEMORY;
    if (is_graph(scheme)) {
        self->parent = malloc(scheme->buckets * sizeof(uint32_t));
        return self->parent != NULL ? ERR_NONE : ERR_MEMORY;
    }
    void *residents = malloc((size_t)(scheme->slots * resident_bytes(scheme)));
    if (stores_others(scheme))
        self->other = residents;
    else
        self->key = residents;
    self->label = malloc(scheme->buckets * sizeof(uint16_t));
    self->used = scheme->k > 1 ? malloc(scheme->buckets) : NULL;
    if (residents == NULL || self->label == NULL || (self->used == NULL && scheme->k > 1))
        return ERR_MEMORY;
    return ERR_NONE;
}

void complete_free(struct complete *self)
{
    free(self->other);
    free(self->key);
    free(self->label);
    free(self->used);
    free(self->parent);
    memset(self, 0, sizeof *self);
}

#define KERNEL(name) two_##name
#define OTHERS       1
#include "complete_kernel.h"
#undef KERNEL
#undef OTHERS

#define KERNEL(name) three_##name
#define OTHERS       2
#include "complete_kernel.h"
#undef KERNEL
#undef OTHERS

#define KERNEL(name) key_##name
#define OTHERS       0
#include "complete_kernel.h"
#undef KERNEL
#undef OTHERS

/* Add an edge; 0 if a component would have more edges than vertices. */
static int add_edge(uint32_t *parent, uint32_t u, uint32_t v)
{
    uint32_t a = unite_root(parent, u), b = unite_root(parent, v);

    if (a == b) {
        if ((parent[a] & CYCLE) != 0)
            return 0;
        parent[a] |= CYCLE;
        return 1;
    }
    if ((parent[a] & parent[b] & CYCLE) != 0)
        return 0;
    if ((parent[a] & VERTICES) < (parent[b] & VERTICES)) {
        uint32_t swap = a;
        a = b;
        b = swap;
    }
    parent[a] = (parent[a] | (parent[b] & CYCLE)) + (parent[b] & VERTICES);
    parent[b] = a;
    return 1;
}

static int graph_first_failure(struct complete *self, uint64_t key_stream, uint64_t *placed)
{
    uint32_t bucket[SCHEME_D_MAX];
    struct rng keys;

    for (uint32_t v = 0; v < self->scheme->buckets; v++)
        self->parent[v] = UNITE_ROOT | 1;
    rng_init(&keys, key_stream);
    for (*placed = 0;; ++*placed) {
        scheme_candidates(self->scheme, &self->hasher, rng_next(&keys), bucket);
        if (!add_edge(self->parent, bucket[0], bucket[1]))
            return ERR_NONE;
        if ((*placed & STOP_MASK) == STOP_MASK && self->stop != NULL && self->stop())
            return ERR_STOPPED;
    }
}

void complete_begin(struct complete *self)
{
    const struct scheme *scheme = self->scheme;

    memset(self->label, 0, scheme->buckets * sizeof(uint16_t));
    if (self->used != NULL)
        memset(self->used, 0, scheme->buckets);
    self->patience = first_patience(scheme);
}

int complete_place(struct complete *self, uint64_t key, const uint32_t *bucket)
{
    if (!stores_others(self->scheme))
        return key_place_key(self, key, bucket);
    return self->scheme->d == 2 ? two_place_key(self, key, bucket)
                                : three_place_key(self, key, bucket);
}

int complete_first_failure(struct complete *self, uint64_t hash_stream, uint64_t key_stream,
                           uint64_t *placed)
{
    const struct scheme *scheme = self->scheme;

    hasher_init_for(&self->hasher, scheme, hash_stream);
    if (is_graph(scheme))
        return graph_first_failure(self, key_stream, placed);
    complete_begin(self);
    if (!stores_others(scheme))
        return key_first_failure(self, key_stream, placed);
    return scheme->d == 2 ? two_first_failure(self, key_stream, placed)
                          : three_first_failure(self, key_stream, placed);
}
