/* e4.c -- how often does no placement exist at all?  Random cuckoo graphs, decided by
 * peeling and union-find, beside the exact probability and the leading term of Drmota and
 * Kutzelnigg; no insertion rule is involved. */
#include "experiments.h"

#include <math.h>
#include <stdlib.h>

#include "../src/exact.h"
#include "../src/graph.h"
#include "common.h"
#include "defaults.h"

static const uint64_t split_sizes[] = {1000, 2000, 5000, 10000, 20000};
static const uint64_t one_sizes[] = {1000, 5000, 20000};
/* eps in hundredths; 0 is the critical point, in a table of its own */
static const unsigned slacks[] = {20, 10, 5};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct out_column columns[] = {
    {"layout", OUT_WORD, 0,
     "split: two tables of m slots; one: one table of 2m, positions may coincide"},
    {"m", OUT_COUNT, 0, "half of the slots"},
    {"slots", OUT_COUNT, 0, "2m"},
    {"eps", OUT_FIXED, 2, "slack: keys = floor((1 - eps) m)"},
    {"keys", OUT_COUNT, 0, "n"},
    {"trials", OUT_COUNT, 0, "graphs drawn"},
    {"failures", OUT_COUNT, 0, "graphs with a component of more edges than vertices"},
    {"proportion", OUT_SCI, 4, "failures / trials"},
    {"low", OUT_SCI, 4, "lower end of its 95% Clopper-Pearson interval"},
    {"high", OUT_SCI, 4, "upper end"},
    {"exact", OUT_SCI, 7, "the probability, from generating functions (docs/EXACT.md)"},
    {"leading", OUT_SCI, 4, "Drmota and Kutzelnigg's term of order 1/m"},
    {"sampled_by_leading", OUT_FIXED, 4, "proportion / leading"},
    {"exact_by_leading", OUT_FIXED, 4, "exact / leading: tends to 1 as m grows"},
};
static const struct out_column critical_columns[] = {
    {"layout", OUT_WORD, 0, "as above"},
    {"m", OUT_COUNT, 0, "half of the slots, and the keys: n = m"},
    {"slots", OUT_COUNT, 0, "2m"},
    {"keys", OUT_COUNT, 0, "n"},
    {"trials", OUT_COUNT, 0, "graphs drawn"},
    {"successes", OUT_COUNT, 0, "graphs with a placement"},
    {"proportion", OUT_FIXED, 6, "successes / trials"},
    {"low", OUT_FIXED, 6, "lower end of its 95% Clopper-Pearson interval"},
    {"high", OUT_FIXED, 6, "upper end"},
    {"exact", OUT_FIXED, 6, "the probability of success"},
    {"limit", OUT_FIXED, 6, "sqrt(2/3), for m to infinity"},
};

static const struct out_table table = {"e4.failures", "How often no placement exists", columns,
                                       sizeof columns / sizeof columns[0]};
static const struct out_table critical_table = {
    "e4.critical", "The critical point n = m", critical_columns,
    sizeof critical_columns / sizeof critical_columns[0]};

static uint64_t default_trials(uint64_t m, unsigned slack, enum layout layout, uint64_t keys)
{
    if (layout == LAYOUT_SPLIT && m == 20000 && (slack == 20 || slack == 10))
        return E4_TRIALS_ARTICLE;
    return trials_for(KEYS_A_ROW, keys, TRIALS_LEAST);
}

struct row {
    enum layout layout;
    uint64_t m;
    unsigned slack;
    struct fail_setting setting;
    uint64_t failures;
    double exact;
};

static int exact_failure(const struct row *row, double *probability, struct error *err)
{
    struct exact_setting setting = {
        .layout = row->layout == LAYOUT_SPLIT ? EXACT_SPLIT : EXACT_ONE_REPEAT,
        .keys = row->setting.keys,
        .slots_1 = row->layout == LAYOUT_SPLIT ? row->m : 2 * row->m,
        .slots_2 = row->layout == LAYOUT_SPLIT ? row->m : 0,
    };
    struct exact_row law[2];
    int code = exact_stash(&setting, 1, law);

    if (code != ERR_NONE)
        return error_set(err, code, "e4: the exact probability: %s", error_text(code));
    *probability = law[1].at_least;
    return ERR_NONE;
}

static int sample(const struct options *options, struct row *row, struct error *err)
{
    struct ratio kept = {100 - row->slack, 100};
    struct trials_work work;
    uint64_t *tally = NULL;

    row->setting = (struct fail_setting){
        .keys = ratio_floor(kept, row->m), .seed = options->seed, .label = "e4"};
    row->setting.trials =
        chosen(options->trials, default_trials(row->m, row->slack, row->layout, row->setting.keys));
    int code = init_scheme(&row->setting.scheme, 2, 1, row->layout, 2 * row->m, "e4", err);
    if (code != ERR_NONE)
        return code;
    fail_work(&row->setting, &work);
    code = trials_run(&work, options, &tally, err);
    if (code == ERR_NONE)
        row->failures = row->setting.trials - tally[FAIL_STASH];
    free(tally);
    return code == ERR_NONE ? exact_failure(row, &row->exact, err) : code;
}

static int write_row(struct out *out, const struct row *row, struct error *err)
{
    double constant, proportion = (double)row->failures / (double)row->setting.trials;
    int code = exact_leading_constant(row->layout == LAYOUT_SPLIT ? EXACT_SPLIT : EXACT_ONE_REPEAT,
                                      row->slack / 100.0, &constant);

    if (code != ERR_NONE)
        return error_set(err, code, "e4: the leading term: %s", error_text(code));
    out_word(out, layout_name(row->layout));
    out_count(out, row->m);
    out_count(out, 2 * row->m);
    out_real(out, row->slack / 100.0);
    out_count(out, row->setting.keys);
    code = out_proportion(out, row->failures, row->setting.trials, err);
    double leading = constant / (double)row->m;
    out_real(out, row->exact);
    out_real(out, leading);
    out_real(out, proportion / leading);
    out_real(out, row->exact / leading);
    return code;
}

static int write_critical(struct out *out, const struct row *row, struct error *err)
{
    out_word(out, layout_name(row->layout));
    out_count(out, row->m);
    out_count(out, 2 * row->m);
    out_count(out, row->setting.keys);
    int code = out_proportion(out, row->setting.trials - row->failures, row->setting.trials, err);
    out_real(out, 1.0 - row->exact);
    out_real(out, sqrt(2.0 / 3.0));
    return code;
}

/* All sizes of a layout with one slack, or the one that --slots asks for. */
static int run_sizes(const struct options *options, enum layout layout, unsigned slack,
                     struct out *out, struct error *err)
{
    const uint64_t *sizes = layout == LAYOUT_SPLIT ? split_sizes : one_sizes;
    size_t count = layout == LAYOUT_SPLIT ? COUNT(split_sizes) : COUNT(one_sizes);
    int code = ERR_NONE;

    for (size_t i = 0; i < (options->slots > 0 ? 1 : count) && code == ERR_NONE; i++) {
        struct row row = {.layout = layout,
                          .m = options->slots > 0 ? options->slots / 2 : sizes[i],
                          .slack = slack};
        code = sample(options, &row, err);
        if (code == ERR_NONE)
            code = slack > 0 ? write_row(out, &row, err) : write_critical(out, &row, err);
    }
    return code;
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    static const enum layout layouts[] = {LAYOUT_SPLIT, LAYOUT_ONE};
    int code = ERR_NONE;

    out_begin(out, &table);
    out_param(out, "seed", "%llu", (unsigned long long)options->seed);
    out_note(out,
             "A key is an edge between two random slots.  All keys can be placed if and only if");
    out_note(out, "no component has more edges than vertices: decided by peeling and union-find.");
    for (size_t i = 0; i < COUNT(layouts); i++)
        for (size_t s = 0; s < COUNT(slacks) && code == ERR_NONE; s++)
            code = run_sizes(options, layouts[i], slacks[s], out, err);
    if (code != ERR_NONE)
        return code;
    out_end(out);
    out_begin(out, &critical_table);
    for (size_t i = 0; i < COUNT(layouts) && code == ERR_NONE; i++)
        code = run_sizes(options, layouts[i], 0, out, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

static const struct out_table *const tables[] = {&table, &critical_table, NULL};

const struct command experiment_e4 = {
    .name = "e4",
    .summary = "how often no placement exists: sampled, exact, leading term",
    .about = "Draws random cuckoo graphs and counts those with a component of more edges than\n"
             "vertices, for keys = floor((1 - eps) m) and at the critical point n = m.",
    .takes = OPTION_TRIAL_BITS | OPTION_BIT(OPTION_SLOTS),
    .tables = tables,
    .slots = {2, GRAPH_VERTICES_MAX, 2},
    .run = run,
};
