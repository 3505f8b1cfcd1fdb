/* trials.h -- run many independent trials and add up their integer tallies.
 *
 * A trial is a function of its number.  A block of consecutive trials runs on one
 * thread with one state (tables, buffers) and writes into that thread's tally.  A tally
 * is an array of uint64_t cells: the first `adds` are summed over the trials, the next
 * `maxes` maximised.  Both are commutative, so the result does not depend on how the
 * blocks are spread over threads, processes or machines.  A value a trial (the load at
 * its first failure, say) is a cell of its own among the sums. */
#ifndef CUCKOO_TRIALS_H
#define CUCKOO_TRIALS_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "options.h"

struct trials_work {
    const char *label;   /* for the progress line: "e4 m=1000" */
    const void *setting; /* handed to the functions below, read only */
    uint64_t trials;
    uint64_t block; /* trials a block; at least 1 */
    size_t adds, maxes;
    uint64_t state_bytes; /* of one thread's state, for the memory budget */
    /* A thread's state.  open may fail with ERR_MEMORY after a partial init: close is
     * called in every case. */
    int (*open)(const void *setting, void **state);
    void (*close)(void *state);
    /* Trials [first, first + count).  Returns 0 or a negative code; ERR_STOPPED where a long
     * trial met stop_signal() and gave up: then the block is as if it had not been begun. */
    int (*run_block)(const void *setting, void *state, uint64_t first, uint64_t count,
                     uint64_t *tally);
    /* Of the sums, the last rows * trials are values a trial: row r of trial t is cell
     * adds - rows * trials + r * trials + t, and trial t alone writes it. */
    size_t rows;
    /* Where to put the number of trials that the tally holds, if it can be less than
     * `trials` (a signal, a stopping rule, a shard): usually the setting's own, so that
     * what is printed next says so.  NULL: less than all is ERR_STOPPED. */
    uint64_t *done;
    /* Failures in a tally, for progress and the stopping rule; NULL: not counted. */
    uint64_t (*failures)(const void *setting, const uint64_t *tally);
    /* Stop after the shortest prefix of trials with so many failures (rows is 0); 0: never. */
    uint64_t stop_failures;
    /* Of what the trials depend on beside the options, such as a file of keys. */
    uint64_t fingerprint;
    uint64_t first; /* number of the first trial (rows is 0 where it is not 0) */
};

/* Cells for `values` a trial and some others: SIZE_MAX, which trials_run refuses, where no
 * address can hold them. */
static inline size_t trials_cells(uint64_t values, uint64_t trials, size_t others)
{
    uint64_t most = (SIZE_MAX - others) / values;

    return trials <= most ? (size_t)(values * trials) + others : SIZE_MAX;
}

/* Run all trials; *tally is allocated here (work->adds + work->maxes cells, or with rows of
 * *work->done cells where that is less than work->trials) and freed by the caller, also
 * after a failure, when it may be NULL.
 * Threads: options->threads, fewer where the memory budget (options->memory, or half of
 * what is free) or the number of blocks asks for it.  options->session adds what was
 * finished before (a checkpoint), or limits the work to a shard.
 * ERR_USAGE: one state does not fit into the budget.  ERR_STOPPED: a signal came before a
 * block was done, or in an earlier call.  ERR_MEMORY, or what run_block returned. */
int trials_run(const struct trials_work *work, const struct options *options, uint64_t **tally,
               struct error *err);

/* The memory that may be used, in bytes: --memory, or half of what is free. */
uint64_t trials_memory(const struct options *options);

#endif
