/* e2.c -- what a lookup costs at 2^20 slots, by load: linear probing, Robin Hood, and
 * cuckoo tables of several shapes.  Maxima of one fill scatter by hundreds, so there are
 * several fills and their spread is printed. */
#include "experiments.h"

#include <stdlib.h>

#include "../src/exact.h"
#include "../src/stats.h"
#include "common.h"
#include "defaults.h"

struct row {
    const char *method, *fill;
    enum lookup_kind kind;
    unsigned d, k;
    enum layout layout;
    const struct insert_rule *rule;
    unsigned percent[LOOKUP_LOADS_MAX]; /* loads, 0 at the end */
};

static const struct row rows[] = {
    {"linear-probing", "-", LOOKUP_LINEAR, 1, 1, LAYOUT_ONE, NULL, {50, 70, 80, 90, 95}},
    {"robin-hood", "-", LOOKUP_ROBIN_HOOD, 1, 1, LAYOUT_ONE, NULL, {50, 70, 80, 90, 95}},
    {"cuckoo",
     "breadth-first",
     LOOKUP_CUCKOO,
     2,
     4,
     LAYOUT_ONE,
     &insert_rule_complete,
     {50, 70, 80, 90, 95}},
    {"cuckoo", "walk", LOOKUP_CUCKOO, 2, 4, LAYOUT_ONE, &insert_rule_walk500, {50, 70, 80, 90, 95}},
    {"cuckoo",
     "breadth-first",
     LOOKUP_CUCKOO,
     2,
     8,
     LAYOUT_ONE,
     &insert_rule_complete,
     {50, 70, 80, 90, 95}},
    {"cuckoo",
     "breadth-first",
     LOOKUP_CUCKOO,
     4,
     1,
     LAYOUT_ONE,
     &insert_rule_complete,
     {50, 70, 80, 90, 95}},
    {"cuckoo",
     "breadth-first",
     LOOKUP_CUCKOO,
     3,
     1,
     LAYOUT_ONE,
     &insert_rule_complete,
     {50, 70, 80, 90}},
    {"cuckoo", "breadth-first", LOOKUP_CUCKOO, 2, 1, LAYOUT_SPLIT, &insert_rule_complete, {45, 50}},
};

static const struct out_column columns[] = {
    {"method", OUT_WORD, 0, "linear-probing, robin-hood or cuckoo"},
    {"candidates", OUT_COUNT, 0, "candidate buckets of a key (open addressing: one home)"},
    {"bucket", OUT_COUNT, 0, "slots of a bucket"},
    {"layout", OUT_WORD, 0, "one table, or split: a table for each candidate"},
    {"fill", OUT_WORD, 0,
     "how the table was filled: breadth-first without a cap, walk of 500 kicks"},
    {"slots", OUT_COUNT, 0, "over all tables"},
    {"load", OUT_FIXED, 2, "keys offered / slots"},
    {"keys", OUT_COUNT, 0, "floor(load * slots), offered"},
    {"fills", OUT_COUNT, 0, "tables filled"},
    {"lookup", OUT_WORD, 0,
     "hit: every stored key; miss: every home, or every choice of candidates"},
    {"mean", OUT_FIXED, 4, "slots compared, mean over the fills' means"},
    {"mean_ci", OUT_FIXED, 4, "half width of Student's 95% interval of the mean over fills"},
    {"p99", OUT_COUNT, 0, "99th percentile of slots compared, nearest rank, all fills pooled"},
    {"p999", OUT_COUNT, 0, "99.9th percentile"},
    {"max_median", OUT_COUNT, 0, "most slots compared: median over the fills (lower middle)"},
    {"max_least", OUT_COUNT, 0, "least of the fills' maxima"},
    {"max_greatest", OUT_COUNT, 0, "greatest of the fills' maxima"},
    {"lines_mean", OUT_FIXED, 4, "64-byte lines touched, mean"},
    {"lines_max", OUT_COUNT, 0, "most lines touched"},
    {"knuth_exact", OUT_FIXED, 4, "linear probing: Knuth's exact mean for this table, by Q0 or Q1"},
    {"knuth_limit", OUT_FIXED, 4,
     "linear probing: (1+1/(1-a))/2 or (1+1/(1-a)^2)/2, a = keys/slots"},
    {"left_over", OUT_COUNT, 0, "keys without a place, all fills"},
    {"fills_left_over", OUT_COUNT, 0, "fills with such keys"},
};

static const struct out_table table = {"e2.lookups", "What a lookup costs, by load", columns,
                                       sizeof columns / sizeof columns[0]};

static int write_knuth(struct out *out, const struct lookup_setting *setting, size_t load, int miss,
                       struct error *err)
{
    double hit_mean, miss_mean;
    double a = (double)setting->keys[load] / (double)setting->scheme.slots;

    if (setting->kind != LOOKUP_LINEAR) {
        out_none(out);
        out_none(out);
        return ERR_NONE;
    }
    int code =
        exact_linear_probing(setting->scheme.slots, setting->keys[load], &hit_mean, &miss_mean);
    if (code != ERR_NONE)
        return error_set(err, code, "e2: Knuth's exact means: %s", error_text(code));
    out_real(out, miss ? miss_mean : hit_mean);
    out_real(out, (1.0 + 1.0 / (miss ? (1.0 - a) * (1.0 - a) : 1.0 - a)) / 2.0);
    return ERR_NONE;
}

static int write_lines(struct out *out, const struct lookup_setting *setting, size_t load, int miss,
                       const uint64_t *tally, struct error *err)
{
    const uint64_t *lookups = &tally[lookup_value(setting, load, miss, LOOKUP_LOOKUPS)];
    const uint64_t *lines = &tally[lookup_value(setting, load, miss, LOOKUP_LINES)];
    const uint64_t *most = &tally[lookup_value(setting, load, miss, LOOKUP_MAX_LINES)];
    struct mean mean = {0.0, 0.0};
    int code;

    if (setting->kind == LOOKUP_CUCKOO && miss) { /* exact, from the scheme alone */
        code = scheme_mean_lines(&setting->scheme, &mean.mean);
        out_real(out, mean.mean);
        out_count(out, setting->scheme.d);
        return code == ERR_NONE ? code : error_set(err, code, "e2: lines: %s", error_text(code));
    }
    code = mean_of_ratios(lines, lookups, setting->trials, &mean, err);
    out_real(out, mean.mean);
    out_count(out, maximum_of(most, setting->trials));
    return code;
}

static int write_costs(struct out *out, const struct lookup_setting *setting, size_t load, int miss,
                       uint64_t *tally, struct error *err)
{
    const uint64_t *histogram = &tally[lookup_histogram(setting, load, miss)];
    struct mean mean;
    struct spread most;
    size_t p99, p999;
    int code = mean_of_ratios(&tally[lookup_value(setting, load, miss, LOOKUP_SLOTS)],
                              &tally[lookup_value(setting, load, miss, LOOKUP_LOOKUPS)],
                              setting->trials, &mean, err);

    if (code == ERR_NONE)
        code = stats_percentile(histogram, lookup_cells(setting), 99, 100, &p99);
    if (code == ERR_NONE)
        code = stats_percentile(histogram, lookup_cells(setting), 999, 1000, &p999);
    if (code == ERR_NONE)
        code = summarize(&tally[lookup_value(setting, load, miss, LOOKUP_MAX_SLOTS)],
                         setting->trials, &most, err);
    if (code != ERR_NONE)
        return error_from_code(err, code, "e2");
    out_real(out, mean.mean);
    out_real(out, mean.half_width);
    out_count(out, p99);
    out_count(out, p999);
    out_count(out, most.median);
    out_count(out, most.least);
    out_count(out, most.greatest);
    return ERR_NONE;
}

static void write_left_over(struct out *out, const struct lookup_setting *setting, size_t load,
                            const uint64_t *tally)
{
    const uint64_t *left_over = &tally[lookup_value(setting, load, 0, LOOKUP_LEFT_OVER)];
    uint64_t fills = 0;

    for (uint64_t t = 0; t < setting->trials; t++)
        fills += left_over[t] > 0;
    out_count(out, total_of(left_over, setting->trials));
    out_count(out, fills);
}

static int write_row(struct out *out, const struct row *row, const struct lookup_setting *setting,
                     size_t load, int miss, uint64_t *tally, struct error *err)
{
    out_word(out, row->method);
    out_count(out, row->d);
    out_count(out, row->k);
    out_word(out, layout_name(row->layout));
    out_word(out, row->fill);
    out_count(out, setting->scheme.slots);
    out_real(out, row->percent[load] / 100.0);
    out_count(out, setting->keys[load]);
    out_count(out, setting->trials);
    out_word(out, miss ? "miss" : "hit");
    int code = write_costs(out, setting, load, miss, tally, err);
    if (code == ERR_NONE)
        code = write_lines(out, setting, load, miss, tally, err);
    if (code == ERR_NONE)
        code = write_knuth(out, setting, load, miss, err);
    if (code == ERR_NONE)
        write_left_over(out, setting, load, tally);
    return code;
}

static int run_row(const struct options *options, const struct row *row, struct out *out,
                   struct error *err)
{
    struct lookup_setting setting = {.kind = row->kind,
                                     .rule = row->rule,
                                     .seed = options->seed,
                                     .trials = chosen(options->trials, E2_FILLS),
                                     .label = "e2"};
    struct trials_work work;
    uint64_t *tally = NULL;
    int code = init_scheme(&setting.scheme, row->d, row->k, row->layout,
                           chosen(options->slots, E2_SLOTS), "e2", err);

    if (code != ERR_NONE)
        return code;
    while (setting.n_loads < LOOKUP_LOADS_MAX && row->percent[setting.n_loads] > 0) {
        struct ratio load = {row->percent[setting.n_loads], 100};
        setting.keys[setting.n_loads++] = ratio_floor(load, setting.scheme.slots);
    }
    lookup_work(&setting, &work);
    code = trials_run(&work, options, &tally, err);
    for (size_t load = 0; load < setting.n_loads; load++)
        for (int miss = 0; miss < 2 && code == ERR_NONE; miss++)
            code = write_row(out, row, &setting, load, miss, tally, err);
    free(tally);
    return code;
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    int code = ERR_NONE;

    out_begin(out, &table);
    out_param(out, "seed", "%llu", (unsigned long long)options->seed);
    out_note(out, "Keys are 8 bytes, lines 64 bytes; reading a bucket compares all its slots, the");
    out_note(out,
             "candidates in order.  A miss in open addressing ends at an empty slot, which is");
    out_note(out, "compared; under Robin Hood also at the first resident nearer its home than the");
    out_note(out,
             "probe is.  One fill is measured at all its loads.  Two tables (2,1) at load 0.50");
    out_note(out, "are at their critical point: some fills have no placement, and their keys left");
    out_note(out, "over are counted.");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && code == ERR_NONE; i++)
        code = run_row(options, &rows[i], out, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

static const struct out_table *const tables[] = {&table, NULL};

const struct command experiment_e2 = {
    .name = "e2",
    .summary = "what a lookup costs, by load: probing, Robin Hood, cuckoo",
    .about =
        "Fills tables of 2^20 slots and counts, for hits over all keys and for misses over all\n"
        "homes, the slots compared and the cache lines touched.",
    .takes = OPTION_TRIAL_BITS | OPTION_BIT(OPTION_SLOTS),
    .tables = tables,
    .slots = {8, SCHEME_BUCKETS_MAX, 2},
    .run = run,
};
