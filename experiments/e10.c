/* e10.c -- what do the rules of libraries really reach?  Each rule of src/rules.c with its own
 * buckets, derivation, search and budget, filled until its first failure. */
#include "experiments.h"

#include <stdlib.h>

#include "../src/stats.h"
#include "common.h"
#include "e10_parts.h"

/* slots at most, and fills for each size */
static const struct {
    unsigned lg;
    uint64_t trials;
    int full; /* with --full only */
} sizes[] = {{10, 100, 0}, {14, 25, 0}, {18, 7, 0}, {22, 5, 1}};

static const struct out_column rule_columns[] = {
    {"rule", OUT_WORD, 0, "name in the tables below"},
    {"candidates", OUT_COUNT, 0, "d"},
    {"bucket", OUT_COUNT, 0, "k"},
    {"window", OUT_COUNT, 0, "slots of a candidate that starts at any slot; 0: a bucket"},
    {"positions", OUT_WORD, 0, "repeat: a key's candidates may coincide; distinct: they differ"},
    {"derivation", OUT_WORD, 0, "of the second bucket (src/derive.h); hashing is the mixer"},
    {"tag_bits", OUT_COUNT, 0, "of the tag that the second bucket depends on; 0: none"},
    {"search", OUT_WORD, 0, "insertion rule (src/insert_production.h)"},
    {"budget", OUT_WORD, 0, "the limit of one insertion and what it counts"},
    {"promise", OUT_FIXED, 4, "share of the slots that the library says it fills, or grows at"},
    {"source", OUT_WORD, 0, "repository:file@version where it was read"},
};

static const struct out_column columns[] = {
    {"rule", OUT_WORD, 0, "as in e10.rules"},
    {"candidates", OUT_COUNT, 0, "d"},
    {"bucket", OUT_COUNT, 0, "k"},
    {"slots", OUT_COUNT, 0, "a power of two of buckets of k slots"},
    {"trials", OUT_COUNT, 0, "tables filled"},
    {"threshold", OUT_FIXED, 6, "for independent candidates in large tables"},
    {"median", OUT_FIXED, 6, "load at the first failure: keys placed before it / slots"},
    {"median_low", OUT_FIXED, 6, "lower end of the median's 95% interval, by order statistics"},
    {"median_high", OUT_FIXED, 6, "upper end"},
    {"least", OUT_FIXED, 6, "least of the loads"},
    {"greatest", OUT_FIXED, 6, "greatest of the loads"},
    {"existed", OUT_COUNT, 0, "failures though a complete search finds a place for the key"},
    {"below_promise", OUT_COUNT, 0, "tables that failed before the promised load"},
    {"below_low", OUT_FIXED, 4, "lower end of the 95% interval of that share"},
    {"below_high", OUT_FIXED, 4, "upper end"},
    {"primary", OUT_FIXED, 4, "share of the keys in their first candidate, at the failure"},
    {"kicks", OUT_FIXED, 4, "of a key that was placed, mean over all fills"},
    {"moves", OUT_FIXED, 4, "of a key that was placed, mean"},
    {"slots_read", OUT_FIXED, 3, "of a key that was placed, mean; reading a bucket reads k"},
    {"path_p99", OUT_COUNT, 0, "kicks + moves of an insertion: 99th percentile"},
    {"path_p9999", OUT_COUNT, 0, "99.99th percentile; 511: or more"},
    {"path_max", OUT_COUNT, 0, "longest; 511: or more"},
};

static const struct out_table rule_table = {
    "e10.rules", "Production rules, and where they were read", rule_columns,
    sizeof rule_columns / sizeof rule_columns[0]};
static const struct out_table table = {"e10.fills", "What production rules reach", columns,
                                       sizeof columns / sizeof columns[0]};

static void write_rules(struct out *out)
{
    out_begin(out, &rule_table);
    for (size_t i = 0; i < n_rules; i++) {
        const struct production_rule *rule = &rules[i];
        out_word(out, rule->name);
        out_count(out, rule->d);
        out_count(out, rule->k);
        out_count(out, rule->window);
        out_word(out, rule->positions == POSITIONS_DISTINCT ? "distinct" : "repeat");
        out_word(out, derive_name(rule->derive.kind));
        out_count(out, rule->derive.bits);
        out_word(out, rule->insert.name);
        out_word(out, rule->budget);
        if (rule->promise > 0)
            out_real(out, rule->promise / 10000.0);
        else
            out_none(out);
        out_word(out, rule->source);
    }
    out_end(out);
}

int e10_prepare(const struct options *options, const struct production_rule *rule, uint64_t slots,
                uint64_t trials, struct rule_setting *setting, struct error *err)
{
    uint64_t buckets = 1;

    while (2 * buckets * rule->k <= slots)
        buckets *= 2;
    *setting = (struct rule_setting){
        .seed = options->seed, .trials = chosen(options->trials, trials), .label = "e10"};
    int code = rules_make(rule, buckets * rule->k, &setting->scheme, &setting->rule);
    if (code != ERR_NONE)
        return error_set(err, ERR_USAGE, "e10: --slots %llu: from 64 to 2^31 is allowed",
                         (unsigned long long)slots);
    return ERR_NONE;
}

int e10_sample(const struct options *options, const struct rule_setting *setting, uint64_t **tally,
               struct error *err)
{
    struct trials_work work;

    rule_work(setting, &work);
    return trials_run(&work, options, tally, err);
}

static int write_below(struct out *out, const struct production_rule *rule,
                       const struct rule_setting *setting, const uint64_t *stored,
                       struct error *err)
{
    uint64_t below = 0, trials = setting->trials;
    double low, high;

    if (rule->promise == 0) {
        for (int i = 0; i < 3; i++)
            out_none(out);
        return ERR_NONE;
    }
    for (uint64_t t = 0; t < trials; t++) /* keys rounded down */
        below += stored[t] < setting->scheme.slots * rule->promise / 10000;
    int code = stats_clopper_pearson(below, trials, CONFIDENCE, &low, &high);
    if (code != ERR_NONE)
        return error_set(err, code, "e10: interval: %s", error_text(code));
    out_count(out, below);
    out_real(out, low);
    out_real(out, high);
    return ERR_NONE;
}

static int write_costs(struct out *out, const struct rule_setting *setting, const uint64_t *tally,
                       struct error *err)
{
    const uint64_t *paths = tally + rule_histogram(setting);
    double keys = (double)total_of(paths, RULE_PATHS);
    size_t p99, p9999, longest = RULE_PATHS - 1;
    static const enum rule_value values[] = {RULE_KICKS, RULE_MOVES, RULE_BUCKETS};

    for (size_t i = 0; i < 3; i++) {
        double sum = (double)total_of(tally + rule_cell(setting, values[i]), setting->trials);
        out_real(out, sum / keys * (values[i] == RULE_BUCKETS ? setting->scheme.k : 1));
    }
    while (longest > 0 && paths[longest] == 0)
        longest--;
    int code = stats_percentile(paths, RULE_PATHS, 99, 100, &p99);
    if (code == ERR_NONE)
        code = stats_percentile(paths, RULE_PATHS, 9999, 10000, &p9999);
    if (code != ERR_NONE)
        return error_set(err, code, "e10: percentile: %s", error_text(code));
    out_count(out, p99);
    out_count(out, p9999);
    out_count(out, longest);
    return ERR_NONE;
}

static int write_fill(struct out *out, const struct production_rule *rule,
                      const struct rule_setting *setting, uint64_t *tally, struct error *err)
{
    double threshold = 0.0;
    uint64_t *stored = tally + rule_cell(setting, RULE_STORED), trials = setting->trials;
    double keys = (double)total_of(stored, trials);
    struct spread spread;
    int code = scheme_threshold(&setting->scheme, &threshold);

    if (code != ERR_NONE)
        return error_set(err, code, "e10: threshold: %s", error_text(code));
    code = summarize(stored, trials, &spread, err);
    if (code != ERR_NONE)
        return code;
    out_word(out, rule->name);
    out_count(out, rule->d);
    out_count(out, rule->k);
    out_count(out, setting->scheme.slots);
    out_count(out, trials);
    out_real(out, threshold);
    out_spread(out, &spread, (double)setting->scheme.slots);
    out_count(out, total_of(tally + rule_cell(setting, RULE_EXISTED), trials));
    code = write_below(out, rule, setting, stored, err);
    if (code != ERR_NONE)
        return code;
    out_real(out, (double)total_of(tally + rule_cell(setting, RULE_PRIMARY), trials) / keys);
    return write_costs(out, setting, tally, err);
}

static int run_fill(const struct options *options, const struct production_rule *rule,
                    uint64_t slots, uint64_t trials, struct out *out, struct error *err)
{
    struct rule_setting setting;
    uint64_t *tally = NULL;
    int code = e10_prepare(options, rule, slots, trials, &setting, err);

    if (code == ERR_NONE)
        code = e10_sample(options, &setting, &tally, err);
    if (code == ERR_NONE)
        code = write_fill(out, rule, &setting, tally, err);
    free(tally);
    return code;
}

static int run_fills(const struct options *options, struct out *out, struct error *err)
{
    int code = ERR_NONE;

    out_begin(out, &table);
    out_param(out, "seed", "%llu", (unsigned long long)options->seed);
    out_note(out, "Random keys until the first failure.  Where `existed` is below `trials`, the");
    out_note(out, "other failures are keys for which no placement exists.");
    for (size_t r = 0; r < n_rules; r++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && code == ERR_NONE; i++) {
            if (options->slots > 0 ? i > 0 : sizes[i].full && !options->full)
                continue;
            code = run_fill(options, &rules[r], chosen(options->slots, UINT64_C(1) << sizes[i].lg),
                            sizes[i].trials, out, err);
        }
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    write_rules(out);
    int code = run_fills(options, out, err);
    if (code == ERR_NONE)
        code = e10_promise(options, out, err);
    if (code == ERR_NONE)
        code = e10_primary(options, out, err);
    return code == ERR_NONE ? e10_expansion(options, out, err) : code;
}

static const struct out_table *const tables[] = {
    &rule_table, &table, &e10_promise_table, &e10_primary_table, &e10_expansion_table, NULL};

const struct command experiment_e10 = {
    .name = "e10",
    .summary = "what the insertion rules of libraries reach",
    .about =
        "Fills tables by the rules of libraries, each with its own buckets, derivation, search\n"
        "and budget, until the first failure.  --slots replaces every size but that of\n"
        "e10.expansion; --full adds 2^22 slots, and 2^24 to e10.promise.",
    .takes = OPTION_TRIAL_BITS | OPTION_BIT(OPTION_SLOTS) | OPTION_BIT(OPTION_FULL),
    .tables = tables,
    .slots = {64, UINT64_C(1) << 31, 1},
    .run = run,
};
