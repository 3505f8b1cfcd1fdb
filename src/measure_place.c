/* measure_place.c -- see measure_place.h.
 *
 * A complete search that leaves a key out and goes on with the next places as many keys as
 * any placement does (the sets of keys that can be placed are a matroid), so the keys it
 * leaves out are the smallest stash S.  A rule with limits leaves out S or more; where it
 * leaves out none, S is 0 and the complete search need not run. */
#include "measure_place.h"

#include <stdlib.h>

#include "search.h"

struct state {
    struct table table;
    struct inserter rule, complete; /* both at work on the table, one after the other */
    uint64_t *key;                  /* of this trial, where they are a set by rule */
};

static int has_rule(const struct fail_setting *setting)
{
    return setting->rule != NULL && !search_is_complete(setting->rule);
}

uint64_t place_bytes(const struct fail_setting *setting)
{
    uint64_t keys = setting->keyset != NULL ? setting->keys * sizeof(uint64_t) : 0;

    return keys + table_bytes(&setting->scheme) +
           inserter_bytes_of(&setting->scheme, &insert_rule_complete) +
           (has_rule(setting) ? inserter_bytes_of(&setting->scheme, setting->rule) : 0);
}

int place_open(const void *pointer, void **opened)
{
    const struct fail_setting *setting = pointer;
    struct state *state = calloc(1, sizeof *state);

    *opened = state;
    if (state == NULL)
        return ERR_MEMORY;
    if (setting->keyset != NULL)
        state->key = malloc((size_t)(setting->keys + 1) * sizeof *state->key);
    if (setting->keyset != NULL && state->key == NULL)
        return ERR_MEMORY;
    int code = table_init(&state->table, &setting->scheme);
    if (code == ERR_NONE)
        code = inserter_init(&state->complete, &state->table, &insert_rule_complete);
    if (code == ERR_NONE && has_rule(setting))
        code = inserter_init(&state->rule, &state->table, setting->rule);
    return code;
}

void place_close(void *pointer)
{
    struct state *state = pointer;

    inserter_free(&state->rule);
    inserter_free(&state->complete);
    table_free(&state->table);
    free(state->key);
    free(state);
}

static uint64_t stream(const struct fail_setting *setting, uint64_t trial, enum stream_use use)
{
    return scheme_stream(&setting->scheme, setting->seed, setting->keys, trial, use);
}

/* Keys of the trial that the inserter leaves without a nest. */
static uint64_t left_out(const struct fail_setting *setting, struct inserter *inserter,
                         const uint64_t *key, uint64_t trial)
{
    uint64_t left = 0;

    inserter_reset(inserter, stream(setting, trial, STREAM_HASH),
                   stream(setting, trial, STREAM_SEARCH));
    for (uint64_t i = 0; i < setting->keys; i++)
        left += inserter_add(inserter, key[i]) != INSERT_PLACED;
    return left;
}

static uint64_t cell_of(uint64_t left)
{
    return left < FAIL_STASH_CELLS ? left : FAIL_STASH_CELLS - 1;
}

int place_run_block(const void *pointer, void *opened, uint64_t first, uint64_t count,
                    uint64_t *tally)
{
    const struct fail_setting *setting = pointer;
    struct state *state = opened;

    for (uint64_t trial = first; trial < first + count; trial++) {
        uint64_t least = 0, left = 1;
        const uint64_t *key = setting->key != NULL ? setting->key : state->key;
        if (setting->key == NULL)
            keyset_fill(setting->keyset, stream(setting, trial, STREAM_KEYS), state->key);
        if (has_rule(setting))
            left = left_out(setting, &state->rule, key, trial);
        if (left > 0)
            least = left_out(setting, &state->complete, key, trial);
        if (state->rule.memory_failed || state->complete.memory_failed)
            return ERR_MEMORY;
        tally[FAIL_STASH + cell_of(least)]++;
        tally[FAIL_RULE_STASH + cell_of(has_rule(setting) ? left : least)]++;
    }
    return ERR_NONE;
}
