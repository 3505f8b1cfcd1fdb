/* measure_fail.c -- draw a cuckoo graph or hypergraph, find S; run an insertion rule on the
 * same keys. */
#include "measure.h"

#include <stdlib.h>

#include "graph.h"
#include "graph_hyper.h"
#include "graph_original.h"
#include "measure_place.h"
#include "stop.h"

#define EDGES_A_BLOCK 2000000 /* work of a block: some milliseconds */

/* Several trials at a time: with the original insertion, whose kernel takes lanes. */
struct state {
    struct graph graph[ORIGINAL_LANES]; /* d = 2, k = 1 */
    struct hyper hyper;                 /* all others */
    struct table table;
    struct inserter inserter;
};

static int is_graph(const struct fail_setting *setting)
{
    return setting->scheme.d == 2 && setting->scheme.k == 1;
}

static int is_original(const struct fail_setting *setting)
{
    return is_graph(setting) && setting->rule != NULL && setting->rule->insert == insert_original;
}

static unsigned lanes_of(const struct fail_setting *setting)
{
    return is_original(setting) ? original_lanes(&setting->scheme) : 1;
}

static int open_state(const void *pointer, void **opened)
{
    const struct fail_setting *setting = pointer;
    struct state *state = calloc(1, sizeof *state);
    int code = ERR_MEMORY;

    *opened = state;
    if (state == NULL)
        return code;
    if (!is_graph(setting))
        code = hyper_init(&state->hyper, &setting->scheme, setting->keys);
    state->hyper.complete.stop = stop_signal;
    for (unsigned i = 0; i < lanes_of(setting) && is_graph(setting); i++) {
        code = graph_init(&state->graph[i], &setting->scheme, setting->keys);
        if (code != ERR_NONE)
            break;
    }
    if (code != ERR_NONE || setting->rule == NULL || is_original(setting))
        return code;
    code = table_init(&state->table, &setting->scheme);
    if (code == ERR_NONE)
        code = inserter_init(&state->inserter, &state->table, setting->rule);
    return code;
}

static void close_state(void *pointer)
{
    struct state *state = pointer;

    for (unsigned i = 0; i < ORIGINAL_LANES; i++)
        graph_free(&state->graph[i]);
    hyper_free(&state->hyper);
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
    for (uint64_t i = 0; i < setting->keys && !stop_signal(); i++)
        stashed += inserter_add(&state->inserter, rng_next(&keys)) != INSERT_PLACED;
    return stashed;
}

static int after_rule(const struct fail_setting *setting, const struct state *state)
{
    if (state->inserter.memory_failed)
        return ERR_MEMORY;
    return setting->rule != NULL && stop_signal() ? ERR_STOPPED : ERR_NONE;
}

static void count_stash(uint64_t *histogram, uint64_t stash)
{
    histogram[stash < FAIL_STASH_CELLS ? stash : FAIL_STASH_CELLS - 1]++;
}

/* `count` trials at once, at most as many as there are lanes. */
static int run_lanes(const struct fail_setting *setting, struct state *state, uint64_t first,
                     unsigned count, uint64_t *tally)
{
    uint64_t stash[ORIGINAL_LANES];

    for (unsigned i = 0; i < count; i++) {
        struct hasher hasher;
        hasher_init_for(&hasher, &setting->scheme, stream(setting, first + i, STREAM_HASH));
        graph_draw(&state->graph[i], stream(setting, first + i, STREAM_KEYS), &hasher,
                   setting->keys);
    }
    if (is_original(setting))
        original_stash(state->graph, count, setting->rule->max_kicks, stash);
    for (unsigned i = 0; i < count; i++) {
        count_stash(&tally[FAIL_STASH], graph_stash(&state->graph[i]));
        if (setting->rule == NULL)
            continue;
        if (!is_original(setting))
            stash[i] = rule_stash(setting, state, first + i);
        count_stash(&tally[FAIL_RULE_STASH], stash[i]);
    }
    return after_rule(setting, state);
}

static int run_hyper(const struct fail_setting *setting, struct state *state, uint64_t trial,
                     uint64_t *tally)
{
    struct hasher hasher;
    uint64_t stash;

    hasher_init_for(&hasher, &setting->scheme, stream(setting, trial, STREAM_HASH));
    hyper_draw(&state->hyper, stream(setting, trial, STREAM_KEYS), &hasher, setting->keys);
    int code = hyper_stash(&state->hyper, &stash);
    if (code != ERR_NONE)
        return code;
    count_stash(&tally[FAIL_STASH], stash);
    if (setting->rule != NULL)
        count_stash(&tally[FAIL_RULE_STASH], rule_stash(setting, state, trial));
    return after_rule(setting, state);
}

static int run_block(const void *pointer, void *opened, uint64_t first, uint64_t count,
                     uint64_t *tally)
{
    const struct fail_setting *setting = pointer;
    unsigned lanes = lanes_of(setting);
    int code = ERR_NONE;

    while (count > 0 && code == ERR_NONE) {
        unsigned now = count < lanes ? (unsigned)count : lanes;
        code = is_graph(setting) ? run_lanes(setting, opened, first, now, tally)
                                 : run_hyper(setting, opened, first, tally);
        first += now;
        count -= now;
    }
    return code;
}

static uint64_t failures(const void *pointer, const uint64_t *tally)
{
    const struct fail_setting *setting = pointer;
    const uint64_t *stash = &tally[setting->rule != NULL ? FAIL_RULE_STASH : FAIL_STASH];
    uint64_t count = 0;

    for (uint64_t s = setting->stash + 1; s < FAIL_STASH_CELLS; s++)
        count += stash[s];
    return count;
}

/* Any scheme and any keys: keys are inserted, one by one. */
static void fail_work_place(struct fail_setting *setting, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .block = 1 + EDGES_A_BLOCK / 8 / (setting->keys + 64),
        .adds = FAIL_ADDS,
        .state_bytes = place_bytes(setting),
        .open = place_open,
        .close = place_close,
        .run_block = place_run_block,
        .done = &setting->trials,
        .failures = failures,
        .fingerprint = setting->fingerprint,
    };
}

void fail_work(struct fail_setting *setting, struct trials_work *work)
{
    if (setting->key != NULL || setting->keyset != NULL) {
        fail_work_place(setting, work);
        return;
    }
    uint64_t bytes = is_graph(setting)
                         ? lanes_of(setting) * graph_bytes(&setting->scheme, setting->keys)
                         : hyper_bytes(&setting->scheme, setting->keys);

    if (setting->rule != NULL && !is_original(setting))
        bytes += table_bytes(&setting->scheme) + inserter_bytes_of(&setting->scheme, setting->rule);
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
        .done = &setting->trials,
        .failures = failures,
    };
}
