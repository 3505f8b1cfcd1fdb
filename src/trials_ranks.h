/* trials_ranks.h -- pool_run over the ranks of an MPI job; internal to trials.c. */
#ifndef CUCKOO_TRIALS_RANKS_H
#define CUCKOO_TRIALS_RANKS_H

#include "pool.h"

/* As pool_run; afterwards every rank holds the same tally.  Rank 0 alone calls the watch's
 * finished(). */
int trials_run_ranks(const struct trials_work *work, int threads, uint64_t end, struct tally *tally,
                     const struct pool_watch *watch);

#endif
