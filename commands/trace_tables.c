/* trace_tables.c -- see trace_tables.h.  Steps and components have the columns of e1, so
 * that the same drawing serves both. */
#include "trace_tables.h"

#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct out_column search_columns[] = {
    {"wanted", OUT_WORD, 0, "property of the last key's insertion"},
    {"random", OUT_COUNT, 0, "seed that gives these keys: --random"},
    {"keys", OUT_COUNT, 0, "number of keys: --keys; the least for which a seed was found"},
    {"examined", OUT_COUNT, 0, "sets of keys looked at"},
};
static const struct out_column key_columns[] = {
    {"key", OUT_WORD, 0, "inserted in this order"},
    {"slot_1", OUT_COUNT, 0, "first position, from 0"},
    {"slot_2", OUT_COUNT, 0, "second position, from 0"},
};
static const struct out_column step_columns[] = {
    {"inserting", OUT_WORD, 0, "the new key of this insertion"},
    {"step", OUT_COUNT, 0, "placements of this insertion so far"},
    {"round", OUT_COUNT, 0, "a round is two placements, with two tables one in each"},
    {"placed", OUT_WORD, 0, "key that takes a slot now"},
    {"into_table", OUT_COUNT, 0, "1 or 2"},
    {"slot", OUT_COUNT, 0, "slot of that table, from 0"},
    {"evicted", OUT_WORD, 0, "resident that was kicked out; - if the slot was free"},
    {"table_1", OUT_WORD, 0, "table 1 after the step, its slots joined by +, . free"},
    {"table_2", OUT_WORD, 0, "table 2 after the step; - with one table"},
};
static const struct out_column insertion_columns[] = {
    {"inserting", OUT_WORD, 0, "the new key"},
    {"steps", OUT_COUNT, 0, "placements"},
    {"kicks", OUT_COUNT, 0, "residents evicted by a newcomer"},
    {"rounds", OUT_COUNT, 0, "rounds begun"},
    {"outcome", OUT_WORD, 0, "placed, or stopped at the limit"},
    {"nestless", OUT_WORD, 0, "key left without a nest; - if none"},
    {"excess", OUT_COUNT, 0, "keys so far that can have no slot, wherever the others go"},
    {"why", OUT_WORD, 0,
     "of a stop: overfull (more keys than slots in its component), overfull-before (through an "
     "earlier key), limit (a placement exists)"},
};
static const struct out_column end_columns[] = {
    {"into_table", OUT_COUNT, 0, "1 or 2"},
    {"slots", OUT_COUNT, 0, "its size"},
    {"content", OUT_WORD, 0, "its slots in order joined by +, . free"},
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

const struct out_table trace_search_table = {"trace.search", "The example that was looked for",
                                             search_columns, COUNT(search_columns)};
const struct out_table trace_key_table = {"trace.keys", "The keys and their positions", key_columns,
                                          COUNT(key_columns)};
const struct out_table trace_step_table = {"trace.steps", "The original insertion, step by step",
                                           step_columns, COUNT(step_columns)};
const struct out_table trace_insertion_table = {"trace.insertions", "What each insertion took",
                                                insertion_columns, COUNT(insertion_columns)};
const struct out_table trace_end_table = {"trace.tables", "The tables at the end", end_columns,
                                          COUNT(end_columns)};
const struct out_table trace_component_table = {
    "trace.components", "Components of the cuckoo graph, before and after the last key",
    component_columns, COUNT(component_columns)};

static void write_cells(struct out *out, const struct trace *trace, int table)
{
    char cells[TRACE_SLOTS_MAX * sizeof trace->key[0].name + 1] = "";
    size_t length = 0;

    if (table >= trace->tables) {
        out_none(out);
        return;
    }
    for (uint32_t slot = 0; slot < trace->slots[table]; slot++) {
        int key = trace->cell[table][slot];
        length +=
            (size_t)snprintf(cells + length, sizeof cells - length, "%s%s", slot > 0 ? "+" : "",
                             key == TRACE_NONE ? "." : trace->key[key].name);
    }
    out_word(out, cells);
}

static void write_key(struct out *out, const struct trace *trace, int key)
{
    if (key == TRACE_NONE)
        out_none(out);
    else
        out_word(out, trace->key[key].name);
}

struct step_context {
    struct out *out; /* NULL: count only */
    int inserting, kicks;
};

static void see_step(const struct trace *trace, const struct trace_step *step, void *pointer)
{
    struct step_context *context = pointer;
    struct out *out = context->out;

    context->kicks += step->evicted != TRACE_NONE;
    if (out == NULL)
        return;
    write_key(out, trace, context->inserting);
    out_count(out, (uint64_t)step->step);
    out_count(out, (uint64_t)step->round);
    write_key(out, trace, step->key);
    out_count(out, (uint64_t)step->table + 1);
    out_count(out, step->slot);
    write_key(out, trace, step->evicted);
    write_cells(out, trace, 0);
    write_cells(out, trace, 1);
}

/* A graph of the trace's slots; which tables they are in does not matter to it. */
static int open_graph(const struct trace *trace, struct scheme *scheme, struct graph *graph)
{
    uint64_t slots = trace->slots[0] + trace->slots[1];
    int code = scheme_init(scheme, 2, 1, LAYOUT_ONE, POSITIONS_REPEAT, slots);

    return code == ERR_NONE ? graph_init_components(graph, scheme, TRACE_KEYS_MAX) : code;
}

/* S of the first `keys` keys; the components are in `graph` afterwards. */
static uint64_t unite(const struct trace *trace, int keys, struct graph *graph)
{
    uint32_t left[TRACE_KEYS_MAX], right[TRACE_KEYS_MAX];

    for (int i = 0; i < keys; i++) {
        left[i] = trace_vertex(trace, i, 0);
        right[i] = trace_vertex(trace, i, 1);
    }
    graph_set(graph, left, right, (uint64_t)keys);
    return graph_components(graph);
}

int trace_run(struct trace *trace, int max_steps, struct trace_insertion *insertion,
              struct out *out)
{
    struct scheme scheme;
    struct graph graph = {0};
    uint64_t before = 0;
    int code = open_graph(trace, &scheme, &graph);

    for (int i = 0; i < trace->keys && code == ERR_NONE; i++) {
        struct step_context context = {out, i, 0};
        insertion[i].steps = trace_insert(trace, i, max_steps > 0 ? max_steps : 2 * (i + 1),
                                          see_step, &context, &insertion[i].nestless);
        insertion[i].kicks = context.kicks;
        insertion[i].stash = unite(trace, i + 1, &graph);
        insertion[i].grew = insertion[i].stash > before;
        before = insertion[i].stash;
    }
    graph_free(&graph);
    return code;
}

void trace_write_keys(struct out *out, const struct trace *trace)
{
    for (int i = 0; i < trace->keys; i++) {
        write_key(out, trace, i);
        out_count(out, trace->key[i].slot[0]);
        out_count(out, trace->key[i].slot[1]);
    }
}

void trace_write_insertions(struct out *out, const struct trace *trace,
                            const struct trace_insertion *insertion)
{
    out_begin(out, &trace_insertion_table);
    for (int i = 0; i < trace->keys; i++) {
        int placed = insertion[i].nestless == TRACE_NONE;
        write_key(out, trace, i);
        out_count(out, (uint64_t)insertion[i].steps);
        out_count(out, (uint64_t)insertion[i].kicks);
        out_count(out, (uint64_t)(insertion[i].steps + 1) / 2);
        out_word(out, placed ? "placed" : "stopped");
        write_key(out, trace, insertion[i].nestless);
        out_count(out, insertion[i].stash);
        if (placed)
            out_none(out);
        else
            out_word(out, insertion[i].grew        ? "overfull"
                          : insertion[i].stash > 0 ? "overfull-before"
                                                   : "limit");
    }
    out_end(out);
}

void trace_write_end(struct out *out, const struct trace *trace)
{
    out_begin(out, &trace_end_table);
    for (int table = 0; table < trace->tables; table++) {
        out_count(out, (uint64_t)table + 1);
        out_count(out, trace->slots[table]);
        write_cells(out, trace, table);
    }
    out_end(out);
}

static void write_component(struct out *out, const struct trace *trace, struct graph *graph,
                            uint32_t root, int keys)
{
    uint32_t vertices = graph->vertices_of[root], edges = graph->edges_of[root];
    char slots[2 * TRACE_SLOTS_MAX * 8] = "", names[TRACE_KEYS_MAX * 24] = "";
    size_t length = 0;

    for (uint32_t v = 0; v < graph->scheme->buckets; v++)
        if (graph_root(graph, v) == root)
            length += (size_t)snprintf(slots + length, sizeof slots - length, "%s%d:%u",
                                       length > 0 ? "+" : "", v >= trace->slots[0] ? 2 : 1,
                                       v >= trace->slots[0] ? v - trace->slots[0] : v);
    length = 0;
    for (int i = 0; i < keys; i++)
        if (graph_root(graph, trace_vertex(trace, i, 0)) == root)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       length > 0 ? "+" : "", trace->key[i].name);
    out_word(out, slots);
    out_word(out, names);
    out_count(out, vertices);
    out_count(out, edges);
    out_count(out, edges > vertices ? edges - vertices : 0);
    out_word(out, edges < vertices ? "tree" : edges == vertices ? "one-cycle" : "overfull");
}

int trace_write_components(struct out *out, const struct trace *trace)
{
    struct scheme scheme;
    struct graph graph = {0};
    int code = open_graph(trace, &scheme, &graph);

    if (code == ERR_NONE) {
        out_begin(out, &trace_component_table);
        out_note(out, "A component can hold its keys if and only if it has no more edges than");
        out_note(out, "vertices.  Slots that no key names are left out.");
        for (int keys = trace->keys > 1 ? trace->keys - 1 : 1; keys <= trace->keys; keys++) {
            uint64_t number = 0;
            unite(trace, keys, &graph);
            for (uint32_t v = 0; v < scheme.buckets; v++)
                if (graph_root(&graph, v) == v && graph.edges_of[v] > 0) {
                    out_count(out, (uint64_t)keys);
                    out_count(out, ++number);
                    write_component(out, trace, &graph, v, keys);
                }
        }
        out_end(out);
    }
    graph_free(&graph);
    return code;
}
