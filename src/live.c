/* live.c -- see live.h: the table, its records, and the schedule. */
#include <stdlib.h>
#include <string.h>

#include "live_state.h"

void live_buckets(const struct live *self, uint64_t key, uint32_t *bucket)
{
    scheme_candidates(&self->setting->scheme, &self->hasher, key, bucket);
}

uint8_t live_tag(uint64_t key)
{
    return (uint8_t)(1 + hash_mix(key ^ HASH_GAMMA) % 255);
}

uint32_t live_key_counter(const struct live *self, uint64_t key)
{
    return (uint32_t)(hash_mix(key + HASH_GAMMA) & (self->setting->counters - 1));
}

uint32_t live_lock_of(const struct live *self, uint32_t bucket)
{
    return bucket & (self->setting->counters - 1);
}

static uint32_t record_count(const struct live_setting *setting)
{
    return (uint32_t)setting->keys + LIVE_SPARE;
}

static size_t counter_count(const struct live_setting *setting)
{
    return setting->counters > setting->scheme.buckets ? setting->counters
                                                       : setting->scheme.buckets;
}

uint64_t live_bytes(const struct live_setting *setting)
{
    return sizeof(struct live) + setting->scheme.slots * (1 + 2 * sizeof(uint32_t)) +
           counter_count(setting) * (sizeof(uint32_t) + 1) +
           (uint64_t)record_count(setting) * (sizeof(struct live_record) + 2 * sizeof(uint32_t)) +
           LIVE_OPS_MAX * sizeof(struct live_op);
}

int live_open(struct live **opened, const struct live_setting *setting)
{
    struct live *self = *opened = calloc(1, sizeof *self);

    if (self == NULL)
        return ERR_MEMORY;
    self->setting = setting;
    if (setting->scheme.d != 2 || setting->readers > LIVE_READERS_MAX || setting->keys < 1 ||
        setting->keys > setting->scheme.slots || setting->scheme.slots > UINT32_MAX / 2 ||
        setting->counters < 1 || (setting->counters & (setting->counters - 1)) != 0)
        return ERR_DOMAIN;
    self->records = record_count(setting);
    self->tag = malloc(setting->scheme.slots);
    self->item = malloc(setting->scheme.slots * sizeof *self->item);
    self->stamp = malloc(setting->scheme.slots * sizeof *self->stamp);
    self->counter = malloc(counter_count(setting) * sizeof *self->counter);
    self->lock = malloc(counter_count(setting));
    self->record = malloc(self->records * sizeof *self->record);
    self->stored = malloc(self->records * sizeof *self->stored);
    self->unused = malloc(self->records * sizeof *self->unused);
    self->writer.op = malloc(LIVE_OPS_MAX * sizeof *self->writer.op);
    if (self->tag == NULL || self->item == NULL || self->stamp == NULL || self->counter == NULL ||
        self->lock == NULL || self->record == NULL || self->stored == NULL ||
        self->unused == NULL || self->writer.op == NULL)
        return ERR_MEMORY;
    return ERR_NONE;
}

void live_close(struct live *self)
{
    if (self == NULL)
        return;
    free(self->tag);
    free(self->item);
    free(self->stamp);
    free(self->counter);
    free(self->lock);
    free(self->record);
    free(self->stored);
    free(self->unused);
    free(self->writer.op);
    free(self);
}

static void reset(struct live *self, uint64_t hash_stream, uint64_t key_stream,
                  uint64_t search_stream)
{
    const struct live_setting *setting = self->setting;
    struct live_op *op = self->writer.op;

    hasher_init(&self->hasher, hash_stream);
    rng_init(&self->keys, key_stream);
    rng_init(&self->absent, hash_mix(key_stream)); /* another stream: keys that never were */
    rng_init(&self->rng, search_stream);
    memset(self->tag, 0, setting->scheme.slots);
    memset(self->item, 0, setting->scheme.slots * sizeof *self->item);
    memset(self->stamp, 0, setting->scheme.slots * sizeof *self->stamp);
    memset(self->counter, 0, counter_count(setting) * sizeof *self->counter);
    memset(self->lock, 0, counter_count(setting));
    memset(&self->writer, 0, sizeof self->writer);
    self->writer.op = op;
    self->writer.inserting = LIVE_NONE;
    self->n_stored = self->unused_first = 0;
    self->n_unused = self->records;
    for (uint32_t i = 0; i < self->records; i++) {
        self->unused[i] = i;
        self->record[i] = (struct live_record){0, 0, LIVE_NONE, 0};
    }
    self->search = 0;
    self->now = 0;
}

int live_run(struct live *self, uint64_t hash_stream, uint64_t key_stream, uint64_t search_stream,
             uint64_t *tally)
{
    uint32_t actors = self->setting->readers + 1;

    reset(self, hash_stream, key_stream, search_stream);
    int code = live_fill(self);
    if (code != ERR_NONE)
        return code;
    self->now = 1;
    for (unsigned i = 0; i < self->setting->readers; i++)
        live_reader_begin(self, &self->reader[i]);
    for (uint64_t step = 0; step < self->setting->steps; step++) {
        uint32_t actor = rng_below(&self->rng, actors);
        self->now++;
        if (actor == 0)
            live_writer_step(self, tally);
        else
            live_reader_step(self, actor - 1, tally);
    }
    return ERR_NONE;
}

int live_verify(const struct live *self)
{
    for (uint32_t i = 0; i < self->n_stored; i++) {
        uint32_t item = self->stored[i], bucket[2], slot = self->record[item].slot;
        live_buckets(self, self->record[item].key, bucket);
        uint32_t here = slot / self->setting->scheme.k;
        if (self->record[item].place != i || (here != bucket[0] && here != bucket[1]))
            return ERR_VERIFY;
        /* in the middle of a move its old place holds it too, or the new one not yet */
        if (self->writer.next == self->writer.ops &&
            (self->item[slot] != item || self->tag[slot] != live_tag(self->record[item].key)))
            return ERR_VERIFY;
    }
    return ERR_NONE;
}
