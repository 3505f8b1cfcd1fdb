/* measure_state.c -- see measure_state.h. */
#include "measure_state.h"

#include <stdlib.h>

int fill_state_open(const struct scheme *scheme, const struct insert_rule *rule, void **opened)
{
    struct fill_state *state = calloc(1, sizeof *state);

    *opened = state;
    if (state == NULL)
        return ERR_MEMORY;
    int code = table_init(&state->table, scheme);
    if (code == ERR_NONE)
        code = inserter_init(&state->inserter, &state->table, rule);
    return code;
}

void fill_state_close(void *opened)
{
    struct fill_state *state = opened;

    inserter_free(&state->inserter);
    table_free(&state->table);
    free(state);
}

void fill_state_reset(struct fill_state *self, uint64_t seed, uint64_t trial, struct rng *keys)
{
    const struct scheme *scheme = self->table.scheme;

    inserter_reset(&self->inserter, scheme_stream(scheme, seed, 0, trial, STREAM_HASH),
                   scheme_stream(scheme, seed, 0, trial, STREAM_SEARCH));
    rng_init(keys, scheme_stream(scheme, seed, 0, trial, STREAM_KEYS));
}
