/* e6_windows.h -- the part of e6 on overlapping windows. */
#ifndef CUCKOO_EXPERIMENTS_E6_WINDOWS_H
#define CUCKOO_EXPERIMENTS_E6_WINDOWS_H

#include "../src/options.h"
#include "../src/out.h"

extern const struct out_table e6_windows_table;

/* Fill tables of several sizes under a complete search and write e6_windows_table. */
int e6_windows(const struct options *options, struct out *out, struct error *err);

#endif
