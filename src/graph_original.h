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

/* Graphs at once that pay: more than one only where all of them fit into a cache. */
unsigned original_lanes(const struct scheme *scheme);

/* stash[i]: the keys that are left without a nest in graph[i], 0 <= i < lanes, when each
 * key in turn is inserted with at most `max_kicks` kicks and the one that is nestless
 * then goes to the stash.  The graphs have the same scheme and the same number of edges, which
 * stay as they are; the table is made where the graph keeps its union-find at other times.
 * lanes <= original_lanes(). */
void original_stash(const struct graph *graph, unsigned lanes, uint32_t max_kicks, uint64_t *stash);

#endif
