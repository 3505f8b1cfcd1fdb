/* measure_live.h -- trials of live.h: tables with readers beside a writer. */
#ifndef CUCKOO_MEASURE_LIVE_H
#define CUCKOO_MEASURE_LIVE_H

#include "live.h"
#include "trials.h"

struct live_trials {
    struct live_setting live;
    uint64_t seed, trials;
    const char *label;
};

/* The tally's cells are those of enum live_cell.  The keys and the functions of a trial are
 * the same for every protocol, search and number of readers; the schedule is drawn anew. */
void live_work(struct live_trials *setting, struct trials_work *work);

#endif
