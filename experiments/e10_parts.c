/* e10_parts.c -- questions about libraries that were asked in public: a filter's promised
 * load, DPDK's table of primary buckets, the expansion factors of set intersection. */
#include "e10_parts.h"

#include <math.h>
#include <stdlib.h>

#include "../src/stats.h"
#include "common.h"

static const struct out_column promise_columns[] = {
    {"rule", OUT_WORD, 0, "cuckoofilter and its fork differ in the promise only: 0.96 and 0.94"},
    {"slots", OUT_COUNT, 0, "in buckets of 4"},
    {"trials", OUT_COUNT, 0, "filters filled until the first tag is left over"},
    {"below_96", OUT_COUNT, 0, "filters that fail before 0.96 of the slots hold a key"},
    {"share_96", OUT_FIXED, 4, "below_96 / trials"},
    {"low_96", OUT_FIXED, 4, "lower end of its 95% Clopper-Pearson interval"},
    {"high_96", OUT_FIXED, 4, "upper end"},
    {"below_94", OUT_COUNT, 0, "filters that fail before 0.94"},
    {"share_94", OUT_FIXED, 4, "below_94 / trials"},
    {"low_94", OUT_FIXED, 4, "lower end of its interval"},
    {"high_94", OUT_FIXED, 4, "upper end"},
};

static const struct out_column primary_columns[] = {
    {"rule", OUT_WORD, 0, "dpdk-8 as shipped; dpdk-4 with buckets as when the manual was measured"},
    {"slots", OUT_COUNT, 0, "2^20, the manual's 1M entries, unless --slots says otherwise"},
    {"trials", OUT_COUNT, 0, "tables filled"},
    {"load", OUT_FIXED, 4, "keys / slots"},
    {"primary", OUT_FIXED, 5, "share of the keys in their first bucket, mean over the tables"},
    {"half_width", OUT_FIXED, 5, "of its 95% interval (Student)"},
    {"secondary", OUT_FIXED, 5, "1 - primary"},
    {"reached", OUT_COUNT, 0, "tables that reached this load"},
};

static const struct out_column expansion_columns[] = {
    {"rule", OUT_WORD, 0, "round robin with this limit; d = 3, k = 1, no stash"},
    {"keys", OUT_COUNT, 0, "n"},
    {"expansion", OUT_FIXED, 3, "e; slots = floor(e n)"},
    {"slots", OUT_COUNT, 0, "in one table"},
    {"trials", OUT_COUNT, 0, "tables"},
    {"failed", OUT_COUNT, 0, "tables in which an insertion failed"},
    {"share", OUT_SCI, 4, "failed / trials"},
    {"low", OUT_SCI, 4, "lower end of its 95% Clopper-Pearson interval"},
    {"high", OUT_SCI, 4, "upper end"},
    {"bits", OUT_FIXED, 3, "log2(worked / failed), as the libraries' sheets print it"},
    {"existed", OUT_COUNT, 0, "of failed: a complete search finds a place for the key"},
    {"smallest", OUT_FIXED, 3,
     "-log2 of the expected number of smallest obstructions: 2 keys in one slot, or, where "
     "positions differ, 4 keys in three"},
};

const struct out_table e10_promise_table = {"e10.promise", "A cuckoo filter filled to its promise",
                                            promise_columns,
                                            sizeof promise_columns / sizeof promise_columns[0]};
const struct out_table e10_primary_table = {"e10.primary", "Keys in their primary bucket (DPDK)",
                                            primary_columns,
                                            sizeof primary_columns / sizeof primary_columns[0]};
const struct out_table e10_expansion_table = {
    "e10.expansion", "Expansion factors of set intersection, three candidates", expansion_columns,
    sizeof expansion_columns / sizeof expansion_columns[0]};

/* ---- promise ---- */

static int write_promise(struct out *out, const struct rule_setting *setting,
                         const uint64_t *stored, struct error *err)
{
    static const uint64_t hundredths[] = {96, 94};
    int code = ERR_NONE;

    out_word(out, "cuckoofilter");
    out_count(out, setting->scheme.slots);
    out_count(out, setting->trials);
    for (size_t i = 0; i < 2 && code == ERR_NONE; i++) {
        uint64_t below = 0;
        for (uint64_t t = 0; t < setting->trials; t++)
            below += stored[t] < setting->scheme.slots * hundredths[i] / 100;
        out_count(out, below);
        code = out_estimate(out, below, setting->trials, err);
    }
    return code;
}

int e10_promise(const struct options *options, struct out *out, struct error *err)
{
    static const struct {
        unsigned lg;
        uint64_t trials;
    } sizes[] = {{15, 200}, {18, 40}, {21, 12}, {24, 6}};
    size_t count = options->slots > 0 ? 1 : options->full ? 4 : 3;
    int code = ERR_NONE;

    out_begin(out, &e10_promise_table);
    out_param(out, "seed", "%llu", (unsigned long long)options->seed);
    for (size_t i = 0; i < count && code == ERR_NONE; i++) {
        struct rule_setting setting;
        uint64_t *tally = NULL;
        code = e10_prepare(options, rules_find("cuckoofilter"),
                           chosen(options->slots, UINT64_C(1) << sizes[i].lg), sizes[i].trials,
                           &setting, err);
        if (code == ERR_NONE)
            code = e10_sample(options, &setting, &tally, err);
        if (code == ERR_NONE)
            code = write_promise(out, &setting, tally + rule_cell(&setting, RULE_STORED), err);
        free(tally);
    }
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

/* ---- primary ---- */

static const uint64_t permille[] = {500, 750, 800, 850, 900, 945, 980};
enum { LOADS = sizeof permille / sizeof permille[0] };

static int write_primary(struct out *out, const char *name, const struct rule_setting *setting,
                         const uint64_t *tally, struct error *err)
{
    int code = ERR_NONE;

    for (unsigned i = 0; i < LOADS && code == ERR_NONE; i++) {
        const uint64_t *sum = tally + rule_cell(setting, RULE_AT_LOAD + i);
        double total = 0.0, squares = 0.0, mean, half;
        uint64_t reached = 0;
        for (uint64_t t = 0; t < setting->trials; t++) {
            double share = (double)sum[t] / (double)setting->loads[i];
            reached += sum[t] > 0;
            total += share;
            squares += share * share;
        }
        if (reached == 0)
            continue;
        code = stats_mean_interval(reached, total, squares, CONFIDENCE, &mean, &half);
        if (code != ERR_NONE)
            return error_set(err, code, "e10: mean: %s", error_text(code));
        out_word(out, name);
        out_count(out, setting->scheme.slots);
        out_count(out, setting->trials);
        out_real(out, (double)permille[i] / 1000.0);
        out_real(out, mean);
        if (reached > 1)
            out_real(out, half);
        else
            out_none(out);
        out_real(out, 1.0 - mean);
        out_count(out, reached);
    }
    return code;
}

int e10_primary(const struct options *options, struct out *out, struct error *err)
{
    static const char *const names[] = {"dpdk-4", "dpdk-8"};
    int code = ERR_NONE;

    out_begin(out, &e10_primary_table);
    out_param(out, "seed", "%llu", (unsigned long long)options->seed);
    for (size_t r = 0; r < 2 && code == ERR_NONE; r++) {
        struct rule_setting setting;
        uint64_t *tally = NULL;
        code = e10_prepare(options, rules_find(names[r]), chosen(options->slots, UINT64_C(1) << 20),
                           5, &setting, err);
        if (code != ERR_NONE)
            break;
        setting.n_loads = LOADS;
        for (size_t i = 0; i < LOADS; i++)
            setting.loads[i] = setting.scheme.slots * permille[i] / 1000;
        code = e10_sample(options, &setting, &tally, err);
        if (code == ERR_NONE)
            code = write_primary(out, names[r], &setting, tally, err);
        free(tally);
    }
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

/* ---- expansion ---- */

#define EXPANSION_KEYS   1024
#define EXPANSION_TRIALS 4000

/* log2 of C(n, r). */
static double choose_log2(double n, unsigned r)
{
    double sum = 0.0;

    for (unsigned i = 0; i < r; i++)
        sum += log2((n - i) / (i + 1.0));
    return sum;
}

/* C(n,2) m^-5 where positions repeat; C(n,4) C(m,3)^-3 where they differ. */
static double smallest_log2(const struct scheme *scheme)
{
    double m = scheme->buckets;

    if (scheme->positions == POSITIONS_DISTINCT)
        return choose_log2(EXPANSION_KEYS, 4) - 3.0 * choose_log2(m, 3);
    return choose_log2(EXPANSION_KEYS, 2) - 5.0 * log2(m);
}

static int run_expansion(const struct options *options, const char *name, uint64_t thousandths,
                         struct out *out, struct error *err)
{
    struct rule_setting setting = {.keys = EXPANSION_KEYS,
                                   .seed = options->seed,
                                   .trials = chosen(options->trials, EXPANSION_TRIALS),
                                   .label = "e10"};
    uint64_t *tally = NULL;
    int code = rules_make(rules_find(name), EXPANSION_KEYS * thousandths / 1000, &setting.scheme,
                          &setting.rule);

    if (code != ERR_NONE)
        return error_set(err, code, "e10: %s: %s", name, error_text(code));
    code = e10_sample(options, &setting, &tally, err);
    if (code == ERR_NONE) {
        uint64_t failed = total_of(tally + rule_cell(&setting, RULE_FAILED), setting.trials);
        out_word(out, name);
        out_count(out, EXPANSION_KEYS);
        out_real(out, (double)thousandths / 1000.0);
        out_count(out, setting.scheme.slots);
        code = out_proportion(out, failed, setting.trials, err);
        if (failed > 0 && failed < setting.trials)
            out_real(out, log2((double)(setting.trials - failed) / (double)failed));
        else
            out_none(out);
        out_count(out, total_of(tally + rule_cell(&setting, RULE_EXISTED), setting.trials));
        out_real(out, -smallest_log2(&setting.scheme));
    }
    free(tally);
    return code;
}

int e10_expansion(const struct options *options, struct out *out, struct error *err)
{
    static const char *const names[] = {"psi-100", "psi-200", "psi-200-distinct"};
    static const uint64_t expansions[] = {1140, 1170, 1200, 1230, 1250, 1270, 1317, 1538};
    int code = ERR_NONE;

    out_begin(out, &e10_expansion_table);
    out_param(out, "seed", "%llu", (unsigned long long)options->seed);
    out_note(out, "A table fails when the search gives up; `existed` says how often a placement");
    out_note(out, "existed all the same.  Zero failures bound the share by `high` and no lower.");
    for (size_t r = 0; r < 3; r++)
        for (size_t i = 0; i < sizeof expansions / sizeof expansions[0] && code == ERR_NONE; i++)
            code = run_expansion(options, names[r], expansions[i], out, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}
