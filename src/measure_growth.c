/* measure_growth.c -- filling with a policy, and one rebuild after a failure: see
 * measure_growth.h.  Streams are those of the first table's scheme. */
#include "measure_growth.h"

#include <stdlib.h>

static uint64_t stream(const struct growth_rule *rule, uint64_t slots, uint64_t seed,
                       uint64_t trial, enum stream_use use)
{
    const uint64_t words[] = {seed, rule->k, rule->layout, slots, trial, use};

    return stream_key(words, sizeof words / sizeof words[0]);
}

static int open_growth(const struct growth_rule *rule, uint64_t slots, void **opened)
{
    struct growth *growth = calloc(1, sizeof *growth);

    *opened = growth;
    return growth != NULL ? growth_init(growth, rule, slots) : ERR_MEMORY;
}

static void close_growth(void *opened)
{
    growth_free(opened);
    free(opened);
}

static int begin(struct growth *growth, uint64_t slots, uint64_t seed, uint64_t trial,
                 struct rng *keys)
{
    rng_init(keys, stream(growth->rule, slots, seed, trial, STREAM_KEYS));
    return growth_reset(growth, slots, stream(growth->rule, slots, seed, trial, STREAM_HASH),
                        stream(growth->rule, slots, seed, trial, STREAM_SEARCH));
}

static uint64_t state_bytes(uint64_t slots, uint64_t keys, int doubles)
{
    /* a table that doubles ends below four times its keys, or twice its first size */
    uint64_t most = doubles && 4 * keys > slots ? 4 * keys : slots;

    return most * 10 + keys * 16 + (1 << 16);
}

/* ---- policies ---- */

static int open_policy(const void *pointer, void **opened)
{
    const struct policy_setting *setting = pointer;

    return open_growth(&setting->rule, setting->slots, opened);
}

static void raise(uint64_t *most, uint64_t value)
{
    if (value > *most)
        *most = value;
}

static int run_policy(const void *pointer, void *opened, uint64_t first, uint64_t count,
                      uint64_t *tally)
{
    const struct policy_setting *setting = pointer;
    struct growth *growth = opened;

    for (uint64_t trial = first; trial < first + count; trial++) {
        struct rng keys;
        int placed = 1;
        int code = begin(growth, setting->slots, setting->seed, trial, &keys);
        for (uint64_t i = 0; i < setting->keys && code == ERR_NONE && placed; i++) {
            code = growth_add(growth, rng_next(&keys), &placed);
            raise(&tally[POLICY_LARGEST], growth->last_writes);
            raise(&tally[POLICY_MOST_STASHED], growth->stashed);
        }
        if (code != ERR_NONE)
            return code;
        tally[POLICY_WRITES] += growth->writes;
        tally[POLICY_REBUILDS] += growth->rebuilds;
        tally[POLICY_ATTEMPTS] += growth->attempts;
        tally[POLICY_STASHED] += growth->stashed;
        tally[POLICY_STASHES] += growth->stashed > 0;
        tally[POLICY_LOST] += !placed;
        tally[POLICY_SLOTS] += growth->scheme.slots;
    }
    return ERR_NONE;
}

void policy_work(struct policy_setting *setting, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .done = &setting->trials,
        .block = 1 + 100000 / (setting->keys + 1),
        .adds = POLICY_SUMS,
        .maxes = POLICY_CELLS - POLICY_SUMS,
        .state_bytes = state_bytes(setting->slots, setting->keys, setting->rule.doubles),
        .open = open_policy,
        .close = close_growth,
        .run_block = run_policy,
    };
}

/* ---- one rebuild ---- */

/* With the complete search beside it: is there a placement at all? */
struct rebuild_state {
    void *growth;
    struct table table;
    struct inserter complete;
    struct scheme scheme;
};

static int open_rebuild(const void *pointer, void **opened)
{
    const struct rebuild_setting *setting = pointer;
    struct rebuild_state *state = calloc(1, sizeof *state);

    *opened = state;
    if (state == NULL)
        return ERR_MEMORY;
    int code = open_growth(&setting->rule, setting->slots, &state->growth);
    if (code == ERR_NONE)
        code = scheme_init(&state->scheme, 2, setting->rule.k, setting->rule.layout,
                           POSITIONS_REPEAT, setting->slots);
    if (code == ERR_NONE)
        code = table_init(&state->table, &state->scheme);
    if (code == ERR_NONE)
        code = inserter_init(&state->complete, &state->table, &insert_rule_complete);
    return code;
}

static void close_rebuild(void *opened)
{
    struct rebuild_state *state = opened;

    if (state->growth != NULL)
        close_growth(state->growth);
    inserter_free(&state->complete);
    table_free(&state->table);
    free(state);
}

/* 1 if the first `count` keys have a placement with the first functions. */
static int placeable(struct rebuild_state *state, uint64_t hash_stream, uint64_t key_stream,
                     uint64_t count)
{
    struct rng keys;

    inserter_reset(&state->complete, hash_stream, 0);
    rng_init(&keys, key_stream);
    for (uint64_t i = 0; i < count; i++)
        if (inserter_add(&state->complete, rng_next(&keys)) != INSERT_PLACED)
            return 0;
    return 1;
}

static int run_rebuild(const void *pointer, void *opened, uint64_t first, uint64_t count,
                       uint64_t *tally)
{
    const struct rebuild_setting *setting = pointer;
    const struct growth_rule *rule = &setting->rule;
    struct rebuild_state *state = opened;
    struct growth *growth = state->growth;

    for (uint64_t trial = first; trial < first + count; trial++) {
        struct rng keys;
        uint64_t placed_keys = 0;
        int placed;
        int code = begin(growth, setting->slots, setting->seed, trial, &keys);
        if (code != ERR_NONE)
            return code;
        uint64_t hash_stream = growth->hash_stream;
        while (inserter_add(&growth->inserter, rng_next(&keys)) == INSERT_PLACED)
            placed_keys++;
        uint64_t nestless = growth->inserter.cost.nestless;
        code = growth_rebuild(growth, &nestless, 1, rule->doubles, rule->new_functions, &placed);
        if (code != ERR_NONE)
            return code;
        int possible = placeable(state, hash_stream,
                                 stream(rule, setting->slots, setting->seed, trial, STREAM_KEYS),
                                 placed_keys + 1);
        if (growth->inserter.memory_failed || state->complete.memory_failed)
            return ERR_MEMORY;
        tally[REBUILD_KEYS] += placed_keys;
        tally[REBUILD_PLACED] += (uint64_t)placed;
        tally[REBUILD_IMPOSSIBLE] += !possible;
        tally[REBUILD_IMPOSSIBLE_OK] += (uint64_t)(!possible && placed);
    }
    return ERR_NONE;
}

void rebuild_work(struct rebuild_setting *setting, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .done = &setting->trials,
        .block = 1 + 20000 / setting->slots,
        .adds = REBUILD_CELLS,
        .state_bytes = 4 * state_bytes(setting->slots, setting->slots, 0),
        .open = open_rebuild,
        .close = close_rebuild,
        .run_block = run_rebuild,
    };
}
