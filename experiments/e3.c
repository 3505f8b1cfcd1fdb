/* e3.c -- the longest hit as a table grows, at load 0.90. */
#include "experiments.h"

#include <stdlib.h>

#include "common.h"
#include "defaults.h"

static const struct ratio load = {9, 10};

struct row {
    const char *method;
    enum lookup_kind kind;
    unsigned d, k;
    unsigned log_work; /* fills: 2^log_work slots in all, within the limits below */
    uint64_t fills_least;
};

static const struct row rows[] = {
    {"linear-probing", LOOKUP_LINEAR, 1, 1, 26, 4},
    {"robin-hood", LOOKUP_ROBIN_HOOD, 1, 1, 26, 4},
    {"cuckoo", LOOKUP_CUCKOO, 2, 4, 24, 2},
};

static const struct out_column columns[] = {
    {"method", OUT_WORD, 0, "linear-probing, robin-hood, or cuckoo (2,4) filled breadth-first"},
    {"slots", OUT_COUNT, 0, "of the table"},
    {"keys", OUT_COUNT, 0, "floor(0.9 * slots)"},
    {"fills", OUT_COUNT, 0, "tables filled; fewer where they are large"},
    {"longest_median", OUT_COUNT, 0, "most slots compared by a hit: median over the fills"},
    {"longest_least", OUT_COUNT, 0, "least over the fills"},
    {"longest_greatest", OUT_COUNT, 0, "greatest over the fills"},
    {"lines_greatest", OUT_COUNT, 0, "most 64-byte lines touched by a hit in any fill"},
    {"left_over", OUT_COUNT, 0, "keys without a place, all fills"},
};

static const struct out_table table = {"e3.longest", "The longest hit as a table grows, load 0.90",
                                       columns, sizeof columns / sizeof columns[0]};

static uint64_t default_fills(const struct row *row, uint64_t slots)
{
    uint64_t fills = (UINT64_C(1) << row->log_work) / slots;

    fills = fills < row->fills_least ? row->fills_least : fills;
    return fills > E3_FILLS_MOST ? E3_FILLS_MOST : fills;
}

static int write_row(struct out *out, const struct row *row, const struct lookup_setting *setting,
                     uint64_t *tally, struct error *err)
{
    struct spread longest;
    int code = summarize(&tally[lookup_value(setting, 0, 0, LOOKUP_MAX_SLOTS)], setting->trials,
                         &longest, err);

    if (code != ERR_NONE)
        return code;
    out_word(out, row->method);
    out_count(out, setting->scheme.slots);
    out_count(out, setting->keys[0]);
    out_count(out, setting->trials);
    out_count(out, longest.median);
    out_count(out, longest.least);
    out_count(out, longest.greatest);
    out_count(out,
              maximum_of(&tally[lookup_value(setting, 0, 0, LOOKUP_MAX_LINES)], setting->trials));
    out_count(out,
              total_of(&tally[lookup_value(setting, 0, 0, LOOKUP_LEFT_OVER)], setting->trials));
    return ERR_NONE;
}

static int run_size(const struct options *options, const struct row *row, uint64_t slots,
                    struct out *out, struct error *err)
{
    struct lookup_setting setting = {.kind = row->kind,
                                     .rule = &insert_rule_complete,
                                     .n_loads = 1,
                                     .hits_only = 1,
                                     .seed = options->seed,
                                     .trials = chosen(options->trials, default_fills(row, slots)),
                                     .label = "e3"};
    struct trials_work work;
    uint64_t *tally = NULL;
    int code = init_scheme(&setting.scheme, row->d, row->k, LAYOUT_ONE, slots, "e3", err);

    if (code != ERR_NONE)
        return code;
    setting.keys[0] = ratio_floor(load, setting.scheme.slots);
    lookup_work(&setting, &work);
    code = trials_run(&work, options, &tally, err);
    if (code == ERR_NONE)
        code = write_row(out, row, &setting, tally, err);
    free(tally);
    return code;
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    int code = ERR_NONE;

    out_begin(out, &table);
    out_param(out, "seed", "%llu", (unsigned long long)options->seed);
    out_note(out, "Under linear probing and Robin Hood the longest hit grows with the table; a");
    out_note(out, "cuckoo hit compares at most the d k slots of its candidates at any size.");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && code == ERR_NONE; i++) {
        if (options->slots > 0) {
            code = run_size(options, &rows[i], options->slots, out, err);
            continue;
        }
        for (unsigned log = E3_LOG_LEAST; log <= E3_LOG_MOST && code == ERR_NONE; log += 2)
            code = run_size(options, &rows[i], UINT64_C(1) << log, out, err);
    }
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

static const struct out_table *const tables[] = {&table, NULL};

const struct command experiment_e3 = {
    .name = "e3",
    .summary = "the longest hit as a table grows",
    .about =
        "Fills tables of 2^10 to 2^24 slots to load 0.90 and prints the most slots that a hit\n"
        "compares.  `--slots 2^26` measures one larger size.",
    .takes = OPTION_TRIAL_BITS | OPTION_BIT(OPTION_SLOTS),
    .tables = tables,
    .slots = {4, SCHEME_BUCKETS_MAX, 1},
    .run = run,
};
