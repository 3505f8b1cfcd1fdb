/* measure_churn.c -- deletion and insertion at a constant load: see measure_growth.h. */
#include "measure_growth.h"

#include <stdlib.h>

struct state {
    struct growth growth;
    uint64_t *live; /* keys that are there, in any order */
    uint64_t lives;
};

static int open_state(const void *pointer, void **opened)
{
    const struct churn_setting *setting = pointer;
    struct state *state = calloc(1, sizeof *state);

    *opened = state;
    if (state == NULL)
        return ERR_MEMORY;
    state->live = malloc((setting->keys + 1) * sizeof *state->live);
    if (state->live == NULL)
        return ERR_MEMORY;
    return growth_init(&state->growth, &setting->rule, setting->slots);
}

static void close_state(void *opened)
{
    struct state *state = opened;

    growth_free(&state->growth);
    free(state->live);
    free(state);
}

/* Not there any more: out of the list of live keys, wherever it stands. */
static void drop_live(struct state *state, uint64_t key)
{
    for (uint64_t i = 0; i < state->lives; i++)
        if (state->live[i] == key) {
            state->live[i] = state->live[--state->lives];
            return;
        }
}

/* A new table without the dead keys, with the same functions. */
static void compact(struct state *state, uint64_t *cell)
{
    struct growth *growth = &state->growth;

    inserter_reset(&growth->inserter, growth->hash_stream, rng_next(&growth->search));
    cell[CHURN_REBUILDS]++;
    for (uint64_t i = 0; i < state->lives; i++) {
        enum insert_outcome outcome = inserter_add(&growth->inserter, state->live[i]);
        cell[CHURN_WRITES] += growth->inserter.cost.writes;
        cell[CHURN_FAILED] += outcome != INSERT_PLACED;
    }
}

static void insert(const struct churn_setting *setting, struct state *state, uint64_t key,
                   uint64_t *cell)
{
    struct growth *growth = &state->growth;
    enum insert_outcome outcome = inserter_add(&growth->inserter, key);

    cell[CHURN_INSERTIONS]++;
    cell[CHURN_KICKS] += growth->inserter.cost.kicks;
    cell[CHURN_WRITES] += growth->inserter.cost.writes;
    state->live[state->lives++] = key;
    if (outcome == INSERT_PLACED)
        return;
    if (setting->tombstones) {
        compact(state, cell);
    } else {
        drop_live(state, growth->inserter.cost.nestless);
        cell[CHURN_FAILED]++;
    }
}

static uint64_t missing(const struct state *state)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < state->lives; i++)
        count += !growth_contains(&state->growth, state->live[i]);
    return count;
}

static void turn(const struct churn_setting *setting, struct state *state, struct rng *keys,
                 struct rng *choice, uint64_t *cell)
{
    for (uint64_t i = 0; i < setting->keys; i++) {
        /* after a failure the table holds a key less: nothing is deleted then */
        if (state->lives >= setting->keys) {
            uint64_t at = rng_below(choice, (uint32_t)state->lives);
            if (!setting->tombstones)
                growth_remove(&state->growth, state->live[at]);
            state->live[at] = state->live[--state->lives];
        }
        insert(setting, state, rng_next(keys), cell);
    }
    cell[CHURN_MISSING] += missing(state);
}

static int run_block(const void *pointer, void *opened, uint64_t first, uint64_t count,
                     uint64_t *tally)
{
    const struct churn_setting *setting = pointer;
    struct state *state = opened;

    for (uint64_t trial = first; trial < first + count; trial++) {
        const uint64_t words[] = {setting->seed,  setting->rule.k, setting->rule.layout,
                                  setting->slots, setting->keys,   trial};
        uint64_t stream = stream_key(words, 6), ignored[CHURN_CELLS] = {0};
        struct rng keys, choice;
        rng_init(&keys, hash_mix(stream + STREAM_KEYS));
        rng_init(&choice, hash_mix(stream + STREAM_TEST));
        int code = growth_reset(&state->growth, setting->slots, hash_mix(stream + STREAM_HASH),
                                hash_mix(stream + STREAM_SEARCH));
        if (code != ERR_NONE)
            return code;
        state->lives = 0;
        for (uint64_t i = 0; i < setting->keys; i++)
            insert(setting, state, rng_next(&keys),
                   i < setting->keys - setting->keys / 100 ? ignored : tally);
        for (size_t t = 1; t <= CHURN_TURNS; t++)
            turn(setting, state, &keys, &choice, &tally[t * CHURN_CELLS]);
        if (state->growth.inserter.memory_failed)
            return ERR_MEMORY;
    }
    return ERR_NONE;
}

void churn_work(struct churn_setting *setting, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .done = &setting->trials,
        .block = 1,
        .adds = CHURN_CELLS * (CHURN_TURNS + 1),
        .state_bytes = setting->slots * 20 + (1 << 16),
        .open = open_state,
        .close = close_state,
        .run_block = run_block,
    };
}
