/* table.c -- see table.h. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 64

static size_t key_bytes(const struct scheme *scheme)
{
    return (scheme->slots * sizeof(uint64_t) + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
}

uint64_t table_bytes(const struct scheme *scheme)
{
    return key_bytes(scheme) + scheme->buckets;
}

int table_init_counts(struct table *self, const struct scheme *scheme)
{
    memset(self, 0, sizeof *self);
    self->scheme = scheme;
    self->used = calloc(scheme->buckets, 1);
    return self->used != NULL ? ERR_NONE : ERR_MEMORY;
}

int table_init(struct table *self, const struct scheme *scheme)
{
    int code = table_init_counts(self, scheme);

    if (code != ERR_NONE)
        return code;
    if (scheme->slots > SIZE_MAX / sizeof(uint64_t) - LINE_BYTES)
        return ERR_MEMORY;
    self->key = aligned_alloc(LINE_BYTES, key_bytes(scheme));
    return self->key != NULL ? ERR_NONE : ERR_MEMORY;
}

void table_free(struct table *self)
{
    free(self->key);
    free(self->used);
    memset(self, 0, sizeof *self);
}

void table_reset(struct table *self, uint64_t hash_stream)
{
    hasher_init_for(&self->hasher, self->scheme, hash_stream);
    memset(self->used, 0, self->scheme->buckets);
    self->stored = 0;
}

unsigned table_find(const struct table *self, uint64_t key)
{
    uint32_t bucket[SCHEME_D_MAX];

    table_candidates(self, key, bucket);
    for (unsigned j = 0; j < self->scheme->d; j++)
        for (unsigned s = 0; s < self->used[bucket[j]]; s++)
            if (*table_slot(self, bucket[j], s) == key)
                return j;
    return self->scheme->d;
}

int table_verify(const struct table *self)
{
    uint64_t stored = 0;

    for (uint32_t b = 0; b < self->scheme->buckets; b++) {
        if (self->used[b] > self->scheme->k)
            return ERR_VERIFY;
        stored += self->used[b];
        for (unsigned s = 0; s < self->used[b]; s++) {
            uint32_t bucket[SCHEME_D_MAX];
            unsigned j = 0;
            table_candidates(self, *table_slot(self, b, s), bucket);
            while (j < self->scheme->d && bucket[j] != b)
                j++;
            if (j == self->scheme->d)
                return ERR_VERIFY;
        }
    }
    return stored == self->stored ? ERR_NONE : ERR_VERIFY;
}
