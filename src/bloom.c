/* bloom.c -- see bloom.h. */
#include "bloom.h"

#include <stdlib.h>
#include <string.h>

static uint32_t position(uint64_t item, uint64_t seed, unsigned function, uint32_t range)
{
    return hash_reduce(hash_mix(item ^ hash_mix(seed + (function + 1) * HASH_GAMMA)), range);
}

static size_t words(const struct bloom *self)
{
    return (size_t)self->bits / 64 + 1;
}

int bloom_init(struct bloom *self, uint32_t bits, unsigned functions)
{
    memset(self, 0, sizeof *self);
    if (bits < 1 || functions < 1)
        return ERR_DOMAIN;
    self->bits = bits;
    self->functions = functions;
    self->word = malloc(words(self) * sizeof *self->word);
    return self->word != NULL ? ERR_NONE : ERR_MEMORY;
}

void bloom_free(struct bloom *self)
{
    free(self->word);
    memset(self, 0, sizeof *self);
}

void bloom_reset(struct bloom *self, uint64_t hash_stream)
{
    self->seed = hash_stream;
    memset(self->word, 0, words(self) * sizeof *self->word);
}

void bloom_add(struct bloom *self, uint64_t item)
{
    for (unsigned j = 0; j < self->functions; j++) {
        uint32_t bit = position(item, self->seed, j, self->bits);
        self->word[bit / 64] |= UINT64_C(1) << (bit % 64);
    }
}

int bloom_contains(const struct bloom *self, uint64_t item)
{
    for (unsigned j = 0; j < self->functions; j++) {
        uint32_t bit = position(item, self->seed, j, self->bits);
        if (!(self->word[bit / 64] >> (bit % 64) & 1))
            return 0;
    }
    return 1;
}

uint64_t bloom_set(const struct bloom *self)
{
    uint64_t set = 0;

    for (uint32_t bit = 0; bit < self->bits; bit++)
        set += self->word[bit / 64] >> (bit % 64) & 1;
    return set;
}

int sketch_init(struct sketch *self, uint32_t width, unsigned rows)
{
    memset(self, 0, sizeof *self);
    if (width < 1 || rows < 1)
        return ERR_DOMAIN;
    self->width = width;
    self->rows = rows;
    self->counter = malloc((size_t)width * rows * sizeof *self->counter);
    return self->counter != NULL ? ERR_NONE : ERR_MEMORY;
}

void sketch_free(struct sketch *self)
{
    free(self->counter);
    memset(self, 0, sizeof *self);
}

void sketch_reset(struct sketch *self, uint64_t hash_stream)
{
    self->seed = hash_stream;
    memset(self->counter, 0, (size_t)self->width * self->rows * sizeof *self->counter);
}

static uint16_t *counter_of(const struct sketch *self, uint64_t item, unsigned row)
{
    return &self->counter[(size_t)row * self->width + position(item, self->seed, row, self->width)];
}

void sketch_add(struct sketch *self, uint64_t item)
{
    for (unsigned row = 0; row < self->rows; row++) {
        uint16_t *counter = counter_of(self, item, row);
        if (*counter < UINT16_MAX)
            (*counter)++;
    }
}

uint32_t sketch_count(const struct sketch *self, uint64_t item)
{
    uint32_t least = UINT32_MAX;

    for (unsigned row = 0; row < self->rows; row++) {
        uint32_t count = *counter_of(self, item, row);
        if (count < least)
            least = count;
    }
    return least;
}
