/* bloom.h -- a Bloom filter and a count-min sketch, the yardsticks of the cuckoo filter.
 *
 * Bloom, Commun. ACM 13 (1970) 422: k hash functions, independent here.  Cormode and
 * Muthukrishnan, J. Algorithms 55 (2005) 58: rows of counters, one function a row, the
 * least counter is the estimate. */
#ifndef CUCKOO_BLOOM_H
#define CUCKOO_BLOOM_H

#include <stdint.h>

#include "error.h"
#include "hash.h"

struct bloom {
    uint32_t bits; /* >= 1 */
    unsigned functions;
    uint64_t seed;
    uint64_t *word;
};

int bloom_init(struct bloom *self, uint32_t bits, unsigned functions);
void bloom_free(struct bloom *self);
void bloom_reset(struct bloom *self, uint64_t hash_stream);
void bloom_add(struct bloom *self, uint64_t item);
int bloom_contains(const struct bloom *self, uint64_t item);
/* Bits that are set. */
uint64_t bloom_set(const struct bloom *self);

struct sketch {
    uint32_t width; /* counters a row */
    unsigned rows;
    uint64_t seed;
    uint16_t *counter;
};

int sketch_init(struct sketch *self, uint32_t width, unsigned rows);
void sketch_free(struct sketch *self);
void sketch_reset(struct sketch *self, uint64_t hash_stream);
void sketch_add(struct sketch *self, uint64_t item);
uint32_t sketch_count(const struct sketch *self, uint64_t item);

#endif
