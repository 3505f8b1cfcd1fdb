/* graph_hyper.h -- the cuckoo hypergraph of any d and k: buckets are vertices, keys are
 * edges of d ends.
 *
 * S here is the number of keys that a placement of as many keys as possible leaves out;
 * for d = 2, k = 1 it is the S of graph.h.
 *
 * A bucket that at most k keys can use takes all of them, whatever the others do: dropping
 * them keeps S.  What is left when that has gone on for long enough is the (k+1)-core
 * (Molloy, Random Struct. Algorithms 27 (2005)), or a little more; below the peeling
 * threshold nearly always nothing.  Only those keys are placed, each by a complete search
 * (complete.h), and S counts those that have no place. */
#ifndef CUCKOO_GRAPH_HYPER_H
#define CUCKOO_GRAPH_HYPER_H

#include <stdint.h>

#include "complete.h"
#include "scheme.h"

struct hyper {
    const struct scheme *scheme; /* borrowed; not d = 2, k = 1 */
    uint64_t capacity, keys;
    uint64_t key_stream;
    /* The d candidates of each key that is left: in 16 bits each of one word where they
     * fit, or an array after the other; and its number in the stream, for d > 3. */
    uint64_t *packed;
    uint32_t *bucket;
    uint32_t *number;
    uint32_t *degree; /* by bucket: candidates of keys that are left */
    struct complete complete;
};

/* ERR_DOMAIN: d = 2 and k = 1, or 2^32 keys.  ERR_MEMORY.  hyper_free() is legal after a
 * failed init. */
int hyper_init(struct hyper *self, const struct scheme *scheme, uint64_t capacity);
void hyper_free(struct hyper *self);
uint64_t hyper_bytes(const struct scheme *scheme, uint64_t capacity);

/* Draw keys 0 .. n-1 of the stream; n <= capacity. */
void hyper_draw(struct hyper *self, uint64_t key_stream, const struct hasher *hasher, uint64_t n);

/* S of the keys now drawn, which are used up.  ERR_NUMERIC and ERR_STOPPED as in complete.h;
 * who sets complete.stop has it asked between sweeps and keys. */
int hyper_stash(struct hyper *self, uint64_t *stash);

#endif
