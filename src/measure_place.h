/* measure_place.h -- the measure fail for keys that are given, by insertion; internal to
 * measure_fail.c, which knows faster ways for random keys. */
#ifndef CUCKOO_MEASURE_PLACE_H
#define CUCKOO_MEASURE_PLACE_H

#include "measure.h"

uint64_t place_bytes(const struct fail_setting *setting);
int place_open(const void *setting, void **state);
void place_close(void *state);
int place_run_block(const void *setting, void *state, uint64_t first, uint64_t count,
                    uint64_t *tally);

#endif
