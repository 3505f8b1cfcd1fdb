/* measure.h -- what one trial measures, for any scheme and any insertion rule.
 *
 * A setting's number of trials becomes the number in the tally when trials_run was stopped
 * early; the functions that find a cell count with it.
 *
 * Each measure has a setting (scheme, rule, numbers of keys, seed, trials), turns it into
 * a struct trials_work, and documents the cells of its tally.  Experiments and `run` are
 * presets of these; nothing here knows an experiment. */
#ifndef CUCKOO_MEASURE_H
#define CUCKOO_MEASURE_H

#include <stddef.h>
#include <stdint.h>

#include "insert.h"
#include "keyset.h"
#include "ratio.h"
#include "scheme.h"
#include "trials.h"

/* The keys that a trial offers; all NULL and 0: random ones, different in each. */
struct offered {
    const uint64_t *key; /* given ones in their order, the same in every trial */
    uint64_t fingerprint;
    const struct keyset *keyset; /* a set with a structure, where key is NULL */
};

/* ---- fail: does a placement exist, and does a rule find one?
 * S is the number of keys that a placement of as many as possible leaves out; for d = 2,
 * k = 1 that is the sum over components of max(0, edges - vertices). ---- */

#define FAIL_STASH_CELLS 65 /* S = 0 ... 63, and 64 or more */

struct fail_setting {
    struct scheme scheme;
    uint64_t keys;
    uint64_t seed, trials;
    const char *label;
    /* Beside S, the stash that this rule needs on the same graphs: a key that is nestless
     * at the limit goes to the stash and the next key comes.  NULL: not measured. */
    const struct insert_rule *rule;
    uint64_t stash;              /* a failure is a trial that needs more than this */
    const uint64_t *key;         /* `keys` given ones, the same in every trial; NULL: random */
    uint64_t fingerprint;        /* of given keys */
    const struct keyset *keyset; /* a set with a structure, where key is NULL; NULL: random */
};

/* Cells, all sums: */
enum fail_cell {
    FAIL_STASH = 0,                     /* + s: trials with S = s */
    FAIL_RULE_STASH = FAIL_STASH_CELLS, /* + s: trials in which the rule stashed s keys */
    FAIL_ADDS = 2 * FAIL_STASH_CELLS
};

void fail_work(struct fail_setting *setting, struct trials_work *work);

/* ---- fill: how many keys until the first failure ---- */

struct fill_setting {
    struct scheme scheme;
    const struct insert_rule *rule;
    uint64_t seed, trials;
    const char *label;
};

/* Cells, all sums: cell t: keys placed before the first failure of trial t. */
void fill_work(struct fill_setting *setting, struct trials_work *work);

/* ---- lookup: what hits and misses cost at a ladder of loads ---- */

enum lookup_kind { LOOKUP_CUCKOO, LOOKUP_LINEAR, LOOKUP_ROBIN_HOOD };

#define LOOKUP_LOADS_MAX 8

struct lookup_setting {
    struct scheme scheme; /* d = 1, k = 1 for the open addressing kinds */
    enum lookup_kind kind;
    const struct insert_rule *rule;  /* cuckoo */
    uint64_t keys[LOOKUP_LOADS_MAX]; /* offered by then, ascending */
    size_t n_loads;
    struct offered offered; /* cuckoo */
    uint64_t seed, trials;
    const char *label;
    int hits_only; /* open addressing: the cells of misses stay 0 */
};

/* For each load and each of hit, miss: a histogram over slots compared; then for each load
 * and each of hit, miss one cell a trial for each of these. */
enum lookup_value {
    LOOKUP_LOOKUPS = 0,
    LOOKUP_SLOTS, /* sum */
    LOOKUP_LINES, /* sum */
    LOOKUP_MAX_SLOTS,
    LOOKUP_MAX_LINES,
    LOOKUP_LEFT_OVER, /* keys that found no place (cuckoo) */
    LOOKUP_PRIMARY,   /* hits in the first candidate (cuckoo) */
    LOOKUP_FULL,      /* buckets without a free slot (cuckoo) */
    LOOKUP_VALUES
};

void lookup_work(struct lookup_setting *setting, struct trials_work *work);
/* Cells of one histogram: costs 0 ... cells - 1. */
size_t lookup_cells(const struct lookup_setting *setting);
/* Index of a histogram's first cell, and of a value's cell of trial 0 (trial t: + t). */
size_t lookup_histogram(const struct lookup_setting *setting, size_t load, int miss);
size_t lookup_value(const struct lookup_setting *setting, size_t load, int miss,
                    enum lookup_value value);

/* ---- insert: what insertions cost, by load segment ---- */

#define INSERT_SEGMENTS_MAX 8
#define INSERT_CELLS        4096 /* costs 0 ... 4094, and 4095 or more */

struct insert_setting {
    struct scheme scheme;
    const struct insert_rule *rule;
    uint64_t keys[INSERT_SEGMENTS_MAX]; /* end of each segment, ascending */
    size_t n_segments;
    struct offered offered;
    uint64_t seed, trials;
    const char *label;
};

enum insert_quantity {
    INSERT_KICKS = 0,
    INSERT_MOVES,
    INSERT_BUCKETS, /* read */
    INSERT_LINES,   /* written, distinct */
    INSERT_QUANTITIES
};

void insert_work(struct insert_setting *setting, struct trials_work *work);
/* First cell of the histogram of a quantity over the insertions of a segment. */
size_t insert_histogram(const struct insert_setting *setting, size_t segment,
                        enum insert_quantity quantity);
/* Cell of trial 0 (trial t: + t): the trial's sum of a quantity in a segment. */
size_t insert_sum(const struct insert_setting *setting, size_t segment,
                  enum insert_quantity quantity);
/* Cell of trial 0: the trial's greatest value of a quantity in a segment. */
size_t insert_max(const struct insert_setting *setting, size_t segment,
                  enum insert_quantity quantity);
/* Cell of trial 0: insertions of the segment that failed, in trial t. */
size_t insert_failed(const struct insert_setting *setting, size_t segment);

#endif
