/* pool.h -- the threads of one process at work on consecutive blocks of trials.
 *
 * Blocks end in any order; what counts is the prefix without a gap.  Blocks beyond a gap
 * wait beside it, joined with their neighbours, so that at most one for each thread waits
 * (with a stopping rule, which has to see each block by itself, a few more). */
#ifndef CUCKOO_POOL_H
#define CUCKOO_POOL_H

#include "tally.h"

/* Called with the lock held whenever blocks were finished: `done` trials in this call,
 * `tally` as far as there is no gap. */
struct pool_watch {
    void (*finished)(void *context, const struct tally *tally, uint64_t done);
    int (*stop)(void *context); /* nonzero: start no further block */
    void *context;
};

/* Run trials tally->end ... end - 1 and join them to `tally`.  After a stop (by the watch or
 * by work->stop_failures) tally->end is less than `end`.  Returns 0 or the first negative
 * code of a block; then `tally` is still a prefix. */
int pool_run(const struct trials_work *work, int threads, uint64_t end, struct tally *tally,
             const struct pool_watch *watch);

/* True once the stopping rule of `work` holds for the tally. */
int pool_satisfied(const struct trials_work *work, const struct tally *tally);

#endif
