/* experiments.c -- which experiments make up results.txt, in order. */
#include "experiments.h"

const struct command *const experiments_seven[] = {
    &experiment_e1, &experiment_e2, &experiment_e3, &experiment_e4,
    &experiment_e5, &experiment_e6, &experiment_e7, NULL,
};
