/* slow.h -- the definitions, written down a second time as plainly as possible.
 *
 * Nothing here calls an algorithm of src/: streams, hashing, candidates, the insertion
 * rules, placement and open addressing are transcribed from their definitions, with lists
 * where src/ has bits and arithmetic.  Tables are small and speed is no matter.  What the
 * two share is the order in which random numbers are taken, which is part of a result:
 *   a choice among n > 1 candidates, then a choice among k > 1 slots, each by rejection
 *   from the upper halves of the words of the search stream; a choice among one thing
 *   takes no number. */
#ifndef CUCKOO_SLOW_H
#define CUCKOO_SLOW_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SLOW_D       16
#define SLOW_K       8
#define SLOW_BUCKETS 512
#define SLOW_KEYS    1024

/* ---- random numbers ---- */

static inline uint64_t slow_mix(uint64_t z)
{
    z ^= z >> 30;
    z *= UINT64_C(13787848793156543929);
    z ^= z >> 27;
    z *= UINT64_C(10723151780598845931);
    z ^= z >> 31;
    return z;
}

static inline uint64_t slow_next(uint64_t *state)
{
    *state += UINT64_C(11400714819323198485);
    return slow_mix(*state);
}

/* Uniform in [0, n): words whose product's low half is below 2^32 mod n are dropped. */
static inline uint32_t slow_choose(uint64_t *state, uint32_t n)
{
    if (n == 1)
        return 0;
    for (;;) {
        uint64_t x = slow_next(state) / UINT64_C(4294967296);
        if (x * n % UINT64_C(4294967296) >= UINT64_C(4294967296) % n)
            return (uint32_t)(x * n / UINT64_C(4294967296));
    }
}

/* The key of a trial's stream: seed, d, k, split, distinct, buckets, keys, trial, use, folded
 * in this order.  Uses: 1 the keys, 2 the hash functions, 3 the search. */
static inline uint64_t slow_stream(const uint64_t *words, unsigned count)
{
    uint64_t key = UINT64_C(11400714819323198485);

    for (unsigned i = 0; i < count; i++)
        key = slow_mix(key ^ slow_mix(words[i] + (i + 1) * UINT64_C(11400714819323198485)));
    return key;
}

/* ---- where a key may live ---- */

struct slow_table {
    unsigned d, k;
    int split, distinct;
    unsigned window;  /* slots of a window, d of them in all and k = 1; 0: buckets */
    unsigned page;    /* whose border no window crosses; 0: none */
    unsigned buckets; /* over all tables */
    uint64_t seed[SLOW_D / 2];
    unsigned used[SLOW_BUCKETS];
    uint64_t key[SLOW_BUCKETS][SLOW_K];
};

/* Half of a hash for each candidate: upper half for even j, lower half for odd j. */
static inline uint64_t slow_half(const struct slow_table *t, uint64_t key, unsigned j)
{
    uint64_t hash = slow_mix(key ^ t->seed[j / 2]);

    return j % 2 == 0 ? hash / UINT64_C(4294967296) : hash % UINT64_C(4294967296);
}

static inline void slow_candidates(const struct slow_table *t, uint64_t key, unsigned *bucket)
{
    unsigned width = t->split ? t->buckets / t->d : t->buckets;
    unsigned left[SLOW_BUCKETS], n = 0; /* buckets not yet taken, in order */

    for (unsigned j = 0; j < t->d && t->window > 0; j++) {
        unsigned page = t->page > 0 ? t->page : t->buckets, starts = 0, start[SLOW_BUCKETS];
        for (unsigned b = 0; b < t->buckets; b++) /* a window does not go round the end */
            if (b % page + t->window <= page)
                start[starts++] = b;
        bucket[j] =
            start[slow_half(t, key, j / t->window) * starts / UINT64_C(4294967296)] + j % t->window;
    }
    if (t->window > 0)
        return;
    for (unsigned b = 0; b < width; b++)
        left[n++] = b;
    for (unsigned j = 0; j < t->d; j++) {
        unsigned rank = (unsigned)(slow_half(t, key, j) * n / UINT64_C(4294967296));
        bucket[j] = left[rank] + (t->split ? j * width : 0);
        if (t->distinct && !t->split) {
            for (unsigned i = rank; i + 1 < n; i++)
                left[i] = left[i + 1];
            n--;
        }
    }
}

/* ---- the insertion rules ---- */

enum slow_outcome { SLOW_PLACED, SLOW_GAVE_UP, SLOW_NO_PLACE };

struct slow_cost {
    unsigned kicks, moves, buckets_read, writes;
    uint64_t nestless;
    unsigned char line[SLOW_BUCKETS * SLOW_K / 8]; /* written */
};

static inline void slow_put(struct slow_table *t, unsigned bucket, unsigned slot, uint64_t key,
                            struct slow_cost *cost)
{
    t->key[bucket][slot] = key;
    cost->writes++;
    cost->line[(bucket * t->k + slot) / 8] = 1;
}

static inline void slow_put_free(struct slow_table *t, unsigned bucket, uint64_t key,
                                 struct slow_cost *cost)
{
    slow_put(t, bucket, t->used[bucket], key, cost);
    t->used[bucket]++;
}

/* If any candidate has a free slot, take it; else start at a random candidate, evict a
 * random slot, and go on with the evicted key: first look for a free slot in all its other
 * candidates, else evict from a random one of them, never straight back into the bucket it
 * came from (unless its candidates coincide). */
static inline enum slow_outcome slow_walk(struct slow_table *t, uint64_t key, unsigned max_kicks,
                                          uint64_t *choices, struct slow_cost *cost)
{
    int from = -1;

    for (;;) {
        unsigned all[SLOW_D], other[SLOW_D], n = 0;
        slow_candidates(t, key, all);
        for (unsigned j = 0; j < t->d; j++)
            if ((int)all[j] != from)
                other[n++] = all[j];
        if (n == 0)
            other[n++] = (unsigned)from;
        for (unsigned j = 0; j < n; j++) {
            cost->buckets_read++;
            if (t->used[other[j]] < t->k) {
                slow_put_free(t, other[j], key, cost);
                return SLOW_PLACED;
            }
        }
        if (cost->kicks == max_kicks) {
            cost->nestless = key;
            return SLOW_GAVE_UP;
        }
        unsigned bucket = other[slow_choose(choices, n)];
        unsigned slot = slow_choose(choices, t->k);
        uint64_t evicted = t->key[bucket][slot];
        slow_put(t, bucket, slot, key, cost);
        cost->kicks++;
        key = evicted;
        from = (int)bucket;
    }
}

/* Place into the first candidate, in a free slot if it has one, else evict a random slot;
 * the evicted key goes to its other candidate; and so on. */
static inline enum slow_outcome slow_original(struct slow_table *t, uint64_t key,
                                              unsigned max_kicks, uint64_t *choices,
                                              struct slow_cost *cost)
{
    unsigned both[SLOW_D];
    slow_candidates(t, key, both);
    unsigned bucket = both[0];

    for (;;) {
        cost->buckets_read++;
        if (t->used[bucket] < t->k) {
            slow_put_free(t, bucket, key, cost);
            return SLOW_PLACED;
        }
        if (cost->kicks == max_kicks) {
            cost->nestless = key;
            return SLOW_GAVE_UP;
        }
        unsigned slot = slow_choose(choices, t->k);
        uint64_t evicted = t->key[bucket][slot];
        slow_put(t, bucket, slot, key, cost);
        cost->kicks++;
        key = evicted;
        slow_candidates(t, key, both);
        bucket = both[0] == bucket ? both[1] : both[0];
    }
}

/* A path: put the key into bucket[0]; its resident of slot[0] goes to bucket[1]; ... the
 * resident of slot[length - 1] goes to bucket[length], which has room. */
struct slow_path {
    unsigned length;
    unsigned bucket[SLOW_BUCKETS], slot[SLOW_BUCKETS];
};

static inline void slow_follow(struct slow_table *t, const struct slow_path *path, uint64_t key,
                               struct slow_cost *cost)
{
    unsigned last = path->bucket[path->length], slot = t->used[last];

    t->used[last]++;
    for (unsigned i = path->length; i > 0; i--) {
        unsigned bucket = path->bucket[i - 1];
        slow_put(t, path->bucket[i], slot, t->key[bucket][path->slot[i - 1]], cost);
        cost->moves++;
        slot = path->slot[i - 1];
    }
    slow_put(t, path->bucket[0], slot, key, cost);
}

/* Candidates in order, each bucket read once, and at most so many slots inspected and keys
 * moved; UINT32_MAX: no limit. */
static inline enum slow_outcome slow_breadth(struct slow_table *t, uint64_t key, uint32_t max_slots,
                                             uint32_t max_moves, struct slow_cost *cost)
{
    struct slow_path *queue = calloc(t->buckets + 1, sizeof *queue);
    unsigned first = 0, n = 0;
    unsigned char seen[SLOW_BUCKETS] = {0};
    enum slow_outcome outcome = SLOW_NO_PLACE;
    unsigned bucket[SLOW_D];
    struct slow_path start = {0}; /* what leads to the buckets looked at now */
    int at_start = 1;

    if (queue == NULL)
        abort();
    slow_candidates(t, key, bucket);
    for (unsigned slots = 1;;) {
        for (unsigned s = 0; s < slots; s++) {
            if (!at_start)
                slow_candidates(t, t->key[start.bucket[start.length]][s], bucket);
            for (unsigned j = 0; j < t->d; j++) {
                if (seen[bucket[j]])
                    continue;
                if (max_slots != UINT32_MAX && (cost->buckets_read + 1) * t->k > max_slots) {
                    outcome = SLOW_GAVE_UP;
                    goto out;
                }
                cost->buckets_read++;
                seen[bucket[j]] = 1;
                struct slow_path path = start;
                if (!at_start)
                    path.slot[path.length++] = s;
                path.bucket[path.length] = bucket[j];
                if (t->used[bucket[j]] < t->k) {
                    slow_follow(t, &path, key, cost);
                    free(queue);
                    return SLOW_PLACED;
                }
                queue[n++] = path;
            }
        }
        if (first == n)
            goto out;
        start = queue[first++];
        at_start = 0;
        slots = t->k;
        if (start.length >= max_moves) {
            outcome = SLOW_GAVE_UP;
            goto out;
        }
    }
out:
    cost->nestless = key;
    free(queue);
    return outcome;
}

/* ---- placement ---- */

/* A set of keys with their candidate buckets, and the most keys that can be placed, by
 * augmenting paths: Kuhn's method, with buckets of k slots. */
struct slow_keys {
    unsigned d, k, buckets, n;
    unsigned bucket[SLOW_KEYS][SLOW_D];
};

struct slow_matching {
    const struct slow_keys *keys;
    unsigned used[SLOW_BUCKETS];
    unsigned key[SLOW_BUCKETS][SLOW_K];
    unsigned char seen[SLOW_BUCKETS];
};

static inline int slow_augment(struct slow_matching *m, unsigned key)
{
    for (unsigned j = 0; j < m->keys->d; j++) {
        unsigned b = m->keys->bucket[key][j];
        if (m->seen[b])
            continue;
        m->seen[b] = 1;
        if (m->used[b] < m->keys->k) {
            m->key[b][m->used[b]++] = key;
            return 1;
        }
        for (unsigned s = 0; s < m->keys->k; s++)
            if (slow_augment(m, m->key[b][s])) {
                m->key[b][s] = key;
                return 1;
            }
    }
    return 0;
}

static inline unsigned slow_most_placed(const struct slow_keys *keys)
{
    struct slow_matching m = {.keys = keys};
    unsigned placed = 0;

    for (unsigned i = 0; i < keys->n; i++) {
        memset(m.seen, 0, sizeof m.seen);
        placed += (unsigned)slow_augment(&m, i);
    }
    return placed;
}

/* The same by trying everything: each key in one of its candidates or nowhere. */
static inline unsigned slow_try_all(const struct slow_keys *keys, unsigned i, unsigned *used)
{
    unsigned best = 0;

    if (i == keys->n)
        return 0;
    best = slow_try_all(keys, i + 1, used);
    for (unsigned j = 0; j < keys->d; j++) {
        unsigned b = keys->bucket[i][j];
        if (used[b] == keys->k)
            continue;
        used[b]++;
        unsigned placed = 1 + slow_try_all(keys, i + 1, used);
        used[b]--;
        if (placed > best)
            best = placed;
    }
    return best;
}

/* S of the cuckoo graph (d = 2, k = 1): colour the components by repeated relabelling,
 * then count their vertices and edges. */
static inline unsigned slow_excess(const struct slow_keys *keys)
{
    unsigned colour[SLOW_BUCKETS], vertices[SLOW_BUCKETS] = {0}, edges[SLOW_BUCKETS] = {0};
    unsigned stash = 0;
    int changed = 1;

    for (unsigned v = 0; v < keys->buckets; v++)
        colour[v] = v;
    while (changed) {
        changed = 0;
        for (unsigned i = 0; i < keys->n; i++) {
            unsigned a = keys->bucket[i][0], b = keys->bucket[i][1];
            unsigned least = colour[a] < colour[b] ? colour[a] : colour[b];
            changed |= colour[a] != least || colour[b] != least;
            colour[a] = colour[b] = least;
        }
    }
    for (unsigned v = 0; v < keys->buckets; v++)
        vertices[colour[v]]++;
    for (unsigned i = 0; i < keys->n; i++)
        edges[colour[keys->bucket[i][0]]]++;
    for (unsigned v = 0; v < keys->buckets; v++)
        stash += edges[v] > vertices[v] ? edges[v] - vertices[v] : 0;
    return stash;
}

#endif
