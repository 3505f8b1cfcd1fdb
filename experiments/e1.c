/* e1.c -- a worked example: the original insertion step by step, the cuckoo graph that
 * explains it, and a breadth-first insertion with its search tree and its moves.  The
 * steps are data: draw_diagrams.py draws from them. */
#include "experiments.h"

#include <stdio.h>
#include <string.h>

#include "../src/graph.h"
#include "../src/trace.h"
#include "e1_search.h"

#define EXAMPLE_SLOTS 4 /* of each table */
#define MAX_LOOP      4 /* rounds of the original insertion */

static const struct {
    const char *name;
    uint32_t slot_1, slot_2;
} example[] = {{"A", 0, 2}, {"B", 1, 1}, {"C", 0, 2}, {"D", 0, 3}, {"E", 0, 2}};

enum { EXAMPLE_KEYS = sizeof example / sizeof example[0] };

static const struct out_column key_columns[] = {
    {"key", OUT_WORD, 0, "name; inserted in this order"},
    {"slot_1", OUT_COUNT, 0, "position in table 1, from 0"},
    {"slot_2", OUT_COUNT, 0, "position in table 2, from 0"},
};
static const struct out_column step_columns[] = {
    {"inserting", OUT_WORD, 0, "the new key of this insertion"},
    {"step", OUT_COUNT, 0, "placements of this insertion so far"},
    {"round", OUT_COUNT, 0, "a round is one placement in each table"},
    {"placed", OUT_WORD, 0, "key that takes a slot now"},
    {"into_table", OUT_COUNT, 0, "1 or 2"},
    {"slot", OUT_COUNT, 0, "slot of that table, from 0"},
    {"evicted", OUT_WORD, 0, "resident that was kicked out; - if the slot was free"},
    {"table_1", OUT_WORD, 0, "table 1 after the step, a letter a slot, . free"},
    {"table_2", OUT_WORD, 0, "table 2 after the step"},
};
static const struct out_column insertion_columns[] = {
    {"inserting", OUT_WORD, 0, "the new key"},
    {"steps", OUT_COUNT, 0, "placements"},
    {"kicks", OUT_COUNT, 0, "residents evicted by a newcomer"},
    {"rounds", OUT_COUNT, 0, "rounds begun"},
    {"outcome", OUT_WORD, 0, "placed, or stopped after max_loop rounds"},
    {"nestless", OUT_WORD, 0, "key left without a nest; - if none"},
};
static const struct out_column component_columns[] = {
    {"keys_inserted", OUT_COUNT, 0, "the graph of the first so many keys"},
    {"component", OUT_COUNT, 0, "number of the connected component"},
    {"slots", OUT_WORD, 0, "its vertices: 1:0 is slot 0 of table 1"},
    {"keys", OUT_WORD, 0, "its edges"},
    {"vertices", OUT_COUNT, 0, "slots"},
    {"edges", OUT_COUNT, 0, "keys"},
    {"excess", OUT_COUNT, 0, "max(0, edges - vertices): keys that can have no slot"},
    {"shape", OUT_WORD, 0, "tree (a slot stays free), one-cycle (just full), overfull"},
};

static const struct out_table key_table = {"e1.keys", "Five keys with given positions", key_columns,
                                           3};
static const struct out_table step_table = {"e1.steps", "The original insertion, step by step",
                                            step_columns, 9};
static const struct out_table insertion_table = {"e1.insertions", "What each insertion took",
                                                 insertion_columns, 6};
static const struct out_table component_table = {
    "e1.components", "Components of the cuckoo graph, before and after the last key",
    component_columns, 8};

static void write_step(const struct trace *trace, const struct trace_step *step, void *context)
{
    struct out *out = context;

    out_count(out, (uint64_t)step->step);
    out_count(out, (uint64_t)step->round);
    out_word(out, trace->key[step->key].name);
    out_count(out, (uint64_t)step->table + 1);
    out_count(out, step->slot);
    if (step->evicted == TRACE_NONE)
        out_none(out);
    else
        out_word(out, trace->key[step->evicted].name);
    for (int table = 0; table < 2; table++) {
        char cells[EXAMPLE_SLOTS + 1] = "";
        for (int slot = 0; slot < EXAMPLE_SLOTS; slot++) {
            int key = trace->cell[table][slot];
            strcat(cells, key == TRACE_NONE ? "." : trace->key[key].name);
        }
        out_word(out, cells);
    }
}

struct step_context {
    struct out *out;
    const char *inserting;
    int kicks;
};

static void see_step(const struct trace *trace, const struct trace_step *step, void *pointer)
{
    struct step_context *context = pointer;

    context->kicks += step->evicted != TRACE_NONE;
    out_word(context->out, context->inserting);
    write_step(trace, step, context->out);
}

struct insertion {
    int steps, kicks, nestless;
};

static void write_insertions(struct out *out, const struct trace *trace,
                             const struct insertion *insertion)
{
    out_begin(out, &insertion_table);
    out_param(out, "max_loop", "%d", MAX_LOOP);
    for (int i = 0; i < EXAMPLE_KEYS; i++) {
        out_word(out, example[i].name);
        out_count(out, (uint64_t)insertion[i].steps);
        out_count(out, (uint64_t)insertion[i].kicks);
        out_count(out, (uint64_t)(insertion[i].steps + 1) / 2);
        out_word(out, insertion[i].nestless == TRACE_NONE ? "placed" : "stopped");
        if (insertion[i].nestless == TRACE_NONE)
            out_none(out);
        else
            out_word(out, trace->key[insertion[i].nestless].name);
    }
    out_end(out);
}

static int worked_example(struct out *out, struct error *err)
{
    struct trace trace;
    struct insertion insertion[EXAMPLE_KEYS];
    int code = trace_init(&trace, EXAMPLE_SLOTS, EXAMPLE_SLOTS);

    out_begin(out, &key_table);
    out_param(out, "slots_a_table", "%d", EXAMPLE_SLOTS);
    for (int i = 0; i < EXAMPLE_KEYS; i++) {
        if (code == ERR_NONE)
            code = trace_add_key(&trace, example[i].name, example[i].slot_1, example[i].slot_2);
        out_word(out, example[i].name);
        out_count(out, example[i].slot_1);
        out_count(out, example[i].slot_2);
    }
    out_end(out);
    if (code != ERR_NONE)
        return error_set(err, code, "e1: the example is malformed");
    out_begin(out, &step_table);
    out_note(out, "A new key takes its slot in table 1; whoever was there goes to its slot in");
    out_note(out, "table 2, and so on, for at most %d rounds.", MAX_LOOP);
    for (int i = 0; i < EXAMPLE_KEYS; i++) {
        struct step_context context = {out, example[i].name, 0};
        insertion[i].steps =
            trace_insert(&trace, i, 2 * MAX_LOOP, see_step, &context, &insertion[i].nestless);
        insertion[i].kicks = context.kicks;
    }
    out_end(out);
    write_insertions(out, &trace, insertion);
    return ERR_NONE;
}

/* One component: names of its slots and keys, counts, shape. */
static void write_component(struct out *out, struct graph *graph, uint32_t root, int keys,
                            uint64_t number)
{
    uint32_t vertices = graph->vertices_of[root], edges = graph->edges_of[root];
    char slots[128] = "", names[64] = "";

    for (uint32_t v = 0; v < 2 * EXAMPLE_SLOTS; v++)
        if (graph_root(graph, v) == root) {
            char slot[16];
            snprintf(slot, sizeof slot, "%s%u:%u", slots[0] ? "+" : "", v / EXAMPLE_SLOTS + 1,
                     v % EXAMPLE_SLOTS);
            strcat(slots, slot);
        }
    for (int i = 0; i < keys; i++)
        if (graph_root(graph, example[i].slot_1) == root) {
            strcat(names, names[0] ? "+" : "");
            strcat(names, example[i].name);
        }
    out_count(out, (uint64_t)keys);
    out_count(out, number);
    out_word(out, slots);
    out_word(out, names);
    out_count(out, vertices);
    out_count(out, edges);
    out_count(out, edges > vertices ? edges - vertices : 0);
    out_word(out, edges < vertices ? "tree" : edges == vertices ? "one-cycle" : "overfull");
}

static int components(struct out *out, struct error *err)
{
    struct scheme scheme;
    struct graph graph = {0};
    uint32_t left[EXAMPLE_KEYS], right[EXAMPLE_KEYS];
    int code = scheme_init(&scheme, 2, 1, LAYOUT_SPLIT, POSITIONS_REPEAT, 2 * EXAMPLE_SLOTS);

    if (code == ERR_NONE)
        code = graph_init_components(&graph, &scheme, EXAMPLE_KEYS);
    if (code != ERR_NONE)
        goto out;
    for (int i = 0; i < EXAMPLE_KEYS; i++) {
        left[i] = example[i].slot_1;
        right[i] = EXAMPLE_SLOTS + example[i].slot_2;
    }
    out_begin(out, &component_table);
    out_note(out, "Vertices are slots, edges are keys.  A component can hold its keys if and only");
    out_note(out, "if it has no more edges than vertices.  Slots that no key names are left out.");
    for (int keys = EXAMPLE_KEYS - 1; keys <= EXAMPLE_KEYS; keys++) {
        uint64_t number = 0;
        graph_set(&graph, left, right, (uint64_t)keys);
        graph_components(&graph);
        for (uint32_t v = 0; v < 2 * EXAMPLE_SLOTS; v++)
            if (graph_root(&graph, v) == v && graph.edges_of[v] > 0)
                write_component(out, &graph, v, keys, ++number);
    }
    out_end(out);
out:
    graph_free(&graph);
    return code == ERR_NONE ? code : error_set(err, code, "e1: %s", error_text(code));
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    int code = worked_example(out, err);

    if (code == ERR_NONE)
        code = components(out, err);
    if (code == ERR_NONE)
        code = e1_search_example(options, out, err);
    return code;
}

static const struct out_table *const tables[] = {
    &key_table,       &step_table,      &insertion_table, &component_table,
    &e1_bucket_table, &e1_search_table, &e1_move_table,   NULL,
};

const struct command experiment_e1 = {
    .name = "e1",
    .summary = "a worked example: insertion step by step, the cuckoo graph, a search tree",
    .about = "Inserts five keys with given positions into two tables of four slots by the\n"
             "original insertion and prints every step, then the components of the cuckoo graph,\n"
             "which say why the last key cannot be placed.  The seed chooses the example of a\n"
             "breadth-first insertion below it; the first tables do not depend on it.",
    .takes = OPTION_BIT(OPTION_SEED) | OPTION_OUTPUT_BITS,
    .tables = tables,
    .run = run,
};
