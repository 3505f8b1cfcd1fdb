/* commands.h -- the subcommands that are no experiment: a file each in commands/. */
#ifndef CUCKOO_COMMANDS_H
#define CUCKOO_COMMANDS_H

#include "../src/options.h"

extern const struct command command_all;
extern const struct command command_threshold;
extern const struct command command_exact;
extern const struct command command_bound;
extern const struct command command_plan;
extern const struct command command_trace;

extern const struct command command_run;
extern const struct command command_sweep;
extern const struct command command_merge;

/* The subcommand of this name, or NULL. */
const struct command *dispatch_find(const char *name);

/* Find argv[1] in `table` (NULL at the end), read its options, run it, write its tables.
 * `help`, `--help` and `--version` are answered here.  Returns main()'s exit status:
 * 0, 2 for misuse, 1 for a run that failed; then one line is on standard error. */
int dispatch(const struct command *const *table, int argc, char **argv);

#endif
