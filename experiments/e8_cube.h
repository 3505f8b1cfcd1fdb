/* e8_cube.h -- e8's part on simple tabulation and the cube; for e8.c. */
#ifndef CUCKOO_EXPERIMENTS_E8_CUBE_H
#define CUCKOO_EXPERIMENTS_E8_CUBE_H

#include "../src/measure_hash.h"
#include "../src/options.h"
#include "../src/out.h"
#include "../src/stats.h"

extern const struct out_table e8_cube_table;

int e8_run_cube(const struct options *options, struct out *out, struct error *err);

#endif
