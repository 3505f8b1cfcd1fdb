/* slow_rules.h -- the libraries' insertion rules, written down a second time as plainly as
 * possible from what their sources say; for test_production.c. */
#ifndef CUCKOO_SLOW_RULES_H
#define CUCKOO_SLOW_RULES_H

#include <stdlib.h>
#include <string.h>

#include "insert_production.h"
#include "rules.h"
#include "table.h"

#define SLOTS_MAX 64
#define QUEUE_MAX 4000

/* A table as an array of slots, 0 for an empty one. */
struct slow {
    const struct scheme *scheme;
    struct hasher hasher;
    struct rng rng;
    uint64_t slot[SLOTS_MAX];
    unsigned mark[SLOTS_MAX];
    unsigned kicks, moves;
};

static void both(const struct slow *t, uint64_t key, uint32_t *bucket)
{
    scheme_candidates(t->scheme, &t->hasher, key, bucket);
}

static uint64_t *at(struct slow *t, uint32_t bucket, unsigned s)
{
    return &t->slot[bucket * t->scheme->k + s];
}

static int free_slot(struct slow *t, uint32_t bucket)
{
    for (unsigned s = 0; s < t->scheme->k; s++)
        if (*at(t, bucket, s) == 0)
            return (int)s;
    return -1;
}

static int put(struct slow *t, uint32_t bucket, uint64_t key)
{
    int s = free_slot(t, bucket);

    if (s >= 0)
        *at(t, bucket, (unsigned)s) = key;
    return s >= 0;
}

static uint32_t alternate(const struct slow *t, uint64_t key, uint32_t bucket)
{
    uint32_t b[SCHEME_D_MAX];

    both(t, key, b);
    return b[0] == bucket ? b[1] : b[0];
}

static unsigned choose_slot(struct slow *t)
{
    return t->scheme->k > 1 ? rng_below(&t->rng, t->scheme->k) : 0;
}

static void swap(uint64_t *a, uint64_t *b)
{
    uint64_t kept = *a;

    *a = *b;
    *b = kept;
}

/* ---- transcriptions: 1 where the key was placed ---- */

static int slow_filter(struct slow *t, uint64_t key, const struct insert_rule *rule)
{
    uint32_t b[SCHEME_D_MAX];

    both(t, key, b);
    uint32_t bucket = b[0];
    for (unsigned count = 0; count <= rule->max_kicks; count++) {
        if (put(t, bucket, key))
            return 1;
        if (count > 0) { /* kick out */
            swap(at(t, bucket, choose_slot(t)), &key);
            t->kicks++;
        }
        bucket = count == 0 ? b[1] : alternate(t, key, bucket);
    }
    return 0;
}

static int slow_slot_robin(struct slow *t, uint64_t key, const struct insert_rule *rule)
{
    uint32_t b[SCHEME_D_MAX];
    struct slow before = *t;
    unsigned victim = 0;

    both(t, key, b);
    if (put(t, b[0], key) || put(t, b[1], key))
        return 1;
    uint32_t bucket = b[0];
    for (unsigned counter = 0; counter < rule->max_kicks; counter++) {
        swap(at(t, bucket, victim), &key);
        t->kicks++;
        bucket = alternate(t, key, bucket);
        if (put(t, bucket, key))
            return 1;
        victim = (victim + 1) % t->scheme->k;
    }
    memcpy(t->slot, before.slot, sizeof t->slot); /* roll back */
    return 0;
}

/* Bubble-up: `mark` is one more than the number of the candidate a resident is in. */
static int slow_bubble_up(struct slow *t, uint64_t key, const struct insert_rule *rule)
{
    unsigned d = t->scheme->d, had = 0;

    for (unsigned kicks = 0; kicks < rule->max_kicks; kicks++) {
        uint32_t b[SCHEME_D_MAX];
        unsigned number = d - 1; /* of d candidates numbered from 1, the last but one */
        both(t, key, b);
        if (had == d - 1)
            number = d;
        for (unsigned c = d - 2; c > had && had < d - 1; c--)
            if (t->slot[b[c - 1]] == 0)
                number = c; /* the least of the free ones stays */
        uint64_t old = t->slot[b[number - 1]];
        unsigned old_had = t->mark[b[number - 1]];
        t->slot[b[number - 1]] = key;
        t->mark[b[number - 1]] = number;
        if (old == 0)
            return 1;
        t->kicks++;
        key = old;
        had = old_had;
    }
    return 0;
}

static int slow_round_robin(struct slow *t, uint64_t key, const struct insert_rule *rule)
{
    unsigned hash = 0;

    for (unsigned tries = 0; tries < rule->max_kicks; tries++) {
        uint32_t b[SCHEME_D_MAX];
        both(t, key, b);
        uint32_t bin = b[hash];
        uint64_t old = t->slot[bin];
        unsigned old_hash = t->mark[bin];
        t->slot[bin] = key;
        t->mark[bin] = hash;
        if (old == 0)
            return 1;
        t->kicks++;
        key = old;
        hash = (old_hash + 1) % t->scheme->d;
    }
    return 0;
}

static int slow_next_bucket(struct slow *t, uint64_t key, const struct insert_rule *rule)
{
    uint32_t b[SCHEME_D_MAX];
    unsigned d = t->scheme->d, counter = 0;

    both(t, key, b);
    uint32_t bucket = b[0];
    do {
        if (put(t, bucket, key))
            return 1;
        swap(at(t, bucket, choose_slot(t)), &key);
        t->kicks++;
        counter++;
        both(t, key, b);
        uint32_t next = b[0];
        for (unsigned j = d - 1; j-- > 0;)
            if (bucket == b[j])
                next = b[j + 1];
        bucket = next;
    } while (counter < rule->max_kicks);
    return 0;
}

static int slow_until_cycle(struct slow *t, uint64_t key, const struct insert_rule *rule)
{
    uint32_t b[SCHEME_D_MAX];

    (void)rule;
    both(t, key, b);
    if (put(t, b[0], key) || put(t, b[1], key))
        return 1;
    uint32_t start = b[1], bucket = b[1];
    for (;;) {
        swap(at(t, bucket, choose_slot(t)), &key);
        t->kicks++;
        both(t, key, b);
        uint32_t other = b[1];
        if (other == bucket)
            other = b[0];
        if (other == start)
            return 0;
        bucket = other;
        if (put(t, bucket, key))
            return 1;
    }
}

/* Queue searches carry the whole path with each entry. */
struct entry {
    unsigned n;
    uint32_t bucket[40];
    unsigned slot[40];
    unsigned first_slot;
};

static void follow(struct slow *t, const struct entry *path, uint64_t key)
{
    for (unsigned i = path->n; i > 0; i--) {
        put(t, path->bucket[i], *at(t, path->bucket[i - 1], path->slot[i - 1]));
        *at(t, path->bucket[i - 1], path->slot[i - 1]) = 0;
        t->moves++;
    }
    put(t, path->bucket[0], key);
}

static struct entry extend(struct slow *t, const struct entry *path, unsigned slot)
{
    struct entry longer = *path;
    uint32_t from = path->bucket[path->n];

    longer.slot[path->n] = slot;
    longer.n++;
    longer.bucket[longer.n] = alternate(t, *at(t, from, slot), from);
    longer.first_slot = slot;
    return longer;
}

static struct entry queue[QUEUE_MAX];

static int slow_queue(struct slow *t, uint64_t key, const struct insert_rule *rule)
{
    uint32_t b[SCHEME_D_MAX];
    unsigned head = 0, tail = 0, k = t->scheme->k;

    both(t, key, b);
    if (put(t, b[0], key) || put(t, b[1], key))
        return 1;
    queue[tail++] = (struct entry){.bucket = {b[0]}, .first_slot = 0};
    queue[tail++] = (struct entry){.bucket = {b[1]}, .first_slot = 1};
    while (head < tail && tail < rule->max_nodes) {
        struct entry x = queue[head++];
        if (free_slot(t, x.bucket[x.n]) >= 0) {
            follow(t, &x, key);
            return 1;
        }
        for (unsigned i = 0; i < k && tail < rule->max_nodes; i++)
            if (x.n < rule->max_moves)
                queue[tail++] = extend(t, &x, (x.first_slot + i) % k);
    }
    return 0;
}

static int slow_from_one(struct slow *t, uint32_t root, uint64_t key,
                         const struct insert_rule *rule)
{
    unsigned head = 0, tail = 0, k = t->scheme->k;

    queue[tail++] = (struct entry){.bucket = {root}};
    while (head != tail && tail < rule->max_nodes - k) {
        struct entry x = queue[head++];
        if (free_slot(t, x.bucket[x.n]) >= 0) {
            follow(t, &x, key);
            return 1;
        }
        for (unsigned i = 0; i < k; i++)
            queue[tail++] = extend(t, &x, i);
    }
    return 0;
}

static int slow_queue_twice(struct slow *t, uint64_t key, const struct insert_rule *rule)
{
    uint32_t b[SCHEME_D_MAX];

    both(t, key, b);
    return put(t, b[0], key) || put(t, b[1], key) || slow_from_one(t, b[0], key, rule) ||
           slow_from_one(t, b[1], key, rule);
}

static int slow_queue_ahead(struct slow *t, uint64_t key, const struct insert_rule *rule)
{
    uint32_t b[SCHEME_D_MAX];
    unsigned head = 0, tail = 0;

    both(t, key, b);
    if (put(t, b[0], key) || put(t, b[1], key))
        return 1;
    queue[tail++] = (struct entry){.bucket = {b[0]}};
    if (b[0] != b[1])
        queue[tail++] = (struct entry){.bucket = {b[1]}};
    while (head < tail) {
        struct entry path = queue[head++];
        for (unsigned i = 0; i < t->scheme->k; i++) {
            struct entry next = extend(t, &path, i);
            if (next.bucket[next.n] == path.bucket[path.n])
                continue;
            if (free_slot(t, next.bucket[next.n]) >= 0) {
                follow(t, &next, key);
                return 1;
            }
            if (path.n < rule->max_moves && tail < rule->max_nodes)
                queue[tail++] = next;
        }
    }
    return 0;
}

static int holds(struct slow *t, uint32_t bucket, uint64_t key, unsigned *slot)
{
    for (*slot = 0; *slot < t->scheme->k; (*slot)++)
        if (*at(t, bucket, *slot) == key)
            return 1;
    return 0;
}

static int slow_paths(struct slow *t, uint64_t key, const struct insert_rule *rule)
{
    static uint32_t bucket[600][4];
    static uint64_t item[600][4];
    uint32_t b[SCHEME_D_MAX];
    unsigned kick_count = 0, width = rule->paths, slot;
    int depth = 0;

    both(t, key, b);
    if (put(t, b[0], key) || put(t, b[1], key))
        return 1;
    for (unsigned p = 0; p < width; p++)
        bucket[0][p] = p < width / 2 ? b[0] : b[1];
    while (kick_count < rule->max_kicks && depth < 499) {
        int found = -1;
        for (unsigned p = 0; p < width && found < 0; p++) {
            if (free_slot(t, bucket[depth][p]) >= 0) {
                found = (int)p;
                break;
            }
            item[depth][p] = *at(t, bucket[depth][p], choose_slot(t));
            bucket[depth + 1][p] = alternate(t, item[depth][p], bucket[depth][p]);
        }
        if (found < 0) {
            kick_count += width;
            depth++;
            continue;
        }
        while (depth > 0 && holds(t, bucket[depth - 1][found], item[depth - 1][found], &slot)) {
            /* holes to the end, as the tables here keep them */
            unsigned last = t->scheme->k - 1;
            while (*at(t, bucket[depth - 1][found], last) == 0)
                last--;
            *at(t, bucket[depth - 1][found], slot) = *at(t, bucket[depth - 1][found], last);
            *at(t, bucket[depth - 1][found], last) = 0;
            put(t, bucket[depth][found], item[depth - 1][found]);
            t->moves++;
            depth--;
        }
        if (depth == 0)
            return put(t, bucket[0][found], key);
        depth--;
    }
    return 0;
}

/* The distinct slots of the candidates, in their order; how many. */
static unsigned slots_of(const struct slow *t, uint64_t key, unsigned *slot)
{
    uint32_t b[SCHEME_D_MAX];
    unsigned n = 0;

    both(t, key, b);
    for (unsigned j = 0; j < t->scheme->d; j++)
        for (unsigned s = 0; s < t->scheme->k; s++) {
            unsigned i = 0;
            while (i < n && slot[i] != b[j] * t->scheme->k + s)
                i++;
            slot[i] = b[j] * t->scheme->k + s;
            n += i == n;
        }
    return n;
}

static unsigned bucket_sum(const struct slow *t, unsigned slot)
{
    unsigned k = t->scheme->k, sum = 0;

    for (unsigned s = slot / k * k; s < slot / k * k + k; s++)
        sum += t->mark[s];
    return sum;
}

/* Of n slots, those of the bucket that has the least sum, the earliest of several. */
static unsigned keep_lightest(const struct slow *t, unsigned *slot, unsigned n)
{
    unsigned best = slot[0], kept = 0;

    for (unsigned i = 0; i < n; i++)
        if (bucket_sum(t, slot[i]) < bucket_sum(t, best))
            best = slot[i];
    for (unsigned i = 0; i < n; i++)
        if (slot[i] / t->scheme->k == best / t->scheme->k)
            slot[kept++] = slot[i];
    return kept;
}

static int slow_labels(struct slow *t, uint64_t key, const struct insert_rule *rule)
{
    for (;;) {
        unsigned all[SLOTS_MAX], least[SLOTS_MAX], n = slots_of(t, key, all), kept = 0, pick = 0;
        unsigned best = UINT32_MAX, second = UINT32_MAX;
        for (unsigned i = 0; i < n; i++)
            best = t->mark[all[i]] < best ? t->mark[all[i]] : best;
        if (best >= rule->max_label)
            return 0;
        for (unsigned i = 0; i < n; i++)
            if (t->mark[all[i]] == best)
                least[kept++] = all[i];
        if (rule->ties == TIES_LEFT || rule->ties == TIES_RANDOM)
            kept = keep_lightest(t, least, kept);
        if ((rule->ties == TIES_RANDOM || rule->ties == TIES_GLOBAL_RANDOM) && kept > 1)
            pick = rng_below(&t->rng, kept);
        unsigned chosen = least[pick];
        for (unsigned i = 0; i < n; i++)
            if (all[i] != chosen && t->mark[all[i]] < second)
                second = t->mark[all[i]];
        if (t->slot[chosen] == 0) /* of free slots the bucket's first */
            while (chosen % t->scheme->k > 0 && t->slot[chosen - 1] == 0)
                chosen--;
        t->mark[chosen] = second == UINT32_MAX ? rule->max_label : second + 1;
        swap(&t->slot[chosen], &key);
        if (key == 0)
            return 1;
        t->kicks++;
    }
}

static int slow_insert(struct slow *t, uint64_t key, const struct insert_rule *rule)
{
    static const struct {
        enum insert_outcome (*fast)(struct inserter *self, uint64_t key);
        int (*slow)(struct slow *t, uint64_t key, const struct insert_rule *rule);
    } pairs[] = {
        {insert_filter, slow_filter},
        {insert_slot_robin, slow_slot_robin},
        {insert_round_robin, slow_round_robin},
        {insert_bubble_up, slow_bubble_up},
        {insert_next_bucket, slow_next_bucket},
        {insert_until_cycle, slow_until_cycle},
        {insert_queue, slow_queue},
        {insert_queue_twice, slow_queue_twice},
        {insert_queue_ahead, slow_queue_ahead},
        {insert_paths, slow_paths},
        {insert_labels, slow_labels},
    };

    t->kicks = t->moves = 0;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (pairs[i].fast == rule->insert)
            return pairs[i].slow(t, key, rule);
    fail();
    return 0;
}

#endif
