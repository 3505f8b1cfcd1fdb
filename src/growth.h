/* growth.h -- a cuckoo table that goes on after a failure: stash, rebuild, growth.
 *
 * d = 2 candidates, the original insertion.  A key left without a nest goes to the stash,
 * or the table is rebuilt: at the same size or twice as large, with the same functions or
 * new ones.  At twice the size the same functions split each bucket in two, since a bucket
 * is the high half of hash * buckets.  Rebuilding inserts the stored keys in the order of
 * their slots, then the stash, then the new key; what finds no place then may use the
 * stash, and where that is full the rebuild is tried again.
 *
 * Kirsch, Mitzenmacher, Wieder, SIAM J. Comput. 39 (2009) for the stash; Pagh and Rodler,
 * J. Algorithms 51 (2004) for rehashing.  Costs are slots written. */
#ifndef CUCKOO_GROWTH_H
#define CUCKOO_GROWTH_H

#include <stdint.h>

#include "insert.h"

#define GROWTH_STASH_MAX 64
#define GROWTH_ATTEMPTS  100 /* rebuilds in a row before an insertion is given up */

struct growth_rule {
    unsigned k; /* slots of a bucket */
    enum layout layout;
    uint32_t max_kicks;          /* of one insertion: 2 MaxLoop - 1 */
    unsigned stash;              /* keys at most */
    int rebuild_first;           /* the stash is used only for what a rebuild leaves over */
    int doubles;                 /* a rebuild is twice as large */
    int new_functions;           /* a rebuild draws new functions */
    uint64_t grow_num, grow_den; /* also grow when keys / slots would exceed this; 0: never */
};

struct growth {
    const struct growth_rule *rule; /* borrowed */
    struct insert_rule insertion;
    struct scheme scheme;
    struct table table;
    struct inserter inserter;
    uint64_t stash[GROWTH_STASH_MAX];
    unsigned stashed;
    uint64_t hash_stream;
    struct rng search;
    uint64_t *moving; /* keys of a rebuild */
    uint64_t moving_capacity;
    /* counts since growth_reset() */
    uint64_t writes, rebuilds, attempts; /* attempts: rebuilds that were begun */
    uint64_t last_writes;                /* of the last insertion, its rebuilds included */
};

/* Buffers for a first table of `slots`; ERR_DOMAIN as scheme_init(), ERR_MEMORY. */
int growth_init(struct growth *self, const struct growth_rule *rule, uint64_t slots);
void growth_free(struct growth *self);

/* Empty, at the first size, with the functions of this stream. */
int growth_reset(struct growth *self, uint64_t slots, uint64_t hash_stream, uint64_t search_stream);

/* Insert a key that is not there.  *placed: 0 if even GROWTH_ATTEMPTS rebuilds left keys
 * over (the key, or another one, is then lost).  ERR_MEMORY. */
int growth_add(struct growth *self, uint64_t key, int *placed);

/* Rebuild once as the rule says; *placed: all keys, with `extra` new ones, are in the table
 * or the stash.  After a rebuild that did not place all, the table holds those it did. */
int growth_rebuild(struct growth *self, const uint64_t *extra, unsigned extras, int doubles,
                   int new_functions, int *placed);

int growth_contains(const struct growth *self, uint64_t key);

/* Take a key out of the table: the bucket's last key moves into its slot.  0: not there. */
int growth_remove(struct growth *self, uint64_t key);

#endif
