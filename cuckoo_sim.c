/* cuckoo_sim -- measures what cuckoo hashing does: probes, kicks, moves, failures.
 *
 * This file is the table of contents: every subcommand with the file that answers it.
 * The library is in src/, one concept a file; docs/DESIGN.md shows the house. */
#include "commands/commands.h"
#include "experiments/experiments.h"

static const struct command *const subcommands[] = {
    /* experiments: one question a file, experiments/e1.c ... */
    &experiment_e1, /* a worked example, step by step */
    &experiment_e2, /* what a lookup costs, by load */
    &experiment_e3, /* the longest hit as the table grows */
    &experiment_e4, /* how often no placement exists */
    &experiment_e5, /* how large a stash has to be */
    &experiment_e6, /* thresholds against what searches reach */
    &experiment_e7, /* random walk against breadth-first insertion */
    &command_all,   /* e1 to e7: results.txt */
    /* beyond the seven: golden outputs in results/ */
    &experiment_e8,  /* how random the hash functions must be */
    &experiment_e9,  /* second buckets derived from the first */
    &experiment_e10, /* what the rules of libraries reach */
    &experiment_e11, /* cuckoo filters */
    &experiment_e12, /* readers beside a writer */
    &experiment_e13, /* growth, rebuilds and stashes */
    /* exact answers, commands/ */
    &command_threshold, /* orientability and peeling thresholds */
    &command_exact,     /* the exact distribution of the stash */
    &command_bound,     /* proved bounds for more candidates and larger buckets */
    &command_plan,      /* slots, stash or failure probability: what is missing */
    /* your own question, and a run in parts, commands/ */
    &command_run,   /* any scheme, any search, any measure */
    &command_sweep, /* the same over lists and ranges of options */
    &command_merge, /* the shards of a run put together */
    &command_trace, /* an insertion step by step, on keys of your own */
    NULL,
};

int main(int argc, char **argv)
{
    return dispatch(subcommands, argc, argv);
}
