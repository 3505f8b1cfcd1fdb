/* measure_rule.h -- what a rule reaches: keys until it fails or up to a promised number, with
 * what it cost and where the keys are.
 *
 * A failure is taken apart: the key then nestless is offered to a complete search on the same
 * table.  If that finds a place, the rule gave up though a placement exists; else none does.
 * After every fill the table is verified: ERR_VERIFY where a key is not in one of its
 * candidates, or where stored keys and failures do not add up to the keys offered. */
#ifndef CUCKOO_MEASURE_RULE_H
#define CUCKOO_MEASURE_RULE_H

#include "measure.h"

#define RULE_LOADS_MAX 8
#define RULE_PATHS     512 /* path lengths 0 ... 510, and 511 or more */

struct rule_setting {
    struct scheme scheme;
    struct insert_rule rule;
    uint64_t keys;                  /* stop there; 0: at the first failure only */
    uint64_t loads[RULE_LOADS_MAX]; /* keys stored at which the primary share is counted */
    size_t n_loads;
    uint64_t seed, trials;
    const char *label;
};

/* Cells of one trial. */
enum rule_value {
    RULE_STORED = 0, /* before the first failure, or all keys */
    RULE_FAILED,     /* 1 where an insertion failed */
    RULE_EXISTED,    /* 1 where it failed though a placement exists */
    RULE_KICKS,      /* sums over the insertions that worked */
    RULE_MOVES,
    RULE_BUCKETS, /* read */
    RULE_PRIMARY, /* keys in their first candidate at the end */
    RULE_AT_LOAD, /* + i: keys in their first candidate at loads[i], or 0 if not reached */
    RULE_VALUES = RULE_AT_LOAD + RULE_LOADS_MAX
};

void rule_work(const struct rule_setting *setting, struct trials_work *work);
/* The cell of a value of trial 0 (trial t: + t). */
size_t rule_cell(const struct rule_setting *setting, unsigned value);
/* First cell of the histogram of kicks + moves of an insertion that worked, all trials. */
size_t rule_histogram(const struct rule_setting *setting);

#endif
