/* measure_filter_state.h -- what the measures of filters share; internal to
 * measure_filter*.c. */
#ifndef CUCKOO_MEASURE_FILTER_STATE_H
#define CUCKOO_MEASURE_FILTER_STATE_H

#include "filter.h"

uint64_t filter_stream(const struct filter_shape *shape, uint64_t seed, uint64_t trial,
                       enum stream_use use);

/* An empty filter with the functions and choices of this trial; its items, and items that
 * are never inserted. */
void filter_begin(struct filter *filter, uint64_t seed, uint64_t trial, struct rng *items,
                  struct rng *absent);

/* As trials_work's open and close. */
int filter_state_open(const struct filter_shape *shape, void **opened);
void filter_state_close(void *opened);

#endif
