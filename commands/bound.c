/* bound.c -- `cuckoo_sim bound`: proved bounds on the probability that no placement exists. */
#include "commands.h"

#include "settings.h"

static const struct out_column columns[] = {
    {"candidates", OUT_COUNT, 0, "d, candidate buckets of a key"},
    {"bucket", OUT_COUNT, 0, "k, slots of a bucket"},
    {"positions", OUT_WORD, 0,
     "one table, candidates independent (repeat) or never the same (distinct); split: d tables"},
    {"keys", OUT_COUNT, 0, "n"},
    {"slots", OUT_COUNT, 0, "slots of all whole buckets"},
    {"m", OUT_COUNT, 0, "slots of a table"},
    {"lower_bits", OUT_FIXED, 2,
     "-log2 of the upper bound on Pr[no placement], rounded down: guaranteed"},
    {"upper_bits", OUT_FIXED, 2,
     "-log2 of the lower bound, rounded up: no more than that is possible; inf: none known"},
    {"obstruction", OUT_COUNT, 0, "slots in the set that dominates the upper bound"},
    {"converged", OUT_WORD, 0,
     "yes: terms beyond the first local minimum add under 1%; no: large sets count"},
};
static const struct out_table table = {"bound", "Proved bounds on Pr[no placement]", columns,
                                       sizeof columns / sizeof columns[0]};
static const struct out_table *const tables[] = {&table, NULL};

static int write_row(struct out *out, const struct bound_setting *setting, struct error *err)
{
    struct bound_result result;
    int code = bound_failure(setting, &result);

    if (code != ERR_NONE)
        return error_set(err, code, "bound: %s", error_text(code));
    uint64_t slots = setting->buckets * setting->bucket;
    out_count(out, setting->candidates);
    out_count(out, setting->bucket);
    out_word(out, settings_positions_name(setting->positions));
    out_count(out, setting->keys);
    out_count(out, slots);
    out_count(out, setting->positions == BOUND_SPLIT ? slots / setting->candidates : slots);
    out_real(out, settings_bits_down(result.log_upper));
    out_real(out, settings_bits_up(result.log_lower));
    out_count(out, result.dominating * setting->bucket);
    out_word(out, result.converged ? "yes" : "no");
    return ERR_NONE;
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    const struct option_list *d = &options->candidates, *k = &options->bucket;

    out_begin(out, &table);
    out_note(out,
             "a missing placement, not an insertion that gives up: a capped search fails more");
    out_note(out,
             "proofs: docs/BOUNDS.md; for 2 candidates and buckets of 1 `exact` has the value");
    for (size_t i = 0; i < d->count; i++)
        for (size_t j = 0; j < k->count; j++) {
            struct bound_setting setting;
            int code = settings_bound(options, "bound", (unsigned)d->value[i],
                                      (unsigned)k->value[j], options->slots, &setting, err);
            if (code == ERR_NONE)
                code = write_row(out, &setting, err);
            if (code != ERR_NONE)
                return code;
        }
    out_end(out);
    return ERR_NONE;
}

static void defaults(struct options *options)
{
    options->bucket = (struct option_list){1, {1}};
}

const struct command command_bound = {
    .name = "bound",
    .summary = "proved bounds on the failure probability, any candidates and buckets",
    .about =
        "No exact law is known for three candidates or larger buckets.  The guarantee is a sum\n"
        "over the smallest sets of keys with too few slots; where large sets count, it says\n"
        "so, and only the other bound is of use.\n"
        "Example: cuckoo_sim bound --keys 2^8 --slots 384 --candidates 3 --positions distinct",
    .takes = OPTION_BIT(OPTION_KEYS) | OPTION_BIT(OPTION_SLOTS) | OPTION_BIT(OPTION_CANDIDATES) |
             OPTION_BIT(OPTION_BUCKET) | OPTION_BIT(OPTION_LAYOUT) | OPTION_BIT(OPTION_POSITIONS) |
             OPTION_OUTPUT_BITS,
    .needs = OPTION_BIT(OPTION_KEYS) | OPTION_BIT(OPTION_SLOTS) | OPTION_BIT(OPTION_CANDIDATES),
    .tables = tables,
    .defaults = defaults,
    .run = run,
};
