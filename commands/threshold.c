/* threshold.c -- `cuckoo_sim threshold`: limit loads for d candidates, buckets of k. */
#include "commands.h"

#include <inttypes.h>

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
static const struct out_table *const tables[] = {&table, NULL};

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

static int run(const struct options *options, struct out *out, struct error *err)
{
    const struct option_list *d = &options->candidates, *k = &options->bucket;

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
        "Example: cuckoo_sim threshold --candidates 2:4 --bucket 1,2,4,8",
    .takes = OPTION_BIT(OPTION_CANDIDATES) | OPTION_BIT(OPTION_BUCKET) | OPTION_OUTPUT_BITS,
    .tables = tables,
    .defaults = defaults,
    .run = run,
    .limits = limits,
};
