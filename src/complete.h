/* complete.h -- how many keys of a stream can be placed: the first failure of a complete
 * search, without running that search.
 *
 * A complete search fails at the first key for which no placement of all keys exists.
 * That key depends on the candidates alone and not on where the search puts anything, so
 * a different algorithm finds the same one:
 *
 * d = 2, k = 1: union-find over the stream; a component may have as many edges as
 * vertices and no more.
 *
 * Otherwise labels, after Khosla, "Balls into Bins Made Faster", ESA 2013 (local search
 * allocation): a bucket's label is a lower bound of the number of moves that free a slot
 * in it, 0 exactly where it has one.  A key goes to its candidate of least label; where
 * that is full, the label becomes 1 + the least label among the other candidates of its
 * residents, and the resident with that candidate moves on.  In a region that has no way
 * out labels creep up; so when an insertion takes too many steps, all labels are set to
 * the exact distances, by sweeps outwards from the buckets with a free slot.  What no
 * sweep reaches is closed in, for ever: its label becomes COMPLETE_DEAD.  A key whose
 * candidates are all dead proves that no placement exists. */
#ifndef CUCKOO_COMPLETE_H
#define CUCKOO_COMPLETE_H

#include <stdint.h>

#include "scheme.h"

#define COMPLETE_DEAD UINT16_MAX /* a least path of as many moves is ERR_NUMERIC */

struct complete {
    const struct scheme *scheme; /* borrowed */
    struct hasher hasher;
    /* Labels.  A resident is stored as its other candidates (d = 2, 3: where it lies is
     * the remaining one) or as its key. */
    uint32_t *other;
    uint64_t *key;
    uint16_t *label;   /* by bucket */
    uint8_t *used;     /* by bucket; NULL where k = 1: used or not is in the label */
    uint64_t patience; /* steps of an insertion before all labels are made exact */
    uint32_t *parent;  /* union-find: see complete.c */
    int (*stop)(void); /* asked now and then whether to end with ERR_STOPPED; NULL: never */
};

/* ERR_MEMORY.  complete_free() is legal after a failed init. */
int complete_init(struct complete *self, const struct scheme *scheme);
void complete_free(struct complete *self);
uint64_t complete_bytes(const struct scheme *scheme);

/* *placed: the keys of the stream before the first one for which no placement exists.
 * ERR_STOPPED: see `stop`.  ERR_NUMERIC: a label reached COMPLETE_DEAD, nothing is known. */
int complete_first_failure(struct complete *self, uint64_t hash_stream, uint64_t key_stream,
                           uint64_t *placed);

/* Key by key, except for d = 2, k = 1: forget all keys, with the functions that are in
 * self->hasher; then place `key`, with these candidates, beside those placed so far.
 * complete_place returns 1, or 0 if no placement exists (some key has then been left out,
 * not always this one), or ERR_NUMERIC. */
void complete_begin(struct complete *self);
int complete_place(struct complete *self, uint64_t key, const uint32_t *bucket);

#endif
