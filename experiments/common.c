/* common.c -- see common.h. */
#include "common.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../src/stats.h"
#include "../src/threshold.h"

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

int summarize(uint64_t *value, size_t n, struct spread *spread, struct error *err)
{
    uint64_t low, high;
    int code = stats_median_interval(n, CONFIDENCE, &low, &high, NULL);

    if (code != ERR_NONE)
        return error_set(err, code, "median of %zu values: %s", n, error_text(code));
    qsort(value, n, sizeof *value, ascending);
    *spread = (struct spread){.median = value[(n - 1) / 2],
                              .low = value[low - 1],
                              .high = value[high - 1],
                              .least = value[0],
                              .greatest = value[n - 1]};
    return ERR_NONE;
}

void out_spread(struct out *out, const struct spread *spread, double unit)
{
    const uint64_t value[] = {spread->median, spread->low, spread->high, spread->least,
                              spread->greatest};

    for (size_t i = 0; i < sizeof value / sizeof value[0]; i++)
        out_real(out, (double)value[i] / unit);
}

int mean_of_ratios(const uint64_t *sum, const uint64_t *count, size_t trials, struct mean *mean,
                   struct error *err)
{
    double total = 0.0, squares = 0.0;
    uint64_t used = 0;

    for (size_t t = 0; t < trials; t++) {
        if (count[t] == 0)
            continue;
        double value = (double)sum[t] / (double)count[t];
        total += value;
        squares += value * value;
        used++;
    }
    if (used == 0) {
        *mean = (struct mean){0.0, 0.0};
        return ERR_NONE;
    }
    int code =
        stats_mean_interval(used, total, squares, CONFIDENCE, &mean->mean, &mean->half_width);
    if (code != ERR_NONE)
        return error_set(err, code, "mean over %" PRIu64 " fills: %s", used, error_text(code));
    return ERR_NONE;
}

uint64_t total_of(const uint64_t *value, size_t n)
{
    uint64_t total = 0;

    for (size_t i = 0; i < n; i++)
        total += value[i];
    return total;
}

uint64_t maximum_of(const uint64_t *value, size_t n)
{
    uint64_t most = 0;

    for (size_t i = 0; i < n; i++)
        if (value[i] > most)
            most = value[i];
    return most;
}

int out_estimate(struct out *out, uint64_t count, uint64_t trials, struct error *err)
{
    double low, high;
    int code = stats_clopper_pearson(count, trials, CONFIDENCE, &low, &high);

    if (code != ERR_NONE)
        return error_set(err, code, "interval of %" PRIu64 " of %" PRIu64 ": %s", count, trials,
                         error_text(code));
    out_real(out, (double)count / (double)trials);
    out_real(out, low);
    out_real(out, high);
    return ERR_NONE;
}

int out_proportion(struct out *out, uint64_t count, uint64_t trials, struct error *err)
{
    out_count(out, trials);
    out_count(out, count);
    return out_estimate(out, count, trials, err);
}

uint64_t chosen(uint64_t given, uint64_t otherwise)
{
    return given > 0 ? given : otherwise;
}

int init_scheme(struct scheme *scheme, unsigned d, unsigned k, enum layout layout, uint64_t slots,
                const char *experiment, struct error *err)
{
    int code = scheme_init(scheme, d, k, layout, POSITIONS_REPEAT, slots);

    if (code == ERR_NONE)
        return ERR_NONE;
    /* command.slots keeps what a user may ask for away from here */
    return error_set(err, code, "%s: %" PRIu64 " slots make no table of d = %u, k = %u, layout %s",
                     experiment, slots, d, k, layout_name(layout));
}

const char *layout_name(enum layout layout)
{
    return layout == LAYOUT_SPLIT ? "split" : "one";
}

int scheme_threshold(const struct scheme *scheme, double *load)
{
    return scheme->layout == LAYOUT_WINDOW
               ? threshold_windows(scheme->d / scheme->window, scheme->window,
                                   scheme->page < scheme->slots ? scheme->page : 0, load, NULL)
               : threshold_orientability(scheme->d, scheme->k, load, NULL);
}

uint64_t trials_for(uint64_t work, uint64_t keys, uint64_t least)
{
    uint64_t trials = keys > 0 ? work / keys : least;

    return trials > least ? trials : least;
}
