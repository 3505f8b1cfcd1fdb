/* e1_search.h -- the two halves of e1. */
#ifndef CUCKOO_EXPERIMENTS_E1_SEARCH_H
#define CUCKOO_EXPERIMENTS_E1_SEARCH_H

#include "../src/options.h"
#include "../src/out.h"

extern const struct out_table e1_bucket_table, e1_search_table, e1_move_table;

int e1_search_example(const struct options *options, struct out *out, struct error *err);

#endif
