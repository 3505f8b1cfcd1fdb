/* e1_search.c -- the second half of e1: one breadth-first insertion, its search tree in
 * the order in which buckets are read, and the moves in the order in which they happen. */
#include "e1_search.h"

#include "../src/insert_node.h"
#include "../src/measure_state.h"

#define SEARCH_D      2
#define SEARCH_K      2
#define SEARCH_SLOTS  20
#define SEARCH_MOVES  2 /* the example is the first insertion that moves so many keys */
#define SEARCH_TRIALS 1000

static const struct out_column bucket_columns[] = {
    {"bucket", OUT_COUNT, 0, "bucket of the table, from 0"},
    {"slot", OUT_COUNT, 0, "slot of the bucket, from 0"},
    {"before", OUT_WORD, 0, "key there before the insertion (k1 came first); - if free"},
    {"after", OUT_WORD, 0, "key there after it"},
};
static const struct out_column search_columns[] = {
    {"node", OUT_COUNT, 0, "buckets in the order in which they are read"},
    {"bucket", OUT_COUNT, 0, "bucket that is read"},
    {"parent", OUT_COUNT, 0, "node whose resident leads here; - for a candidate of the new key"},
    {"slot", OUT_COUNT, 0, "slot of that resident"},
    {"key", OUT_WORD, 0, "that resident, whose other bucket this is; or the new key"},
    {"moves", OUT_COUNT, 0, "keys that would move if this bucket had a free slot"},
    {"free", OUT_COUNT, 0, "free slots; the first bucket with one ends the search"},
};
static const struct out_column move_columns[] = {
    {"step", OUT_COUNT, 0, "order of the writes: from the free slot back to the new key"},
    {"key", OUT_WORD, 0, "key that is copied"},
    {"from_bucket", OUT_COUNT, 0, "where it was; - for the new key"},
    {"from_slot", OUT_COUNT, 0, "slot there: the hole after the copy"},
    {"to_bucket", OUT_COUNT, 0, "where the hole was"},
    {"to_slot", OUT_COUNT, 0, "slot there"},
};

const struct out_table e1_bucket_table = {
    "e1.buckets", "A table before and after one breadth-first insertion", bucket_columns, 4};
const struct out_table e1_search_table = {"e1.search", "The search tree of that insertion",
                                          search_columns, 7};
const struct out_table e1_move_table = {"e1.moves", "The hole moves backwards along the path",
                                        move_columns, 6};

/* Keys are named by their order of arrival, from k1 on. */
struct names {
    uint64_t key[SEARCH_SLOTS];
    unsigned count;
};

static void write_name(struct out *out, const struct names *names, uint64_t key)
{
    for (unsigned i = 0; i < names->count; i++)
        if (names->key[i] == key) {
            out_wordf(out, "k%u", i + 1);
            return;
        }
    out_none(out);
}

struct snapshot {
    uint64_t key[SEARCH_SLOTS];
    uint8_t used[SEARCH_SLOTS];
};

static void take_snapshot(const struct table *table, struct snapshot *snapshot)
{
    for (uint32_t b = 0; b < table->scheme->buckets; b++) {
        snapshot->used[b] = table->used[b];
        for (unsigned s = 0; s < table->used[b]; s++)
            snapshot->key[b * SEARCH_K + s] = *table_slot(table, b, s);
    }
}

/* Fill tables until an insertion moves SEARCH_MOVES keys; 1 if one was found. */
static int find_example(struct fill_state *state, uint64_t seed, struct names *names,
                        struct snapshot *before, uint64_t *found_in)
{
    for (uint64_t trial = 0; trial < SEARCH_TRIALS; trial++) {
        struct rng keys;
        enum insert_outcome outcome = INSERT_PLACED;
        fill_state_reset(state, seed, trial, &keys);
        for (names->count = 0; names->count < SEARCH_SLOTS && outcome == INSERT_PLACED;) {
            take_snapshot(&state->table, before);
            uint64_t key = rng_next(&keys);
            names->key[names->count++] = key;
            outcome = inserter_add(&state->inserter, key);
            if (outcome == INSERT_PLACED && state->inserter.cost.moves == SEARCH_MOVES) {
                *found_in = trial;
                return 1;
            }
        }
    }
    return 0;
}

static void write_buckets(struct out *out, const struct table *table, const struct names *names,
                          const struct snapshot *before, uint64_t seed, uint64_t trial)
{
    out_begin(out, &e1_bucket_table);
    out_param(out, "seed", "%llu", (unsigned long long)seed);
    out_param(out, "trial", "%llu", (unsigned long long)trial);
    out_param(out, "candidates", "%d", SEARCH_D);
    out_param(out, "bucket", "%d", SEARCH_K);
    out_param(out, "slots", "%d", SEARCH_SLOTS);
    out_param(out, "new_key", "k%u", names->count);
    for (uint32_t b = 0; b < table->scheme->buckets; b++)
        for (unsigned s = 0; s < SEARCH_K; s++) {
            out_count(out, b);
            out_count(out, s);
            if (s < before->used[b])
                write_name(out, names, before->key[b * SEARCH_K + s]);
            else
                out_none(out);
            if (s < table->used[b])
                write_name(out, names, *table_slot(table, b, s));
            else
                out_none(out);
        }
    out_end(out);
}

static unsigned depth_of(const struct inserter *inserter, uint32_t node)
{
    unsigned depth = 0;

    for (; inserter->node[node].parent != INSERT_NODE_ROOT; node = inserter->node[node].parent)
        depth++;
    return depth;
}

static void write_search(struct out *out, const struct inserter *inserter,
                         const struct names *names, const struct snapshot *before)
{
    out_begin(out, &e1_search_table);
    for (uint32_t i = 0; i < inserter->nodes; i++) {
        const struct insert_node *node = &inserter->node[i];
        int root = node->parent == INSERT_NODE_ROOT;
        out_count(out, i);
        out_count(out, node->bucket);
        if (root) {
            out_none(out);
            out_none(out);
            write_name(out, names, names->key[names->count - 1]);
        } else {
            uint32_t parent = inserter->node[node->parent].bucket;
            out_count(out, node->parent);
            out_count(out, node->slot);
            write_name(out, names, before->key[parent * SEARCH_K + node->slot]);
        }
        out_count(out, depth_of(inserter, i));
        out_count(out, (uint64_t)(SEARCH_K - before->used[node->bucket]));
    }
    out_end(out);
}

static void write_moves(struct out *out, const struct inserter *inserter, const struct names *names)
{
    out_begin(out, &e1_move_table);
    for (uint32_t i = 0; i < inserter->cost.writes; i++) {
        uint64_t to = inserter->written[i];
        out_count(out, i + 1);
        write_name(out, names, inserter->table->key[to]);
        if (i + 1 < inserter->cost.writes) { /* it came from where the next one goes */
            out_count(out, inserter->written[i + 1] / SEARCH_K);
            out_count(out, inserter->written[i + 1] % SEARCH_K);
        } else {
            out_none(out);
            out_none(out);
        }
        out_count(out, to / SEARCH_K);
        out_count(out, to % SEARCH_K);
    }
    out_end(out);
}

int e1_search_example(const struct options *options, struct out *out, struct error *err)
{
    struct scheme scheme;
    struct names names;
    struct snapshot before;
    void *state = NULL;
    uint64_t trial = 0;
    int code = scheme_init(&scheme, SEARCH_D, SEARCH_K, LAYOUT_ONE, POSITIONS_REPEAT, SEARCH_SLOTS);

    if (code == ERR_NONE)
        code = fill_state_open(&scheme, &insert_rule_complete, &state);
    if (code == ERR_NONE && !find_example(state, options->seed, &names, &before, &trial))
        code = ERR_NUMERIC; /* a seed without an example in a thousand tables */
    if (code == ERR_NONE) {
        struct fill_state *filled = state;
        write_buckets(out, &filled->table, &names, &before, options->seed, trial);
        write_search(out, &filled->inserter, &names, &before);
        write_moves(out, &filled->inserter, &names);
    }
    if (state != NULL)
        fill_state_close(state);
    return code == ERR_NONE ? code : error_set(err, code, "e1: %s", error_text(code));
}
