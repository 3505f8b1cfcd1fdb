/* measure_filter.h -- trials of cuckoo filters and of their yardsticks.
 *
 * What *_work() describes writes the number of trials that were run into the setting's own.
 *
 * The items of a trial depend on the seed, the number and size of the buckets and the trial,
 * not on the bits of a tag: filters of all tag sizes meet the same items. */
#ifndef CUCKOO_MEASURE_FILTER_H
#define CUCKOO_MEASURE_FILTER_H

#include <stddef.h>
#include <stdint.h>

#include "filter.h"
#include "trials.h"

/* ---- false positives at a ladder of loads ---- */

#define RATE_LOADS_MAX 8

struct rate_setting {
    struct filter_shape shape;
    uint64_t items[RATE_LOADS_MAX]; /* inserted by then, ascending */
    size_t n_loads;
    uint64_t lookups; /* of absent items, a load and trial */
    uint64_t seed, trials;
    const char *label;
};

/* Cells of a load: */
enum rate_cell {
    RATE_REACHED = 0, /* trials that got so far without a victim; the others are in trials */
    RATE_LOOKUPS,
    RATE_POSITIVES,
    RATE_EXACT, /* filter_positives(), added up: of buckets * 2^f a trial reached */
    RATE_CELLS
};

void rate_work(struct rate_setting *setting, struct trials_work *work);

/* ---- until the first victim ---- */

struct load_setting {
    struct filter_shape shape;
    uint64_t lookups; /* of absent items, when the first victim is there */
    uint64_t seed, trials;
    const char *label;
};

/* The sums, then a cell a trial: items stored before the first victim. */
enum load_sum { LOAD_EXACT = 0, LOAD_LOOKUPS, LOAD_POSITIVES, LOAD_SUMS };

void load_work(struct load_setting *setting, struct trials_work *work);

/* ---- a Bloom filter ---- */

struct bloom_setting {
    uint64_t items;
    uint32_t bits;
    unsigned functions;
    uint64_t lookups;
    uint64_t seed, trials;
    const char *label;
};

enum bloom_cell { BLOOM_LOOKUPS = 0, BLOOM_POSITIVES, BLOOM_SET, BLOOM_CELLS };

void bloom_work(struct bloom_setting *setting, struct trials_work *work);

/* ---- what goes wrong ---- */

struct fault_setting {
    struct filter_shape shape;
    uint64_t items;     /* deletions: inserted; copies: tried one after the other */
    uint64_t deletions; /* of items that were never inserted */
    uint64_t seed, trials;
    const char *label;
};

enum deletion_cell {
    DELETION_ITEMS = 0, /* inserted */
    DELETION_TRIED,
    DELETION_REMOVED, /* deletions that found a fingerprint */
    DELETION_MISSING, /* inserted items that are not found afterwards */
    DELETION_CELLS
};

void deletion_work(struct fault_setting *setting, struct trials_work *work);

/* Copies of one item in an empty filter until the first victim: for items whose buckets
 * differ, then for those whose buckets coincide, a histogram over the copies held. */
#define COPIES_CELLS (2 * FILTER_SLOT_MAX + 2)

void copies_work(struct fault_setting *setting, struct trials_work *work);

enum victim_cell {
    VICTIM_ITEMS = 0, /* offered up to the first victim, that one included */
    VICTIM_MISSING,   /* of them not found, with the victim looked at */
    VICTIM_LOST,      /* of them not found when the tag left over is dropped */
    VICTIM_RECENT,    /* trials in which the item not found then is the last one */
    VICTIM_DELETIONS, /* of random items, until the victim has found a slot */
    VICTIM_CELLS
};

void victim_work(struct fault_setting *setting, struct trials_work *work);

/* ---- counts of a stream ---- */

struct stream_setting {
    struct filter_shape shape; /* counting */
    uint32_t sketch_width;
    unsigned sketch_rows;
    uint32_t ranks;  /* different items; rank r has weight floor(STREAM_WEIGHT / r) */
    uint64_t length; /* of the stream */
    uint64_t seed, trials;
    const char *label;
};

#define STREAM_WEIGHT (UINT32_C(1) << 24)

enum stream_structure { STREAM_FILTER = 0, STREAM_SKETCH, STREAM_STRUCTURES };
enum stream_cell {
    STREAM_SEEN = 0, /* different items that came */
    STREAM_EXACT,    /* of them estimated exactly */
    STREAM_OVER,     /* estimated too high */
    STREAM_UNDER,    /* too low, those not found included */
    STREAM_ERROR,    /* sum of |estimate - count| */
    STREAM_TOP,      /* the same over the 100 first ranks */
    STREAM_REFUSED,  /* insertions refused, a victim being there */
    STREAM_CELLS
};

/* STREAM_CELLS sums for each structure, then the greatest error of each. */
void stream_work(struct stream_setting *setting, struct trials_work *work);

#endif
