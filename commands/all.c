/* all.c -- e1 to e7 one after the other: the content of results.txt. */
#include "commands.h"

#include "../experiments/experiments.h"

static int run_all(const struct options *options, struct out *out, struct error *err)
{
    for (size_t i = 0; experiments_seven[i] != NULL; i++) {
        const struct command *experiment = experiments_seven[i];
        struct options own = *options;
        /* --trials and its like reach those experiments that have the quantity */
        if (!(experiment->takes & OPTION_BIT(OPTION_TRIALS)))
            own.trials = 0;
        if (!(experiment->takes & OPTION_BIT(OPTION_SLOTS)))
            own.slots = 0;
        int code = experiment->run(&own, out, err);
        if (code != ERR_NONE)
            return code;
    }
    return ERR_NONE;
}

const struct command command_all = {
    .name = "all",
    .summary = "e1 to e7: the content of results.txt",
    .about = "Runs the seven experiments in order; with default options the bytes are those of\n"
             "results.txt.  --trials and --slots reach the experiments that have the quantity.",
    .takes = OPTION_TRIAL_BITS | OPTION_BIT(OPTION_SLOTS),
    .parts = experiments_seven,
    .run = run_all,
};
