/* e11_parts.h -- the parts of e11, a table each. */
#ifndef CUCKOO_EXPERIMENTS_E11_PARTS_H
#define CUCKOO_EXPERIMENTS_E11_PARTS_H

#include "../src/filter.h"
#include "../src/options.h"
#include "../src/out.h"

extern const struct out_table e11_rate_table, e11_load_table, e11_space_table, e11_crossing_table,
    e11_copies_table, e11_deletion_table, e11_victim_table, e11_stream_table;

/* Buckets for about `slots` slots: the power of two that divides best, from below. */
int e11_shape(struct filter_shape *shape, unsigned tag_bits, unsigned slots_a_bucket,
              uint64_t slots, struct error *err);

int e11_rates(const struct options *options, struct out *out, struct error *err);
int e11_loads(const struct options *options, struct out *out, struct error *err);
int e11_space(const struct options *options, struct out *out, struct error *err);
int e11_copies(const struct options *options, struct out *out, struct error *err);
int e11_deletions(const struct options *options, struct out *out, struct error *err);
int e11_victims(const struct options *options, struct out *out, struct error *err);
int e11_streams(const struct options *options, struct out *out, struct error *err);

#endif
