/* race.h -- a lookup beside a displacement: every interleaving, counted exactly.
 *
 * Sequentially consistent and without threads: a writer and a reader are step machines
 * over one memory, and each read or write of a tag, a key, a value, a counter or a lock is
 * one step.  The path has `moves` + 1 buckets of one slot.  Key i (1 ... moves) lives in
 * bucket i - 1 and moves to bucket i, the last bucket is empty at first, and the new key,
 * number moves + 1, ends in bucket 0.  The writer's own reads are no steps, since nobody
 * else writes; other slots of the buckets never change and are left out.
 *
 * A reader that waits is blocked until what it waits for has changed, so the interleavings
 * are finite in number; all have the same weight, which is not how a machine schedules.
 *
 * Protocols: the original insertion (Pagh and Rodler 2004); the hole moved backwards, MemC3
 * (Fan, Andersen, Kaminsky, NSDI 2013, section 3.2), libcuckoo (Li et al., EuroSys 2014,
 * section 4), DPDK's rte_hash with lock-free readers (v24.11) and Open vSwitch's cmap
 * (v3.4.0), and variants of each with a mistake. */
#ifndef CUCKOO_RACE_H
#define CUCKOO_RACE_H

#include <stdint.h>

#include "count128.h"
#include "error.h"

#define RACE_MOVES_MAX 4

/* What the writer does around the writing of a slot. */
enum race_guard {
    RACE_GUARD_NONE,
    RACE_GUARD_KEY,         /* the moved key's counter, odd while it moves (MemC3) */
    RACE_GUARD_KEY_LATE,    /* both increments after the move: a mistake */
    RACE_GUARD_GLOBAL,      /* one counter for all, incremented before each write (DPDK) */
    RACE_GUARD_GLOBAL_LATE, /* incremented after each write */
    RACE_GUARD_GLOBAL_END,  /* incremented once, after the last write: a mistake */
    RACE_GUARD_BUCKET,      /* the written bucket's counter, odd meanwhile (OVS) */
    RACE_GUARD_BUCKET_LATE, /* both increments after the write: a mistake */
    RACE_GUARD_LOCKS        /* both buckets of a move locked, in order (libcuckoo) */
};

/* How the reader makes sure. */
enum race_check {
    RACE_CHECK_NONE,
    RACE_CHECK_KEY,           /* waits while odd; counter again at the end, else from new */
    RACE_CHECK_KEY_ONCE,      /* waits while odd, never looks again: a mistake */
    RACE_CHECK_GLOBAL,        /* counter again after a miss only */
    RACE_CHECK_GLOBAL_ONCE,   /* never looks again: a mistake */
    RACE_CHECK_BUCKET,        /* counter around each bucket, the first one's after a miss too */
    RACE_CHECK_BUCKET_SINGLE, /* without that last look: a mistake */
    RACE_CHECK_LOCKS,         /* locks both buckets, in order */
    RACE_CHECK_LOCKS_SINGLE   /* locks one bucket after the other: a mistake */
};

struct race_protocol {
    const char *name;
    int kick_first; /* the new key is written first, each evicted one after it */
    int clear;      /* a slot whose key was copied on is emptied at once */
    enum race_guard guard;
    enum race_check check;
    int mistake; /* a variant that is meant to be wrong */
};

/* All protocols; `name` NULL at the end. */
extern const struct race_protocol race_protocols[];

struct race_setting {
    const struct race_protocol *protocol;
    int inline_values; /* slots hold tag, key, value; else tag and a pointer to both */
    unsigned moves;    /* 1 ... RACE_MOVES_MAX */
    unsigned target;   /* key looked up: 1 ... moves; 0: an absent key of the buckets below */
    unsigned bucket;   /* the reader's buckets are `bucket` and `bucket` + 1; target - 1 */
    int new_first;     /* it reads bucket + 1, where the key goes to, first */
};

struct race_counts {
    struct count128 interleavings;
    struct count128 false_misses; /* the key was there all the time; the lookup says absent */
    struct count128 wrong_hits;   /* another key's value was returned */
    struct count128 retried;      /* the reader began (or a bucket) anew at least once */
    struct count128 waited;       /* it read an odd counter and waited for the next value */
    unsigned most_retries;        /* in one interleaving */
    unsigned writer_steps;
};

/* Count all interleavings.  0, ERR_DOMAIN, ERR_MEMORY, or ERR_NUMERIC where a count does
 * not fit 128 bits.  Memoised over (writer's step, reader's state). */
int race_count(const struct race_setting *setting, struct race_counts *counts);

/* The same by walking through every single interleaving; for tests of small cases. */
int race_enumerate(const struct race_setting *setting, struct race_counts *counts);

/* counts += more; most_retries is maximised. */
void race_add(struct race_counts *counts, const struct race_counts *more);

#endif
