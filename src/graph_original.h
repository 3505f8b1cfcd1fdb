/* graph_original.h -- the original insertion on cuckoo graphs that are already drawn, d = 2 and
 * k = 1: what insert_original does to the same keys, without keys, hashes or branches.
 *
 * A slot needs to know of its resident only where else it may live: (slot, other slot)
 * are its two candidates.  Evicting it is an exchange of that word, and nothing has to be
 * hashed again.  Whether a step evicts cannot be predicted, so a step is computed without
 * a branch, and several graphs take their steps in turn, so that they wait for each
 * other's loads and not for their own. */
#ifndef CUCKOO_GRAPH_ORIGINAL_H
#define CUCKOO_GRAPH_ORIGINAL_H

#include <stdint.h>

#include "graph.h"

#define ORIGINAL_LANES 4 /* graphs at once, where all of them fit a cache */

struct original {
    const struct scheme *scheme; /* borrowed; d = 2, k = 1 */
    void *other[ORIGINAL_LANES]; /* by slot: uint16_t, or uint32_t as in struct graph */
};

/* Graphs at once that pay: more than one only where all of them fit into a cache. */
unsigned original_lanes(const struct scheme *scheme);

/* ERR_MEMORY.  original_free() is legal after a failed init. */
int original_init(struct original *self, const struct scheme *scheme);
void original_free(struct original *self);
uint64_t original_bytes(const struct scheme *scheme);

/* stash[i]: the keys that are left without a nest in graph[i], 0 <= i < lanes, when each
 * key in turn is inserted with at most `max_kicks` kicks and the one that is nestless
 * then goes to the stash.  The graphs have the same number of edges and stay as they are;
 * lanes <= original_lanes(). */
void original_stash(struct original *self, const struct graph *graph, unsigned lanes,
                    uint32_t max_kicks, uint64_t *stash);

#endif
