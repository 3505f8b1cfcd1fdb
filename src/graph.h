/* graph.h -- the cuckoo graph of d = 2, k = 1: slots are vertices, keys are edges.
 *
 * All keys can be placed if and only if no connected component has more edges than
 * vertices; the smallest stash that suffices is S = sum over the components of
 * max(0, edges - vertices) (Kirsch, Mitzenmacher, Wieder, SIAM J. Comput. 39 (2009),
 * section 2). */
#ifndef CUCKOO_GRAPH_H
#define CUCKOO_GRAPH_H

#include <stdint.h>

#include "scheme.h"

#define GRAPH_VERTICES_MAX (UINT32_C(1) << 31)

/* Buffers for graphs of one size, kept between trials. */
struct graph {
    const struct scheme *scheme; /* borrowed; d = 2, k = 1 */
    uint64_t capacity;           /* edges */
    uint64_t edges;
    void *left, *right; /* ends of edge i: uint16_t or uint32_t, see graph_is_narrow */
    uint8_t *degree;    /* a vertex's degree modulo 256; see graph.c */
    uint32_t *parent;   /* union-find */
    uint32_t *vertices_of, *edges_of; /* counts at the roots, see graph_init_components */
};

/* Vertices are numbered in 16 bits (and 65,535 is not one). */
int graph_is_narrow(const struct scheme *scheme);

/* At most GRAPH_VERTICES_MAX vertices and fewer edges than that, else ERR_DOMAIN; ERR_MEMORY.
 * graph_free() is legal after a failed init. */
int graph_init(struct graph *self, const struct scheme *scheme, uint64_t capacity);
void graph_free(struct graph *self);
uint64_t graph_bytes(const struct scheme *scheme, uint64_t capacity);

/* Draw the edges of keys 0 .. n-1 of the key stream; n <= capacity. */
void graph_draw(struct graph *self, uint64_t key_stream, const struct hasher *hasher, uint64_t n);

/* Take edges as given: left[i], right[i] are vertices; n <= capacity. */
void graph_set(struct graph *self, const uint32_t *left, const uint32_t *right, uint64_t n);

/* S of the edges now in the graph.  Peels first, so that the union-find sees only what
 * is left; the edges are used up.  Cost: about four sweeps over the edges. */
uint64_t graph_stash(struct graph *self);

/* For who looks at components: graph_init(), and room for their counts.  ERR_DOMAIN as there,
 * ERR_MEMORY. */
int graph_init_components(struct graph *self, const struct scheme *scheme, uint64_t capacity);

/* Union-find over all edges: afterwards graph_root() names each vertex's component, and
 * vertices_of, edges_of hold the counts at the roots.  Returns S.  The edges stay. */
uint64_t graph_components(struct graph *self);
uint32_t graph_root(struct graph *self, uint32_t vertex);

#endif
