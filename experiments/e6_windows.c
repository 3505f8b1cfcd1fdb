/* e6_windows.c -- see e6_windows.h: how full a table gets where two windows of neighbouring
 * slots take the place of two buckets, and how that nears the threshold as tables grow. */
#include "e6_windows.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../src/threshold.h"
#include "common.h"
#include "defaults.h"

#define WINDOWS 2 /* of a key */

/* page 0: none; windows of 2 in pages of 8 are Porat and Shalem's */
static const struct {
    unsigned length, page;
} shapes[] = {{2, 0}, {3, 0}, {4, 0}, {2, 8}};

/* A fill costs as much as its slots: fewer of the largest. */
static const struct {
    uint64_t slots, seeds;
} sizes[] = {{UINT64_C(1) << 12, E6_WINDOW_SEEDS},
             {UINT64_C(1) << 14, E6_WINDOW_SEEDS},
             {UINT64_C(1) << 16, E6_WINDOW_SEEDS},
             {UINT64_C(1) << 18, E6_WINDOW_SEEDS_LARGE}};

enum { SHAPES = sizeof shapes / sizeof shapes[0], SIZES = sizeof sizes / sizeof sizes[0] };

static const struct out_column columns[] = {
    {"candidates", OUT_COUNT, 0, "d, windows of a key, in one table, may coincide or overlap"},
    {"window", OUT_COUNT, 0,
     "neighbouring slots of a window, which starts at any slot it fits from"},
    {"page", OUT_COUNT, 0, "slots of a page, whose border no window crosses; - for no pages"},
    {"slots", OUT_COUNT, 0, "of the table, whole pages"},
    {"threshold", OUT_FIXED, 10, "orientability threshold as a load: the limit for large tables"},
    {"search", OUT_WORD, 0, "complete: fails only if no placement exists"},
    {"seeds", OUT_COUNT, 0, "tables filled"},
    {"median", OUT_FIXED, 6, "load at the first failure: keys placed before it / slots"},
    {"median_low", OUT_FIXED, 6, "lower end of the median's 95% interval, by order statistics"},
    {"median_high", OUT_FIXED, 6, "upper end"},
    {"least", OUT_FIXED, 6, "least of the loads"},
    {"greatest", OUT_FIXED, 6, "greatest of the loads"},
    {"distance", OUT_FIXED, 6, "median - threshold"},
};

const struct out_table e6_windows_table = {"e6.windows",
                                           "Load at the first failure, in windows of slots",
                                           columns, sizeof columns / sizeof columns[0]};

static int write_row(struct out *out, const struct fill_setting *setting, unsigned page,
                     uint64_t *keys, struct error *err)
{
    const struct scheme *scheme = &setting->scheme;
    double slots = (double)scheme->slots, threshold;
    struct spread spread;
    int code = threshold_windows(WINDOWS, scheme->window, page, &threshold, NULL);

    if (code != ERR_NONE)
        return error_set(err, code, "e6: threshold: %s", error_text(code));
    code = summarize(keys, setting->trials, &spread, err);
    if (code != ERR_NONE)
        return code;
    out_count(out, WINDOWS);
    out_count(out, scheme->window);
    if (page > 0)
        out_count(out, page);
    else
        out_none(out);
    out_count(out, scheme->slots);
    out_real(out, threshold);
    out_word(out, setting->rule->name);
    out_count(out, setting->trials);
    out_spread(out, &spread, slots);
    out_real(out, (double)spread.median / slots - threshold);
    return ERR_NONE;
}

static int run_row(const struct options *options, size_t shape, uint64_t slots, uint64_t seeds,
                   struct out *out, struct error *err)
{
    struct fill_setting setting = {.rule = &insert_rule_complete,
                                   .seed = options->seed,
                                   .trials = chosen(options->trials, seeds),
                                   .label = "e6"};
    unsigned length = shapes[shape].length, page = shapes[shape].page;
    struct trials_work work;
    uint64_t *keys = NULL;

    if (scheme_init_windows(&setting.scheme, WINDOWS, length, page, slots) != ERR_NONE)
        return error_set(err, ERR_USAGE,
                         "e6: --slots %" PRIu64 ": a number from %u to 2^32 is allowed", slots,
                         page > 0 ? page : length);
    fill_work(&setting, &work);
    int code = trials_run(&work, options, &keys, err);
    if (code == ERR_NONE)
        code = write_row(out, &setting, page, keys, err);
    free(keys);
    return code;
}

int e6_windows(const struct options *options, struct out *out, struct error *err)
{
    size_t n = options->slots > 0 ? 1 : SIZES; /* --slots: that size alone */
    int code = ERR_NONE;

    out_begin(out, &e6_windows_table);
    out_param(out, "seed", "%" PRIu64, options->seed);
    out_note(out, "A window's first slot is any from which the whole window fits: the table is a");
    out_note(out, "line, not a circle.  The threshold is that of a queue (docs/THRESHOLDS.md).");
    for (size_t i = 0; i < SHAPES; i++)
        for (size_t s = 0; s < n && code == ERR_NONE; s++)
            code = run_row(options, i, chosen(options->slots, sizes[s].slots), sizes[s].seeds, out,
                           err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}
