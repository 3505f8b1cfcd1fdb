/* e6.c -- thresholds against searches: how full a table gets before the first failure. */
#include "experiments.h"

#include <stdlib.h>
#include <string.h>

#include "../src/threshold.h"
#include "common.h"
#include "defaults.h"
#include "e6_windows.h"

static const struct {
    unsigned d, k;
} shapes[] = {{2, 1}, {3, 1}, {4, 1}, {2, 2}, {2, 3}, {2, 4}, {2, 8}, {3, 2}, {3, 4}};

static const struct insert_rule *const rules[] = {
    &insert_rule_complete,
    &insert_rule_walk500,
    &insert_rule_breadth,
    &insert_rule_original500,
};

enum { SHAPES = sizeof shapes / sizeof shapes[0], RULES = sizeof rules / sizeof rules[0] };

static const struct out_column columns[] = {
    {"candidates", OUT_COUNT, 0, "d, candidate buckets of a key, in one table, may coincide"},
    {"bucket", OUT_COUNT, 0, "k, slots of a bucket"},
    {"slots", OUT_COUNT, 0, "floor(slots / k) buckets of k slots"},
    {"threshold", OUT_FIXED, 10, "orientability threshold as a load: the limit for large tables"},
    {"search", OUT_WORD, 0,
     "complete: fails only if no placement exists; walk: 500 kicks; "
     "breadth-first: 2000 slots inspected, 5 moves; original: 500 kicks"},
    {"seeds", OUT_COUNT, 0, "tables filled; all searches of a row meet the same keys"},
    {"median", OUT_FIXED, 6, "load at the first failure: keys placed before it / slots"},
    {"median_low", OUT_FIXED, 6, "lower end of the median's 95% interval, by order statistics"},
    {"median_high", OUT_FIXED, 6, "upper end"},
    {"least", OUT_FIXED, 6, "least of the loads"},
    {"greatest", OUT_FIXED, 6, "greatest of the loads"},
    {"distance", OUT_FIXED, 6, "median - threshold"},
};

static const struct out_column fill_columns[] = {
    {"candidates", OUT_COUNT, 0, "d"},
    {"bucket", OUT_COUNT, 0, "k"},
    {"search", OUT_WORD, 0, "as in e6.thresholds"},
    {"trial", OUT_COUNT, 0, "from 0"},
    {"keys", OUT_COUNT, 0, "placed before the first failure"},
    {"load", OUT_FIXED, 6, "keys / slots"},
};

static const struct out_table table = {"e6.thresholds", "Load at the first failure, by search",
                                       columns, sizeof columns / sizeof columns[0]};
static const struct out_table fill_table = {"e6.fills", "Each fill of e6.thresholds", fill_columns,
                                            sizeof fill_columns / sizeof fill_columns[0]};

/* The keys placed in every fill: filled[shape][rule], NULL where a rule does not apply. */
struct fills {
    struct fill_setting setting[SHAPES][RULES];
    uint64_t *keys[SHAPES][RULES];
};

static int run_fill(const struct options *options, struct fills *fills, size_t s, size_t r,
                    struct error *err)
{
    struct fill_setting *setting = &fills->setting[s][r];
    struct trials_work work;

    *setting = (struct fill_setting){.rule = rules[r],
                                     .seed = options->seed,
                                     .trials = chosen(options->trials, E6_SEEDS),
                                     .label = "e6"};
    if (setting->rule->insert == insert_original && shapes[s].d != 2)
        return ERR_NONE;
    int code = init_scheme(&setting->scheme, shapes[s].d, shapes[s].k, LAYOUT_ONE,
                           chosen(options->slots, E6_SLOTS), "e6", err);
    if (code != ERR_NONE)
        return code;
    fill_work(setting, &work);
    return trials_run(&work, options, &fills->keys[s][r], err);
}

static void write_fills(struct out *out, const struct fills *fills)
{
    out_begin(out, &fill_table);
    for (size_t s = 0; s < SHAPES; s++)
        for (size_t r = 0; r < RULES; r++) {
            const struct fill_setting *setting = &fills->setting[s][r];
            if (fills->keys[s][r] == NULL)
                continue;
            for (uint64_t t = 0; t < setting->trials; t++) {
                out_count(out, shapes[s].d);
                out_count(out, shapes[s].k);
                out_word(out, rules[r]->name);
                out_count(out, t);
                out_count(out, fills->keys[s][r][t]);
                out_real(out, (double)fills->keys[s][r][t] / (double)setting->scheme.slots);
            }
        }
    out_end(out);
}

static int write_row(struct out *out, const struct fills *fills, size_t s, size_t r,
                     struct error *err)
{
    const struct fill_setting *setting = &fills->setting[s][r];
    double slots = (double)setting->scheme.slots, threshold;
    struct spread spread;
    int code = threshold_orientability(shapes[s].d, shapes[s].k, &threshold, NULL);

    if (code != ERR_NONE)
        return error_set(err, code, "e6: threshold: %s", error_text(code));
    size_t bytes = setting->trials * sizeof(uint64_t);
    uint64_t *sorted = malloc(bytes);
    if (sorted == NULL)
        return error_set(err, ERR_MEMORY, "e6: %s", error_text(ERR_MEMORY));
    memcpy(sorted, fills->keys[s][r], bytes);
    code = summarize(sorted, setting->trials, &spread, err);
    free(sorted);
    if (code != ERR_NONE)
        return code;
    out_count(out, shapes[s].d);
    out_count(out, shapes[s].k);
    out_count(out, setting->scheme.slots);
    out_real(out, threshold);
    out_word(out, rules[r]->name);
    out_count(out, setting->trials);
    out_spread(out, &spread, slots);
    out_real(out, (double)spread.median / slots - threshold);
    return ERR_NONE;
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    struct fills *fills = calloc(1, sizeof *fills);
    int code = ERR_NONE;

    if (fills == NULL)
        return error_set(err, ERR_MEMORY, "e6: %s", error_text(ERR_MEMORY));
    for (size_t i = 0; i < (size_t)SHAPES * RULES && code == ERR_NONE; i++)
        code = run_fill(options, fills, i / RULES, i % RULES, err);
    int stopped = code == ERR_STOPPED; /* what is finished is printed all the same */
    code = stopped ? ERR_NONE : code;
    if (code == ERR_NONE) {
        out_begin(out, &table);
        out_param(out, "seed", "%llu", (unsigned long long)options->seed);
        out_note(out, "The threshold is solved with GSL from the fixed-point equation of the");
        out_note(out,
                 "(k+1)-core (docs/THRESHOLDS.md); for (2,1) it is the limit 1/2.  It holds for");
        out_note(out, "large tables: at a finite size a complete search may pass it.");
    }
    for (size_t i = 0; i < (size_t)SHAPES * RULES && code == ERR_NONE; i++)
        if (fills->keys[i / RULES][i % RULES] != NULL)
            code = write_row(out, fills, i / RULES, i % RULES, err);
    if (code == ERR_NONE) {
        out_end(out);
        write_fills(out, fills);
    }
    for (size_t i = 0; i < (size_t)SHAPES * RULES; i++)
        free(fills->keys[i / RULES][i % RULES]);
    free(fills);
    if (code == ERR_NONE && stopped)
        return ERR_STOPPED;
    return code == ERR_NONE ? e6_windows(options, out, err) : code;
}

static const struct out_table *const tables[] = {&table, &fill_table, &e6_windows_table, NULL};

const struct command experiment_e6 = {
    .name = "e6",
    .summary = "thresholds against what searches reach",
    .about =
        "Inserts random keys into tables of 2^18 slots until the first failure, under a complete\n"
        "search and under searches with limits, and holds the loads against the threshold.\n"
        "Then the same in two overlapping windows of 2, 3 and 4 slots, at several sizes.",
    .takes = OPTION_TRIAL_BITS | OPTION_BIT(OPTION_SLOTS),
    .tables = tables,
    .slots = {8, SCHEME_BUCKETS_MAX, 1},
    .run = run,
};
