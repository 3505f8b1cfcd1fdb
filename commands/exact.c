/* exact.c -- `cuckoo_sim exact`: the exact law of the stash, two candidates, one key a slot. */
#include "commands.h"

#include <inttypes.h>
#include <math.h>

#include "settings.h"

static const struct out_column columns[] = {
    {"layout", OUT_WORD, 0, "one table, or split: a table for each candidate"},
    {"positions", OUT_WORD, 0, "whether a key's two positions may coincide; moot in split tables"},
    {"m", OUT_WORD, 0, "slots of a table (of each, where they differ)"},
    {"slots", OUT_COUNT, 0, "slots over all tables"},
    {"keys", OUT_COUNT, 0, "n"},
    {"stash", OUT_COUNT, 0, "s"},
    {"pr_equal", OUT_SCI, 8, "Pr[S = s], S the least number of keys that no placement holds"},
    {"pr_at_least", OUT_SCI, 8, "Pr[S >= s]"},
    {"pr_overflow", OUT_SCI, 8, "Pr[S > s]: a stash of s keys fails"},
    {"bits", OUT_FIXED, 5, "-log2 Pr[S >= s], from the logarithm; inf where it cannot happen"},
};
static const struct out_table table = {"exact", "The exact distribution of the stash", columns,
                                       sizeof columns / sizeof columns[0]};
static const struct out_table *const tables[] = {&table, NULL};

/* Digits that are right for this number of keys (exact.h): a printed digit never depends on
 * the machine. */
static int digits_for(uint64_t keys)
{
    return keys <= UINT64_C(1) << 20 ? 8 : keys <= UINT64_C(1) << 30 ? 5 : 4;
}

/* A sum that is 1 - the others has fewer digits the smaller it is. */
static int digits_of_sum(double value, double error, int digits)
{
    if (error <= 0.0 || value <= 0.0)
        return digits;
    int right = (int)floor(log10(value / error));
    return right < 1 ? 1 : right < digits ? right : digits;
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    struct exact_setting setting;
    struct exact_row rows[EXACT_STASH_MAX + 1];
    int code = settings_exact(options, "exact", options->keys, options->slots, &setting, err);

    if (code != ERR_NONE)
        return code;
    code = exact_stash(&setting, (unsigned)options->stash, rows);
    if (code != ERR_NONE)
        return code;
    out_begin(out, &table);
    out_note(out, "no sampling: coefficients of generating functions (docs/EXACT.md)");
    for (unsigned s = 0; s <= options->stash; s++) {
        int digits = digits_for(setting.keys);
        int at_least = digits_of_sum(rows[s].at_least, rows[s].error_at_least, digits);
        int overflow = digits_of_sum(rows[s].overflow, rows[s].error_overflow, digits);
        settings_words(out, &setting);
        out_count(out, options->slots);
        out_count(out, setting.keys);
        out_count(out, s);
        out_real_digits(out, rows[s].equal, digits);
        out_real_digits(out, rows[s].at_least, at_least);
        out_real_digits(out, rows[s].overflow, overflow);
        out_real_digits(out, 0.0 - rows[s].log_at_least / log(2.0),
                        at_least > 3 ? at_least - 3 : 0);
    }
    out_end(out);
    return ERR_NONE;
}

static void defaults(struct options *options)
{
    options->stash = 8;
}

static const struct option_limit limits[] = {{OPTION_STASH, 0, EXACT_STASH_MAX}, {0, 0, 0}};

const struct command command_exact = {
    .name = "exact",
    .summary = "the exact distribution of the stash, two candidates, one key a slot",
    .about =
        "S is the sum over the cuckoo graph's components of max(0, edges - vertices): the\n"
        "smallest stash that suffices; S = 0 means that every key has a place.  Computed, not\n"
        "sampled, for keys up to 2^40, also where the probability is 2^-100.\n"
        "Example: cuckoo_sim exact --keys 1000 --slots 2400 --layout split --stash 4",
    .takes = OPTION_BIT(OPTION_KEYS) | OPTION_BIT(OPTION_SLOTS) | OPTION_BIT(OPTION_LAYOUT) |
             OPTION_BIT(OPTION_POSITIONS) | OPTION_BIT(OPTION_STASH) | OPTION_OUTPUT_BITS,
    .needs = OPTION_BIT(OPTION_KEYS) | OPTION_BIT(OPTION_SLOTS),
    .tables = tables,
    .defaults = defaults,
    .run = run,
    .limits = limits,
};
