/* keyset.c -- see keyset.h. */
#include "keyset.h"

static const char *const names[KEYSET_COUNT] = {"random", "interval", "progression", "dense",
                                                "cube"};

const char *keyset_name(enum keyset_kind kind)
{
    return names[kind];
}

uint64_t keyset_universe(const struct keyset *self)
{
    switch (self->kind) {
    case KEYSET_INTERVAL:
        return self->keys;
    case KEYSET_PROGRESSION:
        return (self->keys - 1) * self->step + 1;
    case KEYSET_DENSE:
        return self->universe;
    case KEYSET_CUBE:
        return UINT64_C(1) << (3 * self->bits);
    default:
        return 0;
    }
}

/* Knuth's Algorithm S (The Art of Computer Programming 2, section 3.4.2): each of the values
 * left is taken with probability wanted / left. */
static void fill_dense(const struct keyset *self, struct rng *rng, uint64_t *key)
{
    uint64_t taken = 0;

    for (uint64_t value = 0; taken < self->keys; value++)
        if (rng_below(rng, (uint32_t)(self->universe - value)) < self->keys - taken)
            key[taken++] = value;
}

static void fill_cube(const struct keyset *self, uint64_t *key)
{
    uint64_t n = 0;

    for (uint64_t x = 0; x < self->side; x++)
        for (uint64_t y = 0; y < self->side; y++)
            for (uint64_t z = 0; z < self->side; z++)
                key[n++] = x | (y << self->bits) | (z << (2 * self->bits));
}

void keyset_fill(const struct keyset *self, uint64_t stream, uint64_t *key)
{
    struct rng rng;

    rng_init(&rng, stream);
    if (self->kind == KEYSET_DENSE) {
        fill_dense(self, &rng, key);
        return;
    }
    if (self->kind == KEYSET_CUBE) {
        fill_cube(self, key);
        return;
    }
    for (uint64_t i = 0; i < self->keys; i++)
        key[i] = self->kind == KEYSET_RANDOM     ? rng_next(&rng)
                 : self->kind == KEYSET_INTERVAL ? i
                                                 : i * self->step;
}
