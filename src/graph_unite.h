/* graph_unite.h -- a union-find in one word a vertex: a root's word has UNITE_ROOT set and 31 bits
 * for its owner, every other vertex holds a vertex nearer its root. */
#ifndef CUCKOO_GRAPH_UNITE_H
#define CUCKOO_GRAPH_UNITE_H

#include <stdint.h>

#define UNITE_ROOT UINT32_C(0x80000000)

/* The root of a vertex, with path halving. */
static inline uint32_t unite_root(uint32_t *parent, uint32_t vertex)
{
    while ((parent[vertex] & UNITE_ROOT) == 0) {
        uint32_t above = parent[vertex];
        if ((parent[above] & UNITE_ROOT) != 0)
            return above;
        vertex = parent[vertex] = parent[above];
    }
    return vertex;
}

#endif
