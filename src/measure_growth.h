/* measure_growth.h -- trials of tables that go on after a failure, under deletions, and of
 * the tables they are compared with. */
#ifndef CUCKOO_MEASURE_GROWTH_H
#define CUCKOO_MEASURE_GROWTH_H

#include <stddef.h>
#include <stdint.h>

#include "compare.h"
#include "growth.h"
#include "trials.h"

/* ---- fill with a policy ---- */

struct policy_setting {
    struct growth_rule rule;
    uint64_t slots; /* at first */
    uint64_t keys;
    uint64_t seed, trials;
    const char *label;
};

enum policy_cell {
    POLICY_WRITES = 0, /* slots written, rebuilds included */
    POLICY_REBUILDS,   /* insertions that rebuilt */
    POLICY_ATTEMPTS,   /* rebuilds that were begun */
    POLICY_STASHED,    /* keys in the stash at the end */
    POLICY_STASHES,    /* trials with a key in the stash at the end */
    POLICY_LOST,       /* trials given up */
    POLICY_SLOTS,      /* at the end */
    POLICY_SUMS,
    POLICY_LARGEST = POLICY_SUMS, /* writes of one insertion */
    POLICY_MOST_STASHED,          /* at any time */
    POLICY_CELLS
};

void policy_work(struct policy_setting *setting, struct trials_work *work);

/* ---- rebuild once after the first failure ---- */

struct rebuild_setting {
    struct growth_rule rule; /* its doubles and new_functions are the rebuild */
    uint64_t slots;
    uint64_t seed, trials;
    const char *label;
};

enum rebuild_cell {
    REBUILD_KEYS = 0,      /* placed before the first failure */
    REBUILD_PLACED,        /* rebuilds that placed all keys, the new one too */
    REBUILD_IMPOSSIBLE,    /* trials in which no placement existed with the old functions */
    REBUILD_IMPOSSIBLE_OK, /* of them, rebuilt */
    REBUILD_CELLS
};

void rebuild_work(struct rebuild_setting *setting, struct trials_work *work);

/* ---- deletion and insertion at a constant load ---- */

#define CHURN_TURNS 5 /* each replaces as many keys as there are */

struct churn_setting {
    struct growth_rule rule;
    uint64_t slots, keys;
    int tombstones; /* a deleted key keeps its slot until the table is rebuilt without it */
    uint64_t seed, trials;
    const char *label;
};

/* Cells of a turn; turn 0 is the last hundredth of the filling. */
enum churn_cell {
    CHURN_INSERTIONS = 0,
    CHURN_KICKS,
    CHURN_WRITES, /* rebuilds included */
    CHURN_FAILED, /* insertions after which a key was left over and dropped */
    CHURN_REBUILDS,
    CHURN_MISSING, /* stored keys not found at the end of the turn */
    CHURN_CELLS
};

void churn_work(struct churn_setting *setting, struct trials_work *work);

/* ---- comparators ---- */

#define LARGEST_CELLS 64

struct largest_setting {
    uint32_t buckets;
    uint64_t keys;
    unsigned d;
    enum compare_choice choice;
    uint64_t seed, trials;
    const char *label;
};

/* Cells: histogram of the largest bucket (63: or more), then the hits' sum. */
void largest_work(struct largest_setting *setting, struct trials_work *work);

struct double_setting {
    uint32_t slots;
    uint64_t keys;
    uint64_t lookups; /* of absent keys */
    uint64_t seed, trials;
    const char *label;
};

enum double_cell {
    DOUBLE_HIT = 0, /* slots compared by one hit on each key */
    DOUBLE_MISS,
    DOUBLE_SUMS,
    DOUBLE_MOST_HIT = DOUBLE_SUMS,
    DOUBLE_MOST_MISS,
    DOUBLE_CELLS
};

void double_work(struct double_setting *setting, struct trials_work *work);

#endif
