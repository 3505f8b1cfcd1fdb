/* graph.c -- see graph.h. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

#include "graph_unite.h"

/* Sweeps before the union-find: more drop few further edges each (docs/PERFORMANCE.md). */
#define PEEL_SWEEPS 4
#define NARROW_MAX  65535 /* vertices that 16 bits can number, and one number more */

int graph_is_narrow(const struct scheme *scheme)
{
    return scheme->buckets <= NARROW_MAX;
}

static uint64_t index_bytes(const struct scheme *scheme)
{
    return graph_is_narrow(scheme) ? sizeof(uint16_t) : sizeof(uint32_t);
}

uint64_t graph_bytes(const struct scheme *scheme, uint64_t capacity)
{
    return 2 * index_bytes(scheme) * capacity + (1 + sizeof(uint32_t)) * scheme->buckets;
}

int graph_init(struct graph *self, const struct scheme *scheme, uint64_t capacity)
{
    memset(self, 0, sizeof *self);
    if (scheme->d != 2 || scheme->k != 1 || capacity >= GRAPH_VERTICES_MAX ||
        scheme->buckets > GRAPH_VERTICES_MAX || graph_bytes(scheme, capacity) > SIZE_MAX / 2)
        return ERR_DOMAIN;
    self->scheme = scheme;
    self->capacity = capacity;
    self->left = malloc((size_t)(index_bytes(scheme) * (capacity + 1)));
    self->right = malloc((size_t)(index_bytes(scheme) * (capacity + 1)));
    self->degree = malloc(scheme->buckets);
    self->parent = malloc(scheme->buckets * sizeof(uint32_t));
    if (self->left == NULL || self->right == NULL || self->degree == NULL || self->parent == NULL)
        return ERR_MEMORY;
    return ERR_NONE;
}

void graph_free(struct graph *self)
{
    free(self->left);
    free(self->right);
    free(self->degree);
    free(self->parent);
    free(self->vertices_of);
    free(self->edges_of);
    memset(self, 0, sizeof *self);
}

/* A root's word is UNITE_ROOT + edges - vertices + 1 of its component: alone in a tree. */
static void start_vertex(struct graph *self, uint32_t vertex)
{
    self->parent[vertex] = UNITE_ROOT;
}

/* Add an edge to the union-find; returns by how much S grows (0 or 1): an edge is too many
 * within a component that has a cycle, and between two that have one.  The lower root goes
 * below the higher one.  Vertices are numbered by a hash, so that this is a random order of
 * linking, which needs no sizes (Goel, Khanna, Larkin, Tarjan, SODA 2014). */
static uint32_t unite_edge(struct graph *self, uint32_t u, uint32_t v)
{
    uint32_t *parent = self->parent;
    uint32_t a = unite_root(parent, u), b = unite_root(parent, v);

    if (a == b)
        return parent[a]++ > UNITE_ROOT;
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    uint32_t grows = parent[low] > UNITE_ROOT && parent[high] > UNITE_ROOT;
    parent[high] += parent[low] - UNITE_ROOT;
    parent[low] = high;
    return grows;
}

#define INDEX        uint16_t
#define KERNEL(name) narrow_##name
#include "graph_kernel.h"
#undef INDEX
#undef KERNEL

#define INDEX        uint32_t
#define KERNEL(name) wide_##name
#include "graph_kernel.h"
#undef INDEX
#undef KERNEL

void graph_draw(struct graph *self, uint64_t key_stream, const struct hasher *hasher, uint64_t n)
{
    memset(self->degree, 0, self->scheme->buckets);
    self->edges = n;
    if (graph_is_narrow(self->scheme))
        narrow_draw(self, key_stream, hasher, n);
    else
        wide_draw(self, key_stream, hasher, n);
}

void graph_set(struct graph *self, const uint32_t *left, const uint32_t *right, uint64_t n)
{
    memset(self->degree, 0, self->scheme->buckets);
    self->edges = n;
    if (graph_is_narrow(self->scheme))
        narrow_set(self, left, right, n);
    else
        wide_set(self, left, right, n);
}

/* The sum of n bytes, eight at a time: the even and the odd ones of each word are added up
 * in four lanes of 16 bits, which hold 128 times two bytes. */
static uint64_t sum_of_bytes(const uint8_t *byte, size_t n)
{
    const uint64_t even = UINT64_C(0x00ff00ff00ff00ff);
    uint64_t sum = 0;

    while (n >= 8) {
        size_t words = n / 8 < 128 ? n / 8 : 128;
        uint64_t lanes = 0;
        for (size_t i = 0; i < words; i++, byte += 8) {
            uint64_t word;
            memcpy(&word, byte, 8);
            lanes += (word & even) + (word >> 8 & even);
        }
        for (; lanes > 0; lanes >>= 16)
            sum += lanes & 0xffff;
        n -= 8 * words;
    }
    while (n-- > 0)
        sum += *byte++;
    return sum;
}

/* A degree of 256 or more has wrapped around if the degrees do not add up to 2 n; then
 * they say nothing and no edge is dropped.  (It takes far more keys than slots.) */
static int degrees_hold(const struct graph *self)
{
    return sum_of_bytes(self->degree, self->scheme->buckets) == 2 * self->edges;
}

uint64_t graph_stash(struct graph *self)
{
    int narrow = graph_is_narrow(self->scheme);
    uint64_t left = self->edges;

    if (degrees_hold(self)) {
        for (int sweep = 0; sweep < PEEL_SWEEPS; sweep++)
            left = narrow ? narrow_peel(self, left) : wide_peel(self, left);
        self->edges = 0; /* used up */
    }
    return narrow ? narrow_unite(self, left) : wide_unite(self, left);
}
