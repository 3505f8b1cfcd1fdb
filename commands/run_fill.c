/* run_fill.c -- `run --measure fill`: how full a table gets before the first failure. */
#include "question.h"

#include <stdlib.h>

#include "../experiments/common.h"

static const struct out_column columns[] = {
    QUESTION_COLUMNS,
    {"threshold", OUT_FIXED, 10, "orientability threshold as a load: the limit for large tables"},
    {"trials", OUT_COUNT, 0, "tables filled; every search meets the same keys"},
    {"median", OUT_FIXED, 6, "load at the first failure: keys placed before it / slots"},
    {"median_low", OUT_FIXED, 6, "lower end of the median's 95% interval, by order statistics"},
    {"median_high", OUT_FIXED, 6, "upper end"},
    {"least", OUT_FIXED, 6, "least of the loads"},
    {"p05", OUT_FIXED, 6, "5th percentile, nearest rank"},
    {"p25", OUT_FIXED, 6, "25th percentile"},
    {"p75", OUT_FIXED, 6, "75th percentile"},
    {"p95", OUT_FIXED, 6, "95th percentile"},
    {"greatest", OUT_FIXED, 6, "greatest of the loads"},
    {"distance", OUT_FIXED, 6, "median - threshold"},
    {"mean", OUT_FIXED, 6, "mean of the loads"},
    {"mean_ci", OUT_FIXED, 6, "half width of Student's 95% interval of the mean over fills"},
};

const struct out_table run_table_fill = {"run.fill", "Load at the first failure", columns,
                                         sizeof columns / sizeof columns[0]};

/* Nearest rank in sorted values. */
static double percentile(const uint64_t *sorted, uint64_t n, uint64_t percent, double slots)
{
    uint64_t rank = (n * percent + 99) / 100;

    return (double)sorted[rank > 0 ? rank - 1 : 0] / slots;
}

static int mean_load(const struct question *question, const uint64_t *keys, uint64_t trials,
                     uint64_t slots, struct mean *mean, struct error *err)
{
    uint64_t *counts = malloc((size_t)trials * sizeof *counts);

    if (counts == NULL)
        return error_set(err, ERR_MEMORY, "%s: %s", question->name, error_text(ERR_MEMORY));
    for (uint64_t t = 0; t < trials; t++)
        counts[t] = slots;
    int code = mean_of_ratios(keys, counts, (size_t)trials, mean, err);
    free(counts);
    return code;
}

static int write_row(const struct question *question, uint64_t *keys, uint64_t trials,
                     struct out *out, struct error *err)
{
    double slots = (double)question->scheme.slots, threshold = 0.0;
    int has_threshold = question->scheme.d >= 2 && !scheme_is_unequal(&question->scheme);
    struct spread spread;
    struct mean mean;
    int code = summarize(keys, trials, &spread, err);

    if (code == ERR_NONE)
        code = mean_load(question, keys, trials, question->scheme.slots, &mean, err);
    if (code != ERR_NONE)
        return code;
    if (has_threshold)
        code = scheme_threshold(&question->scheme, &threshold);
    if (code == ERR_DOMAIN) { /* a page longer than is calculated for */
        has_threshold = 0;
        code = ERR_NONE;
    }
    if (code != ERR_NONE)
        return error_set(err, code, "%s: threshold: %s", question->name, error_text(code));
    question_write_setting(question, out);
    if (has_threshold)
        out_real(out, threshold);
    else
        out_none(out);
    out_count(out, trials);
    out_real(out, (double)spread.median / slots);
    out_real(out, (double)spread.low / slots);
    out_real(out, (double)spread.high / slots);
    out_real(out, (double)spread.least / slots);
    out_real(out, percentile(keys, trials, 5, slots));
    out_real(out, percentile(keys, trials, 25, slots));
    out_real(out, percentile(keys, trials, 75, slots));
    out_real(out, percentile(keys, trials, 95, slots));
    out_real(out, (double)spread.greatest / slots);
    if (has_threshold)
        out_real(out, (double)spread.median / slots - threshold);
    else
        out_none(out);
    out_real(out, mean.mean);
    out_real(out, mean.half_width);
    return ERR_NONE;
}

int run_fill(const struct question *question, struct out *out, struct error *err)
{
    struct fill_setting setting = {.scheme = question->scheme,
                                   .rule = &question->rule,
                                   .seed = question->options->seed,
                                   .trials = question->trials,
                                   .label = "run"};
    struct trials_work work;
    uint64_t *keys = NULL;

    fill_work(&setting, &work);
    int code = trials_run(&work, question->options, &keys, err);
    if (code == ERR_NONE)
        code = write_row(question, keys, setting.trials, out, err);
    free(keys);
    return code;
}
