/* openaddr.h -- linear probing and Robin Hood hashing, the yardsticks of e2 and e3.
 *
 * Only what costs depend on is stored: which slots are occupied, and how many keys have
 * each slot as their home.  Under linear probing (first come, first served) a key never
 * moves, so its cost is known when it arrives.  Robin Hood hashing (Celis, Larson, Munro,
 * FOCS 1985) occupies the same slots and keeps the keys of a cluster in the order of
 * their homes, so the homes' counts give every key's place.
 *
 * Costs are slots compared.  A miss compares the empty slot that ends it; a Robin Hood
 * miss ends at the first resident nearer its home than the probe is, which is compared
 * too (or at an empty slot). */
#ifndef CUCKOO_OPENADDR_H
#define CUCKOO_OPENADDR_H

#include <stdint.h>

#include "lookup_costs.h"
#include "scheme.h"

struct openaddr {
    const struct scheme *scheme; /* borrowed; d = 1, k = 1: the home slot */
    struct hasher hasher;
    uint64_t *occupied;       /* a bit a slot; NULL: not for linear probing */
    uint16_t *homes;          /* keys by home slot; NULL: not for Robin Hood */
    uint64_t stored;          /* keys; at least one slot stays empty */
    struct lookup_costs hits; /* linear probing, over the stored keys; histogram owned */
};

/* `cells` bounds the costs that the histogram of hits tells apart. */
int openaddr_init(struct openaddr *self, const struct scheme *scheme, size_t cells);
/* The same for one of the two: half of what is stored, and of the work of adding. */
int openaddr_init_linear(struct openaddr *self, const struct scheme *scheme, size_t cells);
int openaddr_init_robin_hood(struct openaddr *self, const struct scheme *scheme, size_t cells);
void openaddr_free(struct openaddr *self);
/* Of a state for one of the two, the larger. */
uint64_t openaddr_bytes(const struct scheme *scheme, size_t cells);
void openaddr_reset(struct openaddr *self, uint64_t hash_stream);

/* Insert a key.  ERR_DOMAIN if it would take the last empty slot, or the 65,536th place
 * of one home. */
int openaddr_add(struct openaddr *self, uint64_t key);

/* The same in two parts, so that homes can be computed ahead and prefetched. */
uint32_t openaddr_home(const struct openaddr *self, uint64_t key);
int openaddr_add_home(struct openaddr *self, uint32_t home);

/* Every key once (Robin Hood), every home once (misses): added to `costs`. */
void openaddr_robin_hood_hits(const struct openaddr *self, struct lookup_costs *costs);
void openaddr_robin_hood_misses(const struct openaddr *self, struct lookup_costs *costs);
void openaddr_linear_misses(const struct openaddr *self, struct lookup_costs *costs);

#endif
