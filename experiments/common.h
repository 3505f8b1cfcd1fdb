/* common.h -- summaries that several experiments print: from integer tallies to values
 * with their intervals, all at 95%. */
#ifndef CUCKOO_EXPERIMENTS_COMMON_H
#define CUCKOO_EXPERIMENTS_COMMON_H

#include <stddef.h>
#include <stdint.h>

#include "../src/measure.h"
#include "../src/options.h"
#include "../src/out.h"

#define CONFIDENCE 0.95

struct spread {
    uint64_t median, low, high; /* the median's interval by order statistics */
    uint64_t least, greatest;
};

/* Sorts value[0 .. n-1].  The median of an even number is the lower middle one, so that
 * it is a value that occurred. */
int summarize(uint64_t *value, size_t n, struct spread *spread, struct error *err);

/* Five columns: median, low, high, least, greatest, each divided by `unit` (slots: loads). */
void out_spread(struct out *out, const struct spread *spread, double unit);

struct mean {
    double mean, half_width; /* Student's t over the fills; infinite for one fill */
};

/* Mean over trials of sum[t] / count[t]; trials with count 0 are left out. */
int mean_of_ratios(const uint64_t *sum, const uint64_t *count, size_t trials, struct mean *mean,
                   struct error *err);

uint64_t total_of(const uint64_t *value, size_t n);
uint64_t maximum_of(const uint64_t *value, size_t n);

/* Columns count, trials, proportion, low, high (Clopper-Pearson). */
int out_proportion(struct out *out, uint64_t count, uint64_t trials, struct error *err);
/* The three columns proportion, low, high alone. */
int out_estimate(struct out *out, uint64_t count, uint64_t trials, struct error *err);

/* The rule's value, or what --trials or --slots says instead. */
uint64_t chosen(uint64_t given, uint64_t otherwise);

/* scheme_init with a message; the command's slots_range has refused what a user may not ask. */
int init_scheme(struct scheme *scheme, unsigned d, unsigned k, enum layout layout, uint64_t slots,
                const char *experiment, struct error *err);

const char *layout_name(enum layout layout);

/* The orientability threshold as a load, of buckets or windows; split tables have the same as
 * one.  ERR_DOMAIN: one candidate. */
int scheme_threshold(const struct scheme *scheme, double *load);

/* How many trials to run for about `work` keys, at least `least`. */
uint64_t trials_for(uint64_t work, uint64_t keys, uint64_t least);

#endif
