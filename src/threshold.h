/* threshold.h -- the loads at which placement, and peeling, stop being possible.
 *
 * Random tables of buckets with k slots, every key with d independent candidate buckets,
 * as the table grows: below the orientability threshold almost every set of keys has a
 * placement, above it almost none has; below the peeling threshold the hypergraph has no
 * (k+1)-core, so that removing buckets that at most k keys name empties it.
 * Loads are keys per slot, in (0, 1).  docs/THRESHOLDS.md derives the numerics. */
#ifndef CUCKOO_THRESHOLD_H
#define CUCKOO_THRESHOLD_H

enum { THRESHOLD_MAX = 1000000 }; /* greatest d and greatest k */

/* The orientability threshold c_{d,k+1}/k: *load, and *one_minus = 1 - load without the
 * cancellation, both to about 1e-13 relative (one_minus of d = 50, k = 1 is 1.9e-22; below
 * 1e-308, from d = 710 at k = 1 or k = 2300 at d = 2 on, it underflows to 0).  d = 2, k = 1 is
 * exactly 1/2 (the equation has no positive root there).  2 <= d <= THRESHOLD_MAX, 1 <= k <=
 * THRESHOLD_MAX.  one_minus may be NULL.  Returns 0, ERR_DOMAIN, or ERR_NUMERIC (the root
 * finder's status).  Cost: some 50 sums of at most k terms.
 * Source: Fountoulakis, Khosla and Panagiotou, The multiple-orientability thresholds for
 * random hypergraphs (SODA 2011), Theorem 1; Dietzfelbinger et al. (ICALP 2010) for k = 1;
 * Fernholz and Ramachandran, Cain, Sanders and Wormald (both SODA 2007) for d = 2. */
int threshold_orientability(unsigned d, unsigned k, double *load, double *one_minus);

/* The peeling threshold: the least number of keys per bucket at which a (k+1)-core
 * appears, over k.  d = 2, k = 1: exactly 1/2.  Ranges, returns and accuracy as above.
 * Source: Molloy, Cores in random hypergraphs and Boolean formulas (2005). */
int threshold_peeling(unsigned d, unsigned k, double *load);

enum {
    THRESHOLD_WINDOW_MAX = 64, /* longest window, and most windows a key */
    THRESHOLD_PAGE_MAX = 256
};

/* The orientability threshold for d windows of `length` neighbouring slots inside pages of
 * `page` slots, 0 for no pages (scheme.h, layout window), as threshold_orientability: *load and
 * *one_minus, to about 1e-12 relative.  2 <= d, length <= THRESHOLD_WINDOW_MAX, length <= page
 * <= THRESHOLD_PAGE_MAX.  Returns 0, ERR_DOMAIN or ERR_NUMERIC.  Cost: some 50 sums of length^2
 * terms, for each slot of a page.
 * Source: docs/THRESHOLDS.md derives it; that such equations hold for windows is Walzer, Load
 * thresholds for cuckoo hashing with overlapping blocks, ICALP 2018. */
int threshold_windows(unsigned d, unsigned length, unsigned page, double *load, double *one_minus);

#endif
