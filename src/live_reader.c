/* live_reader.c -- a reader of live.h: one step a call. */
#include "live_state.h"

enum {
    AT_LOCK,
    AT_LOCK_2,
    AT_COUNTER,
    AT_TAG,
    AT_ITEM,
    AT_VERIFY,
    AT_RECHECK,
    AT_UNLOCK,
    AT_UNLOCK_2
};

static int by_bucket(const struct live *self)
{
    enum race_check check = self->setting->protocol->check;

    return check == RACE_CHECK_BUCKET || check == RACE_CHECK_BUCKET_SINGLE;
}

static int by_key(const struct live *self)
{
    return self->setting->protocol->check == RACE_CHECK_KEY;
}

static uint32_t counter_of(const struct live *self, const struct live_reader *reader,
                           unsigned second)
{
    if (by_bucket(self))
        return reader->bucket[second];
    return by_key(self) ? live_key_counter(self, reader->key) : 0;
}

static int start_of(const struct live *self)
{
    switch (self->setting->protocol->check) {
    case RACE_CHECK_NONE:
        return AT_TAG;
    case RACE_CHECK_LOCKS:
        return AT_LOCK;
    default:
        return AT_COUNTER;
    }
}

static void start(struct live *self, struct live_reader *reader, unsigned second)
{
    reader->at = start_of(self);
    reader->second = second;
    reader->slot = 0;
    reader->waiting = 0;
    reader->found = LIVE_NONE;
    reader->attempt = self->now;
}

void live_reader_begin(struct live *self, struct live_reader *reader)
{
    if (rng_next(&self->rng) >> 63 && self->n_stored > 0) {
        reader->target = self->stored[rng_below(&self->rng, self->n_stored)];
        reader->key = self->record[reader->target].key;
    } else {
        reader->target = LIVE_NONE;
        reader->key = rng_next(&self->absent);
    }
    reader->tag = live_tag(reader->key);
    live_buckets(self, reader->key, reader->bucket);
    reader->retried = 0;
    start(self, reader, 0);
}

static void finish(struct live *self, struct live_reader *reader, uint64_t *tally)
{
    const struct live_record *record =
        reader->target != LIVE_NONE ? &self->record[reader->target] : NULL;

    tally[LIVE_LOOKUPS]++;
    tally[LIVE_LOOKUPS_RETRIED] += (uint64_t)reader->retried;
    if (record == NULL) {
        tally[LIVE_ABSENT_LOOKED_UP]++;
        tally[LIVE_WRONG_HITS] += reader->found != LIVE_NONE;
    } else if (record->place != LIVE_NONE && record->key == reader->key) {
        tally[LIVE_HITS_LOOKED_UP]++;
        tally[LIVE_FALSE_MISSES] += reader->found == LIVE_NONE;
        tally[LIVE_WRONG_HITS] += reader->found != LIVE_NONE && reader->found != reader->target;
    }
    live_reader_begin(self, reader);
}

static void retry(struct live *self, struct live_reader *reader, unsigned second, uint64_t *tally)
{
    tally[LIVE_RETRIES]++;
    tally[LIVE_NEEDLESS] +=
        reader->target == LIVE_NONE || self->record[reader->target].touched < reader->attempt;
    reader->retried = 1;
    uint64_t attempt = reader->attempt;
    start(self, reader, second);
    if (by_bucket(self) && second > 0)
        reader->attempt = attempt; /* the first bucket's counter is still in force */
}

/* After a bucket, or after a hit in it. */
static void leave_bucket(struct live *self, struct live_reader *reader, uint64_t *tally)
{
    int hit = reader->found != LIVE_NONE, over = hit || reader->second;

    reader->slot = 0;
    reader->at = AT_TAG;
    switch (self->setting->protocol->check) {
    case RACE_CHECK_BUCKET:
    case RACE_CHECK_BUCKET_SINGLE:
        reader->at = AT_VERIFY;
        return;
    case RACE_CHECK_LOCKS:
        if (over)
            reader->at = AT_UNLOCK;
        break;
    case RACE_CHECK_KEY:
        if (over)
            reader->at = AT_VERIFY;
        break;
    case RACE_CHECK_GLOBAL:
        if (over && !hit) {
            reader->at = AT_VERIFY;
            break;
        }
        /* fall through */
    default:
        if (over) {
            finish(self, reader, tally);
            return;
        }
    }
    if (!over)
        reader->second = 1;
}

static void verify(struct live *self, struct live_reader *reader, uint64_t *tally)
{
    unsigned kept = by_bucket(self) ? reader->second : 0;
    int goes_on = by_bucket(self) && reader->found == LIVE_NONE;

    if (self->counter[counter_of(self, reader, reader->second)] != reader->seen[kept])
        retry(self, reader, kept, tally);
    else if (goes_on && reader->second == 0) {
        reader->second = 1;
        reader->at = AT_COUNTER;
    } else if (goes_on && self->setting->protocol->check == RACE_CHECK_BUCKET)
        reader->at = AT_RECHECK;
    else
        finish(self, reader, tally);
}

/* Take the reader's first or second lock; 0 if another holds it. */
static int take_lock(struct live *self, struct live_reader *reader, unsigned number)
{
    uint32_t a = live_lock_of(self, reader->bucket[0]), b = live_lock_of(self, reader->bucket[1]);
    uint32_t lock = (reader->at == AT_LOCK) == (a < b) ? a : b;

    if (self->lock[lock] != 0)
        return 0;
    self->lock[lock] = (uint8_t)(2 + number);
    reader->at = reader->at == AT_LOCK && a != b ? AT_LOCK_2 : AT_TAG;
    return 1;
}

static void give_lock(struct live *self, struct live_reader *reader, uint64_t *tally)
{
    uint32_t a = live_lock_of(self, reader->bucket[0]), b = live_lock_of(self, reader->bucket[1]);

    self->lock[reader->at == AT_UNLOCK ? a : b] = 0;
    if (reader->at == AT_UNLOCK && a != b)
        reader->at = AT_UNLOCK_2;
    else
        finish(self, reader, tally);
}

static int read_counter(struct live *self, struct live_reader *reader)
{
    uint32_t value = self->counter[counter_of(self, reader, reader->second)];

    if ((by_bucket(self) || by_key(self)) && value % 2 == 1)
        return 0; /* a writer is at work: look again */
    reader->seen[by_bucket(self) ? reader->second : 0] = value;
    if (reader->second == 0)
        reader->attempt = self->now;
    reader->at = AT_TAG;
    return 1;
}

static void read_tag(struct live *self, struct live_reader *reader, uint64_t *tally)
{
    uint32_t slot = reader->bucket[reader->second] * self->setting->scheme.k + reader->slot;

    if (self->tag[slot] == reader->tag)
        reader->at = AT_ITEM;
    else if (++reader->slot == self->setting->scheme.k)
        leave_bucket(self, reader, tally);
}

static void read_item(struct live *self, struct live_reader *reader, uint64_t *tally)
{
    uint32_t slot = reader->bucket[reader->second] * self->setting->scheme.k + reader->slot;
    uint32_t item = self->item[slot];

    reader->at = AT_TAG;
    if (self->record[item].key == reader->key)
        reader->found = item;
    if (reader->found != LIVE_NONE || ++reader->slot == self->setting->scheme.k)
        leave_bucket(self, reader, tally);
}

void live_reader_step(struct live *self, unsigned number, uint64_t *tally)
{
    struct live_reader *reader = &self->reader[number];
    int went_on = 1;

    tally[LIVE_READER_STEPS]++;
    switch (reader->at) {
    case AT_LOCK:
    case AT_LOCK_2:
        went_on = take_lock(self, reader, number);
        break;
    case AT_COUNTER:
        went_on = read_counter(self, reader);
        break;
    case AT_TAG:
        read_tag(self, reader, tally);
        break;
    case AT_ITEM:
        read_item(self, reader, tally);
        break;
    case AT_VERIFY:
        verify(self, reader, tally);
        break;
    case AT_RECHECK:
        if (self->counter[reader->bucket[0]] != reader->seen[0])
            retry(self, reader, 0, tally);
        else
            finish(self, reader, tally);
        break;
    default:
        give_lock(self, reader, tally);
    }
    tally[LIVE_READER_LOST] += !went_on;
}
