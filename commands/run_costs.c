/* run_costs.c -- `run --measure insert`, `lookup` and `primary`: what operations cost, at
 * the loads that are asked for. */
#include "question.h"

#include <stdlib.h>

#include "../experiments/common.h"
#include "../src/stats.h"

static const struct out_column insert_columns[] = {
    QUESTION_COLUMNS,
    {"load_from", OUT_FIXED, 4, "segment: keys offered / slots, from"},
    {"load_to", OUT_FIXED, 4, "to"},
    {"fills", OUT_COUNT, 0, "tables filled"},
    {"insertions", OUT_COUNT, 0, "in this segment, all fills"},
    {"failed", OUT_COUNT, 0, "of them given up"},
    {"quantity", OUT_WORD, 0,
     "kicks: residents evicted; moves: keys copied to another candidate; "
     "slots_read: a bucket's k slots each time it is read; "
     "lines_written: distinct 64-byte lines"},
    {"mean", OUT_FIXED, 4, "an insertion"},
    {"mean_ci", OUT_FIXED, 4, "half width of Student's 95% interval of the mean over fills"},
    {"p99", OUT_COUNT, 0, "99th percentile, nearest rank, all fills pooled"},
    {"max_median", OUT_COUNT, 0, "most in any insertion: median over the fills (lower middle)"},
    {"max_least", OUT_COUNT, 0, "least of the fills' maxima"},
    {"max_greatest", OUT_COUNT, 0, "greatest of the fills' maxima"},
};
static const struct out_column lookup_columns[] = {
    QUESTION_COLUMNS,
    {"load", OUT_FIXED, 4, "keys offered / slots"},
    {"keys", OUT_COUNT, 0, "floor(load * slots), offered"},
    {"fills", OUT_COUNT, 0, "tables filled"},
    {"lookup", OUT_WORD, 0, "hit: every stored key; miss: every choice of candidates"},
    {"mean", OUT_FIXED, 4, "slots compared, mean over the fills' means"},
    {"mean_ci", OUT_FIXED, 4, "half width of Student's 95% interval of the mean over fills"},
    {"p99", OUT_COUNT, 0, "99th percentile of slots compared, nearest rank, all fills pooled"},
    {"p999", OUT_COUNT, 0, "99.9th percentile"},
    {"max", OUT_COUNT, 0, "most slots compared"},
    {"lines_mean", OUT_FIXED, 4,
     "64-byte lines touched, mean (- for misses at distinct positions)"},
    {"lines_max", OUT_COUNT, 0, "most lines touched"},
    {"left_over", OUT_COUNT, 0, "keys without a place, all fills"},
    {"fills_left_over", OUT_COUNT, 0, "fills with such keys"},
    {"buckets_mean", OUT_FIXED, 6,
     "buckets read, mean; a miss stops at a bucket with a free slot, as it may where keys were "
     "never deleted (- for misses of split tables, derived buckets and other hash families)"},
    {"buckets_ci", OUT_FIXED, 6, "half width of Student's 95% interval of the mean over fills"},
};
static const struct out_column primary_columns[] = {
    QUESTION_COLUMNS,
    {"load", OUT_FIXED, 4, "keys offered / slots"},
    {"keys", OUT_COUNT, 0, "floor(load * slots), offered"},
    {"fills", OUT_COUNT, 0, "tables filled"},
    {"stored", OUT_COUNT, 0, "keys in the tables, all fills"},
    {"primary", OUT_COUNT, 0, "of them in their first candidate"},
    {"share", OUT_FIXED, 6, "primary / stored, mean over the fills"},
    {"share_ci", OUT_FIXED, 6, "half width of Student's 95% interval of the mean over fills"},
    {"left_over", OUT_COUNT, 0, "keys without a place, all fills"},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

const struct out_table run_table_insert = {"run.insert", "What an insertion costs, by load",
                                           insert_columns, COUNT(insert_columns)};
const struct out_table run_table_lookup = {"run.lookup", "What a lookup costs, by load",
                                           lookup_columns, COUNT(lookup_columns)};
const struct out_table run_table_primary = {"run.primary", "Keys in their first candidate, by load",
                                            primary_columns, COUNT(primary_columns)};

/* ---- insert ---- */

static uint64_t insertions_of(const struct insert_setting *setting, size_t segment)
{
    return setting->keys[segment] - (segment > 0 ? setting->keys[segment - 1] : 0);
}

static int insert_mean(const struct insert_setting *setting, const uint64_t *tally, size_t segment,
                       enum insert_quantity q, uint64_t scale, struct mean *mean, struct error *err)
{
    size_t trials = setting->trials;
    uint64_t *sum = calloc(2 * trials, sizeof *sum);

    if (sum == NULL)
        return error_set(err, ERR_MEMORY, "%s: %s", setting->label, error_text(ERR_MEMORY));
    uint64_t *count = sum + trials;
    for (size_t t = 0; t < trials; t++) {
        sum[t] = scale * tally[insert_sum(setting, segment, q) + t];
        count[t] = insertions_of(setting, segment);
    }
    int code = mean_of_ratios(sum, count, trials, mean, err);
    free(sum);
    return code;
}

static int write_quantity(struct out *out, const struct insert_setting *setting, uint64_t *tally,
                          size_t segment, enum insert_quantity q, uint64_t scale, struct error *err)
{
    struct mean mean;
    struct spread most;
    size_t p99 = 0;
    int code = insert_mean(setting, tally, segment, q, scale, &mean, err);

    if (code == ERR_NONE) /* a quantity's maxima are sorted: for slots_read for the second time */
        code = summarize(&tally[insert_max(setting, segment, q)], setting->trials, &most, err);
    if (code == ERR_NONE && mean.mean > 0.0)
        code = stats_percentile(&tally[insert_histogram(setting, segment, q)], INSERT_CELLS, 99,
                                100, &p99);
    if (code != ERR_NONE)
        return error_from_code(err, code, "run");
    out_real(out, mean.mean);
    out_real(out, mean.half_width);
    if (p99 >= INSERT_CELLS - 1) /* beyond the histogram: the maxima still say how far */
        out_none(out);
    else
        out_count(out, scale * p99);
    out_count(out, scale * most.median);
    out_count(out, scale * most.least);
    out_count(out, scale * most.greatest);
    return ERR_NONE;
}

static int write_segment(const struct question *question, const struct insert_setting *setting,
                         uint64_t *tally, size_t segment, struct out *out, struct error *err)
{
    const struct {
        const char *name;
        enum insert_quantity q;
        uint64_t scale;
    } quantities[] = {{"kicks", INSERT_KICKS, 1},
                      {"moves", INSERT_MOVES, 1},
                      {"buckets_read", INSERT_BUCKETS, 1},
                      {"slots_read", INSERT_BUCKETS, question->scheme.k},
                      {"lines_written", INSERT_LINES, 1}};
    int breadth = setting->rule->insert == insert_breadth;
    int code = ERR_NONE;

    for (size_t i = 0; i < COUNT(quantities) && code == ERR_NONE; i++) {
        if (quantities[i].q == (breadth ? INSERT_KICKS : INSERT_MOVES))
            continue; /* a walk moves nothing, a breadth-first search kicks nobody */
        question_write_setting(question, out);
        out_real(out, segment > 0 ? ratio_value(question->load[segment - 1]) : 0.0);
        out_real(out, ratio_value(question->load[segment]));
        out_count(out, setting->trials);
        out_count(out, setting->trials * insertions_of(setting, segment));
        out_count(out, total_of(&tally[insert_failed(setting, segment)], setting->trials));
        out_word(out, quantities[i].name);
        code =
            write_quantity(out, setting, tally, segment, quantities[i].q, quantities[i].scale, err);
    }
    return code;
}

int run_insert(const struct question *question, struct out *out, struct error *err)
{
    struct insert_setting setting = {.scheme = question->scheme,
                                     .rule = &question->rule,
                                     .n_segments = question->n_loads,
                                     .offered = question_offered(question),
                                     .seed = question->options->seed,
                                     .trials = question->trials,
                                     .label = "run"};
    struct trials_work work;
    uint64_t *tally = NULL;

    for (size_t i = 0; i < question->n_loads; i++)
        setting.keys[i] = question->keys_at[i];
    insert_work(&setting, &work);
    int code = trials_run(&work, question->options, &tally, err);
    for (size_t i = 0; i < question->n_loads && code == ERR_NONE; i++)
        code = write_segment(question, &setting, tally, i, out, err);
    free(tally);
    return code;
}

/* ---- lookup and primary: one measure ---- */

static int measure_lookups(const struct question *question, struct lookup_setting *setting,
                           uint64_t **tally, struct error *err)
{
    struct trials_work work;

    *setting = (struct lookup_setting){.scheme = question->scheme,
                                       .kind = LOOKUP_CUCKOO,
                                       .rule = &question->rule,
                                       .n_loads = question->n_loads,
                                       .offered = question_offered(question),
                                       .seed = question->options->seed,
                                       .trials = question->trials,
                                       .label = "run"};
    for (size_t i = 0; i < question->n_loads; i++)
        setting->keys[i] = question->keys_at[i];
    lookup_work(setting, &work);
    return trials_run(&work, question->options, tally, err);
}

static void write_load(const struct question *question, const struct lookup_setting *setting,
                       size_t load, struct out *out)
{
    question_write_setting(question, out);
    out_real(out, ratio_value(question->load[load]));
    out_count(out, setting->keys[load]);
    out_count(out, setting->trials);
}

static void write_lines(const struct lookup_setting *setting, size_t load, int miss,
                        const uint64_t *tally, struct out *out)
{
    const uint64_t *lookups = &tally[lookup_value(setting, load, miss, LOOKUP_LOOKUPS)];
    const uint64_t *lines = &tally[lookup_value(setting, load, miss, LOOKUP_LINES)];
    struct error ignored;
    struct mean mean = {0.0, 0.0};

    if (!miss) {
        mean_of_ratios(lines, lookups, setting->trials, &mean, &ignored);
        out_real(out, mean.mean);
        out_count(out, maximum_of(&tally[lookup_value(setting, load, miss, LOOKUP_MAX_LINES)],
                                  setting->trials));
        return;
    }
    /* exact, from the scheme alone */
    if (scheme_mean_lines(&setting->scheme, &mean.mean) == ERR_NONE)
        out_real(out, mean.mean);
    else
        out_none(out);
    out_none(out);
}

static void write_left_over(const struct lookup_setting *setting, size_t load,
                            const uint64_t *tally, struct out *out, int fills_too)
{
    const uint64_t *left = &tally[lookup_value(setting, load, 0, LOOKUP_LEFT_OVER)];
    uint64_t fills = 0;

    for (uint64_t t = 0; t < setting->trials; t++)
        fills += left[t] > 0;
    out_count(out, total_of(left, setting->trials));
    if (fills_too)
        out_count(out, fills);
}

/* Buckets that a miss reads if a share of `full` of `buckets` is full: the next candidate is
 * read where all before it are. */
static double miss_buckets(const struct scheme *scheme, uint64_t full)
{
    double total = 0.0, reached = 1.0;

    for (unsigned j = 0; j < scheme->d; j++) {
        uint64_t taken = scheme->positions == POSITIONS_DISTINCT ? j : 0;
        total += reached;
        if (full <= taken)
            break;
        reached *= (double)(full - taken) / (double)(scheme->buckets - taken);
    }
    return total;
}

static int write_buckets(const struct lookup_setting *setting, size_t load, int miss,
                         const uint64_t *tally, struct out *out, struct error *err)
{
    const struct scheme *scheme = &setting->scheme;
    const uint64_t *slots = &tally[lookup_value(setting, load, 0, LOOKUP_SLOTS)];
    const uint64_t *hits = &tally[lookup_value(setting, load, 0, LOOKUP_LOOKUPS)];
    const uint64_t *full = &tally[lookup_value(setting, load, 0, LOOKUP_FULL)];
    double sum = 0.0, squares = 0.0;
    struct mean mean;

    if (miss && (scheme->layout != LAYOUT_ONE || scheme->derive.kind != DERIVE_NONE ||
                 scheme->family.kind != FAMILY_MIXER)) {
        out_none(out);
        out_none(out);
        return ERR_NONE;
    }
    for (uint64_t t = 0; t < setting->trials; t++) {
        uint64_t buckets = slots[t] / scheme->k; /* whole ones */
        double hit = hits[t] > 0 ? (double)buckets / (double)hits[t] : 0.0;
        double value = miss ? miss_buckets(scheme, full[t]) : hit;
        sum += value;
        squares += value * value;
    }
    int code = stats_mean_interval(setting->trials, sum, squares, CONFIDENCE, &mean.mean,
                                   &mean.half_width);
    if (code != ERR_NONE)
        return error_from_code(err, code, "run");
    out_real(out, mean.mean);
    out_real(out, mean.half_width);
    return ERR_NONE;
}

static int write_lookup(const struct question *question, const struct lookup_setting *setting,
                        size_t load, int miss, const uint64_t *tally, struct out *out,
                        struct error *err)
{
    const uint64_t *histogram = &tally[lookup_histogram(setting, load, miss)];
    struct mean mean;
    size_t p99 = 0, p999 = 0;
    int code = mean_of_ratios(&tally[lookup_value(setting, load, miss, LOOKUP_SLOTS)],
                              &tally[lookup_value(setting, load, miss, LOOKUP_LOOKUPS)],
                              setting->trials, &mean, err);

    if (code == ERR_NONE && mean.mean > 0.0)
        code = stats_percentile(histogram, lookup_cells(setting), 99, 100, &p99);
    if (code == ERR_NONE && mean.mean > 0.0)
        code = stats_percentile(histogram, lookup_cells(setting), 999, 1000, &p999);
    if (code != ERR_NONE)
        return error_from_code(err, code, "run");
    write_load(question, setting, load, out);
    out_word(out, miss ? "miss" : "hit");
    out_real(out, mean.mean);
    out_real(out, mean.half_width);
    out_count(out, p99);
    out_count(out, p999);
    out_count(out, maximum_of(&tally[lookup_value(setting, load, miss, LOOKUP_MAX_SLOTS)],
                              setting->trials));
    write_lines(setting, load, miss, tally, out);
    write_left_over(setting, load, tally, out, 1);
    return write_buckets(setting, load, miss, tally, out, err);
}

int run_lookup(const struct question *question, struct out *out, struct error *err)
{
    struct lookup_setting setting;
    uint64_t *tally = NULL;
    int code = measure_lookups(question, &setting, &tally, err);

    for (size_t load = 0; load < question->n_loads && code == ERR_NONE; load++)
        for (int miss = 0; miss < 2 && code == ERR_NONE; miss++)
            code = write_lookup(question, &setting, load, miss, tally, out, err);
    free(tally);
    return code;
}

/* A hit in the first candidate compares k slots, in the j-th j k. */
static int write_primary(const struct question *question, const struct lookup_setting *setting,
                         size_t load, const uint64_t *tally, struct out *out, struct error *err)
{
    const uint64_t *lookups = &tally[lookup_value(setting, load, 0, LOOKUP_LOOKUPS)];
    const uint64_t *primary = &tally[lookup_value(setting, load, 0, LOOKUP_PRIMARY)];
    struct mean mean;
    int code = mean_of_ratios(primary, lookups, setting->trials, &mean, err);

    if (code != ERR_NONE)
        return code;
    write_load(question, setting, load, out);
    out_count(out, total_of(lookups, setting->trials));
    out_count(out, total_of(primary, setting->trials));
    out_real(out, mean.mean);
    out_real(out, mean.half_width);
    write_left_over(setting, load, tally, out, 0);
    return ERR_NONE;
}

int run_primary(const struct question *question, struct out *out, struct error *err)
{
    struct lookup_setting setting;
    uint64_t *tally = NULL;
    int code = measure_lookups(question, &setting, &tally, err);

    for (size_t load = 0; load < question->n_loads && code == ERR_NONE; load++)
        code = write_primary(question, &setting, load, tally, out, err);
    free(tally);
    return code;
}
