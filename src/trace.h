/* trace.h -- the original insertion on given positions, step by step, for worked examples.
 *
 * Two tables, one slot a place, keys with positions that somebody chose.  A round is one
 * placement in each table (Pagh and Rodler's loop, J. Algorithms 51 (2004), section 2.1);
 * a step is one placement. */
#ifndef CUCKOO_TRACE_H
#define CUCKOO_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

#define TRACE_SLOTS_MAX 64 /* of one table */
#define TRACE_KEYS_MAX  128
#define TRACE_NONE      (-1)

struct trace_key {
    char name[24];
    uint32_t slot[2]; /* position in table 0 and in table 1 */
};

struct trace {
    uint32_t slots[2];
    struct trace_key key[TRACE_KEYS_MAX];
    int keys;
    int cell[2][TRACE_SLOTS_MAX]; /* index of the key there, or TRACE_NONE */
};

struct trace_step {
    int step;  /* 1, 2, ... within the insertion */
    int round; /* 1, 2, ... */
    int key;   /* placed now */
    int table; /* 0 or 1 */
    uint32_t slot;
    int evicted; /* resident that had to go, or TRACE_NONE */
};

/* Two empty tables; 1 <= slots <= TRACE_SLOTS_MAX each, else ERR_DOMAIN. */
int trace_init(struct trace *self, uint32_t slots_0, uint32_t slots_1);

/* Append a key that is not yet in the tables; ERR_DOMAIN if a position does not exist or
 * there are too many keys. */
int trace_add_key(struct trace *self, const char *name, uint32_t slot_0, uint32_t slot_1);

/* Insert key number `key` with at most `max_steps` placements.  `seen` (may be NULL) is
 * called after every step, when the tables show it.  *nestless: TRACE_NONE, or the key
 * that was left over when the limit was reached.  Returns the number of steps. */
int trace_insert(struct trace *self, int key, int max_steps,
                 void (*seen)(const struct trace *self, const struct trace_step *step,
                              void *context),
                 void *context, int *nestless);

#endif
