/* threshold.c -- `cuckoo_sim threshold`: limit loads for d candidates, buckets of k. */
#include "commands.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../src/threshold.h"

static const struct out_column columns[] = {
    {"candidates", OUT_COUNT, 0, "d, candidate buckets of a key"},
    {"bucket", OUT_COUNT, 0, "k, slots of a bucket"},
    {"orientability", OUT_FIXED, 10, "load up to which a placement exists, large tables"},
    {"one_minus", OUT_SCI, 11, "1 - orientability, by itself: no digit cancels; - below 1e-307"},
    {"peeling", OUT_FIXED, 10,
     "load up to which the (k+1)-core is empty: removing buckets named at most k times ends"},
};
static const struct out_table table = {"threshold", "Loads at which placement and peeling end",
                                       columns, sizeof columns / sizeof columns[0]};
static const struct out_column window_columns[] = {
    {"candidates", OUT_COUNT, 0, "d, windows of a key"},
    {"window", OUT_COUNT, 0,
     "neighbouring slots of a window, which starts at any slot it fits from"},
    {"page", OUT_COUNT, 0, "slots of a page, whose border no window crosses; - for no pages"},
    {"orientability", OUT_FIXED, 10, "load up to which a placement exists, large tables"},
    {"one_minus", OUT_SCI, 11, "1 - orientability, by itself: no digit cancels; - below 1e-307"},
};
static const struct out_table window_table = {
    "threshold.windows", "Loads at which placement in windows ends", window_columns,
    sizeof window_columns / sizeof window_columns[0]};
static const struct out_table *const tables[] = {&table, &window_table, NULL};

static int write_row(struct out *out, unsigned d, unsigned k, struct error *err)
{
    double load, one_minus, peeling;
    int code = threshold_orientability(d, k, &load, &one_minus);

    if (code == ERR_NONE)
        code = threshold_peeling(d, k, &peeling);
    if (code != ERR_NONE)
        return error_set(err, code, "threshold: %u candidates, buckets of %u: %s", d, k,
                         error_text(code));
    out_count(out, d);
    out_count(out, k);
    out_real(out, load);
    if (one_minus > 1e-307)
        out_real(out, one_minus);
    else
        out_none(out);
    out_real(out, peeling);
    return ERR_NONE;
}

static int write_window(struct out *out, uint64_t d, const struct options *layout,
                        struct error *err)
{
    double load, one_minus;

    if (d > THRESHOLD_WINDOW_MAX)
        return error_set(err, ERR_USAGE,
                         "threshold: --candidates %" PRIu64 ": 2 to %d windows are allowed", d,
                         THRESHOLD_WINDOW_MAX);
    if (layout->page > THRESHOLD_PAGE_MAX)
        return error_set(err, ERR_USAGE,
                         "threshold: --layout window:%" PRIu64 "/%" PRIu64
                         ": pages of at most %d slots are allowed",
                         layout->window, layout->page, THRESHOLD_PAGE_MAX);
    int code = threshold_windows((unsigned)d, (unsigned)layout->window, (unsigned)layout->page,
                                 &load, &one_minus);
    if (code != ERR_NONE)
        return error_set(err, code, "threshold: %" PRIu64 " windows of %" PRIu64 " slots: %s", d,
                         layout->window, error_text(code));
    out_count(out, d);
    out_count(out, layout->window);
    if (layout->page > 0)
        out_count(out, layout->page);
    else
        out_none(out);
    out_real(out, load);
    if (one_minus > 1e-307)
        out_real(out, one_minus);
    else
        out_none(out);
    return ERR_NONE;
}

/* --layout window:L, perhaps several. */
static int run_windows(const struct options *options, struct out *out, struct error *err)
{
    const struct option_list *d = &options->candidates;
    char **words = NULL;
    size_t count = 0;
    int code = options_words(options, &command_threshold, OPTION_WINDOW, &words, &count, err);

    if (code == ERR_NONE && options_given(options, OPTION_BUCKET))
        code = error_set(err, ERR_USAGE, "threshold: --bucket %.40s: windows have no buckets",
                         options->text[OPTION_BUCKET]);
    out_begin(out, &window_table);
    for (size_t i = 0; i < d->count && code == ERR_NONE; i++)
        for (size_t j = 0; j < count && code == ERR_NONE; j++) {
            struct options own = *options;
            code = options_set(&own, &command_threshold, OPTION_WINDOW, words[j], err);
            if (code == ERR_NONE && own.window == 0)
                code = error_set(err, ERR_USAGE,
                                 "threshold: --layout %.40s: window:L is allowed (buckets have "
                                 "the same loads in one table and in split ones)",
                                 words[j]);
            if (code == ERR_NONE)
                code = write_window(out, d->value[i], &own, err);
        }
    if (code == ERR_NONE)
        out_end(out);
    free(words);
    return code;
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    const struct option_list *d = &options->candidates, *k = &options->bucket;

    if (options_given(options, OPTION_WINDOW))
        return run_windows(options, out, err);
    out_begin(out, &table);
    for (size_t i = 0; i < d->count; i++)
        for (size_t j = 0; j < k->count; j++) {
            int code = write_row(out, (unsigned)d->value[i], (unsigned)k->value[j], err);
            if (code != ERR_NONE)
                return code;
        }
    out_end(out);
    return ERR_NONE;
}

static void defaults(struct options *options)
{
    options->candidates = (struct option_list){3, {2, 3, 4}};
    options->bucket = (struct option_list){4, {1, 2, 4, 8}};
}

static const struct option_limit limits[] = {{OPTION_CANDIDATES, 2, 64}, {0, 0, 0}};

const struct command command_threshold = {
    .name = "threshold",
    .summary = "orientability and peeling thresholds for d candidates and buckets of k",
    .about =
        "Below the orientability threshold almost every large table has a placement, above it\n"
        "almost none; loads are keys by slots.  docs/THRESHOLDS.md has the equations.\n"
        "--layout window:L or window:L/P (or a list of such words) asks for overlapping windows\n"
        "instead of buckets.\n"
        "Example: cuckoo_sim threshold --candidates 2:4 --bucket 1,2,4,8",
    .takes = OPTION_BIT(OPTION_CANDIDATES) | OPTION_BIT(OPTION_BUCKET) | OPTION_BIT(OPTION_WINDOW) |
             OPTION_OUTPUT_BITS,
    .lists = OPTION_BIT(OPTION_WINDOW),
    .tables = tables,
    .defaults = defaults,
    .run = run,
    .limits = limits,
};
