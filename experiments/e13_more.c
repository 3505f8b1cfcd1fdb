/* e13_more.c -- growth by doubling, deletions at a constant load, and the comparators. */
#include "e13_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../src/measure_growth.h"
#include "common.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

#define GROWTH_KEYS    UINT64_C(30000)
#define GROWTH_SLOTS   UINT64_C(64)
#define GROWTH_TRIALS  40
#define CHURN_SLOTS    (UINT64_C(1) << 13)
#define CHURN_TRIALS   10
#define LARGEST_WORK   UINT64_C(20000000) /* keys a row */
#define LARGEST_TRIALS 10                 /* at least */
#define PROBE_SLOTS    (UINT32_C(1) << 16)
#define PROBE_TRIALS   20
#define PROBE_LOOKUPS  100000

/* ---- growth ---- */

static const struct out_column growth_columns[] = {
    {"scheme", OUT_WORD, 0, "two-tables: of single slots; buckets-of-4: in one table; d = 2"},
    {"grows", OUT_WORD, 0, "at a failure, or also before a load would be exceeded"},
    {"functions", OUT_WORD, 0, "same or new after each doubling"},
    {"keys", OUT_COUNT, 0, "inserted"},
    {"trials", OUT_COUNT, 0, "tables grown from 64 slots"},
    {"writes_a_key", OUT_FIXED, 4, "slots written, rebuilds included"},
    {"rebuilds", OUT_FIXED, 2, "insertions that grew the table, a trial"},
    {"doublings", OUT_FIXED, 2, "rebuilds begun, a trial: more where one was not enough"},
    {"load", OUT_FIXED, 4, "keys / slots at the end, mean"},
    {"largest", OUT_COUNT, 0, "slots written by one insertion, over all trials"},
    {"given_up", OUT_COUNT, 0, "trials"},
};
const struct out_table e13_growth_table = {"e13.growth", "Growing by 2", growth_columns,
                                           COUNT(growth_columns)};

static int growth_row(const struct options *options, unsigned k, unsigned grow_at,
                      int new_functions, struct out *out, struct error *err)
{
    struct policy_setting setting = {.slots = GROWTH_SLOTS,
                                     .keys = GROWTH_KEYS,
                                     .seed = options->seed,
                                     .trials = chosen(options->trials, GROWTH_TRIALS),
                                     .label = "e13 growth"};
    struct trials_work work;
    uint64_t *tally = NULL;

    setting.rule = (struct growth_rule){.k = k,
                                        .layout = k == 1 ? LAYOUT_SPLIT : LAYOUT_ONE,
                                        .max_kicks = 500,
                                        .doubles = 1,
                                        .new_functions = new_functions,
                                        .grow_num = grow_at,
                                        .grow_den = grow_at > 0 ? 100 : 0};
    policy_work(&setting, &work);
    int code = trials_run(&work, options, &tally, err);
    if (code == ERR_NONE) {
        double trials = (double)setting.trials, keys = (double)setting.keys;
        out_word(out, k == 1 ? "two-tables" : "buckets-of-4");
        if (grow_at > 0)
            out_wordf(out, "at-%u%%", grow_at);
        else
            out_word(out, "at-failure");
        out_word(out, new_functions ? "new" : "same");
        out_count(out, setting.keys);
        out_count(out, setting.trials);
        out_real(out, (double)tally[POLICY_WRITES] / trials / keys);
        out_real(out, (double)tally[POLICY_REBUILDS] / trials);
        out_real(out, (double)tally[POLICY_ATTEMPTS] / trials);
        out_real(out, keys * trials / (double)tally[POLICY_SLOTS]);
        out_count(out, tally[POLICY_LARGEST]);
        out_count(out, tally[POLICY_LOST]);
    }
    free(tally);
    return code;
}

int e13_growth(const struct options *options, struct out *out, struct error *err)
{
    static const struct {
        unsigned k, grow_at;
    } rows[] = {{1, 0}, {1, 40}, {1, 45}, {4, 0}, {4, 85}, {4, 93}};
    int code = ERR_NONE;

    out_begin(out, &e13_growth_table);
    out_param(out, "seed", "%" PRIu64, options->seed);
    out_param(out, "max_kicks", "500");
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int new_functions = 0; new_functions < 2 && code == ERR_NONE; new_functions++)
            code = growth_row(options, rows[i].k, rows[i].grow_at, new_functions, out, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

/* ---- deletions ---- */

static const struct out_column churn_columns[] = {
    {"scheme", OUT_WORD, 0, "two-tables: of single slots; buckets-of-4: in one table; d = 2"},
    {"deletion", OUT_WORD, 0, "clear: the slot is free; tombstone: only after a rebuild"},
    {"load", OUT_FIXED, 2, "keys / slots, constant"},
    {"turn", OUT_COUNT, 0,
     "0: the last hundredth of the filling; then each replaces all keys once"},
    {"insertions", OUT_COUNT, 0, "each after a deletion, trials added up"},
    {"kicks", OUT_COUNT, 0, "of these insertions"},
    {"kicks_mean", OUT_FIXED, 4, "an insertion"},
    {"writes_mean", OUT_FIXED, 4, "slots written an insertion, rebuilds included"},
    {"failed", OUT_COUNT, 0, "insertions that left a key over"},
    {"rebuilds", OUT_COUNT, 0, "without the tombstones, when an insertion found no place"},
    {"missing", OUT_COUNT, 0, "keys there that a lookup did not find, at the end of the turn"},
};
const struct out_table e13_churn_table = {"e13.churn", "Deletion and insertion at a constant load",
                                          churn_columns, COUNT(churn_columns)};

static int churn_rows(const struct options *options, unsigned k, unsigned load, int tombstones,
                      struct out *out, struct error *err)
{
    struct ratio filled = {load, 100};
    struct churn_setting setting = {.slots = CHURN_SLOTS,
                                    .keys = ratio_floor(filled, CHURN_SLOTS),
                                    .tombstones = tombstones,
                                    .seed = options->seed,
                                    .trials = chosen(options->trials, CHURN_TRIALS),
                                    .label = "e13 churn"};
    struct trials_work work;
    uint64_t *tally = NULL;

    setting.rule = (struct growth_rule){
        .k = k, .layout = k == 1 ? LAYOUT_SPLIT : LAYOUT_ONE, .max_kicks = 500};
    churn_work(&setting, &work);
    int code = trials_run(&work, options, &tally, err);
    for (unsigned turn = 0; turn <= CHURN_TURNS && code == ERR_NONE; turn++) {
        const uint64_t *cell = &tally[turn * CHURN_CELLS];
        double insertions = (double)cell[CHURN_INSERTIONS];
        out_word(out, k == 1 ? "two-tables" : "buckets-of-4");
        out_word(out, tombstones ? "tombstone" : "clear");
        out_real(out, load / 100.0);
        out_count(out, turn);
        out_count(out, cell[CHURN_INSERTIONS]);
        out_count(out, cell[CHURN_KICKS]);
        out_real(out, (double)cell[CHURN_KICKS] / insertions);
        out_real(out, (double)cell[CHURN_WRITES] / insertions);
        out_count(out, cell[CHURN_FAILED]);
        out_count(out, cell[CHURN_REBUILDS]);
        out_count(out, cell[CHURN_MISSING]);
    }
    free(tally);
    return code;
}

int e13_churn(const struct options *options, struct out *out, struct error *err)
{
    static const struct {
        unsigned k, load;
    } rows[] = {{1, 35}, {1, 40}, {1, 45}, {4, 80}, {4, 90}, {4, 94}};
    int code = ERR_NONE;

    out_begin(out, &e13_churn_table);
    out_param(out, "seed", "%" PRIu64, options->seed);
    out_param(out, "slots", "%" PRIu64, CHURN_SLOTS);
    out_param(out, "max_kicks", "500");
    out_note(out, "A key that is left over is dropped, and the next deletion is left out.");
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int tombstones = 0; tombstones < 2 && code == ERR_NONE; tombstones++)
            code = churn_rows(options, rows[i].k, rows[i].load, tombstones, out, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

/* ---- comparators ---- */

static const struct out_column largest_columns[] = {
    {"rule", OUT_WORD, 0, "chains: one bucket a key; choices: the lightest of d; left: d-left"},
    {"d", OUT_COUNT, 0, "buckets that a key may go to"},
    {"keys", OUT_COUNT, 0, "n, as many as buckets"},
    {"trials", OUT_COUNT, 0, "tables filled"},
    {"least", OUT_COUNT, 0, "keys in the largest bucket, over the trials"},
    {"median", OUT_COUNT, 0, "of the largest bucket"},
    {"greatest", OUT_COUNT, 0, "over the trials"},
    {"hit_mean", OUT_FIXED, 4, "keys compared by a hit in its own bucket"},
    {"growth", OUT_FIXED, 3, "ln n / ln ln n (chains), ln ln n / ln d, ln ln n / (d ln phi_d)"},
};
const struct out_table e13_largest_table = {"e13.buckets",
                                            "The largest bucket: chains and lighter buckets",
                                            largest_columns, COUNT(largest_columns)};

/* phi_d, the limit of the ratios of the d-step Fibonacci numbers. */
static double phi(unsigned d)
{
    double low = 1.0, high = 2.0;

    for (int i = 0; i < 60; i++) {
        double x = (low + high) / 2.0, power = 1.0, sum = 0.0;
        for (unsigned j = 0; j < d; j++) {
            sum += power;
            power *= x;
        }
        if (power > sum)
            high = x;
        else
            low = x;
    }
    return low;
}

static double largest_growth(unsigned d, enum compare_choice choice, double n)
{
    if (d == 1)
        return log(n) / log(log(n));
    if (choice == COMPARE_ONE_TABLE)
        return log(log(n)) / log(d);
    return log(log(n)) / (d * log(phi(d)));
}

static int largest_row(const struct options *options, unsigned d, enum compare_choice choice,
                       uint32_t keys, struct out *out, struct error *err)
{
    struct largest_setting setting = {
        .buckets = keys / d * d, /* d parts of equal size */
        .keys = keys / d * d,
        .d = d,
        .choice = choice,
        .seed = options->seed,
        .trials = chosen(options->trials, trials_for(LARGEST_WORK, keys, LARGEST_TRIALS)),
        .label = "e13 buckets"};
    struct trials_work work;
    uint64_t *tally = NULL, seen = 0;

    if (setting.trials > 1000 && options->trials == 0)
        setting.trials = 1000;
    largest_work(&setting, &work);
    int code = trials_run(&work, options, &tally, err);
    if (code == ERR_NONE) {
        uint64_t least = LARGEST_CELLS, median = 0, greatest = 0;
        for (uint64_t i = 0; i < LARGEST_CELLS; i++) {
            if (tally[i] == 0)
                continue;
            if (least == LARGEST_CELLS)
                least = i;
            if (2 * seen < setting.trials)
                median = i;
            seen += tally[i];
            greatest = i;
        }
        out_word(out, d == 1 ? "chains" : choice == COMPARE_LEFT ? "left" : "choices");
        out_count(out, d);
        out_count(out, setting.keys);
        out_count(out, setting.trials);
        out_count(out, least);
        out_count(out, median);
        out_count(out, greatest);
        out_real(out, (double)tally[LARGEST_CELLS] / (double)setting.keys / (double)setting.trials);
        out_real(out, largest_growth(d, choice, (double)setting.keys));
    }
    free(tally);
    return code;
}

int e13_largest(const struct options *options, struct out *out, struct error *err)
{
    static const struct {
        unsigned d;
        enum compare_choice choice;
    } rules[] = {{1, COMPARE_ONE_TABLE},
                 {2, COMPARE_ONE_TABLE},
                 {2, COMPARE_LEFT},
                 {3, COMPARE_LEFT},
                 {4, COMPARE_LEFT}};
    int code = ERR_NONE;

    out_begin(out, &e13_largest_table);
    out_param(out, "seed", "%" PRIu64, options->seed);
    for (size_t r = 0; r < COUNT(rules); r++)
        for (unsigned log = 8; log <= 20 && code == ERR_NONE; log += 4)
            code = largest_row(options, rules[r].d, rules[r].choice, UINT32_C(1) << log, out, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

static const struct out_column probe_columns[] = {
    {"load", OUT_FIXED, 2, "keys / slots"},
    {"keys", OUT_COUNT, 0, "inserted by double hashing"},
    {"trials", OUT_COUNT, 0, "tables filled"},
    {"hit_mean", OUT_FIXED, 4, "slots compared by a hit on each key"},
    {"hit_limit", OUT_FIXED, 4, "ln(1/(1-load)) / load: uniform probing"},
    {"hit_most", OUT_COUNT, 0, "of one hit, over all trials"},
    {"misses", OUT_COUNT, 0, "lookups of absent keys"},
    {"miss_mean", OUT_FIXED, 4, "slots compared, the free one that ends it counted"},
    {"miss_limit", OUT_FIXED, 4, "1/(1-load): uniform probing"},
    {"miss_most", OUT_COUNT, 0, "of one miss"},
    {"linear_limit", OUT_FIXED, 4, "(1 + 1/(1-load)^2) / 2: a miss by linear probing"},
};
const struct out_table e13_probe_table = {"e13.probes", "Double hashing beside 1/(1-load)",
                                          probe_columns, COUNT(probe_columns)};

static int probe_row(const struct options *options, unsigned hundredths, struct out *out,
                     struct error *err)
{
    struct ratio filled = {hundredths, 100};
    struct double_setting setting = {.slots = PROBE_SLOTS,
                                     .keys = ratio_floor(filled, PROBE_SLOTS),
                                     .lookups = PROBE_LOOKUPS,
                                     .seed = options->seed,
                                     .trials = chosen(options->trials, PROBE_TRIALS),
                                     .label = "e13 probes"};
    struct trials_work work;
    uint64_t *tally = NULL;

    double_work(&setting, &work);
    int code = trials_run(&work, options, &tally, err);
    if (code == ERR_NONE) {
        double load = hundredths / 100.0, trials = (double)setting.trials;
        out_real(out, load);
        out_count(out, setting.keys);
        out_count(out, setting.trials);
        out_real(out, (double)tally[DOUBLE_HIT] / trials / (double)setting.keys);
        out_real(out, -log1p(-load) / load);
        out_count(out, tally[DOUBLE_MOST_HIT]);
        out_count(out, setting.lookups * setting.trials);
        out_real(out, (double)tally[DOUBLE_MISS] / trials / (double)setting.lookups);
        out_real(out, 1.0 / (1.0 - load));
        out_count(out, tally[DOUBLE_MOST_MISS]);
        out_real(out, (1.0 + 1.0 / ((1.0 - load) * (1.0 - load))) / 2.0);
    }
    free(tally);
    return code;
}

int e13_probes(const struct options *options, struct out *out, struct error *err)
{
    static const unsigned loads[] = {50, 70, 80, 90, 95};
    int code = ERR_NONE;

    out_begin(out, &e13_probe_table);
    out_param(out, "seed", "%" PRIu64, options->seed);
    out_param(out, "slots", "%" PRIu32, PROBE_SLOTS);
    for (size_t i = 0; i < COUNT(loads) && code == ERR_NONE; i++)
        code = probe_row(options, loads[i], out, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}
