/* graph_original.c -- see graph_original.h. */
#include "graph_original.h"

#include <string.h>

#define LANES_SLOTS (UINT32_C(1) << 17) /* four graphs of so many slots fit a cache of 2 MiB */

unsigned original_lanes(const struct scheme *scheme)
{
    return scheme->buckets <= LANES_SLOTS ? ORIGINAL_LANES : 1;
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

void original_stash(const struct graph *graph, unsigned lanes, uint32_t max_kicks, uint64_t *stash)
{
    if (graph_is_narrow(graph[0].scheme))
        narrow_stash(graph, lanes, max_kicks, stash);
    else
        wide_stash(graph, lanes, max_kicks, stash);
}
