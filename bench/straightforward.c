/* straightforward.c -- e2 to e7 written down plainly, for one thread: what `make bench`
 * measures cuckoo_sim against.
 *
 * The way an article's program is written: tables from calloc, a union-find over all edges
 * with path halving, a breadth-first search with a visited array, probing modulo the
 * table's size, every key hashed whenever its place is asked for.  It is not made slow on
 * purpose.  It shares the mixer and the streams with src/ and nothing else, draws the same
 * keys, and prints the same integers, which bench/run.py compares.
 *
 *   straightforward e2|e3|e4|e5|e6|e7 TRIALS [SLOTS]
 *   straightforward fail2|fail3|walk|breadth TRIALS      single kernels
 *
 * Every line: the experiment, what names the row, then integers. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/rng.h"

#define SEED  1
#define D_MAX 4
#define EMPTY 0 /* a key is 0 with probability 2^-64 */
#define NONE  UINT32_MAX

/* One table of buckets, or d of them; keys, and the random choices of a walk. */
struct table {
    unsigned d, k, split;
    uint32_t buckets;
    uint64_t seed[2];
    uint64_t *key;  /* buckets * k */
    uint32_t *used; /* by bucket */
    struct rng choices;
    /* breadth-first search */
    uint32_t *queue, *parent, *slot, *visited, stamp;
    /* of the last insertion */
    uint32_t kicks, moves, read, writes;
    uint64_t written[1024];
};

struct table_costs {
    uint64_t lookups, slots, lines, most;
};

static uint64_t stream(const struct table *t, uint64_t keys, uint64_t trial, uint64_t use)
{
    const uint64_t words[] = {SEED, t->d, t->k, t->split, 0, t->buckets, keys, trial, use};

    return stream_key(words, 9);
}

static void *zeros(size_t n, size_t size)
{
    void *memory = calloc(n + 1, size);

    if (memory == NULL)
        exit(1);
    return memory;
}

static void open_table(struct table *t, unsigned d, unsigned k, unsigned split, uint64_t slots)
{
    memset(t, 0, sizeof *t);
    t->d = d;
    t->k = k;
    t->split = split;
    t->buckets = (uint32_t)(slots / (split ? d : 1) / k * (split ? d : 1));
    t->key = zeros((size_t)t->buckets * k, sizeof *t->key);
    t->used = zeros(t->buckets, sizeof *t->used);
    t->queue = zeros(t->buckets, sizeof *t->queue);
    t->parent = zeros(t->buckets, sizeof *t->parent);
    t->slot = zeros(t->buckets, sizeof *t->slot);
    t->visited = zeros(t->buckets, sizeof *t->visited);
}

static void close_table(struct table *t)
{
    free(t->key);
    free(t->used);
    free(t->queue);
    free(t->parent);
    free(t->slot);
    free(t->visited);
}

static void start_trial(struct table *t, uint64_t keys, uint64_t trial, struct rng *stream_keys)
{
    struct rng functions;

    rng_init(&functions, stream(t, keys, trial, STREAM_HASH));
    t->seed[0] = rng_next(&functions);
    t->seed[1] = rng_next(&functions);
    rng_init(&t->choices, stream(t, keys, trial, STREAM_SEARCH));
    rng_init(stream_keys, stream(t, keys, trial, STREAM_KEYS));
    memset(t->used, 0, t->buckets * sizeof *t->used);
}

static void candidates(const struct table *t, uint64_t key, uint32_t *bucket)
{
    uint32_t width = t->split ? t->buckets / t->d : t->buckets;

    for (unsigned j = 0; j < t->d; j++) {
        uint64_t hash = hash_mix(key ^ t->seed[j / 2]);
        bucket[j] = hash_reduce(j % 2 ? hash : hash >> 32, width) + (t->split ? j * width : 0);
    }
}

static void put(struct table *t, uint32_t bucket, unsigned slot, uint64_t key)
{
    uint64_t where = (uint64_t)bucket * t->k + slot;

    t->key[where] = key;
    t->written[t->writes++ % 1024] = where;
}

static int walk(struct table *t, uint64_t key, uint32_t limit)
{
    uint32_t from = NONE;

    for (t->kicks = t->moves = t->read = t->writes = 0;; t->kicks++) {
        uint32_t bucket[D_MAX], other[D_MAX];
        unsigned n = 0;
        candidates(t, key, bucket);
        for (unsigned j = 0; j < t->d; j++)
            if (bucket[j] != from)
                other[n++] = bucket[j];
        if (n == 0)
            other[n++] = from;
        for (unsigned j = 0; j < n; j++) {
            t->read++;
            if (t->used[other[j]] < t->k) {
                put(t, other[j], t->used[other[j]]++, key);
                return 1;
            }
        }
        if (t->kicks == limit)
            return 0;
        from = other[n > 1 ? rng_below(&t->choices, n) : 0];
        unsigned slot = t->k > 1 ? rng_below(&t->choices, t->k) : 0;
        uint64_t evicted = t->key[(uint64_t)from * t->k + slot];
        put(t, from, slot, key);
        key = evicted;
    }
}

static int original(struct table *t, uint64_t key, uint32_t limit)
{
    uint32_t both[D_MAX];

    candidates(t, key, both);
    uint32_t bucket = both[0];
    for (t->kicks = t->moves = t->read = t->writes = 0;; t->kicks++) {
        t->read++;
        if (t->used[bucket] < t->k) {
            put(t, bucket, t->used[bucket]++, key);
            return 1;
        }
        if (t->kicks == limit)
            return 0;
        unsigned slot = t->k > 1 ? rng_below(&t->choices, t->k) : 0;
        uint64_t evicted = t->key[(uint64_t)bucket * t->k + slot];
        put(t, bucket, slot, key);
        key = evicted;
        candidates(t, key, both);
        bucket = both[0] == bucket ? both[1] : both[0];
    }
}

static void follow(struct table *t, uint32_t node, uint64_t key)
{
    uint32_t bucket = t->queue[node];
    unsigned hole = t->used[bucket]++;

    for (; t->parent[node] != NONE; node = t->parent[node]) {
        uint32_t above = t->queue[t->parent[node]];
        put(t, bucket, hole, t->key[(uint64_t)above * t->k + t->slot[node]]);
        t->moves++;
        bucket = above;
        hole = t->slot[node];
    }
    put(t, bucket, hole, key);
}

/* Limits on slots inspected and on moves; UINT32_MAX: none. */
static int breadth(struct table *t, uint64_t key, uint32_t max_slots, uint32_t max_moves)
{
    uint32_t first = 0, nodes = 0, depth = 0, level_end = 0, from = NONE;

    t->kicks = t->moves = t->read = t->writes = 0;
    t->stamp++;
    for (;;) {
        for (unsigned s = 0; s < (from == NONE ? 1 : t->k); s++) {
            uint32_t bucket[D_MAX];
            uint64_t resident = from == NONE ? key : t->key[(uint64_t)t->queue[from] * t->k + s];
            candidates(t, resident, bucket);
            for (unsigned j = 0; j < t->d; j++) {
                if (t->visited[bucket[j]] == t->stamp)
                    continue;
                if (max_slots != UINT32_MAX && (t->read + 1) * t->k > max_slots)
                    return 0;
                t->read++;
                t->visited[bucket[j]] = t->stamp;
                t->queue[nodes] = bucket[j];
                t->parent[nodes] = from;
                t->slot[nodes++] = s;
                if (t->used[bucket[j]] < t->k) {
                    follow(t, nodes - 1, key);
                    return 1;
                }
            }
        }
        if (from == NONE)
            level_end = nodes;
        if (first == nodes)
            return 0;
        if (first == level_end) {
            depth++;
            level_end = nodes;
        }
        if (depth >= max_moves)
            return 0;
        from = first++;
    }
}

enum rule { COMPLETE, WALK, BREADTH, BREADTH_FAR, ORIGINAL, RULES };
static const char *const rule_names[RULES] = {"complete", "walk", "breadth-first", "breadth-first",
                                              "original"};

static int insert(struct table *t, enum rule rule, uint64_t key)
{
    switch (rule) {
    case WALK:
        return walk(t, key, 500);
    case BREADTH:
        return breadth(t, key, 2000, 5);
    case BREADTH_FAR:
        return breadth(t, key, 2000, UINT32_MAX);
    case ORIGINAL:
        return original(t, key, 500);
    default:
        return breadth(t, key, UINT32_MAX, UINT32_MAX);
    }
}

/* ---- e2, e3: lookups ---- */

static uint64_t lines_between(uint64_t first, uint64_t slots, uint64_t size)
{
    uint64_t last = (first + slots - 1) % size;

    if (first + slots <= size)
        return last / 8 - first / 8 + 1;
    return (size - 1) / 8 - first / 8 + 1 + last / 8 + (last / 8 != first / 8);
}

static void cost(struct table_costs *costs, uint64_t slots, uint64_t lines)
{
    costs->lookups++;
    costs->slots += slots;
    costs->lines += lines;
    if (slots > costs->most)
        costs->most = slots;
}

static void print_costs(const char *what, unsigned d, unsigned k, uint64_t slots, uint64_t keys,
                        uint64_t trial, const struct table_costs *hit,
                        const struct table_costs *miss, uint64_t left_over)
{
    printf("%s %u %u %" PRIu64 " %" PRIu64 " trial %" PRIu64 " hits %" PRIu64 " %" PRIu64
           " %" PRIu64 " misses %" PRIu64 " %" PRIu64 " left %" PRIu64 "\n",
           what, d, k, slots, keys, trial, hit->slots, hit->lines, hit->most, miss->slots,
           miss->most, left_over);
}

static void probe_hits_and_misses(const uint64_t *table, uint64_t slots, uint64_t seed, int robin,
                                  struct table_costs *hit, struct table_costs *miss)
{
    for (uint64_t i = 0; i < slots; i++) {
        if (table[i] != EMPTY) {
            uint32_t home = hash_reduce(hash_mix(table[i] ^ seed) >> 32, (uint32_t)slots);
            uint64_t compared = (i + slots - home) % slots + 1;
            cost(hit, compared, lines_between(home, compared, slots));
        }
        uint64_t compared = 1;
        for (uint64_t p = i; table[p] != EMPTY; p = (p + 1) % slots, compared++) {
            uint32_t home = hash_reduce(hash_mix(table[p] ^ seed) >> 32, (uint32_t)slots);
            if (robin && (p + slots - home) % slots + 1 < compared)
                break;
        }
        cost(miss, compared, lines_between(i, compared, slots));
    }
}

static void probing(const char *name, int robin, uint64_t slots, const unsigned *percent,
                    unsigned loads, uint64_t trials)
{
    struct table t = {.d = 1, .k = 1, .buckets = (uint32_t)slots};
    uint64_t *table = zeros(slots, sizeof *table);

    for (uint64_t trial = 0; trial < trials; trial++) {
        struct rng keys, functions;
        uint64_t stored = 0;
        memset(table, 0, slots * sizeof *table);
        rng_init(&functions, stream(&t, 0, trial, STREAM_HASH));
        uint64_t seed = rng_next(&functions);
        rng_init(&keys, stream(&t, 0, trial, STREAM_KEYS));
        for (unsigned i = 0; i < loads; i++) {
            struct table_costs hit = {0}, miss = {0};
            for (; stored < slots * percent[i] / 100; stored++) {
                uint64_t key = rng_next(&keys);
                uint64_t p = hash_reduce(hash_mix(key ^ seed) >> 32, (uint32_t)slots);
                for (uint64_t far = 0; table[p] != EMPTY; p = (p + 1) % slots, far++) {
                    if (!robin)
                        continue;
                    uint32_t home = hash_reduce(hash_mix(table[p] ^ seed) >> 32, (uint32_t)slots);
                    uint64_t its = (p + slots - home) % slots;
                    if (its < far) {
                        uint64_t richer = table[p];
                        table[p] = key;
                        key = richer;
                        far = its;
                    }
                }
                table[p] = key;
            }
            probe_hits_and_misses(table, slots, seed, robin, &hit, &miss);
            print_costs(name, 1, 1, slots, stored, trial, &hit, &miss, 0);
        }
    }
    free(table);
}

static void cuckoo_hits(const struct table *t, struct table_costs *hit)
{
    for (uint32_t b = 0; b < t->buckets; b++)
        for (unsigned s = 0; s < t->used[b]; s++) {
            uint32_t bucket[D_MAX];
            uint64_t line[D_MAX * 2], lines = 0, seen;
            candidates(t, t->key[(uint64_t)b * t->k + s], bucket);
            for (unsigned j = 0;; j++) {
                for (uint64_t slot = (uint64_t)bucket[j] * t->k;
                     slot < (uint64_t)(bucket[j] + 1) * t->k; slot++) {
                    for (seen = 0; seen < lines && line[seen] != slot / 8; seen++)
                        ;
                    if (seen == lines)
                        line[lines++] = slot / 8;
                }
                if (bucket[j] != b)
                    continue;
                cost(hit, (uint64_t)(j + 1) * t->k, lines);
                break;
            }
        }
}

static void cuckoo_lookups(unsigned d, unsigned k, unsigned split, enum rule rule, uint64_t slots,
                           const unsigned *percent, unsigned loads, uint64_t trials)
{
    struct table t;

    open_table(&t, d, k, split, slots);
    for (uint64_t trial = 0; trial < trials; trial++) {
        struct rng keys;
        uint64_t offered = 0, left_over = 0;
        start_trial(&t, 0, trial, &keys);
        for (unsigned i = 0; i < loads; i++) {
            struct table_costs hit = {0}, miss = {1, d * k, 0, d * k};
            for (; offered < (uint64_t)t.buckets * k * percent[i] / 100; offered++)
                left_over += !insert(&t, rule, rng_next(&keys));
            cuckoo_hits(&t, &hit);
            print_costs(rule_names[rule], d, k, (uint64_t)t.buckets * k, offered, trial, &hit,
                        &miss, left_over);
        }
    }
    close_table(&t);
}

static void e2(uint64_t trials, uint64_t slots)
{
    static const unsigned all[] = {50, 70, 80, 90, 95}, two[] = {45, 50};

    slots = slots ? slots : 1 << 20;
    probing("linear-probing", 0, slots, all, 5, trials);
    probing("robin-hood", 1, slots, all, 5, trials);
    cuckoo_lookups(2, 4, 0, COMPLETE, slots, all, 5, trials);
    cuckoo_lookups(2, 4, 0, WALK, slots, all, 5, trials);
    cuckoo_lookups(2, 8, 0, COMPLETE, slots, all, 5, trials);
    cuckoo_lookups(4, 1, 0, COMPLETE, slots, all, 5, trials);
    cuckoo_lookups(3, 1, 0, COMPLETE, slots, all, 4, trials);
    cuckoo_lookups(2, 1, 1, COMPLETE, slots, two, 2, trials);
}

static void e3(uint64_t trials, uint64_t only)
{
    static const unsigned load[] = {90};

    for (int method = 0; method < 3; method++)
        for (unsigned log = 10; log <= 24; log += 2) {
            uint64_t slots = only ? only : UINT64_C(1) << log;
            if (method == 2)
                cuckoo_lookups(2, 4, 0, COMPLETE, slots, load, 1, trials);
            else
                probing(method ? "robin-hood" : "linear-probing", method, slots, load, 1, trials);
            if (only)
                break;
        }
}

#include "straightforward_graphs.h"
