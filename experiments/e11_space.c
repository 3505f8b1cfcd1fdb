/* e11_space.c -- how full cuckoo filters get, and what an item takes beside a Bloom filter
 * that was built to the same false-positive rate. */
#include "e11_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../src/measure_filter.h"
#include "../src/stats.h"
#include "common.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

#define SPACE_SLOTS   (UINT64_C(1) << 16)
#define SPACE_TRIALS  20
#define SPACE_LOOKUPS (UINT64_C(1) << 18)
#define BLOOM_TRIALS  4
#define TAG_FIRST     4
#define TAG_LAST      16

static const struct out_column load_columns[] = {
    {"f", OUT_COUNT, 0, "bits of a fingerprint"},
    {"b", OUT_COUNT, 0, "slots of a bucket"},
    {"slots", OUT_COUNT, 0, "a power of two of buckets"},
    {"trials", OUT_COUNT, 0, "filters filled"},
    {"median", OUT_FIXED, 5, "load at the first victim (500 kicks)"},
    {"low", OUT_FIXED, 5, "lower end of its 95% interval by order statistics"},
    {"high", OUT_FIXED, 5, "upper end"},
    {"least", OUT_FIXED, 5, "of all trials"},
    {"greatest", OUT_FIXED, 5, "of all trials"},
    {"mean", OUT_FIXED, 5, "over the trials"},
    {"half_width", OUT_FIXED, 5, "of its 95% interval by Student's t"},
    {"below_94", OUT_COUNT, 0, "trials in which the victim came before load 0.94"},
    {"below_96", OUT_COUNT, 0, "before load 0.96"},
    {"bits_an_item", OUT_FIXED, 3, "f / median"},
};
const struct out_table e11_load_table = {"e11.loads", "Load at the first victim", load_columns,
                                         COUNT(load_columns)};

static const struct out_column space_columns[] = {
    {"f", OUT_COUNT, 0, "bits of a fingerprint"},
    {"b", OUT_COUNT, 0, "slots of a bucket"},
    {"slots", OUT_COUNT, 0, "a power of two of buckets"},
    {"items", OUT_COUNT, 0, "held before the first victim, median"},
    {"rate", OUT_SCI, 5, "false-positive rate there, exact for these filters"},
    {"bits", OUT_FIXED, 3, "an item, at that load"},
    {"bits_semisorted", OUT_FIXED, 3, "with one bit a slot saved by sorting (b = 4); - else"},
    {"bloom_bits", OUT_FIXED, 3, "log2(1/rate) / ln 2: a Bloom filter of that rate"},
    {"functions", OUT_COUNT, 0, "of the Bloom filter that was built: log2(1/rate), rounded"},
    {"bloom_lookups", OUT_COUNT, 0, "of absent items in it"},
    {"bloom_positives", OUT_COUNT, 0, "answered with yes"},
    {"bloom_rate", OUT_SCI, 4, "of that Bloom filter, measured"},
    {"bloom_low", OUT_SCI, 4, "lower end of its 95% Clopper-Pearson interval"},
    {"bloom_high", OUT_SCI, 4, "upper end"},
    {"smaller", OUT_FIXED, 3, "bloom_bits / bits: above 1 the cuckoo filter is smaller"},
    {"smaller_semisorted", OUT_FIXED, 3, "bloom_bits / bits_semisorted"},
};
const struct out_table e11_space_table = {"e11.space", "Bits an item beside a Bloom filter",
                                          space_columns, COUNT(space_columns)};

static const struct out_column crossing_columns[] = {
    {"formula", OUT_WORD, 0, "bits an item of the cuckoo filter, e the rate"},
    {"load", OUT_FIXED, 3, "of its slots"},
    {"log2_rate", OUT_FIXED, 3, "log2 of the rate at which both take the same bits"},
    {"rate", OUT_SCI, 4, "that rate: below it the cuckoo filter is smaller"},
    {"most_smaller", OUT_FIXED, 3,
     "Bloom's bits / the filter's as the rate goes to 0: load / ln 2"},
};
const struct out_table e11_crossing_table = {"e11.crossing",
                                             "Where the two cross, by the usual formulas",
                                             crossing_columns, COUNT(crossing_columns)};

static int run_load(const struct options *options, const struct filter_shape *shape,
                    uint64_t *trials, uint64_t **tally, struct error *err)
{
    struct load_setting setting = {.shape = *shape,
                                   .lookups = 0, /* the exact rate is enough here */
                                   .seed = options->seed,
                                   .trials = *trials,
                                   .label = "e11 loads"};
    struct trials_work work;

    load_work(&setting, &work);
    int code = trials_run(&work, options, tally, err);
    *trials = setting.trials;
    return code;
}

static uint64_t below(const uint64_t *value, size_t n, uint64_t slots, uint64_t hundredths)
{
    uint64_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += value[i] * 100 < slots * hundredths;
    return count;
}

static int write_load(struct out *out, const struct filter_shape *shape, uint64_t *tally,
                      uint64_t trials, struct error *err)
{
    uint64_t slots = (uint64_t)shape->buckets * shape->slots;
    double all = (double)slots, sum = 0.0, squares = 0.0, mean, half_width;
    struct spread spread;

    for (uint64_t t = 0; t < trials; t++) {
        sum += (double)tally[t];
        squares += (double)tally[t] * (double)tally[t];
    }
    int code = stats_mean_interval(trials, sum, squares, CONFIDENCE, &mean, &half_width);
    if (code == ERR_NONE)
        code = summarize(tally, trials, &spread, err);
    if (code != ERR_NONE)
        return code;
    out_count(out, shape->tag_bits);
    out_count(out, shape->slots);
    out_count(out, slots);
    out_count(out, trials);
    out_real(out, (double)spread.median / all);
    out_real(out, (double)spread.low / all);
    out_real(out, (double)spread.high / all);
    out_real(out, (double)spread.least / all);
    out_real(out, (double)spread.greatest / all);
    out_real(out, mean / all);
    out_real(out, half_width / all);
    out_count(out, below(tally, trials, slots, 94));
    out_count(out, below(tally, trials, slots, 96));
    out_real(out, shape->tag_bits * all / (double)spread.median);
    return ERR_NONE;
}

/* Sizes and trials; the last ones only with --full. */
static const struct {
    unsigned f_first, f_last, f_step, b;
    uint64_t slots;
    uint64_t trials;
    int full;
} load_rows[] = {
    {4, 16, 2, 1, UINT64_C(1) << 16, 20, 0},  {4, 16, 2, 2, UINT64_C(1) << 16, 20, 0},
    {4, 16, 1, 4, UINT64_C(1) << 12, 20, 0},  {4, 16, 1, 4, UINT64_C(1) << 16, 20, 0},
    {4, 16, 2, 4, UINT64_C(1) << 20, 5, 0},   {4, 16, 2, 8, UINT64_C(1) << 16, 20, 0},
    {12, 12, 1, 4, UINT64_C(1) << 21, 10, 0}, {12, 12, 1, 4, UINT64_C(1) << 22, 20, 1},
    {12, 13, 1, 4, UINT64_C(1) << 27, 1, 1},
};

int e11_loads(const struct options *options, struct out *out, struct error *err)
{
    int code = ERR_NONE;

    out_begin(out, &e11_load_table);
    out_param(out, "seed", "%" PRIu64, options->seed);
    for (size_t i = 0; i < COUNT(load_rows); i++) {
        if (load_rows[i].full && !options->full)
            continue;
        for (unsigned f = load_rows[i].f_first; f <= load_rows[i].f_last && code == ERR_NONE;
             f += load_rows[i].f_step) {
            uint64_t trials = chosen(options->trials, load_rows[i].trials), *tally = NULL;
            struct filter_shape shape;
            code = e11_shape(&shape, f, load_rows[i].b, chosen(options->slots, load_rows[i].slots),
                             err);
            if (code == ERR_NONE)
                code = run_load(options, &shape, &trials, &tally, err);
            if (code == ERR_NONE)
                code = write_load(out, &shape, tally + LOAD_SUMS, trials, err);
            free(tally);
        }
    }
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

static int run_bloom(const struct options *options, uint64_t items, double bits, unsigned functions,
                     uint64_t **tally, struct error *err)
{
    struct bloom_setting setting = {.items = items,
                                    .bits = (uint32_t)ceil(bits * (double)items),
                                    .functions = functions,
                                    .lookups = SPACE_LOOKUPS,
                                    .seed = options->seed,
                                    .trials = chosen(options->trials, BLOOM_TRIALS),
                                    .label = "e11 Bloom"};
    struct trials_work work;

    bloom_work(&setting, &work);
    return trials_run(&work, options, tally, err);
}

static int space_row(const struct options *options, unsigned f, unsigned b, struct out *out,
                     struct error *err)
{
    uint64_t trials = chosen(options->trials, SPACE_TRIALS);
    struct filter_shape shape;
    struct spread spread;
    uint64_t *tally = NULL, *bloom = NULL;
    int code = e11_shape(&shape, f, b, chosen(options->slots, SPACE_SLOTS), err);

    if (code == ERR_NONE)
        code = run_load(options, &shape, &trials, &tally, err);
    if (code == ERR_NONE)
        code = summarize(tally + LOAD_SUMS, trials, &spread, err);
    if (code != ERR_NONE)
        goto out;
    uint64_t slots = (uint64_t)shape.buckets * b;
    double rate = (double)tally[LOAD_EXACT] / (double)trials / shape.buckets / (double)(1U << f);
    double load = (double)spread.median / (double)slots;
    double bloom_bits = log2(1.0 / rate) / log(2.0);
    double functions = floor(log2(1.0 / rate) + 0.5);
    if (functions < 1.0)
        functions = 1.0;
    code = run_bloom(options, spread.median, bloom_bits, (unsigned)functions, &bloom, err);
    if (code != ERR_NONE)
        goto out;
    out_count(out, f);
    out_count(out, b);
    out_count(out, slots);
    out_count(out, spread.median);
    out_real(out, rate);
    out_real(out, f / load);
    if (b == 4)
        out_real(out, (f - 1) / load);
    else
        out_none(out);
    out_real(out, bloom_bits);
    out_count(out, (uint64_t)functions);
    code = out_proportion(out, bloom[BLOOM_POSITIVES], bloom[BLOOM_LOOKUPS], err);
    out_real(out, bloom_bits * load / f);
    if (b == 4)
        out_real(out, bloom_bits * load / (f - 1));
    else
        out_none(out);
out:
    free(tally);
    free(bloom);
    return code;
}

/* (log2(1/e) + extra) / load = log2(1/e) / ln 2 */
static void crossing_row(struct out *out, const char *formula, double extra, double load)
{
    double exponent = extra / (load / log(2.0) - 1.0);

    out_word(out, formula);
    out_real(out, load);
    out_real(out, -exponent);
    out_real(out, exp2(-exponent));
    out_real(out, load / log(2.0));
}

int e11_space(const struct options *options, struct out *out, struct error *err)
{
    static const unsigned sizes[] = {4, 8};
    int code = ERR_NONE;

    out_begin(out, &e11_space_table);
    out_param(out, "seed", "%" PRIu64, options->seed);
    out_param(out, "trials", "%" PRIu64, chosen(options->trials, SPACE_TRIALS));
    out_param(out, "bloom_trials", "%" PRIu64, chosen(options->trials, BLOOM_TRIALS));
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (unsigned f = TAG_FIRST; f <= TAG_LAST && code == ERR_NONE; f++)
            code = space_row(options, f, sizes[i], out, err);
    if (code != ERR_NONE)
        return code;
    out_end(out);
    out_begin(out, &e11_crossing_table);
    out_note(out,
             "No filter takes less than log2(1/e) bits an item, so none is more than 1/ln 2 =");
    out_note(out, "1.443 times smaller than a Bloom filter of its best size.");
    crossing_row(out, "(log2(1/e)+3)/load", 3.0, 0.955);
    crossing_row(out, "(log2(1/e)+2)/load", 2.0, 0.955);
    out_end(out);
    return ERR_NONE;
}
