/* test_options.c -- the command line as a struct, and refusals that say what is allowed. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

static const struct command everything = {
    .name = "x",
    .takes = OPTION_BIT(OPTION_COUNT) - 1,
};
static const struct command trials_only = {.name = "t", .takes = OPTION_BIT(OPTION_TRIALS)};
static const struct command nothing = {.name = "n"};

#define WORDS_MAX 16

/* Read a line of words separated by single blanks; "" stands for an empty word. */
static int parse_line(const struct command *command, const char *line, struct options *options,
                      struct error *err)
{
    static char copy[1024];
    char *argv[WORDS_MAX + 2] = {(char *)"x"};
    int argc = 1;

    assert_true(strlen(line) < sizeof copy);
    strcpy(copy, line);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
        assert_true(argc <= WORDS_MAX);
        argv[argc++] = strcmp(word, "\"\"") == 0 ? word + 2 : word;
    }
    memset(err, 0, sizeof *err);
    options_init(options);
    return options_parse(options, command, argc, argv, err);
}

static void defaults(void **state)
{
    struct options options;
    struct error err;

    (void)state;
    assert_int_equal(parse_line(&everything, "", &options, &err), ERR_NONE);
    assert_int_equal(options.given, 0);
    assert_int_equal(options.seed, 1);
    assert_int_equal(options.trials, 0);
    assert_int_equal(options.threads, 0);
    assert_int_equal(options.format, OUT_TEXT);
    assert_null(options.output);
}

static void every_option_arrives(void **state)
{
    struct options options;
    struct error err;

    (void)state;
    assert_int_equal(parse_line(&everything,
                                "--trials 1e3 --seed=0 --keys 12 --slots 2^12 --candidates 2:4 "
                                "--bucket 1,8 --layout split --positions distinct",
                                &options, &err),
                     ERR_NONE);
    assert_int_equal(options.trials, 1000);
    assert_int_equal(options.seed, 0);
    assert_int_equal(options.keys, 12);
    assert_int_equal(options.slots, 4096);
    assert_int_equal(options.slots_part[1], 0);
    assert_int_equal(options.candidates.count, 3);
    assert_int_equal(options.candidates.value[2], 4);
    assert_int_equal(options.bucket.count, 2);
    assert_int_equal(options.bucket.value[1], 8);
    assert_true(options.split);
    assert_true(options.distinct);
    assert_true(options_given(&options, OPTION_SEED));
    assert_false(options_given(&options, OPTION_STASH));
    assert_int_equal(parse_line(&everything,
                                "--stash 3 --fail 2^-40 --threads 7 --memory 2^30 --format jsonl "
                                "--output some/file --quiet",
                                &options, &err),
                     ERR_NONE);
    assert_int_equal(options.stash, 3);
    assert_true(options.fail_log2 == -40.0);
    assert_int_equal(options.threads, 7);
    assert_int_equal(options.memory, 1 << 30);
    assert_int_equal(options.format, OUT_JSONL);
    assert_string_equal(options.output, "some/file");
    assert_true(options.quiet);
}

static void the_last_one_counts(void **state)
{
    struct options options;
    struct error err;

    (void)state;
    assert_int_equal(
        parse_line(&everything, "--slots 10+20 --slots 64 --seed 5 --seed 6", &options, &err),
        ERR_NONE);
    assert_int_equal(options.slots, 64);
    assert_int_equal(options.slots_part[0], 0);
    assert_int_equal(options.slots_part[1], 0);
    assert_int_equal(options.seed, 6);
}

static void two_unequal_tables(void **state)
{
    struct options options;
    struct error err;

    (void)state;
    assert_int_equal(parse_line(&everything, "--slots 1200+1000", &options, &err), ERR_NONE);
    assert_int_equal(options.slots, 2200);
    assert_int_equal(options.slots_part[0], 1200);
    assert_int_equal(options.slots_part[1], 1000);
    assert_true(options.split);
    assert_int_equal(parse_line(&everything, "--slots 1200+1000 --layout one", &options, &err),
                     ERR_USAGE);
    assert_non_null(strstr(err.text, "--layout one"));
    assert_int_equal(parse_line(&everything, "--slots 1+2+3", &options, &err), ERR_USAGE);
    assert_int_equal(parse_line(&everything, "--slots 0+3", &options, &err), ERR_USAGE);
}

/* Every refusal is ERR_USAGE and one line that holds these words. */
static void refusals(void **state)
{
    static const struct {
        const struct command *command;
        const char *line, *a, *b, *c;
    } cases[] = {
        {&everything, "--trials 0", "--trials 0", "from 1", "2^63-1"},
        {&everything, "--trials -1", "--trials -1", "from 1", "2^63-1"},
        {&everything, "--trials 1e3x", "--trials 1e3x", "from 1", "1e6"},
        {&everything, "--trials 2^70", "--trials 2^70", "2^63-1", "allowed"},
        {&everything, "--trials=0", "--trials 0", "from 1", "allowed"},
        {&everything, "--trials", "--trials", "value", "needed"},
        {&everything, "--trials \"\"", "--trials", "from 1", "allowed"},
        {&everything, "--seed -1", "--seed -1", "from 0", "2^64-1"},
        {&everything, "--seed 2^64", "--seed 2^64", "from 0", "2^64-1"},
        {&everything, "--threads 0", "--threads 0", "from 1", "1024"},
        {&everything, "--threads 1025", "--threads 1025", "from 1", "1024"},
        {&everything, "--memory 1", "--memory 1:", "from 1048576", "allowed"},
        {&everything, "--slots 0", "--slots 0", "from 1", "allowed"},
        {&everything, "--candidates 0", "--candidates 0", "from 1", "64"},
        {&everything, "--candidates 3:2", "--candidates 3:2", "list", "allowed"},
        {&everything, "--bucket 1,x", "--bucket 1,x", "list", "allowed"},
        {&everything, "--fail 1", "--fail 1:", "between 0 and 1", "allowed"},
        {&everything, "--format xml", "--format xml", "text, csv, jsonl", "allowed"},
        {&everything, "--layout two", "--layout two", "one, split", "allowed"},
        {&everything, "--positions same", "--positions same", "repeat, distinct", "allowed"},
        {&everything, "--output \"\"", "--output", "file", "needed"},
        {&everything, "--tirals 5", "--tirals", "--trials", "--seed"},
        {&everything, "stray", "stray", "--trials", "allowed"},
        {&everything, "--quiet stray", "stray", "--trials", "allowed"},
        {&everything, "-x", "-x", "--trials", "allowed"},
        {&everything, "-5", "-5", "--trials", "allowed"},
        {&everything, "-12", "-1", "--trials", "allowed"},
        {&everything, "--seed 3 -xyz", "-x", "--trials", "allowed"},
        {&everything, "--quiet=3", "--quiet=3", "no value", "allowed"},
        {&everything, "--s 3", "--s", "--trials", "not known here"}, /* --seed, --slots, --stash */
        {&trials_only, "--slots 12", "--slots", "--trials", "not known here"},
        {&trials_only, "--slots=12", "--slots", "--trials", "not known here"},
        {&trials_only, "--trials 3 --quiet", "--quiet", "--trials", "not known here"},
        {&nothing, "--trials 3", "--trials", "not known here", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct options options;
        struct error err;
        int code = parse_line(cases[i].command, cases[i].line, &options, &err);
        if (code != ERR_USAGE || strstr(err.text, cases[i].a) == NULL ||
            strstr(err.text, cases[i].b) == NULL || strstr(err.text, cases[i].c) == NULL)
            print_error("'%s': %d '%s'\n", cases[i].line, code, err.text);
        assert_int_equal(code, ERR_USAGE);
        assert_non_null(strstr(err.text, cases[i].a));
        assert_non_null(strstr(err.text, cases[i].b));
        assert_non_null(strstr(err.text, cases[i].c));
        assert_null(strchr(err.text, '\n'));
        assert_true(strncmp(err.text, cases[i].command->name, 1) == 0);
    }
}

/* A value of any length is cut, never the memory behind it. */
static void long_values_are_cut(void **state)
{
    static const char *const names[] = {"--trials", "--format", "--fail", "--candidates"};
    char value[600];

    (void)state;
    memset(value, '9', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char line[700];
        struct options options;
        struct error err;
        snprintf(line, sizeof line, "%s %s", names[i], value);
        assert_int_equal(parse_line(&everything, line, &options, &err), ERR_USAGE);
        assert_non_null(strstr(err.text, "allowed"));
    }
}

static void needed_options(void **state)
{
    static const struct command needy = {
        .name = "x",
        .takes = OPTION_BIT(OPTION_KEYS) | OPTION_BIT(OPTION_SLOTS) | OPTION_BIT(OPTION_SEED),
        .needs = OPTION_BIT(OPTION_KEYS) | OPTION_BIT(OPTION_SLOTS),
    };
    struct options options;
    struct error err;

    (void)state;
    assert_int_equal(parse_line(&needy, "--keys 5 --slots 9", &options, &err), ERR_NONE);
    assert_int_equal(parse_line(&needy, "--keys 5", &options, &err), ERR_USAGE);
    assert_non_null(strstr(err.text, "--slots must be given"));
    assert_null(strstr(err.text, "--keys"));
}

static void seed_defaults(struct options *options)
{
    options->seed = 77;
}

/* Help shows each option that is taken with its live default, and no other. */
static void help_prints_live_defaults(void **state)
{
    static const struct command command = {
        .name = "x",
        .takes = OPTION_BIT(OPTION_SEED) | OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_KEYS),
        .needs = OPTION_BIT(OPTION_KEYS),
        .defaults = seed_defaults,
    };
    char *text = NULL;
    size_t size = 0;

    (void)state;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    options_describe(stream, &command);
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(text, "--seed N"));
    assert_non_null(strstr(text, "[77]"));
    assert_non_null(strstr(text, "[text]"));
    assert_non_null(strstr(text, "must be given"));
    assert_null(strstr(text, "--trials"));
    free(text);
}

/* Words that are no options, before, between and after options. */
static void operands(void **state)
{
    static const struct command command = {
        .name = "o", .operands = "KEY...", .takes = OPTION_BIT(OPTION_SEED)};
    struct options options;
    struct error err;

    (void)state;
    assert_int_equal(parse_line(&command, "20 --seed 7 50 53", &options, &err), ERR_NONE);
    assert_int_equal(options.n_operands, 3);
    assert_string_equal(options.operand[0], "20");
    assert_string_equal(options.operand[2], "53");
    assert_int_equal(options.seed, 7);
    assert_int_equal(parse_line(&command, "20 --trials 7", &options, &err), ERR_USAGE);
    assert_int_equal(parse_line(&nothing, "20", &options, &err), ERR_USAGE);
    assert_non_null(strstr(err.text, "20"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(every_option_arrives),
        cmocka_unit_test(the_last_one_counts),
        cmocka_unit_test(two_unequal_tables),
        cmocka_unit_test(refusals),
        cmocka_unit_test(long_values_are_cut),
        cmocka_unit_test(needed_options),
        cmocka_unit_test(help_prints_live_defaults),
        cmocka_unit_test(operands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
