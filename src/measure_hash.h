/* measure_hash.h -- what a family of hash functions does to a set of keys, d = 2, k = 1.
 *
 * A trial draws the functions (and the keys, where the set is random), decides by the cuckoo
 * graph whether a placement exists, and where one does inserts the keys by a rule.  The
 * events are kept apart: no placement exists; among those, three keys have both slots in
 * common (the hash is degenerate on these keys); the rule gave up though a placement exists.
 *
 * Of the cube it also looks at character collisions: two characters of one position that
 * simple tabulation sends to the same bucket in one of the two functions.  All side^2 pairs
 * of keys that differ in these two characters alone then meet in that function. */
#ifndef CUCKOO_MEASURE_HASH_H
#define CUCKOO_MEASURE_HASH_H

#include "keyset.h"
#include "measure.h"

struct hash_setting {
    struct scheme scheme; /* with its family; the cube: a power of two of buckets a table */
    struct keyset keyset;
    const struct insert_rule *rule; /* NULL: graphs only */
    /* The cube under tabulation: make characters 0 and 1 of the first position collide in
     * function 1, which is the law of a draw given that they do. */
    int plant;
    uint64_t seed, trials;
    const char *label;
};

/* Cells, all sums over trials. */
enum hash_cell {
    HASH_NO_PLACEMENT = 0, /* draws without a placement */
    HASH_TRIPLE,           /* of those, draws with three keys that share both slots */
    HASH_GAVE_UP,          /* draws with a placement in which the rule failed */
    HASH_KICKS,            /* of the draws that worked */
    HASH_KICKS_SQUARED,    /* sum over these draws of the square of their kicks */
    HASH_COLLIDED,         /* cube: draws with a character collision */
    HASH_COLLIDED_FAILED,  /* of those, without a placement */
    HASH_TWO_COLLIDED,     /* draws with two character collisions or more */
    HASH_TWO_COLLIDED_FAILED,
    HASH_CELLS
};

void hash_work(const struct hash_setting *setting, struct trials_work *work);

/* The buckets of all keys of a cube under tabulation, one function: by the xor of those along
 * the axes, 3 side evaluations.  `candidate` is 0 or 1.  For tests and the measure. */
void hash_cube_buckets(const struct scheme *scheme, const struct hasher *hasher,
                       const struct keyset *cube, unsigned candidate, uint32_t *bucket);

#endif
