/* race_count.c -- all interleavings, by dynamic programming over (writer's operations done,
 * reader's state): see race.h. */
#include <stdlib.h>
#include <string.h>

#include "race_steps.h"

struct memo_entry {
    uint64_t key; /* 0: free */
    struct race_counts counts;
};

struct memo {
    struct memo_entry *entry;
    size_t capacity, used; /* capacity a power of two */
};

/* The state as a word; never 0, which marks a free entry. */
static uint64_t pack(unsigned done, const struct reader *reader)
{
    return UINT64_C(1) << 63 | (uint64_t)reader->second << 56 | (uint64_t)reader->waiting << 57 |
           (uint64_t)reader->retried << 58 | (uint64_t)reader->waited << 59 |
           (uint64_t)reader->holds << 48 | (uint64_t)reader->found << 40 |
           (uint64_t)reader->seen[1] << 32 | (uint64_t)reader->seen[0] << 24 |
           (uint64_t)reader->at << 16 | done;
}

static struct memo_entry *memo_find(const struct memo *memo, uint64_t key)
{
    size_t i = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (memo->capacity - 1);

    while (memo->entry[i].key != 0 && memo->entry[i].key != key)
        i = (i + 1) & (memo->capacity - 1);
    return &memo->entry[i];
}

static int memo_grow(struct memo *memo)
{
    struct memo old = *memo;

    memo->capacity = old.capacity > 0 ? 2 * old.capacity : 4096;
    memo->entry = calloc(memo->capacity, sizeof *memo->entry);
    if (memo->entry == NULL) {
        *memo = old;
        return ERR_MEMORY;
    }
    for (size_t i = 0; i < old.capacity; i++)
        if (old.entry[i].key != 0)
            *memo_find(memo, old.entry[i].key) = old.entry[i];
    free(old.entry);
    return ERR_NONE;
}

void race_add(struct race_counts *counts, const struct race_counts *more)
{
    counts->interleavings = count128_add(counts->interleavings, more->interleavings);
    counts->false_misses = count128_add(counts->false_misses, more->false_misses);
    counts->wrong_hits = count128_add(counts->wrong_hits, more->wrong_hits);
    counts->retried = count128_add(counts->retried, more->retried);
    counts->waited = count128_add(counts->waited, more->waited);
    if (more->most_retries > counts->most_retries)
        counts->most_retries = more->most_retries;
}

static void count_end(const struct race *race, const struct reader *reader,
                      struct race_counts *counts)
{
    unsigned target = race->setting->target;

    *counts = (struct race_counts){.interleavings = count128_of(1)};
    counts->false_misses = count128_of(target != 0 && reader->found == 0);
    counts->wrong_hits = count128_of(reader->found != 0 && reader->found != target);
    counts->retried = count128_of(reader->retried);
    counts->waited = count128_of(reader->waited);
}

/* All ways to go on from here; memo NULL: every one is walked.  Ends since each retry and
 * each wait uses up an operation of the writer. */
static int count_from(const struct race *race, unsigned done, const struct reader *reader,
                      struct memo *memo, struct race_counts *counts)
{
    uint64_t key = pack(done, reader);
    int code = ERR_NONE;

    if (reader->at == AT_DONE) { /* the writer's remaining steps have one order */
        count_end(race, reader, counts);
        return ERR_NONE;
    }
    if (memo != NULL && memo_find(memo, key)->key != 0) {
        *counts = memo_find(memo, key)->counts;
        return ERR_NONE;
    }
    memset(counts, 0, sizeof *counts);
    if (race_writer_enabled(race, done, reader)) {
        code = count_from(race, done + 1, reader, memo, counts);
    }
    if (code == ERR_NONE && race_reader_enabled(race, done, reader)) {
        struct reader next = *reader;
        struct race_counts more;
        next.retried = 0; /* to see whether this step is a retry */
        race_reader_step(race, done, &next);
        unsigned retry = next.retried;
        next.retried |= reader->retried;
        code = count_from(race, done, &next, memo, &more);
        more.most_retries += retry;
        race_add(counts, &more);
    }
    if (code != ERR_NONE || memo == NULL)
        return code;
    if (2 * memo->used >= memo->capacity && memo_grow(memo) != ERR_NONE)
        return ERR_MEMORY;
    *memo_find(memo, key) = (struct memo_entry){key, *counts};
    memo->used++;
    return ERR_NONE;
}

static int count(const struct race_setting *setting, int remember, struct race_counts *counts)
{
    struct race *race = calloc(1, sizeof *race);
    struct memo memo = {NULL, 0, 0};
    struct reader reader = {0};
    int code = race != NULL ? ERR_NONE : ERR_MEMORY;

    if (setting->moves < 1 || setting->moves > RACE_MOVES_MAX || setting->target > setting->moves ||
        setting->bucket >= setting->moves ||
        (setting->target > 0 && setting->bucket != setting->target - 1))
        code = ERR_DOMAIN;
    if (code == ERR_NONE && remember)
        code = memo_grow(&memo);
    if (code == ERR_NONE) {
        race_prepare(race, setting);
        reader.at = (uint8_t)race_start(race);
        code = count_from(race, 0, &reader, remember ? &memo : NULL, counts);
        counts->writer_steps = race->ops;
    }
    if (code == ERR_NONE && !count128_fits(counts->interleavings))
        code = ERR_NUMERIC;
    free(memo.entry);
    free(race);
    return code;
}

int race_count(const struct race_setting *setting, struct race_counts *counts)
{
    return count(setting, 1, counts);
}

int race_enumerate(const struct race_setting *setting, struct race_counts *counts)
{
    return count(setting, 0, counts);
}
