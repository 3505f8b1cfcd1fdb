/* measure_state.h -- a table of keys with a rule at work on it, where single insertions are
 * looked at; the measures use measure_filler.h. */
#ifndef CUCKOO_MEASURE_STATE_H
#define CUCKOO_MEASURE_STATE_H

#include "insert.h"

struct fill_state {
    struct table table;
    struct inserter inserter;
};

/* As trials_work's open: *opened is set even where it fails. */
int fill_state_open(const struct scheme *scheme, const struct insert_rule *rule, void **opened);
void fill_state_close(void *opened);

/* An empty table with the functions, choices and keys of this trial; keys are offered
 * until something happens, so their number is no part of the stream. */
void fill_state_reset(struct fill_state *self, uint64_t seed, uint64_t trial, struct rng *keys);

#endif
