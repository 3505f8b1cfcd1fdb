/* insert.h -- the insertion rules and what an insertion costs.
 *
 * Words used everywhere: kick = one resident evicted by a newcomer; move = one key
 * copied from a full bucket to another of its candidates; reading a bucket inspects all
 * its k slots.  A limit counts what its name says.
 *
 * An insertion that finds no place is an outcome and not an error. */
#ifndef CUCKOO_INSERT_H
#define CUCKOO_INSERT_H

#include <stddef.h>
#include <stdint.h>

#include "compiler.h"
#include "rng.h"
#include "table.h"

enum insert_outcome {
    INSERT_PLACED = 0,
    INSERT_GAVE_UP,  /* a limit was reached; a placement may exist */
    INSERT_NO_PLACE, /* proved: no placement of all keys exists */
};

#define INSERT_UNLIMITED UINT32_MAX

struct inserter;

/* Labels: which of several slots with the least label is taken. */
enum label_ties {
    TIES_LEFT = 0,     /* the bucket with the least sum of labels, its leftmost slot */
    TIES_RANDOM,       /* the same bucket, a random slot */
    TIES_GLOBAL_LEFT,  /* the leftmost slot of the earliest candidate */
    TIES_GLOBAL_RANDOM /* a random one of all */
};

/* A rule with its limits; a limit that the rule does not use is ignored. */
struct insert_rule {
    const char *name;
    enum insert_outcome (*insert)(struct inserter *self, uint64_t key);
    uint32_t max_kicks;   /* walk, original: a further kick is refused */
    uint32_t max_slots;   /* breadth-first: slots inspected by one insertion */
    uint32_t max_moves;   /* breadth-first: keys moved by one insertion */
    uint32_t max_nodes;   /* queue rules: nodes of the queue */
    uint32_t paths;       /* parallel paths */
    uint32_t max_label;   /* labels: a least label of so much ends an insertion */
    enum label_ties ties; /* labels: between slots of equal label */
};

/* Random walk: a free slot in any candidate, in order; else evict a random slot of a
 * random candidate, and go on with the evicted key: first a free slot in any of its
 * other candidates, else evict from a random one of them.  Never straight back into the
 * bucket it came from, unless its candidates all coincide.
 * Fotakis, Pagh, Sanders, Spirakis, Theory Comput. Syst. 38 (2005), section 1. */
enum insert_outcome insert_walk(struct inserter *self, uint64_t key);

/* Breadth-first: read the candidates in order, then the other candidates of their
 * residents, and so on, each bucket once, until one has a free slot; then move the hole
 * backwards along the path (Li, Andersen, Kaminsky, Freedman, EuroSys 2014, section 4).
 * Without limits it is complete: all keys in the buckets it saw have all their
 * candidates among them, so one more key than slots (Hall) proves INSERT_NO_PLACE. */
enum insert_outcome insert_breadth(struct inserter *self, uint64_t key);

/* The original insertion, d = 2: into the first candidate, in a free slot if there is
 * one, else evicting a random slot; the evicted key into its other candidate; and so on.
 * Pagh and Rodler, J. Algorithms 51 (2004), section 2.1. */
enum insert_outcome insert_original(struct inserter *self, uint64_t key);

extern const struct insert_rule insert_rule_walk500;     /* 500 kicks */
extern const struct insert_rule insert_rule_breadth;     /* 2000 slots, 5 moves */
extern const struct insert_rule insert_rule_breadth_far; /* 2000 slots, no limit on moves */
extern const struct insert_rule insert_rule_original500; /* 500 kicks */
extern const struct insert_rule insert_rule_original100; /* 100 kicks: Kirsch et al. */
extern const struct insert_rule insert_rule_complete;    /* breadth-first without limits */

/* What the last insertion cost. */
struct insert_cost {
    uint32_t kicks;
    uint32_t moves;
    uint32_t buckets_read; /* times a bucket was read; slots inspected: k times that */
    uint32_t writes;       /* slots written */
    uint64_t nestless;     /* after a failure: the key that has no place now */
};

/* A table with a rule at work on it, and the buffers that the rule needs. */
struct inserter {
    struct table *table; /* borrowed */
    const struct insert_rule *rule;
    struct rng rng; /* the rule's random choices */
    struct insert_cost cost;
    uint64_t *written; /* slots written by the last insertion, cost.writes of them */
    size_t written_capacity;
    /* breadth-first: the search tree in the order in which buckets were read */
    struct insert_node *node;
    size_t nodes, node_capacity;
    uint64_t *visited; /* a bit a bucket, all zero between insertions */
    uint8_t *mark; /* labels: one a slot; round robin, bubble-up: a resident's candidate number */
    int memory_failed; /* an allocation failed: the outcome means nothing */
};

int inserter_init(struct inserter *self, struct table *table, const struct insert_rule *rule);
void inserter_free(struct inserter *self);

/* Before a trial: the table empty, hash functions and random choices of this trial. */
void inserter_reset(struct inserter *self, uint64_t hash_stream, uint64_t search_stream);

/* Insert `key`, which must not be in the table; self->cost says what it took. */
static inline enum insert_outcome inserter_add(struct inserter *self, uint64_t key)
{
    return self->rule->insert(self, key);
}

/* Ask the caches for what inserting `key` will read first. */
void inserter_prefetch(const struct inserter *self, uint64_t key);

/* Make room for one more written slot; 0 (and memory_failed) if there is none. */
int inserter_grow_written(struct inserter *self);

/* Distinct cache lines written by the last insertion.  Linear in its writes while they are
 * some hundreds, quadratic beyond. */
uint32_t inserter_lines_written(const struct inserter *self);

/* Bytes of the buffers, for the memory budget, without those that grow on demand. */
uint64_t inserter_bytes(const struct scheme *scheme);
/* The same for a rule, with what the buffers may grow to. */
uint64_t inserter_bytes_of(const struct scheme *scheme, const struct insert_rule *rule);

/* For the rules: note a slot that is written.  */
static inline void inserter_note_write(struct inserter *self, uint32_t bucket, unsigned slot)
{
    if (UNLIKELY(self->cost.writes == self->written_capacity) && !inserter_grow_written(self))
        return;
    self->written[self->cost.writes++] = (uint64_t)bucket * self->table->scheme->k + slot;
}

#endif
