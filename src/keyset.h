/* keyset.h -- which keys are offered: random ones, or sets with a structure.
 *
 *   random       distinct words of 64 bits, those of the trial's key stream
 *   interval     0 ... n-1
 *   progression  0, step, 2 step, ...
 *   dense        n random keys of the universe [0, universe): dense in it where universe is a
 *                small multiple of n (Dietzfelbinger and Schellbach, SODA 2009: |S| >=
 *                |U|^(11/12))
 *   cube         all keys of three characters below `side`, n = side^3 (Patrascu and Thorup,
 *                JACM 59 (2012)); a character is `bits` wide */
#ifndef CUCKOO_KEYSET_H
#define CUCKOO_KEYSET_H

#include <stdint.h>

#include "rng.h"

enum keyset_kind {
    KEYSET_RANDOM = 0,
    KEYSET_INTERVAL,
    KEYSET_PROGRESSION,
    KEYSET_DENSE,
    KEYSET_CUBE,
    KEYSET_COUNT
};

struct keyset {
    enum keyset_kind kind;
    uint64_t keys;     /* n */
    uint64_t step;     /* progression */
    uint64_t universe; /* dense; n <= universe */
    uint64_t side;     /* cube */
    unsigned bits;     /* cube: bits of a character, side <= 2^bits, 3 bits <= 63 */
};

const char *keyset_name(enum keyset_kind kind);

/* One more than the largest key, 0 standing for 2^64. */
uint64_t keyset_universe(const struct keyset *self);

/* Write the n keys of the trial whose key stream is `stream`; only random and dense depend
 * on it.  Dense: in increasing order, every subset equally likely.  Cost: n steps, dense
 * `universe` steps. */
void keyset_fill(const struct keyset *self, uint64_t stream, uint64_t *key);

#endif
