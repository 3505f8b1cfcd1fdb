/* graph_original.c -- see graph_original.h. */
#include "graph_original.h"

#include <stdlib.h>
#include <string.h>

#define LANES_SLOTS (UINT32_C(1) << 17) /* four graphs of so many slots fit a cache of 2 MiB */

static uint64_t lane_bytes(const struct scheme *scheme)
{
    return scheme->buckets * (graph_is_narrow(scheme) ? sizeof(uint16_t) : sizeof(uint32_t));
}

unsigned original_lanes(const struct scheme *scheme)
{
    return scheme->buckets <= LANES_SLOTS ? ORIGINAL_LANES : 1;
}

uint64_t original_bytes(const struct scheme *scheme)
{
    return original_lanes(scheme) * lane_bytes(scheme);
}

int original_init(struct original *self, const struct scheme *scheme)
{
    memset(self, 0, sizeof *self);
    self->scheme = scheme;
    for (unsigned i = 0; i < original_lanes(scheme); i++) {
        self->other[i] = malloc((size_t)lane_bytes(scheme));
        if (self->other[i] == NULL)
            return ERR_MEMORY;
    }
    return ERR_NONE;
}

void original_free(struct original *self)
{
    for (unsigned i = 0; i < ORIGINAL_LANES; i++)
        free(self->other[i]);
    memset(self, 0, sizeof *self);
}

#define INDEX        uint16_t
#define EMPTY        UINT16_MAX
#define KERNEL(name) narrow_##name
#include "graph_original_kernel.h"
#undef INDEX
#undef EMPTY
#undef KERNEL

#define INDEX        uint32_t
#define EMPTY        UINT32_MAX
#define KERNEL(name) wide_##name
#include "graph_original_kernel.h"
#undef INDEX
#undef EMPTY
#undef KERNEL

void original_stash(struct original *self, const struct graph *graph, unsigned lanes,
                    uint32_t max_kicks, uint64_t *stash)
{
    if (graph_is_narrow(self->scheme))
        narrow_stash(self, graph, lanes, max_kicks, stash);
    else
        wide_stash(self, graph, lanes, max_kicks, stash);
}
