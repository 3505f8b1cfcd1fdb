/* measure_fail.c -- draw a cuckoo graph, find S; run an insertion rule on the same keys. */
#include "measure.h"

#include <stdlib.h>

#include "graph.h"

#define EDGES_A_BLOCK 2000000 /* work of a block: some milliseconds */

struct state {
    struct graph graph;
    struct table table;
    struct inserter inserter;
};

uint64_t ratio_floor(struct ratio self, uint64_t value)
{
    return value * self.num / self.den;
}

uint64_t ratio_ceil(struct ratio self, uint64_t value)
{
    return (value * self.num + self.den - 1) / self.den;
}

static int open_state(const void *pointer, void **opened)
{
    const struct fail_setting *setting = pointer;
    struct state *state = calloc(1, sizeof *state);
    int code = ERR_MEMORY;

    *opened = state;
    if (state == NULL)
        return code;
    code = graph_init(&state->graph, &setting->scheme, setting->keys);
    if (code != ERR_NONE || setting->rule == NULL)
        return code;
    code = table_init(&state->table, &setting->scheme);
    if (code == ERR_NONE)
        code = inserter_init(&state->inserter, &state->table, setting->rule);
    return code;
}

static void close_state(void *pointer)
{
    struct state *state = pointer;

    graph_free(&state->graph);
    inserter_free(&state->inserter);
    table_free(&state->table);
    free(state);
}

static uint64_t stream(const struct fail_setting *setting, uint64_t trial, enum stream_use use)
{
    return scheme_stream(&setting->scheme, setting->seed, setting->keys, trial, use);
}

/* Keys that the rule leaves without a nest. */
static uint64_t rule_stash(const struct fail_setting *setting, struct state *state, uint64_t trial)
{
    struct rng keys;
    uint64_t stashed = 0;

    inserter_reset(&state->inserter, stream(setting, trial, STREAM_HASH),
                   stream(setting, trial, STREAM_SEARCH));
    rng_init(&keys, stream(setting, trial, STREAM_KEYS));
    for (uint64_t i = 0; i < setting->keys; i++)
        stashed += inserter_add(&state->inserter, rng_next(&keys)) != INSERT_PLACED;
    return stashed;
}

static int run_block(const void *pointer, void *opened, uint64_t first, uint64_t count,
                     uint64_t *tally)
{
    const struct fail_setting *setting = pointer;
    struct state *state = opened;

    for (uint64_t trial = first; trial < first + count; trial++) {
        struct hasher hasher;
        hasher_init_for(&hasher, &setting->scheme, stream(setting, trial, STREAM_HASH));
        graph_draw(&state->graph, stream(setting, trial, STREAM_KEYS), &hasher, setting->keys);
        uint64_t stash = graph_stash(&state->graph);
        tally[FAIL_STASH + (stash < FAIL_STASH_CELLS ? stash : FAIL_STASH_CELLS - 1)]++;
        if (setting->rule == NULL)
            continue;
        stash = rule_stash(setting, state, trial);
        if (state->inserter.memory_failed)
            return ERR_MEMORY;
        tally[FAIL_RULE_STASH + (stash < FAIL_STASH_CELLS ? stash : FAIL_STASH_CELLS - 1)]++;
    }
    return ERR_NONE;
}

void fail_work(const struct fail_setting *setting, struct trials_work *work)
{
    uint64_t bytes = graph_bytes(&setting->scheme, setting->keys);

    if (setting->rule != NULL)
        bytes += table_bytes(&setting->scheme) + inserter_bytes(&setting->scheme);
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .block = 1 + EDGES_A_BLOCK / (setting->keys + 64),
        .adds = FAIL_ADDS,
        .state_bytes = bytes,
        .open = open_state,
        .close = close_state,
        .run_block = run_block,
    };
}
