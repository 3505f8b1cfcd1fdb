/* bound.h -- proved bounds on the probability that no placement exists.
 *
 * For three and more candidates, or buckets of two and more slots, no exact law is known.
 * By Hall's theorem a placement fails exactly if, for some t, kt + 1 keys have all their
 * candidates among t buckets of k slots; summing the probability of the smallest such sets
 * bounds it from above, and the very smallest of them bounds it from below.
 * docs/BOUNDS.md proves each bound as it is computed here. */
#ifndef CUCKOO_BOUND_H
#define CUCKOO_BOUND_H

#include <stdint.h>

enum { BOUND_CANDIDATES_MAX = 64, BOUND_BUCKET_MAX = 256 };

enum bound_positions {
    BOUND_REPEAT,   /* one table; a key's candidate buckets are independent */
    BOUND_DISTINCT, /* one table; they are a uniform set of d different buckets */
    BOUND_SPLIT     /* d tables of buckets/d each; one candidate in each */
};

struct bound_setting {
    enum bound_positions positions;
    unsigned candidates; /* d, 2 ... BOUND_CANDIDATES_MAX */
    unsigned bucket;     /* k slots a bucket, 1 ... BOUND_BUCKET_MAX */
    uint64_t keys;       /* 0 ... 2^32 */
    uint64_t buckets;    /* in all tables, 1 ... 2^32; a multiple of d for BOUND_SPLIT, at
                            least d for BOUND_DISTINCT */
};

struct bound_result {
    double log_upper;    /* natural log of an upper bound on Pr[no placement]; <= 0 */
    double log_lower;    /* of a lower bound; -INFINITY where none is known */
    uint64_t dominating; /* t, in buckets, of the largest term of the upper bound; 0 if none */
    int converged;       /* the terms beyond the first local minimum (after a maximum) add
                            less than 1 % of the sum: then the bound is nearly the first
                            moment of the smallest obstructions; else large sets count */
};

/* Both bounds, rounded outwards by more than the arithmetic can err.
 * keys > slots gives 1 and 1.  Returns 0, ERR_DOMAIN or ERR_MEMORY.
 * Cost: some 10^4 short steps up to 2^20 keys (0.03 s), then 16 sqrt(keys/k) more; up to
 * 0.15 s for d tables.
 * Source: the first-moment method as in Fotakis, Pagh, Sanders and Spirakis, Space
 * efficient hash tables with worst case constant access time (2005), with the count of
 * sequences that hit every bucket k + 1 times; the lower bound after Joag-Dev and
 * Proschan, Negative association of random variables (1983), for multinomial counts. */
int bound_failure(const struct bound_setting *self, struct bound_result *result);

#endif
