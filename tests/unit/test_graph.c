/* test_graph.c -- sizes and worked examples; agreement with the definition is tested in
 * tests/oracle/test_oracle_placement.c. */
#include "unit.h"

#include "graph.h"

static void make(struct scheme *scheme, unsigned d, unsigned k, enum layout layout, uint64_t slots)
{
    assert_int_equal(scheme_init(scheme, d, k, layout, POSITIONS_REPEAT, slots), ERR_NONE);
}

static void refuses_other_schemes(void **state)
{
    struct scheme scheme;
    struct graph graph;

    (void)state;
    make(&scheme, 3, 1, LAYOUT_ONE, 30);
    assert_int_equal(graph_init(&graph, &scheme, 10), ERR_DOMAIN);
    graph_free(&graph);
    make(&scheme, 2, 2, LAYOUT_ONE, 30);
    assert_int_equal(graph_init(&graph, &scheme, 10), ERR_DOMAIN);
    make(&scheme, 2, 1, LAYOUT_ONE, 30);
    assert_int_equal(graph_init(&graph, &scheme, UINT32_C(1) << 31), ERR_DOMAIN);
    assert_int_equal(graph_init(&graph, &scheme, 0), ERR_NONE); /* no keys: S = 0 */
    graph_set(&graph, NULL, NULL, 0);
    assert_int_equal(graph_stash(&graph), 0);
    graph_free(&graph);
    graph_free(&graph);
}

/* The worked example: A(0,2) B(1,1) C(0,2) D(0,3) E(0,2) in two tables of four slots. */
static void worked_example(void **state)
{
    static const uint32_t left[] = {0, 1, 0, 0, 0}, right[] = {6, 5, 6, 7, 6};
    struct scheme scheme;
    struct graph graph;

    (void)state;
    make(&scheme, 2, 1, LAYOUT_SPLIT, 8);
    assert_int_equal(graph_init_components(&graph, &scheme, 5), ERR_NONE);
    graph_set(&graph, left, right, 4);
    assert_int_equal(graph_components(&graph), 0);
    uint32_t root = graph_root(&graph, 0);
    assert_int_equal(graph_root(&graph, 6), root);
    assert_int_equal(graph_root(&graph, 7), root);
    assert_int_equal(graph.vertices_of[root], 3);
    assert_int_equal(graph.edges_of[root], 3); /* A, C, D */
    assert_int_equal(graph_root(&graph, 1), graph_root(&graph, 5));
    assert_int_equal(graph.edges_of[graph_root(&graph, 1)], 1);
    assert_int_equal(graph.vertices_of[graph_root(&graph, 2)], 1);
    graph_set(&graph, left, right, 5);
    assert_int_equal(graph_components(&graph), 1);
    assert_int_equal(graph.edges_of[graph_root(&graph, 0)], 4);
    graph_set(&graph, left, right, 5);
    assert_int_equal(graph_stash(&graph), 1);
    graph_free(&graph);
}

/* Two unicyclic components joined by an edge have one edge too many between them. */
static void joined_cycles(void **state)
{
    static const uint32_t left[] = {0, 0, 1, 1, 0}, right[] = {4, 4, 5, 5, 5};
    struct scheme scheme;
    struct graph graph;

    (void)state;
    make(&scheme, 2, 1, LAYOUT_SPLIT, 8);
    assert_int_equal(graph_init(&graph, &scheme, 5), ERR_NONE);
    for (uint64_t n = 0; n <= 5; n++) {
        graph_set(&graph, left, right, n);
        assert_int_equal(graph_stash(&graph), n == 5);
    }
    graph_free(&graph);
}

/* Buffers are used again: a graph leaves no trace in the next one. */
static void graphs_follow_each_other(void **state)
{
    struct scheme scheme;
    struct graph graph;
    uint64_t first[50];

    (void)state;
    make(&scheme, 2, 1, LAYOUT_ONE, 100);
    assert_int_equal(graph_init(&graph, &scheme, 80), ERR_NONE);
    for (int round = 0; round < 2; round++)
        for (uint64_t trial = 0; trial < 50; trial++) {
            struct hasher hasher;
            hasher_init(&hasher, trial);
            graph_draw(&graph, trial + 1000, &hasher, 30 + trial);
            uint64_t stash = graph_stash(&graph);
            if (round == 0)
                first[trial] = stash;
            assert_int_equal(stash, first[trial]);
        }
    graph_free(&graph);
}

/* Degrees are bytes: of 256 keys between two slots both wrap to 0, and nothing may be peeled. */
static void degrees_that_wrap(void **state)
{
    uint32_t left[300], right[300];
    struct scheme scheme;
    struct graph graph;

    (void)state;
    make(&scheme, 2, 1, LAYOUT_SPLIT, 8);
    assert_int_equal(graph_init(&graph, &scheme, 300), ERR_NONE);
    for (uint32_t i = 0; i < 300; i++) {
        left[i] = 1;
        right[i] = 6;
    }
    for (uint64_t n = 250; n <= 300; n++) {
        graph_set(&graph, left, right, n);
        assert_int_equal(graph_stash(&graph), n - 2);
    }
    graph_free(&graph);
}

static void bytes_cover_the_buffers(void **state)
{
    struct scheme scheme;

    (void)state;
    make(&scheme, 2, 1, LAYOUT_ONE, 65535);
    assert_true(graph_is_narrow(&scheme));
    assert_int_equal(graph_bytes(&scheme, 1000), 4 * 1000 + 5 * 65535);
    make(&scheme, 2, 1, LAYOUT_ONE, 65537);
    assert_false(graph_is_narrow(&scheme));
    assert_int_equal(graph_bytes(&scheme, 1000), 8 * 1000 + 5 * 65537);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_other_schemes),   cmocka_unit_test(worked_example),
        cmocka_unit_test(joined_cycles),           cmocka_unit_test(graphs_follow_each_other),
        cmocka_unit_test(bytes_cover_the_buffers), cmocka_unit_test(degrees_that_wrap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
