/* test_oracle_placement.c -- does a placement exist?  Trying everything, augmenting paths,
 * the complete search, and the excess of the cuckoo graph must agree; and where all
 * configurations can be enumerated, the counts must be those known in closed form. */
#include "../unit/unit.h"

#include "complete.h"
#include "graph.h"
#include "insert.h"
#include "slow.h"

static void random_keys(struct rng *rng, struct slow_keys *keys, int split)
{
    for (unsigned i = 0; i < keys->n; i++)
        for (unsigned j = 0; j < keys->d; j++) {
            unsigned width = split ? keys->buckets / keys->d : keys->buckets;
            keys->bucket[i][j] = rng_below(rng, width) + (split ? j * width : 0);
        }
}

static void augmenting_paths_find_what_trying_all_finds(void **state)
{
    struct rng rng;

    (void)state;
    unit_stream(&rng, 1);
    for (unsigned round = 0; round < 3000; round++) {
        static struct slow_keys keys;
        unsigned used[SLOW_BUCKETS] = {0};
        keys.d = 1 + rng_below(&rng, 3);
        keys.k = 1 + rng_below(&rng, 2);
        keys.buckets = keys.d * (1 + rng_below(&rng, 3));
        keys.n = rng_below(&rng, 8);
        random_keys(&rng, &keys, (int)rng_below(&rng, 2));
        assert_int_equal(slow_most_placed(&keys), slow_try_all(&keys, 0, used));
    }
}

/* Graphs from the empty one to three edges a vertex; S by peeling, by union-find, by
 * relabelling and as the keys that a largest matching leaves over. */
static void graph_excess(void **state)
{
    struct rng rng;
    unsigned found[4] = {0};

    (void)state;
    unit_stream(&rng, 2);
    for (unsigned round = 0; round < 4000; round++) {
        static struct slow_keys keys;
        uint32_t left[SLOW_KEYS], right[SLOW_KEYS];
        struct scheme scheme;
        struct graph graph;
        int split = (int)rng_below(&rng, 2);
        keys.d = 2;
        keys.k = 1;
        keys.buckets = 2 * (1 + rng_below(&rng, 40));
        keys.n = rng_below(&rng, 1 + (1 + rng_below(&rng, 6)) * keys.buckets / 4);
        random_keys(&rng, &keys, split);
        for (unsigned i = 0; i < keys.n; i++) {
            left[i] = keys.bucket[i][0];
            right[i] = keys.bucket[i][1];
        }
        assert_int_equal(scheme_init(&scheme, 2, 1, split ? LAYOUT_SPLIT : LAYOUT_ONE,
                                     POSITIONS_REPEAT, keys.buckets),
                         ERR_NONE);
        assert_int_equal(graph_init_components(&graph, &scheme, keys.n), ERR_NONE);
        unsigned expected = slow_excess(&keys);
        graph_set(&graph, left, right, keys.n);
        assert_int_equal(graph_components(&graph), expected);
        unsigned vertices = 0, edges = 0;
        for (uint32_t v = 0; v < keys.buckets; v++)
            if (graph_root(&graph, v) == v) {
                vertices += graph.vertices_of[v];
                edges += graph.edges_of[v];
            }
        assert_int_equal(vertices, keys.buckets);
        assert_int_equal(edges, keys.n);
        graph_set(&graph, left, right, keys.n);
        assert_int_equal(graph_stash(&graph), expected);
        assert_int_equal(keys.n - slow_most_placed(&keys), expected);
        found[expected < 3 ? expected : 3]++;
        graph_free(&graph);
    }
    for (unsigned s = 0; s < 4; s++)
        assert_true(found[s] > 100);
}

/* Wide vertex numbers (more than 65,536), and degrees beyond what a byte holds. */
static void graph_widths_and_degrees(void **state)
{
    static const uint64_t sizes[] = {65536, 65538, 100000};
    static const uint32_t counts[] = {1, 2, 3, 255, 256, 257, 512, 700};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct scheme scheme;
        struct graph graph;
        uint32_t left[800], right[800];
        uint32_t last = (uint32_t)sizes[i] - 1;
        assert_int_equal(scheme_init(&scheme, 2, 1, LAYOUT_ONE, POSITIONS_REPEAT, sizes[i]),
                         ERR_NONE);
        assert_int_equal(graph_init_components(&graph, &scheme, 800), ERR_NONE);
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            uint32_t n = counts[c];
            for (uint32_t e = 0; e < n; e++) { /* parallel edges between the ends */
                left[e] = 0;
                right[e] = last;
            }
            graph_set(&graph, left, right, n);
            assert_int_equal(graph_components(&graph), n > 2 ? n - 2 : 0);
            graph_set(&graph, left, right, n);
            assert_int_equal(graph_stash(&graph), n > 2 ? n - 2 : 0);
            for (uint32_t e = 0; e < n; e++) { /* loops at the last vertex */
                left[e] = last;
                right[e] = last;
            }
            graph_set(&graph, left, right, n);
            assert_int_equal(graph_stash(&graph), n - 1);
            for (uint32_t e = 0; e < n; e++) /* a star: a tree, always placed */
                left[e] = last - 1 - e;
            graph_set(&graph, left, right, n);
            assert_int_equal(graph_stash(&graph), 0);
        }
        graph_free(&graph);
    }
}

/* What a trial draws: edges from the key stream through the trial's functions. */
static void drawn_graphs(void **state)
{
    static const uint64_t slots[] = {2, 10, 100, 400};

    (void)state;
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
        for (uint64_t trial = 0; trial < 200; trial++) {
            static struct slow_keys keys;
            static struct slow_table table;
            struct scheme scheme;
            struct hasher hasher;
            struct graph graph;
            int split = (int)(trial % 2);
            keys = (struct slow_keys){.d = 2, .k = 1, .buckets = (unsigned)slots[i]};
            keys.n = (unsigned)(slots[i] / 2 + trial % 5);
            assert_int_equal(scheme_init(&scheme, 2, 1, split ? LAYOUT_SPLIT : LAYOUT_ONE,
                                         POSITIONS_REPEAT, slots[i]),
                             ERR_NONE);
            assert_int_equal(graph_init(&graph, &scheme, keys.n), ERR_NONE);
            uint64_t stream = scheme_stream(&scheme, 1, keys.n, trial, STREAM_KEYS);
            uint64_t functions = scheme_stream(&scheme, 1, keys.n, trial, STREAM_HASH);
            hasher_init(&hasher, functions);
            graph_draw(&graph, stream, &hasher, keys.n);
            table.d = 2;
            table.split = split;
            table.buckets = keys.buckets;
            for (unsigned s = 0; s < SLOW_D / 2; s++)
                table.seed[s] = slow_next(&functions);
            for (unsigned n = 0; n < keys.n; n++)
                slow_candidates(&table, slow_next(&stream), keys.bucket[n]);
            assert_int_equal(graph_stash(&graph), slow_excess(&keys));
            graph_free(&graph);
        }
}

/* The complete search fails exactly where no placement of all keys exists, and in the end
 * holds as many keys as any placement can. */
static void complete_search(void **state)
{
    struct rng rng;

    (void)state;
    unit_stream(&rng, 3);
    for (unsigned round = 0; round < 600; round++) {
        static struct slow_keys keys;
        struct scheme scheme;
        struct table table;
        struct inserter inserter;
        unsigned d = 1 + rng_below(&rng, 4), k = 1 + rng_below(&rng, 4);
        unsigned buckets = d * (1 + rng_below(&rng, 12));
        assert_int_equal(scheme_init(&scheme, d, k, rng_below(&rng, 2) ? LAYOUT_SPLIT : LAYOUT_ONE,
                                     rng_below(&rng, 2) ? POSITIONS_DISTINCT : POSITIONS_REPEAT,
                                     buckets * k),
                         ERR_NONE);
        assert_int_equal(table_init(&table, &scheme), ERR_NONE);
        assert_int_equal(inserter_init(&inserter, &table, &insert_rule_complete), ERR_NONE);
        inserter_reset(&inserter, rng_next(&rng), 0);
        keys = (struct slow_keys){.d = d, .k = k, .buckets = buckets};
        unsigned before = 0;
        while (keys.n < buckets * k + 5) {
            uint64_t key = rng_next(&rng);
            table_candidates(&table, key, keys.bucket[keys.n++]);
            unsigned most = slow_most_placed(&keys);
            enum insert_outcome outcome = inserter_add(&inserter, key);
            assert_int_equal(outcome, most > before ? INSERT_PLACED : INSERT_NO_PLACE);
            assert_int_equal(table.stored, most);
            before = most;
        }
        inserter_free(&inserter);
        table_free(&table);
    }
}

/* Windows: the same of the search and of the kernel. */
static void windows(void **state)
{
    struct rng rng;

    (void)state;
    unit_stream(&rng, 6);
    for (unsigned round = 0; round < 300; round++) {
        static struct slow_keys keys;
        static struct slow_table slow;
        struct scheme scheme;
        struct table table;
        struct inserter inserter;
        struct complete complete;
        unsigned number = 2 + rng_below(&rng, 3), length = 2 + rng_below(&rng, 3);
        unsigned page = rng_below(&rng, 2) ? length + rng_below(&rng, 9) : 0;
        unsigned slots = page > 0 ? page * (1 + rng_below(&rng, 5)) : length + rng_below(&rng, 40);
        uint64_t functions = rng_next(&rng), stream = rng_next(&rng), placed = 0, state_of = stream;
        assert_int_equal(scheme_init_windows(&scheme, number, length, page, slots), ERR_NONE);
        assert_int_equal(complete_init(&complete, &scheme), ERR_NONE);
        assert_int_equal(complete_first_failure(&complete, functions, stream, &placed), ERR_NONE);
        assert_int_equal(table_init(&table, &scheme), ERR_NONE);
        assert_int_equal(inserter_init(&inserter, &table, &insert_rule_complete), ERR_NONE);
        inserter_reset(&inserter, functions, 0);
        slow = (struct slow_table){
            .d = number * length, .k = 1, .window = length, .page = page, .buckets = slots};
        for (unsigned i = 0; i < SLOW_D / 2; i++)
            slow.seed[i] = slow_next(&functions);
        keys = (struct slow_keys){.d = number * length, .k = 1, .buckets = slots};
        unsigned before = 0, first = 0;
        while (keys.n < slots + 5) {
            uint64_t key = slow_next(&state_of);
            slow_candidates(&slow, key, keys.bucket[keys.n++]);
            unsigned most = slow_most_placed(&keys);
            assert_int_equal(inserter_add(&inserter, key),
                             most > before ? INSERT_PLACED : INSERT_NO_PLACE);
            assert_int_equal(table.stored, most);
            if (most == before && first == 0)
                first = keys.n;
            before = most;
        }
        assert_int_equal(placed, first - 1);
        assert_int_equal(table_verify(&table), ERR_NONE);
        inserter_free(&inserter);
        table_free(&table);
        complete_free(&complete);
    }
}

/* The kernel by labels or union-find, which never runs the search, stops at the same key:
 * the first with which no placement exists. */
static void first_failure(void **state)
{
    struct rng rng;

    (void)state;
    unit_stream(&rng, 4);
    for (unsigned round = 0; round < 1500; round++) {
        static struct slow_keys keys;
        static struct slow_table table;
        struct scheme scheme;
        struct complete complete;
        unsigned d = 1 + rng_below(&rng, 5), k = 1 + rng_below(&rng, 4);
        unsigned buckets = d * (1 + rng_below(&rng, 20));
        int split = (int)rng_below(&rng, 2), distinct = (int)rng_below(&rng, 2);
        assert_int_equal(scheme_init(&scheme, d, k, split ? LAYOUT_SPLIT : LAYOUT_ONE,
                                     distinct ? POSITIONS_DISTINCT : POSITIONS_REPEAT, buckets * k),
                         ERR_NONE);
        assert_int_equal(complete_init(&complete, &scheme), ERR_NONE);
        for (unsigned trial = 0; trial < 2; trial++) { /* twice: it must start from nothing */
            uint64_t functions = rng_next(&rng), stream = rng_next(&rng), placed = 0;
            assert_int_equal(complete_first_failure(&complete, functions, stream, &placed),
                             ERR_NONE);
            table = (struct slow_table){
                .d = d, .k = k, .split = split, .distinct = distinct, .buckets = buckets};
            for (unsigned i = 0; i < SLOW_D / 2; i++)
                table.seed[i] = slow_next(&functions);
            keys = (struct slow_keys){.d = d, .k = k, .buckets = buckets};
            do
                slow_candidates(&table, slow_next(&stream), keys.bucket[keys.n++]);
            while (slow_most_placed(&keys) == keys.n);
            assert_int_equal(placed, keys.n - 1);
        }
        complete_free(&complete);
    }
}

/* ---- all configurations of tiny tables ---- */

#define TUPLES_MAX 64
#define KEYS_MAX   4

/* For every tuple of candidates that exists, keys that have it. */
struct tuples {
    struct scheme scheme;
    struct table table;
    unsigned count;
    uint32_t bucket[TUPLES_MAX][SCHEME_D_MAX];
    uint64_t key[TUPLES_MAX][KEYS_MAX];
};

static void find_tuples(struct tuples *t, unsigned d, int split, int distinct, uint64_t slots,
                        unsigned expected)
{
    unsigned have[TUPLES_MAX] = {0}, complete = 0;

    assert_int_equal(scheme_init(&t->scheme, d, 1, split ? LAYOUT_SPLIT : LAYOUT_ONE,
                                 distinct ? POSITIONS_DISTINCT : POSITIONS_REPEAT, slots),
                     ERR_NONE);
    assert_int_equal(table_init(&t->table, &t->scheme), ERR_NONE);
    table_reset(&t->table, 1);
    t->count = 0;
    for (uint64_t key = 1; complete < expected; key++) {
        uint32_t bucket[SCHEME_D_MAX];
        unsigned i = 0;
        assert_true(key < 1000000);
        table_candidates(&t->table, key, bucket);
        while (i < t->count && memcmp(t->bucket[i], bucket, d * sizeof bucket[0]) != 0)
            i++;
        if (i == t->count) {
            assert_true(i < expected);
            memcpy(t->bucket[i], bucket, sizeof bucket);
            t->count++;
        }
        if (have[i] < KEYS_MAX) {
            t->key[i][have[i]++] = key;
            complete += have[i] == KEYS_MAX;
        }
    }
    assert_int_equal(t->count, expected);
}

struct enumeration {
    uint64_t configurations, failures;
    uint64_t kicks[16], moves[16]; /* of the last key's insertion, where it succeeded */
};

/* Insert every sequence of n tuples; a sequence fails where any insertion fails. */
static void enumerate(struct tuples *t, const struct insert_rule *rule, unsigned n,
                      struct enumeration *all)
{
    struct inserter inserter;
    uint64_t total = 1;

    memset(all, 0, sizeof *all);
    assert_true(n <= KEYS_MAX);
    assert_int_equal(inserter_init(&inserter, &t->table, rule), ERR_NONE);
    for (unsigned i = 0; i < n; i++)
        total *= t->count;
    for (uint64_t code = 0; code < total; code++) {
        uint64_t rest = code;
        int failed = 0;
        static struct slow_keys keys;
        keys = (struct slow_keys){.d = t->scheme.d, .k = 1, .buckets = t->scheme.buckets, .n = n};
        inserter_reset(&inserter, 1, code);
        for (unsigned i = 0; i < n; i++, rest /= t->count) {
            unsigned tuple = (unsigned)(rest % t->count);
            memcpy(keys.bucket[i], t->bucket[tuple], sizeof t->bucket[tuple]);
            if (!failed && inserter_add(&inserter, t->key[tuple][i]) != INSERT_PLACED)
                failed = 1;
        }
        assert_int_equal(failed, slow_most_placed(&keys) < n);
        if (t->scheme.d == 2)
            assert_int_equal(failed, slow_excess(&keys) > 0);
        all->configurations++;
        all->failures += (uint64_t)failed;
        if (failed)
            continue;
        assert_true(inserter.cost.kicks < 16 && inserter.cost.moves < 16);
        all->kicks[inserter.cost.kicks]++;
        all->moves[inserter.cost.moves]++;
    }
    inserter_free(&inserter);
}

/* Probabilities that no placement exists, as fractions known from the exact distribution. */
static void exact_probabilities(void **state)
{
    static const struct {
        unsigned d;
        int split, distinct;
        unsigned m, n; /* slots of each table, keys */
        uint64_t num, den;
    } cases[] = {
        {2, 1, 0, 2, 3, 1, 16},  {2, 1, 0, 2, 4, 19, 64},    {2, 1, 0, 3, 3, 1, 81},
        {2, 1, 0, 4, 3, 1, 256}, {2, 1, 0, 5, 3, 1, 625},    {2, 1, 0, 2, 2, 0, 1},
        {2, 0, 0, 2, 2, 1, 8},   {2, 0, 0, 3, 2, 1, 27},     {2, 0, 0, 4, 2, 1, 64},
        {2, 0, 0, 5, 2, 1, 125}, {2, 0, 0, 4, 3, 7, 64},     {2, 0, 1, 3, 3, 1, 9},
        {2, 0, 1, 4, 4, 19, 72}, {3, 0, 0, 3, 3, 547, 6561}, {3, 0, 1, 4, 4, 1, 64},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static struct tuples tuples;
        struct enumeration all;
        unsigned d = cases[i].d, m = cases[i].m, count = 1;
        for (unsigned j = 0; j < d; j++)
            count *= cases[i].distinct ? m - j : m;
        find_tuples(&tuples, d, cases[i].split, cases[i].distinct, cases[i].split ? d * m : m,
                    count);
        enumerate(&tuples, &insert_rule_complete, cases[i].n, &all);
        assert_int_equal(all.failures * cases[i].den, all.configurations * cases[i].num);
        table_free(&tuples.table);
    }
}

/* Two tables of two slots, three keys: the kicks of the last insertion.  The original rule
 * always begins in the first table; the others look at both candidates first. */
static void exact_kicks(void **state)
{
    static struct tuples tuples;
    struct enumeration all;

    (void)state;
    find_tuples(&tuples, 2, 1, 0, 4, 4);
    enumerate(&tuples, &insert_rule_original500, 3, &all);
    assert_int_equal(all.kicks[0], 16);
    assert_int_equal(all.kicks[1], 40);
    assert_int_equal(all.kicks[3], 4);
    assert_int_equal(all.failures, 4);
    enumerate(&tuples, &insert_rule_breadth, 3, &all);
    assert_int_equal(all.moves[0], 56);
    assert_int_equal(all.moves[1], 4);
    enumerate(&tuples, &insert_rule_walk500, 3, &all);
    assert_int_equal(all.kicks[0], 56);
    assert_int_equal(all.kicks[1] + all.kicks[2], 4); /* a random start, perhaps the far end */
    table_free(&tuples.table);
}

/* The second of two keys is kicked out of an empty-but-one table with probability 1/m by
 * the original rule, and never by a rule that looks at both tables first. */
static void exact_kicks_of_a_second_key(void **state)
{
    (void)state;
    for (unsigned m = 1; m <= 6; m++) {
        static struct tuples tuples;
        struct enumeration all;
        find_tuples(&tuples, 2, 1, 0, 2 * (uint64_t)m, m * m);
        enumerate(&tuples, &insert_rule_original500, 2, &all);
        assert_int_equal(all.kicks[1] * m, all.configurations);
        assert_int_equal(all.kicks[0] + all.kicks[1], all.configurations);
        enumerate(&tuples, &insert_rule_walk500, 2, &all);
        assert_int_equal(all.kicks[0], all.configurations);
        enumerate(&tuples, &insert_rule_breadth, 2, &all);
        assert_int_equal(all.moves[0], all.configurations);
        table_free(&tuples.table);
    }
}

/* Parallel edges: k keys with one tuple of d distinct candidates of one slot leave k - d
 * over, at any table size. */
static void copies_of_a_tuple(void **state)
{
    (void)state;
    for (unsigned m = 4; m <= 64; m *= 4)
        for (unsigned n = 0; n <= 8; n++) {
            struct scheme scheme;
            struct graph graph;
            uint32_t left[8], right[8];
            assert_int_equal(scheme_init(&scheme, 2, 1, LAYOUT_SPLIT, POSITIONS_REPEAT, m),
                             ERR_NONE);
            assert_int_equal(graph_init(&graph, &scheme, 8), ERR_NONE);
            for (unsigned i = 0; i < n; i++) {
                left[i] = 1;
                right[i] = m - 1;
            }
            graph_set(&graph, left, right, n);
            assert_int_equal(graph_stash(&graph), n > 2 ? n - 2 : 0);
            graph_free(&graph);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(augmenting_paths_find_what_trying_all_finds),
        cmocka_unit_test(graph_excess),
        cmocka_unit_test(graph_widths_and_degrees),
        cmocka_unit_test(drawn_graphs),
        cmocka_unit_test(complete_search),
        cmocka_unit_test(windows),
        cmocka_unit_test(first_failure),
        cmocka_unit_test(exact_probabilities),
        cmocka_unit_test(exact_kicks),
        cmocka_unit_test(exact_kicks_of_a_second_key),
        cmocka_unit_test(copies_of_a_tuple),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
