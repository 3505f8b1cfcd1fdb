/* e5.c -- how large a stash has to be: the law of S, sampled and exact, and the stash that
 * Kirsch, Mitzenmacher and Wieder's procedure uses on the same graphs. */
#include "experiments.h"

#include <math.h>
#include <stdlib.h>

#include "../src/exact.h"
#include "../src/graph.h"
#include "../src/stats.h"
#include "common.h"
#include "defaults.h"

#define STASH_MOST 4

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
    {"original_at_least", OUT_COUNT, 0,
     "graphs on which the original insertion stashed s keys or more"},
    {"original_proportion", OUT_SCI, 4, "original_at_least / trials"},
    {"original_low", OUT_SCI, 4, "lower end of its 95% Clopper-Pearson interval"},
    {"original_high", OUT_SCI, 4, "upper end"},
};

/* Two counts of S >= 1 that an article prints (published/articles.tsv), to be judged. */
static const struct {
    uint64_t keys, count, trials;
} article[] = {{1000, 718, 100000}, {10000, 73, 100000}};

static const struct out_column article_columns[] = {
    {"keys", OUT_COUNT, 0, "n; two tables of 1.2 n slots"},
    {"count", OUT_COUNT, 0, "the article's graphs with S >= 1"},
    {"trials", OUT_COUNT, 0, "of so many"},
    {"exact", OUT_SCI, 7, "Pr[S >= 1]"},
    {"expected", OUT_FIXED, 2, "exact * trials"},
    {"tail", OUT_WORD, 0, "at_most or at_least: the side of the expected value it lies on"},
    {"probability", OUT_SCI, 4, "of a binomial count so far out on that side, or farther"},
};

static const struct out_table table = {"e5.stash", "How large a stash has to be", columns,
                                       sizeof columns / sizeof columns[0]};

static const struct out_table article_table = {
    "e5.article", "Two published counts against the exact law", article_columns,
    sizeof article_columns / sizeof article_columns[0]};

static uint64_t tail(const uint64_t *histogram, size_t from)
{
    return total_of(histogram + from, FAIL_STASH_CELLS - from);
}

static int write_row(struct out *out, const struct fail_setting *setting, const uint64_t *tally,
                     const struct exact_row *law, unsigned s, struct error *err)
{
    uint64_t stashed = tail(&tally[FAIL_RULE_STASH], s);

    out_count(out, setting->keys);
    out_count(out, setting->scheme.slots / 2);
    out_count(out, setting->scheme.slots);
    out_count(out, s);
    int code = out_proportion(out, tail(&tally[FAIL_STASH], s), setting->trials, err);
    out_real(out, law[s].at_least);
    out_count(out, stashed);
    return code == ERR_NONE ? out_estimate(out, stashed, setting->trials, err) : code;
}

static int exact_law(uint64_t keys, uint64_t m, struct exact_row *law, struct error *err)
{
    struct exact_setting exact = {.layout = EXACT_SPLIT, .keys = keys, .slots_1 = m, .slots_2 = m};
    int code = exact_stash(&exact, STASH_MOST, law);

    return code == ERR_NONE ? code
                            : error_set(err, code, "e5: the exact law: %s", error_text(code));
}

static int run_size(const struct options *options, uint64_t keys, uint64_t m, struct out *out,
                    struct error *err)
{
    struct fail_setting setting = {
        .keys = keys, .seed = options->seed, .label = "e5", .rule = &insert_rule_original100};
    struct exact_row law[STASH_MOST + 1];
    struct trials_work work;
    uint64_t *tally = NULL;
    uint64_t trials =
        keys == 10000 ? E5_TRIALS_ARTICLE : trials_for(KEYS_A_ROW, keys, TRIALS_LEAST);
    int code = init_scheme(&setting.scheme, 2, 1, LAYOUT_SPLIT, 2 * m, "e5", err);

    if (code != ERR_NONE)
        return code;
    setting.trials = chosen(options->trials, trials);
    code = exact_law(keys, m, law, err);
    if (code != ERR_NONE)
        return code;
    fail_work(&setting, &work);
    code = trials_run(&work, options, &tally, err);
    for (unsigned s = 1; s <= STASH_MOST && code == ERR_NONE; s++)
        code = write_row(out, &setting, tally, law, s, err);
    free(tally);
    return code;
}

static int write_article(struct out *out, struct error *err)
{
    int code = ERR_NONE;

    out_begin(out, &article_table);
    out_note(out,
             "Whether a count that somebody printed is a plausible sample of the exact law.  The");
    out_note(
        out,
        "second is not: the second-hand 0.101%% above is right, and 0.073%% is a stray value.");
    for (size_t i = 0; i < sizeof article / sizeof article[0] && code == ERR_NONE; i++) {
        struct exact_row law[STASH_MOST + 1];
        double at_most, at_least;
        code = exact_law(article[i].keys, ratio_ceil(slots_a_key, article[i].keys), law, err);
        if (code == ERR_NONE)
            code = stats_binomial_tails(article[i].count, article[i].trials, law[1].at_least,
                                        &at_most, &at_least);
        if (code != ERR_NONE)
            break;
        double expected = law[1].at_least * (double)article[i].trials;
        int below = (double)article[i].count < expected;
        out_count(out, article[i].keys);
        out_count(out, article[i].count);
        out_count(out, article[i].trials);
        out_real(out, law[1].at_least);
        out_real(out, expected);
        out_word(out, below ? "at_most" : "at_least");
        out_real(out, exp(below ? at_most : at_least));
    }
    if (code != ERR_NONE)
        return error_from_code(err, code, "e5");
    out_end(out);
    return code;
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    struct ratio keys_a_slot = {slots_a_key.den, slots_a_key.num};
    size_t count = options->slots > 0 ? 1 : sizeof key_counts / sizeof key_counts[0];
    int code = ERR_NONE;

    out_begin(out, &table);
    out_param(out, "seed", "%llu", (unsigned long long)options->seed);
    out_note(out, "original_*: the original insertion, at most 100 kicks; the key then nestless");
    out_note(out,
             "goes to the stash and the next key comes (Kirsch, Mitzenmacher, Wieder, ESA 2008).");
    out_note(out,
             "It meets the same graphs, and can need more than S.  They are said to print 0.719%%");
    out_note(out, "for n = 1000 and 0.101%% for n = 10000 (second-hand), s = 1.");
    for (size_t i = 0; i < count && code == ERR_NONE; i++) {
        uint64_t keys =
            options->slots > 0 ? ratio_floor(keys_a_slot, options->slots / 2) : key_counts[i];
        uint64_t m = options->slots > 0 ? options->slots / 2 : ratio_ceil(slots_a_key, keys);
        code = run_size(options, keys, m, out, err);
    }
    if (code != ERR_NONE)
        return code;
    out_end(out);
    return options->slots > 0 ? ERR_NONE : write_article(out, err);
}

static const struct out_table *const tables[] = {&table, &article_table, NULL};

const struct command experiment_e5 = {
    .name = "e5",
    .summary = "how large a stash has to be: sampled, exact, and by insertion",
    .about =
        "Draws random cuckoo graphs with 1.2 n slots in each of two tables and prints the tail\n"
        "of S, the smallest stash that suffices, beside its exact law and beside the stash\n"
        "that the original insertion with at most 100 kicks uses on the same graphs.",
    .takes = OPTION_TRIAL_BITS | OPTION_BIT(OPTION_SLOTS),
    .tables = tables,
    .slots = {2, GRAPH_VERTICES_MAX, 2},
    .run = run,
};
