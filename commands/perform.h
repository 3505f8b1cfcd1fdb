/* perform.h -- one command from its words to its written tables, as a whole, a shard, a dry
 * run, or a part where a signal asked for the end. */
#ifndef CUCKOO_PERFORM_H
#define CUCKOO_PERFORM_H

#include "../src/options.h"

/* argv[0] is the command's name.  Returns 0 or a negative code described in `err`;
 * ERR_STOPPED: after *signal, with what was finished already written. */
int perform(const struct command *command, int argc, char **argv, int *signal, struct error *err);

#endif
