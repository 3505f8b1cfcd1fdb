/* trace.h -- the original insertion, step by step, for worked examples.
 *
 * One or two tables, one slot a place, keys with two positions each that somebody chose or
 * a hash function gave.  A step is one placement; a round is two of them, with two tables
 * one in each (Pagh and Rodler's loop, J. Algorithms 51 (2004), section 2.1).  With one
 * table an evicted key goes to its other position in it.
 *
 * A chain that succeeds runs round one cycle at most and comes back along the way it went
 * (the same paper, section 3), so it moves no key more than twice: a limit of twice the keys
 * gives up only where no placement exists; smaller limits may give up too early. */
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
    uint32_t slot[2]; /* first and second position */
};

struct trace {
    int tables;        /* 1: both positions are in table 0; 2: position j in table j */
    uint32_t slots[2]; /* slots[1] is 0 with one table */
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

/* Called after a step, when the tables show it. */
typedef void trace_seen(const struct trace *self, const struct trace_step *step, void *context);

/* Empty tables, one if slots_1 is 0; sizes up to TRACE_SLOTS_MAX each, else ERR_DOMAIN. */
int trace_init(struct trace *self, uint32_t slots_0, uint32_t slots_1);

/* Append a key that is not yet in the tables; ERR_DOMAIN if a position does not exist or
 * there are too many keys. */
int trace_add_key(struct trace *self, const char *name, uint32_t slot_0, uint32_t slot_1);

/* Insert key number `key` with at most `max_steps` placements.  `seen` may be NULL.
 * *nestless: TRACE_NONE, or the key that was left over when the limit was reached.
 * Returns the number of steps. */
int trace_insert(struct trace *self, int key, int max_steps, trace_seen *seen, void *context,
                 int *nestless);

/* A slot's number through both tables, as a vertex of the cuckoo graph: position 0 or 1 of
 * a key. */
uint32_t trace_vertex(const struct trace *self, int key, int position);

#endif
