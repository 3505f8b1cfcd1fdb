/* compare.h -- the tables that cuckoo hashing is compared with: chains, the lighter of d
 * buckets, double hashing.
 *
 * Chains: one bucket a key, no limit.  d-left (Vocking, J. ACM 50 (2003) 568): d parts of
 * equal size, a random bucket in each, the key goes to the least loaded, the leftmost of
 * equals.  d choices (Azar et al., SIAM J. Comput. 29 (1999) 180): the same over one table,
 * ties to the first.  Double hashing: h1 + i h2 with an odd step in a power of two slots. */
#ifndef CUCKOO_COMPARE_H
#define CUCKOO_COMPARE_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "rng.h"

enum compare_choice { COMPARE_ONE_TABLE, COMPARE_LEFT };

struct compare_buckets {
    uint32_t buckets;
    unsigned d; /* 1: chains */
    enum compare_choice choice;
    uint32_t *load; /* keys of each bucket */
};

/* LEFT: buckets must divide by d; ERR_DOMAIN. */
int compare_buckets_init(struct compare_buckets *self, uint32_t buckets, unsigned d,
                         enum compare_choice choice);
void compare_buckets_free(struct compare_buckets *self);
/* Forget all keys and put in `keys` random ones. */
void compare_buckets_fill(struct compare_buckets *self, struct rng *rng, uint64_t keys);
uint32_t compare_buckets_largest(const struct compare_buckets *self);
/* Sum over the keys of what a hit compares: the key's place in its chain, oldest first. */
uint64_t compare_buckets_hits(const struct compare_buckets *self);

struct compare_double {
    uint32_t slots; /* a power of two */
    uint64_t *key;  /* 0: free */
    uint64_t seed;
};

int compare_double_init(struct compare_double *self, uint32_t slots);
void compare_double_free(struct compare_double *self);
void compare_double_reset(struct compare_double *self, uint64_t seed);
/* Slots compared until the key (not 0) or a free slot is met; with `add`, the key is put
 * into that free slot.  At least one slot must be free. */
uint32_t compare_double_probe(struct compare_double *self, uint64_t key, int add);

#endif
