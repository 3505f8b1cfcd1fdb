/* experiments.h -- the experiments: one question a file. */
#ifndef CUCKOO_EXPERIMENTS_H
#define CUCKOO_EXPERIMENTS_H

#include "../src/options.h"

extern const struct command experiment_e1, experiment_e2, experiment_e3, experiment_e4,
    experiment_e5, experiment_e6, experiment_e7;
/* beyond the seven: each with its own golden in results/ */
extern const struct command experiment_e8, experiment_e9, experiment_e10, experiment_e11,
    experiment_e12, experiment_e13;

/* e1 to e7, the content of results.txt; NULL at the end. */
extern const struct command *const experiments_seven[];

#endif
