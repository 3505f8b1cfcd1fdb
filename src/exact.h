/* exact.h -- exact laws for two candidates a key, and for linear probing.
 *
 * The stash of a cuckoo table with d = 2 candidates and one key a slot:
 *     S = sum over the components of the cuckoo graph of max(0, edges - vertices),
 * the least number of keys that no placement can hold.  exact_stash computes its law for
 * n keys with independent uniform candidates, by coefficients of generating functions
 * (derivations, error analysis and sources: docs/EXACT.md).  S = 0 is "a placement
 * exists".  Nothing here draws a random number. */
#ifndef CUCKOO_EXACT_H
#define CUCKOO_EXACT_H

#include <stdint.h>

enum { EXACT_STASH_MAX = 32 }; /* greatest stash size asked for */

/* Where the two positions of a key lie. */
enum exact_layout {
    EXACT_SPLIT,       /* one in each of two tables of slots_1 and slots_2 */
    EXACT_ONE_REPEAT,  /* both in one table of slots_1, and they may coincide */
    EXACT_ONE_DISTINCT /* both in one table of slots_1 >= 2, never the same */
};

struct exact_setting {
    enum exact_layout layout;
    uint64_t keys;    /* 0 ... 2^40 */
    uint64_t slots_1; /* 1 ... 2^40 */
    uint64_t slots_2; /* EXACT_SPLIT only: 1 ... 2^40; else 0 */
};

/* What is known about one stash size s; all natural logarithms, -INFINITY for 0.  The
 * probabilities beside them may underflow where the logarithms do not. */
struct exact_row {
    double log_equal, equal;       /* Pr[S = s] */
    double log_at_least, at_least; /* Pr[S >= s] */
    double log_overflow, overflow; /* Pr[S > s], what a stash of s keys fails with */
    /* absolute error of the two sums where they are 1 - the others; 0 where they are sums of
     * positive terms, as accurate as these */
    double error_at_least, error_overflow;
};

/* The law of the stash for s = 0 ... largest (<= EXACT_STASH_MAX): rows[0 ... largest].
 * Relative error of every probability below 1e-8 for keys up to 2^20 and 1e-5 up to 2^30
 * away from the limit load 1/2 (measured 1e-12 and 1e-10, docs/EXACT.md); near the limit
 * and above it, Pr[S = s] keeps that accuracy and a sum has the absolute error that its row
 * says.
 * Returns 0, ERR_DOMAIN (a value outside the ranges above), ERR_MEMORY, or ERR_NUMERIC (an
 * integral did not give a probability; never seen).
 * Cost: a few thousand complex exponentials for each s, whatever the keys. */
int exact_stash(const struct exact_setting *self, unsigned largest, struct exact_row *rows);

/* The constant c of Drmota and Kutzelnigg's Pr[S > 0] = c/m + O(1/m^2), for two tables of m
 * slots (EXACT_SPLIT) or one table of 2m (EXACT_ONE_REPEAT), and (1 - epsilon) m keys.
 * 0 < epsilon < 1.  EXACT_ONE_DISTINCT is ERR_DOMAIN: no constant is published.
 * Source: Drmota and Kutzelnigg, A precise analysis of cuckoo hashing, ACM Trans.
 * Algorithms 8 (2012) 11, the theorems for the standard and the simplified algorithm. */
int exact_leading_constant(enum exact_layout layout, double epsilon, double *constant);

/* Mean number of slots compared by linear probing in a table of `slots` that holds `keys`,
 * put there one after the other: *hit over the keys present (successful search), *miss over
 * all home positions (unsuccessful search, the empty slot that ends it counted).
 * 0 <= keys < slots; hit is 0 for an empty table.  Either output may be NULL.  The order of
 * insertion, and so Robin Hood, changes neither the mean hit nor a miss that goes on to
 * the empty slot.  Relative error 1e-13.  Cost: at most about 9 sqrt(slots) steps.
 * Source: Knuth, The Art of Computer Programming 3, section 6.4, Theorem K:
 * (1 + Q_0(slots, keys-1))/2 and (1 + Q_1(slots, keys))/2. */
int exact_linear_probing(uint64_t slots, uint64_t keys, double *hit, double *miss);

#endif
