/* measure_filler.h -- a table with a rule at work on it: the state that the measures fill,
 * lookup and insert share; it feeds itself with the trial's keys.  Internal to measure_*.c.
 *
 * For d = 2 the table holds pairs (insert_pair.h) and no keys; what is measured is the
 * same. */
#ifndef CUCKOO_MEASURE_FILLER_H
#define CUCKOO_MEASURE_FILLER_H

#include "insert.h"
#include "insert_pair.h"
#include "measure.h"

/* Keys drawn ahead, so that what their insertion will read is on its way by then. */
#define KEYS_AHEAD 16

struct filler {
    struct table table;
    struct inserter inserter;
    pair_insert *pair_insert; /* NULL: keys */
    uint32_t *other;          /* the residents as pairs */
    /* The keys of the stream that come next, in a ring; their candidates for pairs. */
    struct rng keys;
    const struct offered *offered; /* borrowed; NULL: random keys */
    uint64_t *set, set_size;       /* the keys of offered->keyset in this trial */
    uint64_t drawn;
    uint64_t ahead[KEYS_AHEAD];
    uint32_t ahead_bucket[KEYS_AHEAD][2];
    unsigned next;
};

/* As trials_work's open: *opened is set even where it fails. */
int filler_open(const struct scheme *scheme, const struct insert_rule *rule, void **opened);
void filler_close(void *opened);
uint64_t filler_bytes(const struct scheme *scheme, const struct insert_rule *rule);
/* Offer these instead of random keys, at most `keys` of them in a trial.  ERR_MEMORY. */
int filler_offer(struct filler *self, const struct offered *offered, uint64_t keys);
/* Bytes that takes beside filler_bytes(). */
uint64_t filler_offer_bytes(const struct offered *offered, uint64_t keys);
/* Trials a block: one for large tables, so many of small ones that their work outweighs
 * that of adding up a block. */
uint64_t filler_block(const struct scheme *scheme);

/* An empty table with the functions, choices and keys of this trial; keys are offered
 * until something happens, so their number is no part of the stream. */
void filler_reset(struct filler *self, uint64_t seed, uint64_t trial);

/* Insert the next key of the stream; self->inserter.cost says what it took. */
enum insert_outcome filler_add(struct filler *self);

#endif
