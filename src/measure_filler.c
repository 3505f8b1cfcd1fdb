/* measure_filler.c -- see measure_filler.h. */
#include "measure_filler.h"

#include <stdlib.h>

int filler_open(const struct scheme *scheme, const struct insert_rule *rule, void **opened)
{
    struct filler *state = calloc(1, sizeof *state);
    int code;

    *opened = state;
    if (state == NULL)
        return ERR_MEMORY;
    state->pair_insert = pair_rule(scheme, rule);
    if (state->pair_insert != NULL) {
        code = table_init_counts(&state->table, scheme);
        state->other = malloc((size_t)(scheme->slots * sizeof *state->other));
        if (state->other == NULL)
            code = ERR_MEMORY;
    } else {
        code = table_init(&state->table, scheme);
    }
    return code == ERR_NONE ? inserter_init(&state->inserter, &state->table, rule) : code;
}

void filler_close(void *opened)
{
    struct filler *state = opened;

    inserter_free(&state->inserter);
    table_free(&state->table);
    free(state->other);
    free(state->set);
    free(state);
}

uint64_t filler_bytes(const struct scheme *scheme, const struct insert_rule *rule)
{
    uint64_t table = pair_rule(scheme, rule) != NULL
                         ? scheme->slots * sizeof(uint32_t) + scheme->buckets
                         : table_bytes(scheme);

    return sizeof(struct filler) + table + inserter_bytes_of(scheme, rule);
}

uint64_t filler_block(const struct scheme *scheme)
{
    return 1 + (UINT64_C(1) << 16) / scheme->slots;
}

uint64_t filler_offer_bytes(const struct offered *offered, uint64_t keys)
{
    return offered->key == NULL && offered->keyset != NULL ? keys * sizeof(uint64_t) : 0;
}

int filler_offer(struct filler *self, const struct offered *offered, uint64_t keys)
{
    if (offered->key == NULL && offered->keyset == NULL)
        return ERR_NONE;
    self->offered = offered;
    self->set_size = keys;
    if (offered->key == NULL) {
        self->set = malloc((size_t)(keys * sizeof *self->set));
        if (self->set == NULL && keys > 0)
            return ERR_MEMORY;
    }
    return ERR_NONE;
}

static uint64_t next_key(struct filler *self)
{
    if (self->offered == NULL)
        return rng_next(&self->keys);
    uint64_t i = self->drawn++;
    if (i >= self->set_size)
        return 0; /* the ring runs ahead of the last key */
    return self->offered->key != NULL ? self->offered->key[i] : self->set[i];
}

/* Draw a key into the ring and ask for what it will need. */
static void draw(struct filler *self, unsigned at)
{
    uint64_t key = next_key(self);

    self->ahead[at] = key;
    if (self->pair_insert != NULL) {
        table_candidates_d(&self->table, 2, key, self->ahead_bucket[at]);
        pair_prefetch(&self->inserter, self->other, self->ahead_bucket[at]);
    } else {
        inserter_prefetch(&self->inserter, key);
    }
}

void filler_reset(struct filler *self, uint64_t seed, uint64_t trial)
{
    const struct scheme *scheme = self->table.scheme;

    inserter_reset(&self->inserter, scheme_stream(scheme, seed, 0, trial, STREAM_HASH),
                   scheme_stream(scheme, seed, 0, trial, STREAM_SEARCH));
    uint64_t stream = scheme_stream(scheme, seed, 0, trial, STREAM_KEYS);
    rng_init(&self->keys, stream);
    if (self->set != NULL)
        keyset_fill(self->offered->keyset, stream, self->set);
    self->next = 0;
    self->drawn = 0;
    for (unsigned i = 0; i < KEYS_AHEAD; i++)
        draw(self, i);
}

enum insert_outcome filler_add(struct filler *self)
{
    unsigned at = self->next;
    enum insert_outcome outcome;

    self->next = (at + 1) % KEYS_AHEAD;
    if (self->pair_insert != NULL) {
        outcome = self->pair_insert(&self->inserter, self->other, self->ahead_bucket[at]);
    } else {
        outcome = inserter_add(&self->inserter, self->ahead[at]);
    }
    draw(self, at);
    return outcome;
}
