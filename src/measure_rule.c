/* measure_rule.c -- see measure_rule.h. */
#include "measure_rule.h"

#include <stdlib.h>

#define KEYS_A_BLOCK 200000

struct state {
    struct table table;
    struct inserter inserter, complete;
};

size_t rule_cell(const struct rule_setting *setting, unsigned value)
{
    return (size_t)(value * setting->trials);
}

size_t rule_histogram(const struct rule_setting *setting)
{
    return rule_cell(setting, RULE_VALUES);
}

static int open_state(const void *pointer, void **opened)
{
    const struct rule_setting *setting = pointer;
    struct state *state = calloc(1, sizeof *state);

    *opened = state;
    if (state == NULL)
        return ERR_MEMORY;
    int code = table_init(&state->table, &setting->scheme);
    if (code == ERR_NONE)
        code = inserter_init(&state->inserter, &state->table, &setting->rule);
    if (code == ERR_NONE)
        code = inserter_init(&state->complete, &state->table, &insert_rule_complete);
    return code;
}

static void close_state(void *opened)
{
    struct state *state = opened;

    inserter_free(&state->inserter);
    inserter_free(&state->complete);
    table_free(&state->table);
    free(state);
}

/* Keys that are in their first candidate, a bucket or a window. */
static uint64_t primary(const struct table *table)
{
    uint64_t count = 0;

    for (uint32_t b = 0; b < table->scheme->buckets; b++)
        for (unsigned s = 0; s < table->used[b]; s++) {
            uint32_t bucket[SCHEME_D_MAX];
            table_candidates(table, *table_slot(table, b, s), bucket);
            count += b >= bucket[0] && b - bucket[0] < table->scheme->window;
        }
    return count;
}

static int run_trial(const struct rule_setting *setting, struct state *state, uint64_t trial,
                     uint64_t *tally)
{
    struct table *table = &state->table;
    const struct insert_cost *cost = &state->inserter.cost;
    uint64_t kicks = 0, moves = 0, buckets = 0, *paths = tally + rule_histogram(setting);
    size_t load = 0;
    struct rng keys;

#define CELL(value) tally[rule_cell(setting, value) + trial]
    inserter_reset(
        &state->inserter,
        scheme_stream(&setting->scheme, setting->seed, setting->keys, trial, STREAM_HASH),
        scheme_stream(&setting->scheme, setting->seed, setting->keys, trial, STREAM_SEARCH));
    rng_init(&keys,
             scheme_stream(&setting->scheme, setting->seed, setting->keys, trial, STREAM_KEYS));
    while (setting->keys == 0 || table->stored < setting->keys) {
        if (inserter_add(&state->inserter, rng_next(&keys)) != INSERT_PLACED) {
            CELL(RULE_FAILED) = 1;
            break;
        }
        uint32_t path = cost->kicks + cost->moves;
        paths[path < RULE_PATHS ? path : RULE_PATHS - 1]++;
        kicks += cost->kicks;
        moves += cost->moves;
        buckets += cost->buckets_read;
        if (load < setting->n_loads && table->stored == setting->loads[load])
            CELL(RULE_AT_LOAD + (unsigned)load++) = primary(table);
    }
    CELL(RULE_STORED) = table->stored;
    CELL(RULE_KICKS) = kicks;
    CELL(RULE_MOVES) = moves;
    CELL(RULE_BUCKETS) = buckets;
    CELL(RULE_PRIMARY) = primary(table);
    if (state->inserter.memory_failed)
        return ERR_MEMORY;
    int code = table_verify(table);
    if (code == ERR_NONE && CELL(RULE_FAILED)) {
        CELL(RULE_EXISTED) = inserter_add(&state->complete, cost->nestless) == INSERT_PLACED;
        code = state->complete.memory_failed ? ERR_MEMORY : table_verify(table);
    }
#undef CELL
    return code;
}

static int run_block(const void *pointer, void *opened, uint64_t first, uint64_t count,
                     uint64_t *tally)
{
    int code = ERR_NONE;

    for (uint64_t trial = first; trial < first + count && code == ERR_NONE; trial++)
        code = run_trial(pointer, opened, trial, tally);
    return code;
}

void rule_work(const struct rule_setting *setting, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .block = 1 + KEYS_A_BLOCK / (setting->scheme.slots + 64),
        .adds = trials_cells(RULE_VALUES, setting->trials, RULE_PATHS),
        .state_bytes = table_bytes(&setting->scheme) + 2 * inserter_bytes(&setting->scheme),
        .open = open_state,
        .close = close_state,
        .run_block = run_block,
    };
}
