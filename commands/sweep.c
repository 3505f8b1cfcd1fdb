/* sweep.c -- `run` over lists and ranges of options: rows for each combination. */
#include "commands.h"

#include <stdlib.h>

#include "question.h"

/* Which options may hold a list, in the order in which rows vary: the last one fastest. */
static const enum option_id listed[] = {
    OPTION_CANDIDATES, OPTION_BUCKET, OPTION_WINDOW, OPTION_POSITIONS, OPTION_SEARCH,
    OPTION_STASH,      OPTION_SLOTS,  OPTION_KEYS,   OPTION_EXPANSION, OPTION_LOAD,
    OPTION_TRIALS,     OPTION_SEED,   OPTION_RULE,   OPTION_FAMILY,    OPTION_DERIVE,
};
enum { LISTED = sizeof listed / sizeof listed[0] };

#define ROWS_MAX 100000 /* combinations; more is a slip of the pen */

struct axis {
    char **word;
    size_t count, at;
};

static int read_axes(const struct options *options, struct axis axis[LISTED], size_t *rows,
                     struct error *err)
{
    int code = ERR_NONE;

    *rows = 1;
    for (size_t i = 0; i < LISTED && code == ERR_NONE; i++) {
        if (options->text[listed[i]] == NULL)
            continue;
        code =
            options_words(options, &command_sweep, listed[i], &axis[i].word, &axis[i].count, err);
        if (code == ERR_NONE && axis[i].count > ROWS_MAX / *rows)
            return error_set(err, ERR_USAGE, "sweep: at most %d combinations are allowed",
                             ROWS_MAX);
        *rows *= axis[i].count > 0 ? axis[i].count : 1;
    }
    return code;
}

static void next_combination(struct axis axis[LISTED])
{
    for (size_t i = LISTED; i-- > 0;) {
        if (axis[i].count == 0)
            continue;
        if (++axis[i].at < axis[i].count)
            return;
        axis[i].at = 0;
    }
}

/* The options of the combination at hand. */
static int choose(const struct options *options, const struct axis axis[LISTED],
                  struct options *own, struct error *err)
{
    struct command one = command_run; /* of one value each, but named as the user did */
    int code = ERR_NONE;

    one.name = command_sweep.name;
    *own = *options;
    own->slots = own->slots_part[0] = own->slots_part[1] = 0;
    if (!options_given(options, OPTION_WINDOW))
        own->split = 0; /* no list: what two tables of an earlier combination set */
    own->expansion = (struct ratio){0, 1};
    for (size_t i = 0; i < LISTED && code == ERR_NONE; i++)
        if (axis[i].count > 0)
            code = options_set(own, &one, listed[i], axis[i].word[axis[i].at], err);
    return code == ERR_NONE ? options_check(own, &one, err) : code;
}

static int each(const struct options *options, struct axis axis[LISTED], size_t rows,
                int (*visit)(const struct question *, struct out *, struct error *),
                struct out *out, struct error *err)
{
    int code = ERR_NONE;

    for (size_t row = 0; row < rows && code == ERR_NONE; row++) {
        struct options own;
        struct question question = {0};
        code = choose(options, axis, &own, err);
        if (code == ERR_NONE)
            code = question_init(&question, command_sweep.name, &own, err);
        if (code == ERR_NONE)
            code = visit(&question, out, err);
        question_free(&question);
        next_combination(axis);
    }
    return code;
}

/* So that a combination that cannot be is refused before hours of the others. */
static int accept(const struct question *question, struct out *out, struct error *err)
{
    (void)question;
    (void)out;
    (void)err;
    return ERR_NONE;
}

static void write_params(const struct options *options, struct out *out)
{
    char value[256];

    for (unsigned id = 0; id < OPTION_COUNT; id++) {
        if (!(QUESTION_BITS & OPTION_BIT(id)) || (OPTION_MANNER_BITS & OPTION_BIT(id)))
            continue;
        if (options->text[id] != NULL && (command_sweep.lists & OPTION_BIT(id)))
            snprintf(value, sizeof value, "%s", options->text[id]);
        else
            options_print_value(options, (enum option_id)id, value, sizeof value);
        if (value[0] != '\0')
            out_param(out, options_name((enum option_id)id), "%s", value);
    }
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    struct axis axis[LISTED] = {{0}};
    size_t rows;
    int code = read_axes(options, axis, &rows, err);

    if (code == ERR_NONE)
        code = each(options, axis, rows, accept, out, err);
    if (code == ERR_NONE) {
        out_begin(out, question_table((enum measure)options->measure));
        write_params(options, out);
        question_notes_of(options, out);
        code = each(options, axis, rows, question_write, out, err);
        if (code == ERR_NONE)
            out_end(out);
    }
    for (size_t i = 0; i < LISTED; i++)
        free(axis[i].word);
    return code;
}

static const struct out_table *const tables[] = {&run_table_fail,    &run_table_fill,
                                                 &run_table_insert,  &run_table_lookup,
                                                 &run_table_primary, NULL};

const struct command command_sweep = {
    .name = "sweep",
    .summary = "`run` over lists and ranges: rows for each combination",
    .about = "As run, but the values of --candidates, --bucket, --layout, --positions, --search,\n"
             "--stash, --slots, --keys, --expansion, --load, --trials, --seed, --rule, --hash and\n"
             "--derive may be lists\n"
             "(2,3 or walk:100,bfs:2000,4) and ranges (2:8, 0.90:0.99:0.01, ends included); all\n"
             "combinations are measured, the last of these options varying fastest.",
    .takes = QUESTION_BITS,
    .tables = tables,
    .defaults = question_defaults,
    .run = run,
    .limits = question_limits,
    .lists = OPTION_BIT(OPTION_CANDIDATES) | OPTION_BIT(OPTION_BUCKET) | OPTION_BIT(OPTION_WINDOW) |
             OPTION_BIT(OPTION_POSITIONS) | OPTION_BIT(OPTION_SEARCH) | OPTION_BIT(OPTION_STASH) |
             OPTION_BIT(OPTION_SLOTS) | OPTION_BIT(OPTION_KEYS) | OPTION_BIT(OPTION_EXPANSION) |
             OPTION_BIT(OPTION_LOAD) | OPTION_BIT(OPTION_TRIALS) | OPTION_BIT(OPTION_SEED) |
             OPTION_BIT(OPTION_RULE) | OPTION_BIT(OPTION_FAMILY) | OPTION_BIT(OPTION_DERIVE),
};
