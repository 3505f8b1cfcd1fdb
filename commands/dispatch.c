/* dispatch.c -- from argv to a subcommand and back to an exit status. */
#include "commands.h"
#include "guides.h"
#include "perform.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../src/ranks.h"
#include "../src/version.h"

/* The table that dispatch() was given, for commands that run another. */
static const struct command *const *commands;

static void print_usage(FILE *stream, const struct command *const *table)
{
    fprintf(stream,
            "cuckoo_sim %s -- measures what cuckoo hashing does\n\n"
            "usage: cuckoo_sim SUBCOMMAND [OPTION...]\n"
            "       cuckoo_sim help SUBCOMMAND   options, defaults and columns\n"
            "       cuckoo_sim --version\n\nsubcommands:\n",
            CUCKOO_VERSION);
    for (size_t i = 0; table[i] != NULL; i++)
        fprintf(stream, "  %-10s %s\n", table[i]->name, table[i]->summary);
    fprintf(stream,
            "\nData goes to standard output, all else to standard error.  Numbers are\n"
            "written 1000, 1e6 or 2^20.  The bytes depend on the seed and the options\n"
            "printed in each table's head, and on nothing else.\n\n"
            "Limits: 16 candidates, 64 slots a bucket, 2^32-16 buckets (so 2^32 slots and\n"
            "more from 2 slots a bucket on), 2^63-1 trials; what does not fit into memory,\n"
            "and a sum over the trials beyond 2^64-2, is refused.  No key, one slot and\n"
            "one bucket are allowed.\n");
}

static void print_help(FILE *stream, const struct command *command)
{
    fprintf(stream, "cuckoo_sim %s -- %s\n\n%s\n\n", command->name, command->summary,
            command->about);
    if (command->operands != NULL)
        fprintf(stream, "usage: cuckoo_sim %s [OPTION...] %s\n\n", command->name,
                command->operands);
    fprintf(stream, "options [default]:\n");
    options_describe(stream, command);
    if (command->tables != NULL) {
        fprintf(stream, "\ntables and their columns:\n");
        for (size_t i = 0; command->tables[i] != NULL; i++)
            out_describe(stream, command->tables[i]);
    }
}

static const struct command *find(const struct command *const *table, const char *name)
{
    for (size_t i = 0; table[i] != NULL; i++)
        if (strcmp(table[i]->name, name) == 0)
            return table[i];
    return NULL;
}

const struct command *dispatch_find(const char *name)
{
    return find(commands, name);
}

static int refuse_name(const struct command *const *table, const char *name)
{
    struct error err;

    error_set(&err, ERR_USAGE, "%.60s is no subcommand; there are:", name);
    for (size_t i = 0; table[i] != NULL; i++) {
        size_t length = strlen(err.text);
        snprintf(err.text + length, sizeof err.text - length, " %s", table[i]->name);
    }
    error_print(stderr, &err);
    return 2;
}

static int refuse_extra(const char *before, const char *word)
{
    struct error err;

    error_set(&err, ERR_USAGE, "%.60s: nothing is allowed after it, not %.60s", before, word);
    error_print(stderr, &err);
    return 2;
}

static int answer_help(const struct command *const *table, int argc, char **argv)
{
    const struct command *command = argc > 2 ? find(table, argv[2]) : NULL;

    if (argc == 3 && guides_print(stdout, argv[2], table))
        return 0;
    if (argc > 2 && command == NULL)
        return refuse_name(table, argv[2]);
    if (argc > 3)
        return refuse_extra(argv[2], argv[3]);
    if (command != NULL)
        print_help(stdout, command);
    else
        print_usage(stdout, table);
    return 0;
}

/* Output that did not reach its end is a failed run (a full disk, a closed pipe). */
static int close_stdout(int status)
{
    if (fclose(stdout) != 0 && status == 0) {
        perror("cuckoo_sim: standard output");
        return 1;
    }
    return status;
}

static int is_help(const char *word)
{
    return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int answer(const struct command *const *table, int argc, char **argv)
{
    struct error err = {0};

    signal(SIGPIPE, SIG_IGN); /* a closed pipe is reported like any other failed write */
    if (argc < 2) {
        fprintf(stderr, "cuckoo_sim: a subcommand is needed; see `cuckoo_sim help`\n");
        return 2;
    }
    if (is_help(argv[1]))
        return close_stdout(answer_help(table, argc, argv));
    if (strcmp(argv[1], "--version") == 0) {
        if (argc > 2)
            return refuse_extra(argv[1], argv[2]);
        printf("cuckoo_sim %s\n", CUCKOO_VERSION);
        return close_stdout(0);
    }
    const struct command *command = find(table, argv[1]);
    if (command == NULL)
        return refuse_name(table, argv[1]);
    for (int i = 2; i < argc; i++)
        if (is_help(argv[i]) && (i == 2 || argv[i][0] == '-')) {
            print_help(stdout, command);
            return close_stdout(0);
        }
    int stopped = 0;
    int code = perform(command, argc - 1, argv + 1, &stopped, &err);
    if (code != ERR_NONE && ranks_number() == 0)
        error_print(stderr, &err);
    int status = code == ERR_NONE      ? 0
                 : code == ERR_USAGE   ? 2
                 : code == ERR_STOPPED ? 128 + stopped
                                       : 1;
    return close_stdout(status);
}

int dispatch(const struct command *const *table, int argc, char **argv)
{
    ranks_init(&argc, &argv);
    commands = table;
    int status = answer(table, argc, argv);
    ranks_finish();
    return status;
}
