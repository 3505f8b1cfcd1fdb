/* measure_live.c -- see measure_live.h. */
#include "measure_live.h"

static int open_state(const void *pointer, void **opened)
{
    const struct live_trials *setting = pointer;
    struct live *live = NULL;
    int code = live_open(&live, &setting->live);

    *opened = live;
    return code;
}

static void close_state(void *opened)
{
    live_close(opened);
}

static int run_block(const void *pointer, void *opened, uint64_t first, uint64_t count,
                     uint64_t *tally)
{
    const struct live_trials *setting = pointer;
    const struct scheme *scheme = &setting->live.scheme;
    uint64_t keys = setting->live.keys;

    for (uint64_t trial = first; trial < first + count; trial++) {
        int code =
            live_run(opened, scheme_stream(scheme, setting->seed, keys, trial, STREAM_HASH),
                     scheme_stream(scheme, setting->seed, keys, trial, STREAM_KEYS),
                     scheme_stream(scheme, setting->seed, keys, trial, STREAM_SEARCH), tally);
        if (code == ERR_NONE)
            code = live_verify(opened);
        if (code != ERR_NONE)
            return code;
    }
    return ERR_NONE;
}

void live_work(struct live_trials *setting, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .done = &setting->trials,
        .block = 1,
        .adds = LIVE_SUMS,
        .maxes = LIVE_CELLS - LIVE_SUMS,
        .state_bytes = live_bytes(&setting->live),
        .open = open_state,
        .close = close_state,
        .run_block = run_block,
    };
}
