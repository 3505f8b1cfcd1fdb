/* plan.c -- `cuckoo_sim plan`: of slots, stash and failure probability, what is missing.
 *
 * Two candidates and one key a slot: exact, by bisection over src/exact.  Anything else:
 * the threshold and what is proved, by bisection over src/bound, and what is left open. */
#include "commands.h"

#include <inttypes.h>
#include <math.h>

#include "../src/threshold.h"
#include "settings.h"

#define SLOTS_MAX (UINT64_C(1) << 40) /* of exact_stash() */

static const struct out_column exact_columns[] = {
    {"asked", OUT_WORD, 0, "what was looked for: slots, stash or failure"},
    {"layout", OUT_WORD, 0, "one table, or split: a table for each candidate"},
    {"positions", OUT_WORD, 0, "whether a key's two positions may coincide; moot in split tables"},
    {"m", OUT_WORD, 0, "slots of a table (of each, where they differ)"},
    {"slots", OUT_COUNT, 0, "slots over all tables: the least that do, where asked"},
    {"slots_per_key", OUT_FIXED, 4, "slots / keys"},
    {"keys", OUT_COUNT, 0, "n"},
    {"stash", OUT_COUNT, 0, "keys kept outside: the least that do, where asked; - above 32"},
    {"pr_overflow", OUT_SCI, 6, "exact probability that this stash does not suffice"},
    {"bits", OUT_FIXED, 3, "-log2 of it"},
};
static const struct out_column slots_columns[] = {
    {"candidates", OUT_COUNT, 0, "d, candidate buckets of a key"},
    {"bucket", OUT_COUNT, 0, "k, slots of a bucket"},
    {"positions", OUT_WORD, 0, "repeat, distinct (one table) or split (d tables): assumed"},
    {"keys", OUT_COUNT, 0, "n"},
    {"slots_threshold", OUT_COUNT, 0,
     "slots at the orientability threshold: the limit for n large"},
    {"slots_excluded", OUT_COUNT, 0, "with so many slots or fewer, failure above P is proved"},
    {"slots_proved", OUT_COUNT, 0,
     "with so many slots, failure of at most P is proved; - if not found"},
};
static const struct out_column bounds_columns[] = {
    {"candidates", OUT_COUNT, 0, "d, candidate buckets of a key"},
    {"bucket", OUT_COUNT, 0, "k, slots of a bucket"},
    {"positions", OUT_WORD, 0, "repeat, distinct (one table) or split (d tables): assumed"},
    {"keys", OUT_COUNT, 0, "n"},
    {"slots", OUT_COUNT, 0, "slots of all whole buckets"},
    {"load", OUT_FIXED, 6, "keys / slots"},
    {"threshold", OUT_FIXED, 6, "orientability threshold as a load"},
    {"lower_bits", OUT_FIXED, 2, "guaranteed: -log2 Pr[no placement] is at least this"},
    {"upper_bits", OUT_FIXED, 2, "and at most this; inf: nothing known"},
    {"verdict", OUT_WORD, 0, "proved: at most P; excluded: above P; open: neither; -: no P given"},
};
static const struct out_table exact_table = {"plan.exact", "What is missing, exactly",
                                             exact_columns,
                                             sizeof exact_columns / sizeof exact_columns[0]};
static const struct out_table slots_table = {
    "plan.slots", "What is proved about the slots: bounds, not the answer", slots_columns,
    sizeof slots_columns / sizeof slots_columns[0]};
static const struct out_table bounds_table = {
    "plan.bounds", "What is proved about the failure: bounds, not the answer", bounds_columns,
    sizeof bounds_columns / sizeof bounds_columns[0]};
static const struct out_table *const tables[] = {&exact_table, &slots_table, &bounds_table, NULL};

/* log of --fail, with a margin for P's that are met exactly. */
static double log_fail(const struct options *options)
{
    return options->fail_log2 * log(2.0) + 1e-9;
}

/* --- two candidates, one key a slot --- */

static int log_overflow(const struct options *options, uint64_t slots, unsigned stash,
                        double *log_probability, struct error *err)
{
    struct exact_setting setting;
    struct exact_row rows[EXACT_STASH_MAX + 1];
    int code = settings_exact(options, "plan", options->keys, slots, &setting, err);

    if (code == ERR_NONE)
        code = exact_stash(&setting, stash, rows);
    if (code == ERR_NONE)
        *log_probability = rows[stash].log_overflow;
    return code;
}

/* The least number of slots with which a stash of `stash` fails with at most --fail; 0 if
 * 2^40 do not suffice.  The probability falls as slots are added. */
static int least_slots(const struct options *options, unsigned stash, uint64_t *slots,
                       struct error *err)
{
    uint64_t step = options->split ? 2 : 1, low = 0, high = step == 2 || options->distinct ? 2 : 1;
    double log_probability;
    int code;

    *slots = 0;
    for (;;) { /* low fails too often (or is none), high is not yet known */
        code = log_overflow(options, high, stash, &log_probability, err);
        if (code != ERR_NONE)
            return code;
        if (log_probability <= log_fail(options))
            break;
        low = high;
        high *= 2;
        if (high > SLOTS_MAX)
            return ERR_NONE;
    }
    while (high - low > step && low > 0) {
        uint64_t middle = low + (high - low) / (2 * step) * step;
        code = log_overflow(options, middle, stash, &log_probability, err);
        if (code != ERR_NONE)
            return code;
        if (log_probability <= log_fail(options))
            high = middle;
        else
            low = middle;
    }
    *slots = high;
    return ERR_NONE;
}

/* One line of plan.exact; stash > EXACT_STASH_MAX: none suffices. */
static int write_exact(const struct options *options, struct out *out, const char *asked,
                       uint64_t slots, unsigned stash, struct error *err)
{
    struct exact_setting setting;
    double log_probability = 0.0;
    int code = settings_exact(options, "plan", options->keys, slots, &setting, err);

    if (code == ERR_NONE && stash <= EXACT_STASH_MAX)
        code = log_overflow(options, slots, stash, &log_probability, err);
    if (code != ERR_NONE)
        return code;
    out_word(out, asked);
    settings_words(out, &setting);
    out_count(out, slots);
    if (options->keys > 0)
        out_real(out, (double)slots / (double)options->keys);
    else
        out_none(out);
    out_count(out, options->keys);
    if (stash > EXACT_STASH_MAX) {
        for (int i = 0; i < 3; i++)
            out_none(out);
        return ERR_NONE;
    }
    out_count(out, stash);
    out_real(out, exp(log_probability));
    out_real(out, 0.0 - log_probability / log(2.0));
    return ERR_NONE;
}

static int plan_slots(const struct options *options, struct out *out, struct error *err)
{
    unsigned first = options_given(options, OPTION_STASH) ? (unsigned)options->stash : 0;
    unsigned last = options_given(options, OPTION_STASH) ? first : 8;

    for (unsigned stash = first; stash <= last; stash++) {
        uint64_t slots;
        int code = least_slots(options, stash, &slots, err);
        if (code == ERR_NONE && slots == 0)
            code = error_set(err, ERR_USAGE,
                             "plan: --fail 2^%.6g: not reached by 2^40 slots with a stash of %u",
                             options->fail_log2, stash);
        if (code == ERR_NONE)
            code = write_exact(options, out, "slots", slots, stash, err);
        if (code != ERR_NONE)
            return code;
    }
    return ERR_NONE;
}

static int plan_stash(const struct options *options, struct out *out, struct error *err)
{
    struct exact_setting setting;
    struct exact_row rows[EXACT_STASH_MAX + 1];
    int code = settings_exact(options, "plan", options->keys, options->slots, &setting, err);
    unsigned stash = 0;

    /* a short law first: it nearly always suffices, and costs a fraction of the long one */
    for (unsigned largest = 8; code == ERR_NONE; largest = EXACT_STASH_MAX) {
        code = exact_stash(&setting, largest, rows);
        while (code == ERR_NONE && stash <= largest && rows[stash].log_overflow > log_fail(options))
            stash++;
        if (stash <= largest || largest == EXACT_STASH_MAX)
            break;
    }
    if (code != ERR_NONE)
        return code;
    return write_exact(options, out, "stash", options->slots, stash, err);
}

static int plan_exact(const struct options *options, struct out *out, struct error *err)
{
    int code;

    out_begin(out, &exact_table);
    if (options_given(options, OPTION_FAIL))
        out_param(out, "fail", "2^%.6g", options->fail_log2);
    out_note(out,
             "exact (docs/EXACT.md): what a placement can do; a capped search fails more often");
    if (!options_given(options, OPTION_SLOTS))
        code = plan_slots(options, out, err);
    else if (options_given(options, OPTION_FAIL))
        code = plan_stash(options, out, err);
    else
        code = write_exact(options, out, "failure", options->slots, (unsigned)options->stash, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

/* --- any other number of candidates or size of buckets --- */

static int bound_at(const struct bound_setting *setting, uint64_t buckets,
                    struct bound_result *result)
{
    struct bound_setting changed = *setting;
    changed.buckets = buckets;
    return bound_failure(&changed, result);
}

/* The greatest number of buckets, a multiple of `step`, at which the lower (if `lower`) or
 * upper bound on the failure is still above `log_p`, from `first` on; 0 in *found if it is
 * not above it there, UINT64_MAX if it is so up to 2^32 buckets. */
static int last_above(const struct bound_setting *setting, uint64_t first, uint64_t step, int lower,
                      double log_p, uint64_t *found)
{
    struct bound_result result;
    uint64_t low = 0, high = first;

    for (;;) {
        int code = bound_at(setting, high, &result);
        if (code != ERR_NONE)
            return code;
        if ((lower ? result.log_lower : result.log_upper) <= log_p)
            break;
        low = high;
        high += (high / 2 / step + 1) * step;
        if (high > UINT64_C(1) << 32) {
            *found = UINT64_MAX;
            return ERR_NONE;
        }
    }
    while (low > 0 && high - low > step) {
        uint64_t middle = low + (high - low) / (2 * step) * step;
        int code = bound_at(setting, middle, &result);
        if (code != ERR_NONE)
            return code;
        if ((lower ? result.log_lower : result.log_upper) > log_p)
            low = middle;
        else
            high = middle;
    }
    *found = low;
    return ERR_NONE;
}

static int write_slots(const struct options *options, struct out *out,
                       const struct bound_setting *setting, struct error *err)
{
    uint64_t k = setting->bucket, excluded, below;
    uint64_t step = setting->positions == BOUND_SPLIT ? setting->candidates : 1;
    uint64_t least = setting->positions == BOUND_DISTINCT ? setting->candidates : step;
    double load;
    int code = threshold_orientability(setting->candidates, setting->bucket, &load, NULL);

    /* the first size that is not too small for the keys anyway */
    uint64_t first = (setting->keys + k * step - 1) / (k * step) * step;
    first = first < least ? least : first;
    if (code == ERR_NONE)
        code = last_above(setting, first, step, 1, log_fail(options), &excluded);
    if (code == ERR_NONE)
        code = last_above(setting, excluded == 0 || excluded == UINT64_MAX ? first : excluded, step,
                          0, log_fail(options), &below);
    if (code != ERR_NONE)
        return error_set(err, code, "plan: %s", error_text(code));
    out_count(out, setting->candidates);
    out_count(out, setting->bucket);
    out_word(out, settings_positions_name(setting->positions));
    out_count(out, setting->keys);
    out_count(out, (uint64_t)ceil((double)setting->keys / load));
    if (excluded == UINT64_MAX)
        out_none(out);
    else
        out_count(out, excluded > 0 ? excluded * k : (first - step) * k);
    if (below == UINT64_MAX)
        out_none(out);
    else
        out_count(out, (below > 0 ? below + step : first) * k);
    return ERR_NONE;
}

static int write_bounds(const struct options *options, struct out *out,
                        const struct bound_setting *setting, struct error *err)
{
    struct bound_result result;
    double load, slots = (double)(setting->buckets * setting->bucket);
    int code = threshold_orientability(setting->candidates, setting->bucket, &load, NULL);

    if (code == ERR_NONE)
        code = bound_failure(setting, &result);
    if (code != ERR_NONE)
        return error_set(err, code, "plan: %s", error_text(code));
    out_count(out, setting->candidates);
    out_count(out, setting->bucket);
    out_word(out, settings_positions_name(setting->positions));
    out_count(out, setting->keys);
    out_count(out, setting->buckets * setting->bucket);
    out_real(out, (double)setting->keys / slots);
    out_real(out, load);
    out_real(out, settings_bits_down(result.log_upper));
    out_real(out, settings_bits_up(result.log_lower));
    if (!options_given(options, OPTION_FAIL))
        out_none(out);
    else
        out_word(out, result.log_upper <= log_fail(options)  ? "proved"
                      : result.log_lower > log_fail(options) ? "excluded"
                                                             : "open");
    return ERR_NONE;
}

/* The rows: the positions asked for, or every kind that this number of slots allows. */
static int write_kinds(const struct options *options, struct out *out, struct error *err)
{
    int all = !options_given(options, OPTION_LAYOUT) && !options_given(options, OPTION_POSITIONS);
    int slots_given = options_given(options, OPTION_SLOTS), rows = 0;
    unsigned d = (unsigned)options->candidates.value[0], k = (unsigned)options->bucket.value[0];

    for (int kind = BOUND_REPEAT; kind <= BOUND_SPLIT; kind++) {
        struct options own = *options;
        struct bound_setting setting;
        if (all) {
            own.split = kind == BOUND_SPLIT;
            own.distinct = kind == BOUND_DISTINCT;
        } else if (kind != (own.split      ? BOUND_SPLIT
                            : own.distinct ? BOUND_DISTINCT
                                           : BOUND_REPEAT)) {
            continue;
        }
        int code = settings_bound(&own, "plan", d, k,
                                  slots_given ? options->slots : (uint64_t)d * k, &setting, err);
        if (code != ERR_NONE && all && rows > 0) { /* this kind does not fit: the others do */
            *err = (struct error){0};
            continue;
        }
        if (code == ERR_NONE)
            code = slots_given ? write_bounds(options, out, &setting, err)
                               : write_slots(options, out, &setting, err);
        if (code != ERR_NONE)
            return code;
        rows++;
    }
    return ERR_NONE;
}

static int plan_bounds(const struct options *options, struct out *out, struct error *err)
{
    if (options_given(options, OPTION_STASH))
        return error_set(err, ERR_USAGE,
                         "plan: --stash %" PRIu64
                         ": allowed for 2 candidates and buckets of 1 only",
                         options->stash);
    out_begin(out, options_given(options, OPTION_SLOTS) ? &bounds_table : &slots_table);
    if (options_given(options, OPTION_FAIL))
        out_param(out, "fail", "2^%.6g", options->fail_log2);
    out_note(out, "bounds (docs/BOUNDS.md), not the answer: no exact law is known here");
    out_note(out, "about placements; a search that gives up after some kicks fails more often");
    out_note(out,
             "what is left open can be measured, down to about 2^-25: cuckoo_sim run "
             "--candidates %u --bucket %u --keys %" PRIu64 " --slots M --search complete "
             "--measure fail",
             (unsigned)options->candidates.value[0], (unsigned)options->bucket.value[0],
             options->keys);
    int code = write_kinds(options, out, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    if (options->candidates.count != 1 || options->bucket.count != 1)
        return error_set(err, ERR_USAGE, "plan: --candidates and --bucket: one value is allowed");
    if (!options_given(options, OPTION_FAIL) && !options_given(options, OPTION_SLOTS))
        return error_set(err, ERR_USAGE,
                         "plan: --fail or --slots must be given; see `cuckoo_sim "
                         "help plan`");
    if (options_given(options, OPTION_FAIL) && options_given(options, OPTION_SLOTS) &&
        options_given(options, OPTION_STASH))
        return error_set(err, ERR_USAGE,
                         "plan: --fail, --slots and --stash: two of them are allowed; the third "
                         "is what is looked for");
    if (options->candidates.value[0] == 2 && options->bucket.value[0] == 1)
        return plan_exact(options, out, err);
    return plan_bounds(options, out, err);
}

static void defaults(struct options *options)
{
    options->candidates = (struct option_list){1, {2}};
    options->bucket = (struct option_list){1, {1}};
}

static const struct option_limit limits[] = {{OPTION_STASH, 0, EXACT_STASH_MAX}, {0, 0, 0}};

const struct command command_plan = {
    .name = "plan",
    .summary = "slots, stash or failure probability: what is missing",
    .about =
        "Give the keys and two of --slots, --stash and --fail, and the third is answered; with\n"
        "--fail alone, the slots for each stash of 0 to 8.  Exact for two candidates and one\n"
        "key a slot.  Otherwise the threshold and proved bounds are printed, and what they\n"
        "leave open.\n"
        "Example: cuckoo_sim plan --keys 2^20 --fail 2^-40",
    .takes = OPTION_BIT(OPTION_KEYS) | OPTION_BIT(OPTION_SLOTS) | OPTION_BIT(OPTION_CANDIDATES) |
             OPTION_BIT(OPTION_BUCKET) | OPTION_BIT(OPTION_LAYOUT) | OPTION_BIT(OPTION_POSITIONS) |
             OPTION_BIT(OPTION_STASH) | OPTION_BIT(OPTION_FAIL) | OPTION_OUTPUT_BITS,
    .needs = OPTION_BIT(OPTION_KEYS),
    .tables = tables,
    .defaults = defaults,
    .run = run,
    .limits = limits,
};
