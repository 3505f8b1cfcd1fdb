/* e13_parts.h -- the parts of e13, a table each. */
#ifndef CUCKOO_EXPERIMENTS_E13_PARTS_H
#define CUCKOO_EXPERIMENTS_E13_PARTS_H

#include "../src/options.h"
#include "../src/out.h"

extern const struct out_table e13_rebuild_table, e13_round_table, e13_policy_table,
    e13_growth_table, e13_churn_table, e13_largest_table, e13_probe_table;

int e13_rebuilds(const struct options *options, struct out *out, struct error *err);
int e13_rounds(const struct options *options, struct out *out, struct error *err);
int e13_policies(const struct options *options, struct out *out, struct error *err);
int e13_growth(const struct options *options, struct out *out, struct error *err);
int e13_churn(const struct options *options, struct out *out, struct error *err);
int e13_largest(const struct options *options, struct out *out, struct error *err);
int e13_probes(const struct options *options, struct out *out, struct error *err);

#endif
