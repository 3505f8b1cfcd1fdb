/* measure_fill.c -- insert random keys until the first failure. */
#include "measure.h"

#include <stdlib.h>

#include "measure_state.h"

static int run_block(const void *pointer, void *opened, uint64_t first, uint64_t count,
                     uint64_t *tally)
{
    const struct fill_setting *setting = pointer;
    struct fill_state *state = opened;

    for (uint64_t trial = first; trial < first + count; trial++) {
        struct rng keys;
        fill_state_reset(state, setting->seed, trial, &keys);
        while (inserter_add(&state->inserter, rng_next(&keys)) == INSERT_PLACED)
            ;
        if (state->inserter.memory_failed)
            return ERR_MEMORY;
        /* A walk that gives up has put the new key in and left another without a nest:
         * the number of stored keys is that before it, whichever rule failed. */
        tally[trial] = state->table.stored;
    }
    return ERR_NONE;
}

static int open_state(const void *pointer, void **opened)
{
    const struct fill_setting *setting = pointer;

    return fill_state_open(&setting->scheme, setting->rule, opened);
}

void fill_work(const struct fill_setting *setting, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .block = 1,
        .adds = setting->trials,
        .state_bytes = fill_state_bytes(&setting->scheme),
        .open = open_state,
        .close = fill_state_close,
        .run_block = run_block,
    };
}
