/* insert_paths.c -- MemC3's parallel paths and LSA_max's labels; see insert_production.h. */
#include "insert_production.h"

#define PATHS_MAX 4
#define STEPS_MAX 500 /* of a path: the library's array has as many */

/* Paths side by side: at step s path p is in bucket[s][p] and would move key[s][p]. */
struct paths {
    unsigned count; /* paths */
    uint32_t kicks; /* steps times paths */
    uint32_t bucket[STEPS_MAX][PATHS_MAX];
    uint64_t key[STEPS_MAX][PATHS_MAX];
};

static uint32_t other_of(const struct table *table, uint64_t key, uint32_t bucket)
{
    uint32_t both[SCHEME_D_MAX];

    table_candidates(table, key, both);
    return both[0] == bucket ? both[1] : both[0];
}

/* Go on from step `step` until a path meets a bucket with room: its step, or -1. */
static int search(struct inserter *self, struct paths *paths, int step, unsigned *winner)
{
    unsigned k = self->table->scheme->k;

    for (; paths->kicks < self->rule->max_kicks && step < STEPS_MAX - 1; step++) {
        for (unsigned p = 0; p < paths->count; p++) {
            uint32_t bucket = paths->bucket[step][p];
            self->cost.buckets_read++;
            if (!table_full(self->table, bucket)) {
                *winner = p;
                return step;
            }
            unsigned slot = k > 1 ? rng_below(&self->rng, k) : 0;
            uint64_t key = *table_slot(self->table, bucket, slot);
            paths->key[step][p] = key;
            paths->bucket[step + 1][p] = other_of(self->table, key, bucket);
        }
        paths->kicks += paths->count;
    }
    return -1;
}

/* Move `key` between buckets; 0 where it is no longer in `from`. */
static int move_key(struct inserter *self, uint32_t from, uint32_t to, uint64_t key)
{
    struct table *table = self->table;
    unsigned slot = 0;

    while (slot < table->used[from] && *table_slot(table, from, slot) != key)
        slot++;
    if (slot == table->used[from])
        return 0;
    table->used[from]--;
    table->stored--;
    *table_slot(table, from, slot) = *table_slot(table, from, table->used[from]);
    inserter_note_write(self, to, table->used[to]);
    table_add(table, to, key);
    self->cost.moves++;
    return 1;
}

enum insert_outcome insert_paths(struct inserter *self, uint64_t key)
{
    uint32_t both[SCHEME_D_MAX];
    struct paths paths;

    self->cost = (struct insert_cost){0};
    table_candidates(self->table, key, both);
    for (unsigned j = 0; j < 2; j++) {
        self->cost.buckets_read++;
        if (table_full(self->table, both[j]))
            continue;
        inserter_note_write(self, both[j], self->table->used[both[j]]);
        table_add(self->table, both[j], key);
        return INSERT_PLACED;
    }
    paths.kicks = 0;
    paths.count = self->rule->paths < PATHS_MAX ? self->rule->paths : PATHS_MAX;
    for (unsigned p = 0; p < paths.count; p++)
        paths.bucket[0][p] = both[p >= paths.count / 2];
    unsigned winner = 0;
    for (int step = 0; (step = search(self, &paths, step, &winner)) >= 0; step--) {
        while (step > 0 && move_key(self, paths.bucket[step - 1][winner],
                                    paths.bucket[step][winner], paths.key[step - 1][winner]))
            step--;
        if (step > 0)
            continue; /* the path went through itself: on from the step before */
        uint32_t bucket = paths.bucket[0][winner];
        inserter_note_write(self, bucket, self->table->used[bucket]);
        table_add(self->table, bucket, key);
        return INSERT_PLACED;
    }
    self->cost.nestless = key;
    return INSERT_GAVE_UP;
}

/* ---- labels ---- */

int insert_needs_marks(const struct insert_rule *rule)
{
    return rule->insert == insert_labels || rule->insert == insert_round_robin ||
           rule->insert == insert_bubble_up;
}

/* The labels of a key's candidates; candidates that coincide are one bucket. */
struct labels {
    uint32_t bucket[SCHEME_D_MAX];
    const uint8_t *label[SCHEME_D_MAX]; /* of the bucket's k slots */
    unsigned sum[SCHEME_D_MAX];
    unsigned buckets;
    unsigned least, next; /* the two least labels among all slots; UINT32_MAX: only one slot */
};

static void read_labels(struct inserter *self, const uint32_t *bucket, struct labels *labels)
{
    const struct scheme *scheme = self->table->scheme;

    *labels = (struct labels){.least = UINT32_MAX, .next = UINT32_MAX};
    for (unsigned j = 0; j < scheme->d; j++) {
        unsigned i = 0, sum = 0;
        while (i < labels->buckets && labels->bucket[i] != bucket[j])
            i++;
        if (i < labels->buckets)
            continue;
        const uint8_t *label = &self->mark[(uint64_t)bucket[j] * scheme->k];
        for (unsigned s = 0; s < scheme->k; s++) {
            sum += label[s];
            if (label[s] < labels->least) {
                labels->next = labels->least;
                labels->least = label[s];
            } else if (label[s] < labels->next) {
                labels->next = label[s];
            }
        }
        labels->bucket[i] = bucket[j];
        labels->label[i] = label;
        labels->sum[i] = sum;
        labels->buckets++;
        self->cost.buckets_read++;
    }
}

static unsigned slots_of_least(const struct labels *labels, unsigned i, unsigned k)
{
    unsigned count = 0;

    for (unsigned s = 0; s < k; s++)
        count += labels->label[i][s] == labels->least;
    return count;
}

/* The bucket (its number in `labels`) and slot to take: one of those with the least label. */
static unsigned choose_slot(struct inserter *self, const struct labels *labels, unsigned *slot)
{
    const enum label_ties ties = self->rule->ties;
    const int global = ties == TIES_GLOBAL_LEFT || ties == TIES_GLOBAL_RANDOM;
    const int at_random = ties == TIES_RANDOM || ties == TIES_GLOBAL_RANDOM;
    const unsigned k = self->table->scheme->k;
    unsigned count[SCHEME_D_MAX], all = 0, best = UINT32_MAX, i = 0, s = 0;

    for (unsigned b = 0; b < labels->buckets; b++) {
        count[b] = slots_of_least(labels, b, k);
        all += count[b];
        if (count[b] > 0 && (best == UINT32_MAX || (!global && labels->sum[b] < labels->sum[best])))
            best = b;
    }
    /* cppcheck-suppress uninitvar; there is at least one bucket */
    unsigned among = global ? all : count[best];
    unsigned rank = at_random && among > 1 ? rng_below(&self->rng, among) : 0;
    if (global)
        for (; rank >= count[i]; i++)
            rank -= count[i];
    else
        i = best;
    while (labels->label[i][s] != labels->least || rank-- > 0)
        s++;
    /* Of free slots, all of label 0, the first is taken: they are alike. */
    *slot = s < self->table->used[labels->bucket[i]] ? s : self->table->used[labels->bucket[i]];
    return i;
}

enum insert_outcome insert_labels(struct inserter *self, uint64_t key)
{
    struct table *table = self->table;
    uint32_t candidates[SCHEME_D_MAX];
    struct labels labels;
    unsigned slot;

    self->cost = (struct insert_cost){0};
    for (;;) {
        table_candidates(table, key, candidates);
        read_labels(self, candidates, &labels);
        if (labels.least >= self->rule->max_label) {
            self->cost.nestless = key;
            return INSERT_GAVE_UP;
        }
        uint32_t bucket = labels.bucket[choose_slot(self, &labels, &slot)];
        /* a single slot has no second label; it is used up */
        unsigned label = labels.next == UINT32_MAX ? self->rule->max_label : labels.next + 1;
        if (label > LABEL_MAX)
            label = LABEL_MAX; /* used up all the same */
        self->mark[(uint64_t)bucket * table->scheme->k + slot] = (uint8_t)label;
        inserter_note_write(self, bucket, slot);
        if (slot >= table->used[bucket]) {
            table_add(table, bucket, key);
            return INSERT_PLACED;
        }
        uint64_t *place = table_slot(table, bucket, slot);
        uint64_t resident = *place;
        *place = key;
        key = resident;
        self->cost.kicks++;
    }
}
