/* ratio.h -- exact fractions, for loads, slacks and expansions: keys and slots are
 * computed in integers, so that 0.95 x 2^20 is the same number on every machine. */
#ifndef CUCKOO_RATIO_H
#define CUCKOO_RATIO_H

#include <stdint.h>

struct ratio {
    uint64_t num, den; /* num * den < 2^64, so that the functions below are exact */
};

/* floor(value * num / den) and its ceiling, where the result is below 2^64. */
uint64_t ratio_floor(struct ratio self, uint64_t value);
uint64_t ratio_ceil(struct ratio self, uint64_t value);

/* The same number without a common factor; den > 0. */
struct ratio ratio_reduce(struct ratio self);

/* For printing only. */
double ratio_value(struct ratio self);

#endif
