/* live_state.h -- what the writer and the readers of live.h share; internal to live*.c. */
#ifndef CUCKOO_LIVE_STATE_H
#define CUCKOO_LIVE_STATE_H

#include "live.h"

#define LIVE_OPS_MAX (16 * (LIVE_PATH_MAX + 2))
#define LIVE_NONE    UINT32_MAX
#define LIVE_SPARE   4096 /* records beyond the keys, so that none is used again soon */

enum live_op_kind {
    LIVE_OP_TAG,    /* tag[where] = value */
    LIVE_OP_ITEM,   /* item[where] = value */
    LIVE_OP_BUMP,   /* counter[where]++ */
    LIVE_OP_LOCK,   /* lock[where] */
    LIVE_OP_UNLOCK, /* lock[where] */
    LIVE_OP_DELAY   /* `value` steps of reading or resting */
};

struct live_op {
    enum live_op_kind kind;
    uint32_t where, value;
    uint32_t item; /* the record this is about, or LIVE_NONE */
};

struct live_record {
    uint64_t key;
    uint32_t slot;    /* where it is */
    uint32_t place;   /* in the list of stored records, or LIVE_NONE */
    uint64_t touched; /* last step of the writer that was about it */
};

struct live_writer {
    struct live_op *op;
    size_t ops, next;
    uint32_t delayed;              /* steps of the current delay that are over */
    int deletes;                   /* the program now running is a deletion */
    uint32_t inserting;            /* record that is put in, or LIVE_NONE */
    unsigned holding;              /* locks and odd counters */
    uint64_t held, held_insertion; /* in this hold; in this insertion */
    /* the path: slots from a candidate of the new key to the free one */
    uint32_t path[LIVE_PATH_MAX + 1];
    unsigned path_slots;
};

struct live_reader {
    int at;
    uint64_t key;
    uint32_t target; /* its record, or LIVE_NONE for an absent key */
    uint8_t tag;
    uint32_t bucket[2];
    unsigned second, slot;
    uint32_t seen[2];
    int waiting, retried, holds_first;
    uint32_t found;   /* record, or LIVE_NONE */
    uint64_t attempt; /* step in which this attempt began */
};

struct live {
    const struct live_setting *setting;
    struct hasher hasher;
    struct rng rng;
    struct rng keys, absent;
    uint8_t *tag;      /* 0: free */
    uint32_t *item;    /* a slot */
    uint32_t *counter; /* by key, or by bucket, or the one */
    uint8_t *lock;     /* 0 free, 1 writer, 2 + reader */
    struct live_record *record;
    uint32_t records;
    uint32_t *stored; /* records in the table */
    uint32_t n_stored;
    uint32_t *unused; /* a ring of records */
    uint32_t unused_first, n_unused;
    uint32_t *stamp; /* a bucket or slot: last search that met it */
    uint32_t search;
    struct {
        uint32_t bucket, parent, slot;
    } node[LIVE_SLOTS_MAX + 2];
    struct live_writer writer;
    struct live_reader reader[LIVE_READERS_MAX];
    uint64_t now; /* steps so far */
};

void live_buckets(const struct live *self, uint64_t key, uint32_t *bucket);
uint8_t live_tag(uint64_t key);
/* The counter or lock that guards `key`, `bucket`. */
uint32_t live_key_counter(const struct live *self, uint64_t key);
uint32_t live_lock_of(const struct live *self, uint32_t bucket);

/* One step of the writer; of a reader. */
void live_writer_step(struct live *self, uint64_t *tally);
void live_reader_step(struct live *self, unsigned number, uint64_t *tally);
/* A reader's first lookup. */
void live_reader_begin(struct live *self, struct live_reader *reader);
/* Fill the table at once, without readers; ERR_DOMAIN where it cannot be filled. */
int live_fill(struct live *self);

#endif
