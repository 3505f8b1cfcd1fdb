/* measure_fill.c -- insert random keys until the first failure.  The slow version of the
 * kernel for a complete search is the insertion rule itself (tests/unit/test_complete.c). */
#include "measure.h"

#include <stdlib.h>

#include "complete.h"
#include "measure_filler.h"
#include "measure_state.h"
#include "stop.h"

/* A complete search has a kernel of its own, which finds the same key. */
struct state {
    void *fill; /* struct filler, NULL where only the kernel is needed */
    struct complete complete;
};

static int is_complete(const struct fill_setting *setting)
{
    return setting->rule->insert == insert_breadth &&
           setting->rule->max_slots == INSERT_UNLIMITED &&
           setting->rule->max_moves == INSERT_UNLIMITED;
}

static int insert_until_failure(const struct fill_setting *setting, struct state *state,
                                uint64_t trial, uint64_t *placed)
{
    struct filler *fill = state->fill;

    filler_reset(fill, setting->seed, trial);
    while (!stop_signal() && filler_add(fill) == INSERT_PLACED)
        ;
    if (stop_signal())
        return ERR_STOPPED;
    /* A walk that gives up has put the new key in and left another without a nest:
     * the number of stored keys is that before it, whichever rule failed. */
    *placed = fill->table.stored;
    return fill->inserter.memory_failed ? ERR_MEMORY : ERR_NONE;
}

static int run_trial(const struct fill_setting *setting, struct state *state, uint64_t trial,
                     uint64_t *placed)
{
    const struct scheme *scheme = &setting->scheme;
    int code = ERR_NONE;

    if (is_complete(setting)) {
        code = complete_first_failure(
            &state->complete, scheme_stream(scheme, setting->seed, 0, trial, STREAM_HASH),
            scheme_stream(scheme, setting->seed, 0, trial, STREAM_KEYS), placed);
        if (code != ERR_NUMERIC)
            return code;
        /* Paths of 65,534 moves: then the search itself, in a table made for it. */
        code = ERR_NONE;
        if (state->fill == NULL)
            code = filler_open(scheme, setting->rule, &state->fill);
    }
    return code == ERR_NONE ? insert_until_failure(setting, state, trial, placed) : code;
}

static int run_block(const void *pointer, void *opened, uint64_t first, uint64_t count,
                     uint64_t *tally)
{
    const struct fill_setting *setting = pointer;
    int code = ERR_NONE;

    for (uint64_t trial = first; trial < first + count && code == ERR_NONE; trial++)
        code = run_trial(setting, opened, trial, &tally[trial]);
    return code;
}

static int open_state(const void *pointer, void **opened)
{
    const struct fill_setting *setting = pointer;
    struct state *state = calloc(1, sizeof *state);

    *opened = state;
    if (state == NULL)
        return ERR_MEMORY;
    if (is_complete(setting)) {
        int code = complete_init(&state->complete, &setting->scheme);
        state->complete.stop = stop_signal;
        return code;
    }
    return filler_open(&setting->scheme, setting->rule, &state->fill);
}

static void close_state(void *pointer)
{
    struct state *state = pointer;

    if (state->fill != NULL)
        filler_close(state->fill);
    complete_free(&state->complete);
    free(state);
}

void fill_work(struct fill_setting *setting, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .block = filler_block(&setting->scheme),
        .adds = setting->trials,
        .state_bytes = is_complete(setting) ? complete_bytes(&setting->scheme)
                                            : filler_bytes(&setting->scheme, setting->rule),
        .open = open_state,
        .close = close_state,
        .run_block = run_block,
        .rows = 1,
        .done = &setting->trials,
    };
}
