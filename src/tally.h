/* tally.h -- the tally of a range of consecutive trials, apart from the cells of others.
 *
 * A work's cells are its sums, its rows (a value a trial) and its maxima.  Here the sums
 * and maxima are one array, `common`, and the rows another with a column for each trial of
 * the range, so that blocks can be joined and written down without touching cells of
 * trials that are not theirs. */
#ifndef CUCKOO_TALLY_H
#define CUCKOO_TALLY_H

#include "trials.h"

struct tally {
    uint64_t first, end; /* trials first ... end - 1 are in it, without a gap */
    uint64_t limit;      /* room in the rows: up to this trial */
    size_t sums, maxes, rows;
    uint64_t *common; /* sums + maxes cells */
    uint64_t *row;    /* rows x (limit - first) */
};

/* a + b, or 2^64-1 where that is more.  Whatever the order of many additions, the end is the
 * sum or 2^64-1: a cell of that value says that the sum is not known (tally_overflows). */
static inline uint64_t tally_add(uint64_t a, uint64_t b)
{
    return a + b >= a ? a + b : UINT64_MAX;
}

/* Empty, for trials first ... limit - 1 of `work`.  ERR_MEMORY; free in every case. */
int tally_init(struct tally *self, const struct trials_work *work, uint64_t first, uint64_t limit);
void tally_free(struct tally *self);

static inline size_t tally_sums(const struct trials_work *work)
{
    return work->adds - work->rows * (size_t)work->trials;
}

static inline size_t tally_common(const struct trials_work *work)
{
    return tally_sums(work) + work->maxes;
}

/* The common cells of a block's cells in the work's own layout, out of `cells` and back to
 * zero there. */
void tally_take_common(const struct trials_work *work, uint64_t *cells, uint64_t *common);

/* Add `sums` counters of one to those of another, and take the greater of the `maxes` behind
 * them.  Zeros are not written. */
void tally_add_common(uint64_t *into, const uint64_t *from, size_t sums, size_t maxes);

/* The rows of trials [first, first + count) out of `cells`. */
void tally_take_rows(struct tally *self, const struct trials_work *work, const uint64_t *cells,
                     uint64_t first, uint64_t count);

/* Is a sum over the trials beyond 2^64-2? */
int tally_overflows(const struct tally *self);

/* Join the common cells of the next `count` trials. */
void tally_join(struct tally *self, const uint64_t *common, uint64_t count);

/* More room (or less, down to `end`) for rows.  ERR_MEMORY leaves it as it was. */
int tally_resize(struct tally *self, uint64_t limit);

/* Cells as trials_run hands them out, with rows of `columns` trials; NULL: no memory. */
uint64_t *tally_export(const struct tally *self, uint64_t columns);

#endif
