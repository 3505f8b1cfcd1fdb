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
    return rule->insert == insert_labels || rule->insert == insert_round_robin;
}

struct choice {
    uint32_t bucket;
    unsigned slot;
    unsigned least, next; /* the two least labels among all slots of the candidates */
};

/* The slot of least label: first the bucket with the least sum of labels, then the leftmost.
 * Candidates that coincide are one bucket. */
static struct choice least_label(struct inserter *self, const uint32_t *bucket)
{
    const struct scheme *scheme = self->table->scheme;
    struct choice choice = {0, 0, UINT32_MAX, UINT32_MAX};
    unsigned best_sum = 0;

    for (unsigned j = 0; j < scheme->d; j++) {
        const uint8_t *label = &self->mark[(uint64_t)bucket[j] * scheme->k];
        unsigned sum = 0, earlier = 0, slot = 0;
        while (earlier < j && bucket[earlier] != bucket[j])
            earlier++;
        if (earlier < j)
            continue;
        self->cost.buckets_read++;
        for (unsigned s = 0; s < scheme->k; s++) {
            sum += label[s];
            if (label[s] < label[slot])
                slot = s;
        }
        int better = label[slot] < choice.least || (label[slot] == choice.least && sum < best_sum);
        if (better) {
            if (choice.least < choice.next)
                choice.next = choice.least;
            choice = (struct choice){bucket[j], slot, label[slot], choice.next};
            best_sum = sum;
        }
        for (unsigned s = 0; s < scheme->k; s++)
            if ((!better || s != slot) && label[s] < choice.next)
                choice.next = label[s];
    }
    return choice;
}

enum insert_outcome insert_labels(struct inserter *self, uint64_t key)
{
    struct table *table = self->table;
    uint32_t bucket[SCHEME_D_MAX];

    self->cost = (struct insert_cost){0};
    for (;;) {
        table_candidates(table, key, bucket);
        struct choice choice = least_label(self, bucket);
        if (choice.least >= self->rule->max_label) {
            self->cost.nestless = key;
            return INSERT_GAVE_UP;
        }
        /* a single slot has no second label; it is used up */
        unsigned label = choice.next == UINT32_MAX ? self->rule->max_label : choice.next + 1;
        self->mark[(uint64_t)choice.bucket * table->scheme->k + choice.slot] = (uint8_t)label;
        inserter_note_write(self, choice.bucket, choice.slot);
        if (choice.slot >= table->used[choice.bucket]) {
            table_add(table, choice.bucket, key);
            return INSERT_PLACED;
        }
        uint64_t *place = table_slot(table, choice.bucket, choice.slot);
        uint64_t resident = *place;
        *place = key;
        key = resident;
        self->cost.kicks++;
    }
}
