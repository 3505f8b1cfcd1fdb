/* e13.c -- what a failure costs: limits, stashes, rebuilds and growth in slots written;
 * deletions at a constant load; and the tables that cuckoo hashing is compared with. */
#include "experiments.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../src/measure_growth.h"
#include "../src/stats.h"
#include "common.h"
#include "e13_parts.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

#define REBUILD_TRIALS 1000
#define ROUND_WORK     UINT64_C(20000000) /* keys inserted for a slack */
#define POLICY_KEYS    UINT64_C(4096)
#define POLICY_TRIALS  100

static const char *rule_name(unsigned k)
{
    return k == 1 ? "two-tables" : "buckets-of-4";
}

/* ---- one rebuild after the first failure ---- */

static const struct out_column rebuild_columns[] = {
    {"scheme", OUT_WORD, 0, "two-tables: of single slots; buckets-of-4: in one table; d = 2"},
    {"slots", OUT_COUNT, 0, "before the rebuild"},
    {"max_kicks", OUT_COUNT, 0, "of one insertion by the original rule"},
    {"rebuild", OUT_WORD, 0, "same or double size, with the same or new functions"},
    {"trials", OUT_COUNT, 0, "tables filled until the first failure, then rebuilt once"},
    {"load", OUT_FIXED, 4, "mean, before the key that failed"},
    {"rebuilt", OUT_COUNT, 0, "rebuilds that placed every key"},
    {"share", OUT_FIXED, 6, "rebuilt / trials"},
    {"low", OUT_FIXED, 6, "lower end of its 95% Clopper-Pearson interval"},
    {"high", OUT_FIXED, 6, "upper end"},
    {"impossible", OUT_COUNT, 0, "trials in which no placement existed with the old functions"},
    {"impossible_ok", OUT_COUNT, 0, "of them, rebuilt"},
};
const struct out_table e13_rebuild_table = {"e13.rebuild", "Does a rebuild help?", rebuild_columns,
                                            COUNT(rebuild_columns)};

static int rebuild_row(const struct options *options, unsigned k, uint64_t slots, int doubles,
                       int new_functions, struct out *out, struct error *err)
{
    struct rebuild_setting setting = {.slots = slots,
                                      .seed = options->seed,
                                      .trials = chosen(options->trials, REBUILD_TRIALS),
                                      .label = "e13 rebuild"};
    struct trials_work work;
    uint64_t *tally = NULL;

    setting.rule = (struct growth_rule){.k = k,
                                        .layout = k == 1 ? LAYOUT_SPLIT : LAYOUT_ONE,
                                        .max_kicks = 500,
                                        .doubles = doubles,
                                        .new_functions = new_functions};
    rebuild_work(&setting, &work);
    int code = trials_run(&work, options, &tally, err);
    if (code == ERR_NONE) {
        out_word(out, rule_name(k));
        out_count(out, slots);
        out_count(out, setting.rule.max_kicks);
        out_wordf(out, "%s-size+%s-functions", doubles ? "double" : "same",
                  new_functions ? "new" : "same");
        out_count(out, setting.trials);
        out_real(out, (double)tally[REBUILD_KEYS] / (double)setting.trials / (double)slots);
        out_count(out, tally[REBUILD_PLACED]);
        code = out_estimate(out, tally[REBUILD_PLACED], setting.trials, err);
        out_count(out, tally[REBUILD_IMPOSSIBLE]);
        out_count(out, tally[REBUILD_IMPOSSIBLE_OK]);
    }
    free(tally);
    return code;
}

int e13_rebuilds(const struct options *options, struct out *out, struct error *err)
{
    static const struct {
        unsigned k;
        uint64_t slots;
    } rows[] = {{1, 1 << 4}, {1, 1 << 8}, {1, 1 << 11}, {4, 1 << 4}, {4, 1 << 8}, {4, 1 << 11}};
    int code = ERR_NONE;

    out_begin(out, &e13_rebuild_table);
    out_param(out, "seed", "%" PRIu64, options->seed);
    out_note(out, "At twice the size the same functions split every bucket in two.");
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int mode = 0; mode < 4 && code == ERR_NONE; mode++)
            code = rebuild_row(options, rows[i].k, rows[i].slots, mode >> 1, mode & 1, out, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

/* ---- rounds against the bound ---- */

static const struct out_column round_columns[] = {
    {"eps", OUT_FIXED, 2, "Pagh and Rodler's: each of two tables has ceil((1 + eps) n) slots"},
    {"keys", OUT_COUNT, 0, "n"},
    {"slots", OUT_COUNT, 0, "both tables"},
    {"rounds", OUT_COUNT, 0, "t; a round is a placement in each table"},
    {"insertions", OUT_COUNT, 0, "the last tenth of each filling"},
    {"reached", OUT_COUNT, 0, "of them began round t"},
    {"share", OUT_SCI, 4, "reached / insertions"},
    {"low", OUT_SCI, 4, "lower end of its 95% Clopper-Pearson interval"},
    {"high", OUT_SCI, 4, "upper end"},
    {"bound", OUT_SCI, 4, "2 (1 + eps)^(-(2t-1)/3 + 1), not above 1"},
    {"max_loop", OUT_WORD, 0, "yes: t = ceil(3 log n / log(1 + eps)): Pagh and Rodler's MaxLoop"},
};
const struct out_table e13_round_table = {"e13.rounds", "Rounds of an insertion, and the bound",
                                          round_columns, COUNT(round_columns)};

static double round_bound(double eps, uint64_t t)
{
    double bound = 2.0 * pow(1.0 + eps, 1.0 - (2.0 * (double)t - 1.0) / 3.0);

    return bound < 1.0 ? bound : 1.0;
}

static int write_rounds(struct out *out, const struct insert_setting *setting, unsigned hundredths,
                        uint64_t t, uint64_t max_loop, const uint64_t *tally, struct error *err)
{
    const uint64_t *histogram = &tally[insert_histogram(setting, 1, INSERT_KICKS)];
    uint64_t insertions = (setting->keys[1] - setting->keys[0]) * setting->trials, reached = 0;

    /* round t begins with placement 2t - 1, after 2t - 2 kicks */
    for (uint64_t kicks = 2 * t - 2; kicks < INSERT_CELLS; kicks++)
        reached += histogram[kicks];
    out_real(out, hundredths / 100.0);
    out_count(out, setting->keys[1]);
    out_count(out, setting->scheme.slots);
    out_count(out, t);
    int code = out_proportion(out, reached, insertions, err);
    out_real(out, round_bound(hundredths / 100.0, t));
    out_word(out, t == max_loop ? "yes" : "no");
    return code;
}

static int round_rows(const struct options *options, unsigned hundredths, uint64_t keys,
                      struct out *out, struct error *err)
{
    static const uint64_t rounds[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128};
    struct ratio spread = {100 + hundredths, 100};
    double exact = 3.0 * log((double)keys) / log(1.0 + hundredths / 100.0);
    uint64_t max_loop = (uint64_t)ceil(exact - 1e-9);
    struct insert_rule rule = insert_rule_original500;
    struct insert_setting setting = {.rule = &rule,
                                     .keys = {keys - keys / 10, keys},
                                     .n_segments = 2,
                                     .seed = options->seed,
                                     .trials = chosen(options->trials, ROUND_WORK / keys),
                                     .label = "e13 rounds"};
    struct trials_work work;
    uint64_t *tally = NULL;

    rule.max_kicks = (uint32_t)(2 * max_loop - 1);
    int code =
        init_scheme(&setting.scheme, 2, 1, LAYOUT_SPLIT, 2 * ratio_ceil(spread, keys), "e13", err);
    if (code != ERR_NONE)
        return code;
    insert_work(&setting, &work);
    code = trials_run(&work, options, &tally, err);
    for (size_t i = 0; i < COUNT(rounds) && code == ERR_NONE; i++)
        if (rounds[i] < max_loop)
            code = write_rounds(out, &setting, hundredths, rounds[i], max_loop, tally, err);
    if (code == ERR_NONE)
        code = write_rounds(out, &setting, hundredths, max_loop, max_loop, tally, err);
    free(tally);
    return code;
}

int e13_rounds(const struct options *options, struct out *out, struct error *err)
{
    int code = ERR_NONE;

    out_begin(out, &e13_round_table);
    out_param(out, "seed", "%" PRIu64, options->seed);
    out_note(out,
             "The bound is for a chain of different keys; insertions into a component that is");
    out_note(out, "full already run to the end, with probability O(1/n^2) of their own.");
    code = round_rows(options, 100, 10000, out, err);
    if (code == ERR_NONE)
        code = round_rows(options, 20, 10000, out, err);
    if (code == ERR_NONE)
        code = round_rows(options, 10, 10000, out, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

/* ---- limits and stashes ---- */

static const struct out_column policy_columns[] = {
    {"load", OUT_FIXED, 2, "keys / slots at the end of the filling, two tables of single slots"},
    {"keys", OUT_COUNT, 0, "inserted"},
    {"max_loop", OUT_COUNT, 0, "rounds after which an insertion gives up"},
    {"stash", OUT_COUNT, 0, "keys it may hold"},
    {"first", OUT_WORD, 0, "stash: a rebuild when it is full; rebuild: the stash for the rest"},
    {"trials", OUT_COUNT, 0, "tables filled"},
    {"writes_a_key", OUT_FIXED, 4, "slots written, rebuilds included"},
    {"rebuilds", OUT_COUNT, 0, "insertions that rebuilt the table, with new functions"},
    {"attempts", OUT_COUNT, 0, "rebuilds begun: one that fails is tried again"},
    {"given_up", OUT_COUNT, 0, "trials in which 100 attempts in a row failed"},
    {"largest", OUT_COUNT, 0, "slots written by one insertion, over all trials"},
    {"stashed", OUT_FIXED, 4, "keys in the stash at the end, mean: slots that a miss reads more"},
    {"stashes", OUT_COUNT, 0, "trials with a key in it at the end"},
    {"most_stashed", OUT_COUNT, 0, "at any time"},
};
const struct out_table e13_policy_table = {"e13.policies", "Limits, stashes and rebuilds",
                                           policy_columns, COUNT(policy_columns)};

static int policy_row(const struct options *options, unsigned load, uint32_t max_loop,
                      unsigned stash, int rebuild_first, struct out *out, struct error *err)
{
    struct ratio inverse = {100, load};
    struct policy_setting setting = {.keys = POLICY_KEYS,
                                     .seed = options->seed,
                                     .trials = chosen(options->trials, POLICY_TRIALS),
                                     .label = "e13 policies"};
    struct trials_work work;
    uint64_t *tally = NULL;

    setting.slots = ratio_ceil(inverse, setting.keys);
    setting.slots += setting.slots % 2;
    setting.rule = (struct growth_rule){.k = 1,
                                        .layout = LAYOUT_SPLIT,
                                        .max_kicks = 2 * max_loop - 1,
                                        .stash = stash,
                                        .rebuild_first = rebuild_first,
                                        .new_functions = 1};
    policy_work(&setting, &work);
    int code = trials_run(&work, options, &tally, err);
    if (code == ERR_NONE) {
        double keys = (double)setting.keys * (double)setting.trials;
        out_real(out, load / 100.0);
        out_count(out, setting.keys);
        out_count(out, max_loop);
        out_count(out, stash);
        out_word(out, rebuild_first ? "rebuild" : "stash");
        out_count(out, setting.trials);
        out_real(out, (double)tally[POLICY_WRITES] / keys);
        out_count(out, tally[POLICY_REBUILDS]);
        out_count(out, tally[POLICY_ATTEMPTS]);
        out_count(out, tally[POLICY_LOST]);
        out_count(out, tally[POLICY_LARGEST]);
        out_real(out, (double)tally[POLICY_STASHED] / (double)setting.trials);
        out_count(out, tally[POLICY_STASHES]);
        out_count(out, tally[POLICY_MOST_STASHED]);
    }
    free(tally);
    return code;
}

int e13_policies(const struct options *options, struct out *out, struct error *err)
{
    /* 24 = 2 log2 n; 237 = ceil(3 log n / log(1/0.9)): n = 4096, load 0.45 is eps = 1/9 */
    static const uint32_t limits[] = {4, 8, 16, 24, 64, 237, 512, 1000};
    static const unsigned loads[] = {40, 45, 49};
    static const unsigned stashes[] = {1, 2, 4, 8};
    int code = ERR_NONE;

    out_begin(out, &e13_policy_table);
    out_param(out, "seed", "%" PRIu64, options->seed);
    for (size_t l = 0; l < COUNT(loads); l++)
        for (size_t i = 0; i < COUNT(limits) && code == ERR_NONE; i++)
            if (loads[l] < 49 || limits[i] >= 24) /* at 0.49 less than that never ends */
                code = policy_row(options, loads[l], limits[i], 0, 1, out, err);
    /* longer limits never fail at this load (above), whatever the stash */
    for (int rebuild_first = 0; rebuild_first < 2; rebuild_first++)
        for (size_t i = 0; limits[i] <= 64; i++)
            for (size_t s = 0; s < COUNT(stashes) && code == ERR_NONE; s++)
                code = policy_row(options, 45, limits[i], stashes[s], rebuild_first, out, err);
    for (size_t s = 0; s < COUNT(stashes) && code == ERR_NONE; s++)
        code = policy_row(options, 49, 512, stashes[s], 0, out, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    static int (*const parts[])(const struct options *, struct out *, struct error *) = {
        e13_rebuilds, e13_rounds, e13_policies, e13_growth, e13_churn, e13_largest, e13_probes,
    };
    int code = ERR_NONE;

    for (size_t i = 0; i < COUNT(parts) && code == ERR_NONE; i++)
        code = parts[i](options, out, err);
    return code;
}

static const struct out_table *const tables[] = {
    &e13_rebuild_table, &e13_round_table,   &e13_policy_table, &e13_growth_table,
    &e13_churn_table,   &e13_largest_table, &e13_probe_table,  NULL,
};

const struct command experiment_e13 = {
    .name = "e13",
    .summary = "what a failure costs: limits, stash, rebuild, growth, deletions",
    .about = "Rebuilds tables after their first failure, fills tables with limits and stashes of\n"
             "all sizes, grows them, replaces their keys, and counts slots written, rebuilds and\n"
             "kicks; then chains, d-left hashing and double hashing, for comparison.",
    .takes = OPTION_TRIAL_BITS,
    .tables = tables,
    .run = run,
};
