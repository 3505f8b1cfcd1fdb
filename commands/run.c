/* run.c -- your own question: any scheme, any search, any measure. */
#include "commands.h"

#include "question.h"

static int run(const struct options *options, struct out *out, struct error *err)
{
    struct question question;
    int code = question_init(&question, "run", options, err);

    if (code == ERR_NONE) {
        out_begin(out, question_table(question.measure));
        question_params(&question, out);
        question_notes(&question, out);
        code = question_write(&question, out, err);
        if (code == ERR_NONE)
            out_end(out);
    }
    question_free(&question);
    return code;
}

static const struct out_table *const tables[] = {&run_table_fail,    &run_table_fill,
                                                 &run_table_insert,  &run_table_lookup,
                                                 &run_table_primary, NULL};

const struct command command_run = {
    .name = "run",
    .summary = "your own question: any scheme, any search, any measure",
    .about =
        "Measures, in tables of your choice:\n"
        "  fill     the load at the first failure\n"
        "  fail     how often keys of a given number have no place: --slots with --load or\n"
        "           --keys, or --keys with --load or --expansion; --stash S prints 0 ... S\n"
        "  insert   kicks, moves, reads and writes of insertions, by load segment\n"
        "  lookup   slots compared and lines touched by hits and misses, by load\n"
        "  primary  the share of keys in their first candidate, by load\n"
        "With the setting and seed of an experiment it gives that experiment's numbers.  Every\n"
        "default is printed back in the head of the output.",
    .takes = QUESTION_BITS,
    .tables = tables,
    .defaults = question_defaults,
    .run = run,
    .limits = question_limits,
};
