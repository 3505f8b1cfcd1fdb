/* merge.c -- the shards of a run put together: the command that made them, given their
 * tallies instead of trials of its own, prints what the whole run would have printed. */
#include "commands.h"

#include <stdlib.h>

#include "../src/session.h"

static void free_shards(struct record *shards, size_t count)
{
    for (size_t i = 0; shards != NULL && i < count; i++)
        record_free(&shards[i]);
    free(shards);
}

static int read_shards(const struct options *options, struct record *shards, struct error *err)
{
    int code = ERR_NONE;

    for (size_t i = 0; i < options->n_operands && code == ERR_NONE; i++)
        code = record_read(&shards[i], RECORD_SHARD, "merge", options->operand[i], 1, err);
    return code;
}

/* The options that the shards were made with, but for how the result is written. */
static int read_options(const struct record *shard, const struct command *command,
                        const struct options *given, struct options *own, struct error *err)
{
    int code = ERR_NONE;

    options_init(own);
    if (command->defaults != NULL)
        command->defaults(own);
    for (size_t i = 0; i < shard->n_arguments && code == ERR_NONE; i++)
        code =
            options_set_named(own, command, shard->argument[i].name, shard->argument[i].value, err);
    if (code == ERR_NONE)
        code = options_check(own, command, err);
    own->format = given->format;
    own->output = given->output;
    own->quiet = given->quiet;
    return code;
}

static int run_merged(const struct options *given, struct record *shards, struct out *out,
                      struct error *err)
{
    const struct command *command = dispatch_find(shards[0].command);
    struct options own;
    struct session session;
    int code;

    if (command == NULL || !(command->takes & OPTION_BIT(OPTION_SHARD)))
        return error_set(err, ERR_USAGE, "merge %.100s: no subcommand %.60s writes shards",
                         given->operand[0], shards[0].command);
    code = read_options(&shards[0], command, given, &own, err);
    if (code != ERR_NONE)
        return code;
    session_init_plain(&session, &own);
    own.session = &session;
    own.shard[0] = shards[0].shard[0];
    own.shard[1] = shards[0].shard[1];
    code = record_check(&shards[0], command, &own, "merge", given->operand[0], err);
    own.shard[0] = own.shard[1] = 0;
    if (code == ERR_NONE)
        code = session_join_shards(&session, shards, given->operand, given->n_operands, err);
    if (code == ERR_NONE)
        code = command->run(&own, out, err);
    session_free(&session);
    return code;
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    struct record *shards = calloc(options->n_operands, sizeof *shards);
    int code;

    if (shards == NULL)
        return error_set(err, ERR_MEMORY, "merge: %s", error_text(ERR_MEMORY));
    code = read_shards(options, shards, err);
    if (code == ERR_NONE)
        code = run_merged(options, shards, out, err);
    free_shards(shards, options->n_operands);
    return code;
}

const struct command command_merge = {
    .name = "merge",
    .summary = "put the shards of a run together",
    .about =
        "Reads what the runs with --shard 1/K ... K/K wrote, in any order, and prints what the\n"
        "whole run prints, to the byte.  A shard that is missing, there twice, or of another\n"
        "command, version or setting is refused.",
    .takes = OPTION_OUTPUT_BITS,
    .operands = "FILE...",
    .operands_needed = 1,
    .run = run,
};
