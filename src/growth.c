/* growth.c -- see growth.h. */
#include "growth.h"

#include <stdlib.h>
#include <string.h>

/* The table, for `slots` slots; empty, with the present functions. */
static int open_table(struct growth *self, uint64_t slots)
{
    inserter_free(&self->inserter);
    table_free(&self->table);
    int code =
        scheme_init(&self->scheme, 2, self->rule->k, self->rule->layout, POSITIONS_REPEAT, slots);
    if (code == ERR_NONE)
        code = table_init(&self->table, &self->scheme);
    if (code == ERR_NONE)
        code = inserter_init(&self->inserter, &self->table, &self->insertion);
    return code;
}

int growth_init(struct growth *self, const struct growth_rule *rule, uint64_t slots)
{
    memset(self, 0, sizeof *self);
    if (rule->stash > GROWTH_STASH_MAX)
        return ERR_DOMAIN;
    self->rule = rule;
    self->insertion = insert_rule_original500;
    self->insertion.max_kicks = rule->max_kicks;
    return open_table(self, slots);
}

void growth_free(struct growth *self)
{
    inserter_free(&self->inserter);
    table_free(&self->table);
    free(self->moving);
    memset(self, 0, sizeof *self);
}

static void empty_table(struct growth *self)
{
    inserter_reset(&self->inserter, self->hash_stream, rng_next(&self->search));
    self->stashed = 0;
}

int growth_reset(struct growth *self, uint64_t slots, uint64_t hash_stream, uint64_t search_stream)
{
    int code = ERR_NONE;

    if (self->scheme.slots > slots) /* grown in an earlier trial */
        code = open_table(self, slots);
    if (code != ERR_NONE)
        return code;
    self->hash_stream = hash_stream;
    rng_init(&self->search, search_stream);
    empty_table(self);
    self->writes = self->rebuilds = self->attempts = self->last_writes = 0;
    return ERR_NONE;
}

/* 1 if the key is in the table now; else *nestless is the key that is not. */
static int try_insert(struct growth *self, uint64_t key, uint64_t *nestless)
{
    enum insert_outcome outcome = inserter_add(&self->inserter, key);

    self->writes += self->inserter.cost.writes;
    *nestless = self->inserter.cost.nestless;
    return outcome == INSERT_PLACED;
}

static int stash_key(struct growth *self, uint64_t key)
{
    if (self->stashed == self->rule->stash)
        return 0;
    self->stash[self->stashed++] = key;
    self->writes++;
    return 1;
}

/* All keys that are stored, in the order of their slots, and `extra`. */
static int collect(struct growth *self, const uint64_t *extra, unsigned extras, uint64_t *count)
{
    uint64_t n = 0, needed = self->table.stored + self->stashed + extras;

    if (needed > self->moving_capacity) {
        uint64_t *grown = realloc(self->moving, 2 * needed * sizeof *grown);
        if (grown == NULL)
            return ERR_MEMORY;
        self->moving = grown;
        self->moving_capacity = 2 * needed;
    }
    for (uint32_t b = 0; b < self->scheme.buckets; b++)
        for (unsigned s = 0; s < self->table.used[b]; s++)
            self->moving[n++] = *table_slot(&self->table, b, s);
    for (unsigned i = 0; i < self->stashed; i++)
        self->moving[n++] = self->stash[i];
    for (unsigned i = 0; i < extras; i++)
        self->moving[n++] = extra[i];
    *count = n;
    return ERR_NONE;
}

/* Insert the collected keys into the empty table; 1 if table and stash hold them all. */
static int refill(struct growth *self, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t nestless;
        if (!try_insert(self, self->moving[i], &nestless) && !stash_key(self, nestless))
            return 0;
    }
    return 1;
}

static int begin_rebuild(struct growth *self, int doubles, int new_functions)
{
    int code = doubles ? open_table(self, 2 * self->scheme.slots) : ERR_NONE;

    if (code != ERR_NONE)
        return code;
    if (new_functions)
        self->hash_stream = hash_mix(self->hash_stream + HASH_GAMMA);
    empty_table(self);
    self->attempts++;
    return ERR_NONE;
}

int growth_rebuild(struct growth *self, const uint64_t *extra, unsigned extras, int doubles,
                   int new_functions, int *placed)
{
    uint64_t count;
    int code = collect(self, extra, extras, &count);

    if (code == ERR_NONE)
        code = begin_rebuild(self, doubles, new_functions);
    if (code != ERR_NONE)
        return code;
    *placed = refill(self, count);
    return ERR_NONE;
}

/* Rebuild until table and stash hold everything. */
static int rebuild_until(struct growth *self, const uint64_t *extra, unsigned extras, int *placed)
{
    uint64_t count;
    int code = collect(self, extra, extras, &count);

    *placed = 0;
    for (int attempt = 0; attempt < GROWTH_ATTEMPTS && code == ERR_NONE && !*placed; attempt++) {
        /* the same functions at the same size cannot do better a second time */
        int again = attempt > 0 && !self->rule->doubles;
        code = begin_rebuild(self, self->rule->doubles, self->rule->new_functions || again);
        if (code == ERR_NONE)
            *placed = refill(self, count);
    }
    self->rebuilds++;
    return code;
}

int growth_add(struct growth *self, uint64_t key, int *placed)
{
    const struct growth_rule *rule = self->rule;
    uint64_t before = self->writes, nestless, keys = self->table.stored + self->stashed + 1;
    int code = ERR_NONE;

    *placed = 1;
    if (rule->grow_den > 0 && keys * rule->grow_den > self->scheme.slots * rule->grow_num) {
        code = rebuild_until(self, &key, 1, placed);
    } else if (!try_insert(self, key, &nestless)) {
        if (rule->rebuild_first || !stash_key(self, nestless))
            code = rebuild_until(self, &nestless, 1, placed);
    }
    self->last_writes = self->writes - before;
    return self->inserter.memory_failed ? ERR_MEMORY : code;
}

int growth_contains(const struct growth *self, uint64_t key)
{
    for (unsigned i = 0; i < self->stashed; i++)
        if (self->stash[i] == key)
            return 1;
    return table_find(&self->table, key) < self->scheme.d;
}

int growth_remove(struct growth *self, uint64_t key)
{
    uint32_t bucket[SCHEME_D_MAX];
    unsigned j = table_find(&self->table, key);

    if (j == self->scheme.d)
        return 0;
    table_candidates(&self->table, key, bucket);
    for (unsigned s = 0; s < self->table.used[bucket[j]]; s++)
        if (*table_slot(&self->table, bucket[j], s) == key) {
            unsigned last = --self->table.used[bucket[j]];
            *table_slot(&self->table, bucket[j], s) = *table_slot(&self->table, bucket[j], last);
            self->table.stored--;
            return 1;
        }
    return 0;
}
