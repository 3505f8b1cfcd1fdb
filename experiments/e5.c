/* e5.c -- how large a stash has to be: the law of S, sampled and exact, and the stash that
 * Kirsch, Mitzenmacher and Wieder's procedure uses on the same graphs. */
#include "experiments.h"

#include <stdlib.h>

#include "../src/exact.h"
#include "common.h"

#define KEYS_A_ROW     UINT64_C(200000000)
#define TRIALS_ARTICLE 100000 /* the article's at n = 10000 */
#define TRIALS_LEAST   1000
#define STASH_MOST     4

static const uint64_t key_counts[] = {250, 500, 1000, 2000, 5000, 10000, 20000};
static const struct ratio slots_a_key = {12, 10}; /* of one table */

static const struct out_column columns[] = {
    {"keys", OUT_COUNT, 0, "n"},
    {"m", OUT_COUNT, 0, "slots of each of the two tables"},
    {"slots", OUT_COUNT, 0, "2m"},
    {"s", OUT_COUNT, 0, "stash size that is reached"},
    {"trials", OUT_COUNT, 0, "graphs drawn"},
    {"at_least", OUT_COUNT, 0,
     "graphs with S >= s, S = sum over components of max(0, edges - vertices)"},
    {"proportion", OUT_SCI, 4, "at_least / trials"},
    {"low", OUT_SCI, 4, "lower end of its 95% Clopper-Pearson interval"},
    {"high", OUT_SCI, 4, "upper end"},
    {"exact", OUT_SCI, 7, "Pr[S >= s], from generating functions (docs/EXACT.md)"},
    {"walk_at_least", OUT_COUNT, 0,
     "graphs on which the original insertion stashed s keys or more"},
    {"walk_proportion", OUT_SCI, 4, "walk_at_least / trials"},
    {"walk_low", OUT_SCI, 4, "lower end of its 95% Clopper-Pearson interval"},
    {"walk_high", OUT_SCI, 4, "upper end"},
};

static const struct out_table table = {"e5.stash", "How large a stash has to be", columns,
                                       sizeof columns / sizeof columns[0]};

static uint64_t tail(const uint64_t *histogram, size_t from)
{
    return total_of(histogram + from, FAIL_STASH_CELLS - from);
}

static int write_row(struct out *out, const struct fail_setting *setting, const uint64_t *tally,
                     const struct exact_row *law, unsigned s, struct error *err)
{
    uint64_t walk = tail(&tally[FAIL_RULE_STASH], s);

    out_count(out, setting->keys);
    out_count(out, setting->scheme.slots / 2);
    out_count(out, setting->scheme.slots);
    out_count(out, s);
    int code = out_proportion(out, tail(&tally[FAIL_STASH], s), setting->trials, err);
    out_real(out, law[s].at_least);
    out_count(out, walk);
    return code == ERR_NONE ? out_estimate(out, walk, setting->trials, err) : code;
}

static int run_size(const struct options *options, uint64_t keys, uint64_t m, struct out *out,
                    struct error *err)
{
    struct fail_setting setting = {
        .keys = keys, .seed = options->seed, .label = "e5", .rule = &insert_rule_original100};
    struct exact_setting exact = {.layout = EXACT_SPLIT, .keys = keys, .slots_1 = m, .slots_2 = m};
    struct exact_row law[STASH_MOST + 1];
    struct trials_work work;
    uint64_t *tally = NULL;
    uint64_t trials = keys == 10000 ? TRIALS_ARTICLE : trials_for(KEYS_A_ROW, keys, TRIALS_LEAST);
    int code = init_scheme(&setting.scheme, 2, 1, LAYOUT_SPLIT, 2 * m, "e5", err);

    if (code != ERR_NONE)
        return code;
    setting.trials = chosen(options->trials, trials);
    code = exact_stash(&exact, STASH_MOST, law);
    if (code != ERR_NONE)
        return error_set(err, code, "e5: the exact law: %s", error_text(code));
    fail_work(&setting, &work);
    code = trials_run(&work, options, &tally, err);
    for (unsigned s = 1; s <= STASH_MOST && code == ERR_NONE; s++)
        code = write_row(out, &setting, tally, law, s, err);
    free(tally);
    return code;
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    struct ratio keys_a_slot = {slots_a_key.den, slots_a_key.num};
    size_t count = options->slots > 0 ? 1 : sizeof key_counts / sizeof key_counts[0];
    int code = ERR_NONE;

    if (options->slots % 2 != 0)
        return error_set(err, ERR_USAGE,
                         "e5: --slots %llu: an even number, for two equal tables, "
                         "is allowed",
                         (unsigned long long)options->slots);
    out_begin(out, &table);
    out_param(out, "seed", "%llu", (unsigned long long)options->seed);
    out_note(out, "The walk: original insertion, at most 100 kicks; the key then nestless goes to");
    out_note(out, "the stash and the next key comes (Kirsch, Mitzenmacher, Wieder, ESA 2008).  It");
    out_note(out,
             "meets the same graphs, and can need more than S.  They are said to print 0.719%%");
    out_note(out, "for n = 1000 and 0.101%% for n = 10000 (second-hand), s = 1.");
    for (size_t i = 0; i < count && code == ERR_NONE; i++) {
        uint64_t keys =
            options->slots > 0 ? ratio_floor(keys_a_slot, options->slots / 2) : key_counts[i];
        uint64_t m = options->slots > 0 ? options->slots / 2 : ratio_ceil(slots_a_key, keys);
        code = run_size(options, keys, m, out, err);
    }
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

static const struct out_table *const tables[] = {&table, NULL};

const struct command experiment_e5 = {
    .name = "e5",
    .summary = "how large a stash has to be: sampled, exact, and by insertion",
    .about =
        "Draws random cuckoo graphs with 1.2 n slots in each of two tables and prints the tail\n"
        "of S, the smallest stash that suffices, beside its exact law and beside the stash\n"
        "that the original insertion with at most 100 kicks uses on the same graphs.",
    .takes = OPTION_TRIAL_BITS | OPTION_BIT(OPTION_SLOTS),
    .tables = tables,
    .run = run,
};
