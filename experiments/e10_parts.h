/* e10_parts.h -- the tables of e10: promises, primary buckets, expansion factors; for e10.c. */
#ifndef CUCKOO_EXPERIMENTS_E10_PARTS_H
#define CUCKOO_EXPERIMENTS_E10_PARTS_H

#include "../src/measure_rule.h"
#include "../src/options.h"
#include "../src/out.h"
#include "../src/rules.h"

extern const struct out_table e10_promise_table, e10_primary_table, e10_expansion_table;

/* A rule on a table of at most `slots`, in a power of two of buckets. */
int e10_prepare(const struct options *options, const struct production_rule *rule, uint64_t slots,
                uint64_t trials, struct rule_setting *setting, struct error *err);
int e10_sample(const struct options *options, const struct rule_setting *setting, uint64_t **tally,
               struct error *err);

int e10_promise(const struct options *options, struct out *out, struct error *err);
int e10_primary(const struct options *options, struct out *out, struct error *err);
int e10_expansion(const struct options *options, struct out *out, struct error *err);

#endif
