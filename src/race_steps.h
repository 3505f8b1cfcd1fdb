/* race_steps.h -- the step machines of race.h; internal to race*.c. */
#ifndef CUCKOO_RACE_STEPS_H
#define CUCKOO_RACE_STEPS_H

#include "race.h"

#define BUCKETS_MAX (RACE_MOVES_MAX + 1)
#define OPS_MAX     64

/* The memory: for each slot three cells, then the counters. */
enum {
    CELL_TAG = 0,
    CELL_KEY = 1, /* or the pointer to key and value */
    CELL_VALUE = 2,
    CELL_KEY_COUNTER = 3 * BUCKETS_MAX,                       /* + key */
    CELL_BUCKET_COUNTER = CELL_KEY_COUNTER + BUCKETS_MAX + 2, /* + bucket */
    CELL_GLOBAL_COUNTER = CELL_BUCKET_COUNTER + BUCKETS_MAX,
    CELLS
};

enum op_kind { OP_WRITE, OP_BUMP, OP_LOCK, OP_UNLOCK };

struct op {
    uint8_t kind;
    uint8_t where; /* cell, or bucket for the locks */
    uint8_t value;
};

struct race {
    const struct race_setting *setting;
    struct op op[OPS_MAX];
    unsigned ops;
    uint8_t cell[OPS_MAX + 1][CELLS]; /* after so many operations */
    uint8_t locks[OPS_MAX + 1];       /* a bit a bucket: held by the writer */
};

enum reader_at {
    AT_LOCK,
    AT_LOCK_2,
    AT_COUNTER,
    AT_TAG,
    AT_KEY,
    AT_VALUE,
    AT_VERIFY,
    AT_RECHECK,
    AT_UNLOCK,
    AT_UNLOCK_2,
    AT_DONE
};

struct reader {
    uint8_t at;
    uint8_t second;  /* 0: in its first bucket, 1: in its second */
    uint8_t seen[2]; /* counters as read before a bucket; [0] also for key and global */
    uint8_t found;   /* value to return, 0: none */
    uint8_t holds;   /* locks, a bit a bucket */
    uint8_t waiting; /* for the counter to differ from seen[second] */
    uint8_t retried, waited;
};

/* The writer's program and the memory after each of its operations. */
void race_prepare(struct race *race, const struct race_setting *setting);

enum reader_at race_start(const struct race *race);
int race_reader_enabled(const struct race *race, unsigned done, const struct reader *reader);
/* One step of an enabled reader, after `done` operations of the writer. */
void race_reader_step(const struct race *race, unsigned done, struct reader *reader);
int race_writer_enabled(const struct race *race, unsigned done, const struct reader *reader);

#endif
