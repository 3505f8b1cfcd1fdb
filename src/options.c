/* options.c -- see options.h.  getopt_long() splits the words; the table below says
 * what each option means.  Every refusal is one line: option, value, what is allowed. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

enum kind {
    KIND_SIZE,
    KIND_LIST,
    KIND_SLOTS,
    KIND_FAIL,
    KIND_INT,
    KIND_CHOICE,
    KIND_TEXT,
    KIND_FLAG
};

struct spec {
    enum option_id id;
    const char *name;
    const char *argument; /* for help; NULL for a flag */
    enum kind kind;
    size_t offset;     /* of the value in struct options */
    uint64_t min, max; /* of a number */
    const char *const *choices;
    const char *help;
    const char *otherwise; /* what holds where it is not given, if that is no fixed value */
};

static const char *const choices_format[] = {"text", "csv", "jsonl", NULL};
static const char *const choices_layout[] = {"one", "split", NULL};
static const char *const choices_hash[] = {"divmod", "mix", NULL};
static const char *const choices_positions[] = {"repeat", "distinct", NULL};

/* 2^53: beyond it a count printed through a ratio of doubles would lose its last digit. */
#define COUNT_MAX (UINT64_C(1) << 53)
#define AT(field) offsetof(struct options, field)

static const struct spec specs[OPTION_COUNT] = {
    {OPTION_TRIALS, "trials", "N", KIND_SIZE, AT(trials), 1, COUNT_MAX, NULL,
     "trials of every row (tables filled, graphs drawn, seeds)", "each row's own number"},
    {OPTION_SEED, "seed", "N", KIND_SIZE, AT(seed), 0, UINT64_MAX, NULL,
     "seed of all random streams", NULL},
    {OPTION_KEYS, "keys", "N", KIND_SIZE, AT(keys), 0, COUNT_MAX, NULL, "number of keys", NULL},
    {OPTION_SLOTS, "slots", "M", KIND_SLOTS, AT(slots), 1, COUNT_MAX, NULL, "slots over all tables",
     "each row's own number"},
    {OPTION_CANDIDATES, "candidates", "D", KIND_LIST, AT(candidates), 1, 64, NULL,
     "candidate buckets of a key", NULL},
    {OPTION_BUCKET, "bucket", "K", KIND_LIST, AT(bucket), 1, 4096, NULL, "slots of a bucket", NULL},
    {OPTION_LAYOUT, "layout", "one|split", KIND_CHOICE, AT(split), 0, 0, choices_layout,
     "all candidates in one table, or a table for each", NULL},
    {OPTION_POSITIONS, "positions", "repeat|distinct", KIND_CHOICE, AT(distinct), 0, 0,
     choices_positions, "whether a key's candidates may coincide", NULL},
    {OPTION_STASH, "stash", "S", KIND_SIZE, AT(stash), 0, 64, NULL, "slots outside the tables",
     NULL},
    {OPTION_FAIL, "fail", "P", KIND_FAIL, AT(fail_log2), 0, 0, NULL,
     "probability of failure, 0 < P < 1 (2^-40, 1e-12, 0.001)", NULL},
    {OPTION_THREADS, "threads", "N", KIND_INT, AT(threads), 1, 1024, NULL,
     "threads; the bytes do not depend on it", "one for each processor"},
    {OPTION_MEMORY, "memory", "BYTES", KIND_SIZE, AT(memory), 1 << 20, COUNT_MAX, NULL,
     "memory that tables may take; fewer threads run if they need more", "half of what is free"},
    {OPTION_FORMAT, "format", "text|csv|jsonl", KIND_CHOICE, AT(format), 0, 0, choices_format,
     "form of the tables", NULL},
    {OPTION_OUTPUT, "output", "FILE", KIND_TEXT, AT(output), 0, 0, NULL,
     "write to FILE, whole or not at all", "standard output"},
    {OPTION_QUIET, "quiet", NULL, KIND_FLAG, AT(quiet), 0, 0, NULL, "no progress on a terminal",
     "progress where standard error is a terminal"},
    {OPTION_HASH, "hash", "divmod|mix", KIND_CHOICE, AT(hash_mix), 0, 0, choices_hash,
     "positions k mod m and (k div m) mod m', or the seeded mixer", NULL},
    {OPTION_MAX_ROUNDS, "max-rounds", "N", KIND_SIZE, AT(max_rounds), 1, 1 << 20, NULL,
     "stop an insertion after N rounds of one placement in each table", NULL},
    {OPTION_MAX_PLACEMENTS, "max-placements", "N", KIND_SIZE, AT(max_placements), 1, 1 << 21, NULL,
     "stop an insertion after N placements", "twice the keys so far, which always suffices"},
    {OPTION_RANDOM, "random", "SEED", KIND_SIZE, AT(random), 0, UINT64_MAX, NULL,
     "draw the keys from this seed", NULL},
    {OPTION_FIND, "find", "kicks=N|fail", KIND_TEXT, AT(find), 0, 0, NULL,
     "look for keys of which the last one takes N kicks, or cannot be placed", NULL},
    {OPTION_FULL, "full", NULL, KIND_FLAG, AT(full), 0, 0, NULL,
     "the rows that take minutes and gigabytes too", "without them"},
};

void options_init(struct options *self)
{
    memset(self, 0, sizeof *self);
    self->seed = 1;
}

int options_given(const struct options *self, enum option_id id)
{
    return (self->given & OPTION_BIT(id)) != 0;
}

static void *field(struct options *self, const struct spec *spec)
{
    return (char *)self + spec->offset;
}

/* "one of text, csv, jsonl" */
static void list_choices(char *buffer, size_t size, const char *const *choices)
{
    size_t length = 0;

    buffer[0] = '\0';
    for (size_t i = 0; choices[i] != NULL && length < size; i++)
        length +=
            (size_t)snprintf(buffer + length, size - length, "%s%s", i > 0 ? ", " : "", choices[i]);
}

static int refuse_number(const struct command *command, const struct spec *spec, const char *value,
                         const char *what, struct error *err)
{
    char limit[24];

    parse_print_size(limit, sizeof limit, spec->max);
    return error_set(err, ERR_USAGE, "%s: --%s %.80s: %s from %" PRIu64 " to %s is allowed (%s)",
                     command->name, spec->name, value, what, spec->min, limit,
                     "written as 1000, 1e6 or 2^20");
}

static int read_choice(struct options *self, const struct command *command, const struct spec *spec,
                       const char *value, struct error *err)
{
    char allowed[128];

    for (int i = 0; spec->choices[i] != NULL; i++)
        if (strcmp(value, spec->choices[i]) == 0) {
            memcpy(field(self, spec), &i, sizeof i);
            return ERR_NONE;
        }
    list_choices(allowed, sizeof allowed, spec->choices);
    return error_set(err, ERR_USAGE, "%s: --%s %.80s: one of %s is allowed", command->name,
                     spec->name, value, allowed);
}

/* Two tables of different sizes have a meaning where the layout can be chosen. */
static int takes_two_tables(const struct command *command)
{
    return (command->takes & OPTION_BIT(OPTION_LAYOUT)) != 0;
}

static int read_slots(struct options *self, const struct command *command, const struct spec *spec,
                      const char *value, struct error *err)
{
    uint64_t part[2] = {0, 0};
    size_t parts = 0;

    if (parse_sum(value, spec->min, spec->max / 2, part, 2, &parts) == ERR_NONE && parts == 2) {
        if (!takes_two_tables(command))
            return error_set(err, ERR_USAGE,
                             "%s: --slots %.80s: one number is allowed here, not two tables",
                             command->name, value);
        self->slots = part[0] + part[1];
        self->slots_part[0] = part[0];
        self->slots_part[1] = part[1];
        return ERR_NONE;
    }
    self->slots_part[0] = self->slots_part[1] = 0;
    if (parse_size(value, spec->min, spec->max, &self->slots) == ERR_NONE)
        return ERR_NONE;
    return refuse_number(command, spec, value, "a number", err);
}

static int read_value(struct options *self, const struct command *command, const struct spec *spec,
                      const char *value, struct error *err)
{
    void *target = field(self, spec);
    uint64_t number = 0;

    switch (spec->kind) {
    case KIND_SIZE:
        if (parse_size(value, spec->min, spec->max, target) == ERR_NONE)
            return ERR_NONE;
        return refuse_number(command, spec, value, "a number", err);
    case KIND_INT:
        if (parse_size(value, spec->min, spec->max, &number) != ERR_NONE)
            return refuse_number(command, spec, value, "a number", err);
        *(int *)target = (int)number;
        return ERR_NONE;
    case KIND_LIST: {
        struct option_list *list = target;
        if (parse_list(value, spec->min, spec->max, list->value, OPTION_LIST_MAX, &list->count) ==
            ERR_NONE)
            return ERR_NONE;
        return refuse_number(command, spec, value, "a list such as 2,3 or a range such as 2:8",
                             err);
    }
    case KIND_SLOTS:
        return read_slots(self, command, spec, value, err);
    case KIND_FAIL:
        if (parse_probability_log2(value, target) == ERR_NONE)
            return ERR_NONE;
        return error_set(err, ERR_USAGE,
                         "%s: --%s %.80s: a probability between 0 and 1 is allowed "
                         "(written as 2^-40, 1e-12 or 0.001)",
                         command->name, spec->name, value);
    case KIND_CHOICE:
        return read_choice(self, command, spec, value, err);
    case KIND_TEXT:
        if (value[0] == '\0')
            return error_set(err, ERR_USAGE, "%s: --%s '': the name of a file is needed",
                             command->name, spec->name);
        *(const char **)target = value;
        return ERR_NONE;
    case KIND_FLAG:
        *(int *)target = 1;
        return ERR_NONE;
    }
    return error_set(err, ERR_VERIFY, "option --%s has no reader", spec->name);
}

/* "--trials, --seed" for a refusal; empty if nothing is taken. */
static void list_options(char *buffer, size_t size, uint64_t bits)
{
    size_t length = 0;

    buffer[0] = '\0';
    for (size_t i = 0; i < OPTION_COUNT && length < size; i++)
        if (bits & OPTION_BIT(i))
            length += (size_t)snprintf(buffer + length, size - length, "%s--%s",
                                       length > 0 ? " " : "", specs[i].name);
}

static int refuse_word(const struct command *command, const char *word, struct error *err)
{
    char allowed[300];

    list_options(allowed, sizeof allowed, command->takes);
    return error_set(err, ERR_USAGE, "%s: %.60s is not known here; allowed: %s", command->name,
                     word, allowed);
}

static int check_needs(const struct options *self, const struct command *command, struct error *err)
{
    char missing[200];

    list_options(missing, sizeof missing, command->needs & ~self->given);
    if (missing[0] != '\0')
        return error_set(err, ERR_USAGE, "%s: %s must be given; see `cuckoo_sim help %s`",
                         command->name, missing, command->name);
    if (self->slots_part[1] > 0 && options_given(self, OPTION_LAYOUT) && !self->split)
        return error_set(err, ERR_USAGE,
                         "%s: --slots %" PRIu64 "+%" PRIu64 ": two tables, but --layout one",
                         command->name, self->slots_part[0], self->slots_part[1]);
    return ERR_NONE;
}

/* Take argv[optind] as an operand and step over it, where the command takes operands. */
static int read_operand(struct options *self, const struct command *command, char **argv,
                        struct error *err)
{
    const char *word = argv[optind];

    if (command->operands == NULL)
        return refuse_word(command, word, err);
    if (self->n_operands == OPTION_LIST_MAX)
        return error_set(err, ERR_USAGE, "%s: %.60s: at most %d of %s are allowed", command->name,
                         word, OPTION_LIST_MAX, command->operands);
    self->operand[self->n_operands++] = word;
    optind++;
    return ERR_NONE;
}

/* One option that getopt has read. */
static int read_option(struct options *self, const struct command *command, int code, char **argv,
                       struct error *err)
{
    const char *word = argv[optind - 1];

    if (code == ':')
        return error_set(err, ERR_USAGE, "%s: %.60s: a value is needed", command->name, word);
    if (code == '?' && optopt >= 256)
        return error_set(err, ERR_USAGE, "%s: %.60s: no value is allowed here", command->name,
                         word);
    if (code < 256 || !(command->takes & OPTION_BIT(code - 256))) {
        /* argv[optind - 1] is the value of a known option, and the word before a
         * cluster of letters (-xyz) that is not read to its end: name the option */
        char name[64];
        if (code >= 256)
            snprintf(name, sizeof name, "--%s", specs[code - 256].name);
        else if (optopt > 0 && optopt < 256)
            snprintf(name, sizeof name, "-%c", optopt);
        else
            snprintf(name, sizeof name, "%.60s", word);
        return refuse_word(command, name, err);
    }
    const struct spec *spec = &specs[code - 256];
    int status = read_value(self, command, spec, optarg, err);
    if (status != ERR_NONE)
        return status;
    self->given |= OPTION_BIT(spec->id);
    return ERR_NONE;
}

int options_parse(struct options *self, const struct command *command, int argc, char **argv,
                  struct error *err)
{
    struct option longs[OPTION_COUNT + 1];
    int code;

    memset(longs, 0, sizeof longs);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        longs[i].name = specs[i].name;
        longs[i].has_arg = specs[i].kind == KIND_FLAG ? no_argument : required_argument;
        longs[i].val = (int)(256 + i);
    }
    opterr = 0;
    optind = 0; /* not 1: forgets the word that an earlier call was in */
    while ((code = getopt_long(argc, argv, "+:", longs, NULL)) != -1 || optind < argc) {
        code = code != -1 ? read_option(self, command, code, argv, err)
                          : read_operand(self, command, argv, err);
        if (code != ERR_NONE)
            return code;
    }
    code = check_needs(self, command, err);
    if (self->slots_part[1] > 0)
        self->split = 1;
    return code;
}

/* The value that holds where the option is not given. */
static void print_default(FILE *stream, const struct spec *spec, struct options *defaults)
{
    const struct option_list *list = field(defaults, spec);

    if (spec->kind == KIND_CHOICE) {
        fprintf(stream, " [%s]", spec->choices[*(int *)field(defaults, spec)]);
    } else if (spec->kind == KIND_LIST && list->count > 0) {
        fprintf(stream, " [");
        for (size_t i = 0; i < list->count; i++)
            fprintf(stream, "%s%" PRIu64, i > 0 ? "," : "", list->value[i]);
        fprintf(stream, "]");
    } else if ((spec->kind == KIND_SIZE || spec->kind == KIND_SLOTS) &&
               (*(uint64_t *)field(defaults, spec) > 0 || spec->id == OPTION_STASH)) {
        fprintf(stream, " [%" PRIu64 "]", *(uint64_t *)field(defaults, spec));
    } else if (spec->otherwise != NULL) {
        fprintf(stream, " [%s]", spec->otherwise);
    }
}

void options_describe(FILE *stream, const struct command *command)
{
    struct options defaults;

    options_init(&defaults);
    if (command->defaults != NULL)
        command->defaults(&defaults);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct spec *spec = &specs[i];
        char left[64];
        if (!(command->takes & OPTION_BIT(spec->id)))
            continue;
        snprintf(left, sizeof left, "--%s %s", spec->name,
                 spec->argument != NULL ? spec->argument : "");
        fprintf(stream, "  %-28s %s", left, spec->help);
        if (spec->id == OPTION_SLOTS && takes_two_tables(command))
            fprintf(stream, " (1200+1000: two unequal tables)");
        if (command->needs & OPTION_BIT(spec->id))
            fprintf(stream, " (must be given)");
        else
            print_default(stream, spec, &defaults);
        fprintf(stream, "\n");
    }
}
