/* graph_components.c -- the components of a cuckoo graph with their counts, see graph.h: the
 * plain union-find, which tests hold graph_stash() against, and e1 and `trace` print. */
#include <stdlib.h>

#include "graph.h"

int graph_init_components(struct graph *self, const struct scheme *scheme, uint64_t capacity)
{
    int code = graph_init(self, scheme, capacity);

    if (code != ERR_NONE)
        return code;
    self->vertices_of = malloc(scheme->buckets * sizeof(uint32_t));
    self->edges_of = malloc(scheme->buckets * sizeof(uint32_t));
    return self->vertices_of != NULL && self->edges_of != NULL ? ERR_NONE : ERR_MEMORY;
}

/* Path halving. */
uint32_t graph_root(struct graph *self, uint32_t vertex)
{
    uint32_t *parent = self->parent;

    while (parent[vertex] != vertex) {
        parent[vertex] = parent[parent[vertex]];
        vertex = parent[vertex];
    }
    return vertex;
}

static uint32_t excess(const struct graph *self, uint32_t root)
{
    uint32_t v = self->vertices_of[root], e = self->edges_of[root];

    return e > v ? e - v : 0;
}

/* Returns by how much S grows (0 or 1). */
static uint32_t unite(struct graph *self, uint32_t u, uint32_t v)
{
    uint32_t a = graph_root(self, u), b = graph_root(self, v);
    uint32_t before = excess(self, a);

    if (a != b) {
        before += excess(self, b);
        if (self->vertices_of[a] < self->vertices_of[b]) {
            uint32_t swap = a;
            a = b;
            b = swap;
        }
        self->parent[b] = a;
        self->vertices_of[a] += self->vertices_of[b];
        self->edges_of[a] += self->edges_of[b];
    }
    self->edges_of[a]++;
    return excess(self, a) - before;
}

uint64_t graph_components(struct graph *self)
{
    uint64_t stash = 0;

    for (uint32_t v = 0; v < self->scheme->buckets; v++) {
        self->parent[v] = v;
        self->vertices_of[v] = 1;
        self->edges_of[v] = 0;
    }
    for (uint64_t i = 0; i < self->edges; i++)
        stash += graph_is_narrow(self->scheme)
                     ? unite(self, ((uint16_t *)self->left)[i], ((uint16_t *)self->right)[i])
                     : unite(self, ((uint32_t *)self->left)[i], ((uint32_t *)self->right)[i]);
    return stash;
}
