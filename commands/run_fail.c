/* run_fail.c -- `run --measure fail`: how often keys have no place, the events apart.
 *
 * Stopping at F failures: the interval is that of the inverse binomial: N trials were needed
 * for F failures, so the lower end is Clopper and Pearson's for F of N and the upper end that
 * for F - 1 of N - 1.  Stopping at a width: looks after 1024, 2048, 4096 ... trials, each
 * with its share of the error probability (Bonferroni), so that the last interval holds
 * at 95% whenever one stops. */
#include "question.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../experiments/common.h"
#include "../src/bound.h"
#include "../src/exact.h"
#include "../src/graph.h"
#include "../src/stats.h"

#define FIRST_LOOK UINT64_C(1024)

static const struct out_column columns[] = {
    QUESTION_COLUMNS,
    {"keyset", OUT_WORD, 0, "random, a set by rule (src/keyset.h), or file"},
    {"keys", OUT_COUNT, 0, "n, offered in every trial"},
    {"load", OUT_FIXED, 6, "keys / slots"},
    {"stash", OUT_COUNT, 0, "s: a trial fails if more than s keys are left without a place"},
    {"trials", OUT_COUNT, 0, "key sets and functions drawn (a file of keys: functions only)"},
    {"failures", OUT_COUNT, 0, "of them failed: the sum of the three events"},
    {"no_placement", OUT_COUNT, 0, "no placement exists, whatever the search"},
    {"gave_up", OUT_COUNT, 0, "the search gave up though a placement exists"},
    {"degenerate", OUT_COUNT, 0,
     "certain before any draw: a key occurs more often than its buckets have slots"},
    {"proportion", OUT_SCI, 4, "failures / trials; - where nothing failed, see high"},
    {"low", OUT_SCI, 4, "lower end of its 95% interval (see # interval)"},
    {"high", OUT_SCI, 4, "upper end: what is shown if nothing failed"},
    {"bits", OUT_FIXED, 2, "-log2 of proportion"},
    {"bits_low", OUT_FIXED, 2, "-log2 of high: at least so many bits"},
    {"bits_high", OUT_FIXED, 2, "-log2 of low"},
    {"exact", OUT_SCI, 7,
     "two candidates, one slot, the mixer: probability that no placement exists"},
    {"proved_low", OUT_SCI, 4,
     "elsewhere, without a stash: proved lower bound of that probability (docs/BOUNDS.md)"},
    {"proved_high", OUT_SCI, 4, "proved upper bound; 1 where it says nothing"},
};

const struct out_table run_table_fail = {"run.fail", "How often keys have no place", columns,
                                         sizeof columns / sizeof columns[0]};

struct answer {
    struct fail_setting setting;
    uint64_t cells[FAIL_ADDS];
    uint64_t trials;
    double confidence;       /* of the interval that is printed */
    uint64_t until_failures; /* 0: not asked for */
};

static uint64_t above(const uint64_t *histogram, uint64_t stash)
{
    return total_of(histogram + stash + 1, FAIL_STASH_CELLS - (size_t)stash - 1);
}

static const uint64_t *rule_cells(const struct answer *answer)
{
    return &answer->cells[answer->setting.rule != NULL ? FAIL_RULE_STASH : FAIL_STASH];
}

static int interval(const struct answer *answer, uint64_t failures, double *low, double *high)
{
    int code = stats_clopper_pearson(failures, answer->trials, answer->confidence, low, high);
    double unused;

    if (code != ERR_NONE || answer->until_failures == 0 || failures != answer->until_failures ||
        answer->trials < 2)
        return code; /* the limit of --trials came first: Clopper and Pearson's */
    return stats_clopper_pearson(failures - 1, answer->trials - 1, answer->confidence, &unused,
                                 high);
}

static void write_bits(struct out *out, double probability)
{
    out_real(out, probability > 0.0 ? -log2(probability) : INFINITY);
}

static int exact_of(const struct question *question, struct exact_row *law, struct error *err)
{
    const struct scheme *scheme = &question->scheme;
    struct exact_setting setting = {.layout = EXACT_ONE_REPEAT, .keys = question->keys};

    setting.slots_1 = scheme->slots;
    if (scheme->layout == LAYOUT_SPLIT) {
        setting.layout = EXACT_SPLIT;
        setting.slots_1 = scheme->width[0];
        setting.slots_2 = scheme->width[1];
    } else if (scheme->positions == POSITIONS_DISTINCT) {
        setting.layout = EXACT_ONE_DISTINCT;
    }
    int code = exact_stash(&setting, (unsigned)question->options->stash + 1, law);
    return code == ERR_NONE
               ? code
               : error_set(err, code, "%s: the exact law: %s", question->name, error_text(code));
}

static int has_exact(const struct question *question)
{
    /* the mixer stands for fully random functions, and then all keys are alike */
    return question->scheme.d == 2 && question->scheme.k == 1 && question->keyfile.count == 0 &&
           question->family.kind == FAMILY_MIXER && question->derive.kind == DERIVE_NONE &&
           question->options->stash < EXACT_STASH_MAX;
}

/* What is proved about placements of all keys under fully random functions; about windows
 * nothing is. */
static int write_bounds(const struct question *question, uint64_t stash, struct out *out,
                        struct error *err)
{
    const struct scheme *scheme = &question->scheme;
    struct bound_setting setting = {.positions = BOUND_REPEAT,
                                    .candidates = scheme->d,
                                    .bucket = scheme->k,
                                    .keys = question->keys,
                                    .buckets = scheme->buckets};
    struct bound_result bound;

    if (stash > 0 || has_exact(question) || scheme->d < 2 || question->keyfile.count > 0 ||
        scheme->layout == LAYOUT_WINDOW || scheme_is_unequal(scheme) ||
        question->family.kind != FAMILY_MIXER || question->derive.kind != DERIVE_NONE) {
        out_none(out);
        out_none(out);
        return ERR_NONE;
    }
    if (scheme->layout == LAYOUT_SPLIT)
        setting.positions = BOUND_SPLIT;
    else if (scheme->positions == POSITIONS_DISTINCT)
        setting.positions = BOUND_DISTINCT;
    int code = bound_failure(&setting, &bound);
    if (code != ERR_NONE)
        return error_set(err, code, "%s: the bounds: %s", question->name, error_text(code));
    if (isinf(bound.log_lower))
        out_none(out);
    else
        out_real(out, exp(bound.log_lower));
    out_real(out, exp(bound.log_upper));
    return ERR_NONE;
}

static int write_row(const struct question *question, const struct answer *answer, uint64_t stash,
                     const struct exact_row *law, struct out *out, struct error *err)
{
    uint64_t failures = above(rule_cells(answer), stash);
    uint64_t none = above(&answer->cells[FAIL_STASH], stash);
    uint64_t places = (uint64_t)question->scheme.d * question->scheme.k;
    int certain = question->keyfile.count > 0 && keyfile_beyond(&question->keyfile, places) > stash;
    double low, high;
    int code = interval(answer, failures, &low, &high);

    if (code != ERR_NONE)
        return error_set(err, code, "%s: the interval: %s", question->name, error_text(code));
    question_write_setting(question, out);
    out_word(out, question->keyfile.count > 0 ? "file" : keyset_name(question->keyset.kind));
    out_count(out, question->keys);
    out_real(out, (double)question->keys / (double)question->scheme.slots);
    out_count(out, stash);
    out_count(out, answer->trials);
    out_count(out, failures);
    out_count(out, certain ? 0 : none);
    out_count(out, failures - none);
    out_count(out, certain ? none : 0);
    if (failures > 0)
        out_real(out, (double)failures / (double)answer->trials);
    else
        out_none(out);
    out_real(out, low);
    out_real(out, high);
    if (failures > 0)
        write_bits(out, (double)failures / (double)answer->trials);
    else
        out_none(out);
    write_bits(out, high);
    write_bits(out, low);
    if (has_exact(question))
        out_real(out, law[stash].overflow);
    else
        out_none(out);
    return write_bounds(question, stash, out, err);
}

/* Trials [first, first + count) of the answer, added to what is there.  *done: that many. */
static int add_trials(const struct question *question, struct answer *answer, uint64_t first,
                      uint64_t count, struct error *err)
{
    struct trials_work work;
    uint64_t *cells = NULL;

    answer->setting.trials = count;
    fail_work(&answer->setting, &work);
    work.first = first;
    work.stop_failures = question->options->until_failures;
    int code = trials_run(&work, question->options, &cells, err);
    for (size_t i = 0; i < FAIL_ADDS && code == ERR_NONE; i++)
        answer->cells[i] += cells[i];
    if (code == ERR_NONE)
        answer->trials += answer->setting.trials;
    free(cells);
    return code;
}

static uint64_t looks_until(uint64_t trials)
{
    uint64_t looks = 1;

    for (uint64_t n = FIRST_LOOK; n < trials; n *= 2)
        looks++;
    return looks;
}

static int narrow_enough(const struct question *question, const struct answer *answer)
{
    double low, high;
    uint64_t failures = above(rule_cells(answer), answer->setting.stash);

    return interval(answer, failures, &low, &high) == ERR_NONE &&
           high - low <= ratio_value(question->options->until_width);
}

static int run_until_width(const struct question *question, struct answer *answer,
                           struct error *err)
{
    uint64_t looks = looks_until(question->trials), next = FIRST_LOOK;
    int code = ERR_NONE;

    answer->confidence = 1.0 - (1.0 - CONFIDENCE) / (double)looks;
    while (code == ERR_NONE && answer->trials < question->trials) {
        uint64_t end = next < question->trials ? next : question->trials;
        uint64_t first = answer->trials;
        code = add_trials(question, answer, first, end - first, err);
        if (code != ERR_NONE || answer->trials < end || narrow_enough(question, answer))
            break;
        next *= 2;
    }
    /* a signal in a later look: what the earlier ones gave stands */
    return code == ERR_STOPPED && answer->trials > 0 ? ERR_NONE : code;
}

/* Random keys on a cuckoo graph are the only ones that are not inserted one by one. */
static int check_graph(const struct question *question, struct error *err)
{
    const struct scheme *scheme = &question->scheme;

    if (scheme->d != 2 || scheme->k != 1 || question->keyfile.count > 0 ||
        question->keyset.kind != KEYSET_RANDOM ||
        (scheme->slots <= GRAPH_VERTICES_MAX && question->keys < GRAPH_VERTICES_MAX))
        return ERR_NONE;
    return error_set(err, ERR_USAGE,
                     "%s: --slots %" PRIu64 " with %" PRIu64 " keys: for --candidates 2 and "
                     "--bucket 1 at most 2^31 slots and fewer than 2^31 keys are allowed",
                     question->name, scheme->slots, question->keys);
}

int run_fail(const struct question *question, struct out *out, struct error *err)
{
    const struct options *options = question->options;
    struct answer answer = {
        .setting = {.scheme = question->scheme,
                    .keys = question->keys,
                    .seed = options->seed,
                    .label = "run",
                    .stash = options->stash,
                    .rule = search_is_complete(&question->rule) ? NULL : &question->rule,
                    .key = question->keyfile.count > 0 ? question->keyfile.key : NULL,
                    .keyset = question->keyset.kind != KEYSET_RANDOM ? &question->keyset : NULL,
                    .fingerprint = question->keyfile.fingerprint},
        .confidence = CONFIDENCE,
        .until_failures = options->until_failures,
    };
    struct exact_row law[EXACT_STASH_MAX + 1];
    int code = check_graph(question, err);

    if (code == ERR_NONE && has_exact(question))
        code = exact_of(question, law, err);
    if (code == ERR_NONE)
        code = options->until_width.num > 0
                   ? run_until_width(question, &answer, err)
                   : add_trials(question, &answer, 0, question->trials, err);
    /* a stopping rule looks at one stash size: the intervals of others would not hold */
    int stops = options->until_failures > 0 || options->until_width.num > 0;
    for (uint64_t stash = stops ? options->stash : 0; stash <= options->stash && code == ERR_NONE;
         stash++)
        code = write_row(question, &answer, stash, law, out, err);
    return code;
}
