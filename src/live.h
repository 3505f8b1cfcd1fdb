/* live.h -- readers beside a writer at work on a real table: one long random schedule.
 *
 * The protocols of race.h on a table of d = 2 buckets of k slots at a constant load.  The
 * writer deletes a random key, looks for a path to a free slot (each slot it inspects is a
 * step in which it holds nothing), carries the moves out and rests; readers look up keys
 * that are there and keys that never were, one after the other.  Every step is one read or
 * write of a tag, an item, a counter or a lock, and belongs to a reader or to the writer
 * drawn at random; a step of one that has to wait is lost.  A slot holds a tag of 8 bits and
 * an item: the number of a record with the key, as in MemC3 and DPDK.
 *
 * A retry is needless if nothing happened to the key that is looked up since this attempt
 * began, or if the key is absent: another key moved. */
#ifndef CUCKOO_LIVE_H
#define CUCKOO_LIVE_H

#include <stddef.h>
#include <stdint.h>

#include "race.h"
#include "rng.h"
#include "scheme.h"

#define LIVE_READERS_MAX 64
#define LIVE_PATH_MAX    500  /* moves of a random path: MemC3's limit */
#define LIVE_SLOTS_MAX   2000 /* inspected by a breadth-first search: libcuckoo's */

enum live_search { LIVE_BREADTH, LIVE_WALK };

struct live_setting {
    struct scheme scheme; /* d = 2, one table */
    const struct race_protocol *protocol;
    enum live_search search;
    uint64_t keys; /* kept in the table */
    unsigned readers;
    uint32_t counters; /* of MemC3's keys, of libcuckoo's locks; a power of two */
    uint32_t rest;     /* steps of the writer between insertions, in which it does nothing */
    uint64_t steps;    /* of everybody together */
};

/* What happened; all are sums but the last ones. */
enum live_cell {
    LIVE_HITS_LOOKED_UP = 0, /* lookups of keys that were there all the time */
    LIVE_ABSENT_LOOKED_UP,   /* of keys that never were */
    LIVE_LOOKUPS,            /* all that ended, with those of keys that were deleted meanwhile */
    LIVE_RETRIES,
    LIVE_NEEDLESS,
    LIVE_LOOKUPS_RETRIED, /* lookups with a retry */
    LIVE_FALSE_MISSES,
    LIVE_WRONG_HITS,
    LIVE_READER_STEPS,
    LIVE_READER_LOST, /* steps spent waiting */
    LIVE_WRITER_STEPS,
    LIVE_WRITER_LOST,
    LIVE_HELD, /* steps of insertions in which it held a lock or an odd counter */
    LIVE_INSERTIONS,
    LIVE_FAILED, /* no path was found; the key stays out */
    LIVE_MOVES,
    LIVE_SUMS,
    LIVE_MOST_MOVES = LIVE_SUMS, /* of one insertion */
    LIVE_MOST_HELD,              /* steps between taking hold and letting all go */
    LIVE_HELD_INSERTION,         /* most steps held in one insertion */
    LIVE_CELLS
};

struct live; /* opaque */

/* ERR_MEMORY, ERR_DOMAIN; *self is set even where it fails, for live_close(). */
int live_open(struct live **self, const struct live_setting *setting);
void live_close(struct live *self);
uint64_t live_bytes(const struct live_setting *setting);

/* Fill the table and run the schedule of these streams; adds to tally[LIVE_CELLS].
 * ERR_DOMAIN where the table cannot be filled to that load. */
int live_run(struct live *self, uint64_t hash_stream, uint64_t key_stream, uint64_t search_stream,
             uint64_t *tally);

/* Every key that should be there is in one slot of one of its buckets; ERR_VERIFY. */
int live_verify(const struct live *self);

#endif
