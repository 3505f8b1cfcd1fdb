/* trace_tables.h -- the tables that `trace` prints. */
#ifndef CUCKOO_COMMANDS_TRACE_TABLES_H
#define CUCKOO_COMMANDS_TRACE_TABLES_H

#include "../src/graph.h"
#include "../src/out.h"
#include "../src/trace.h"

extern const struct out_table trace_search_table, trace_key_table, trace_step_table,
    trace_insertion_table, trace_end_table, trace_component_table;

/* What one insertion took. */
struct trace_insertion {
    int steps, kicks;
    int nestless;   /* or TRACE_NONE */
    uint64_t stash; /* S of the graph of the keys so far: those that can have no slot */
    int grew;       /* this key made S larger: its component was full already */
};

/* Insert all keys in order, each with at most max_steps placements (0: twice the keys so
 * far); fills insertion[0 .. keys-1].  With `out`, the rows of trace.steps are written. */
int trace_run(struct trace *trace, int max_steps, struct trace_insertion *insertion,
              struct out *out);

void trace_write_keys(struct out *out, const struct trace *trace);
void trace_write_insertions(struct out *out, const struct trace *trace,
                            const struct trace_insertion *insertion);
void trace_write_end(struct out *out, const struct trace *trace);
/* Components of the graphs of all keys but the last, and of all keys. */
int trace_write_components(struct out *out, const struct trace *trace);

#endif
