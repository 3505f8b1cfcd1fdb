/* e9.c -- second buckets derived from the first: what load they reach against table size and
 * tag bits, and, by calculation, where derivations from a 32-bit hash break large tables. */
#include "experiments.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../src/stats.h"
#include "../src/threshold.h"
#include "common.h"

static const struct derive derivations[] = {
    {DERIVE_NONE, 0},      {DERIVE_XOR_HASH, 2},  {DERIVE_XOR_HASH, 4}, {DERIVE_XOR_HASH, 8},
    {DERIVE_XOR_HASH, 12}, {DERIVE_XOR_HASH, 16}, {DERIVE_XOR_MIX, 4},  {DERIVE_XOR_MIX, 8},
    {DERIVE_XOR_TAG, 4},   {DERIVE_XOR_TAG, 8},   {DERIVE_XOR_TAG, 12}, {DERIVE_ADDITIVE, 8},
    {DERIVE_DPDK, 16},     {DERIVE_ROTATE, 0},    {DERIVE_WORDS, 0},
};
static const unsigned bucket_slots[] = {2, 4, 5, 8};
/* log2 of the buckets; beyond 2^16 the 32-bit derivations split the table */
static const struct {
    unsigned lg;
    uint64_t seeds;
    int full;
} sizes[] = {{10, 11, 0}, {14, 3, 0}, {18, 2, 0}, {22, 1, 1}};
static const struct insert_rule *const searches[] = {&insert_rule_complete, &insert_rule_walk500};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct out_column columns[] = {
    {"derivation", OUT_WORD, 0, "of the second bucket (src/derive.h)"},
    {"tag_bits", OUT_COUNT, 0, "0: the derivation has no choice of them"},
    {"bucket", OUT_COUNT, 0, "k; d = 2, one table"},
    {"buckets", OUT_COUNT, 0, "a power of two, as xor needs"},
    {"threshold", OUT_FIXED, 6, "of independent buckets"},
    {"search", OUT_WORD, 0, "complete: fails only if no placement exists; walk: 500 kicks"},
    {"seeds", OUT_COUNT, 0, "tables filled; all derivations meet the same keys"},
    {"median", OUT_FIXED, 6, "load at the first failure"},
    {"median_low", OUT_FIXED, 6, "lower end of its 95% interval, by order statistics"},
    {"median_high", OUT_FIXED, 6, "upper end"},
    {"least", OUT_FIXED, 6, "least of the loads"},
    {"greatest", OUT_FIXED, 6, "greatest of the loads"},
};

static const struct out_column split_columns[] = {
    {"derivation", OUT_WORD, 0, "from a hash of 32 bits"},
    {"bucket", OUT_COUNT, 0, "k"},
    {"buckets_log2", OUT_COUNT, 0, "b"},
    {"parts", OUT_COUNT, 0, "sets of buckets that no key joins: pairs of halves"},
    {"part_buckets", OUT_COUNT, 0, "buckets of a part: 2^(33 - b)"},
    {"overfull_85", OUT_SCI, 4, "expected parts with more keys than slots at load 0.85"},
    {"overfull_90", OUT_SCI, 4, "the same at load 0.90"},
    {"overfull_95", OUT_SCI, 4, "the same at load 0.95"},
    {"breaks_at", OUT_FIXED, 4,
     "load at which half a part is expected to be overfull: no placement exists beyond"},
};

static const struct out_table table = {"e9.loads", "Derived second buckets", columns,
                                       COUNT(columns)};
static const struct out_table split_table = {"e9.split",
                                             "Large tables from a hash of 32 bits, by calculation",
                                             split_columns, COUNT(split_columns)};

static int write_row(struct out *out, const struct fill_setting *setting, uint64_t *keys,
                     struct error *err)
{
    const struct scheme *scheme = &setting->scheme;
    double slots = (double)scheme->slots, threshold = 0.0;
    struct spread spread;
    int code = threshold_orientability(2, scheme->k, &threshold, NULL);

    if (code != ERR_NONE)
        return error_set(err, code, "e9: threshold: %s", error_text(code));
    code = summarize(keys, setting->trials, &spread, err);
    if (code != ERR_NONE)
        return code;
    out_word(out, derive_name(scheme->derive.kind));
    out_count(out, scheme->derive.bits);
    out_count(out, scheme->k);
    out_count(out, scheme->buckets);
    out_real(out, threshold);
    out_word(out, setting->rule->name);
    out_count(out, setting->trials);
    out_spread(out, &spread, slots);
    return ERR_NONE;
}

static int run_row(const struct options *options, const struct derive *derive, unsigned k,
                   uint64_t buckets, uint64_t seeds, size_t search, struct out *out,
                   struct error *err)
{
    struct fill_setting setting = {.rule = searches[search],
                                   .seed = options->seed,
                                   .trials = chosen(options->trials, seeds),
                                   .label = "e9"};
    struct trials_work work;
    uint64_t *tally = NULL;
    int code = init_scheme(&setting.scheme, 2, k, LAYOUT_ONE, buckets * k, "e9", err);

    if (code != ERR_NONE)
        return code;
    if (scheme_use_derive(&setting.scheme, derive) != ERR_NONE)
        return error_set(err, ERR_DOMAIN, "e9: %" PRIu64 " buckets do not suit %s", buckets,
                         derive_name(derive->kind));
    fill_work(&setting, &work);
    code = trials_run(&work, options, &tally, err);
    if (code == ERR_NONE)
        code = write_row(out, &setting, tally, err);
    free(tally);
    return code;
}

/* Beyond 2^16 buckets, without --full: only what is about the 32-bit hash, and k = 8. */
static int is_left_out(const struct options *options, uint64_t buckets, unsigned k,
                       const struct derive *derive)
{
    if (buckets <= UINT64_C(1) << 16 || options->full || options->slots > 0)
        return 0;
    return k != 8 || !(derive->kind == DERIVE_NONE || derive->kind == DERIVE_DPDK ||
                       derive->kind == DERIVE_ROTATE || derive->kind == DERIVE_WORDS ||
                       (derive->kind == DERIVE_XOR_HASH && derive->bits == 12));
}

/* The size's own number, or the largest power of two that --slots has room for. */
static uint64_t bucket_count(const struct options *options, unsigned lg, unsigned k)
{
    uint64_t buckets = 1;

    if (options->slots == 0)
        return UINT64_C(1) << lg;
    while (2 * buckets * k <= options->slots)
        buckets *= 2;
    return buckets;
}

/* All rows of a size. */
static int run_size(const struct options *options, unsigned lg, uint64_t seeds, struct out *out,
                    struct error *err)
{
    int code = ERR_NONE;

    for (size_t i = 0; i < COUNT(bucket_slots); i++) {
        unsigned k = bucket_slots[i];
        uint64_t buckets = bucket_count(options, lg, k);
        for (size_t d = 0; d < COUNT(derivations); d++)
            for (size_t s = 0; s < COUNT(searches) && code == ERR_NONE; s++)
                if (!is_left_out(options, buckets, k, &derivations[d]))
                    code = run_row(options, &derivations[d], k, buckets, seeds, s, out, err);
    }
    return code;
}

/* ---- by calculation ---- */

/* Expected number of parts with more keys than slots when n keys fall into them.  n is the
 * floor of an exact product: one key more or less shows in tails far out. */
static int overfull(const struct derive_parts *parts, unsigned b, unsigned k, struct ratio load,
                    double *expected)
{
    const uint64_t number[2] = {parts->pairs, parts->singles};
    const uint64_t size[2] = {parts->pair_buckets, parts->single_buckets};
    double buckets = ldexp(1.0, (int)b);
    uint64_t n = ratio_floor(load, (UINT64_C(1) << b) * k);

    *expected = 0.0;
    for (size_t i = 0; i < 2; i++) {
        double log_tail;
        if (number[i] == 0 || size[i] * k >= n)
            continue;
        int code =
            stats_binomial_tails(size[i] * k + 1, n, (double)size[i] / buckets, NULL, &log_tail);
        if (code != ERR_NONE)
            return code;
        *expected += (double)number[i] * exp(log_tail);
    }
    return ERR_NONE;
}

/* Bisection from 0.3 to 1 for an expectation of one half; 20 halvings are a millionth of the
 * load.  All loads are multiples of 2^-20 / 10. */
static int break_load(const struct derive_parts *parts, unsigned b, unsigned k, double *load)
{
    const uint64_t unit = UINT64_C(10) << 20;
    uint64_t low = UINT64_C(3) << 20, high = unit;
    double expected;

    for (int i = 0; i < 20; i++) {
        uint64_t middle = (low + high) / 2;
        int code = overfull(parts, b, k, (struct ratio){middle, unit}, &expected);
        if (code != ERR_NONE)
            return code;
        if (expected < 0.5)
            low = middle;
        else
            high = middle;
    }
    *load = ratio_value((struct ratio){low, unit});
    return ERR_NONE;
}

static int write_split(struct out *out, const struct derive *derive, unsigned k, unsigned b,
                       struct error *err)
{
    static const struct ratio loads[] = {{85, 100}, {90, 100}, {95, 100}};
    struct derive_parts parts;
    double value[COUNT(loads)], load = 0.0;
    int code = derive_split(derive, b, &parts);

    for (size_t i = 0; i < COUNT(loads) && code == ERR_NONE; i++)
        code = overfull(&parts, b, k, loads[i], &value[i]);
    if (code == ERR_NONE)
        code = break_load(&parts, b, k, &load);
    if (code != ERR_NONE)
        return error_set(err, code, "e9: overfull parts: %s", error_text(code));
    out_word(out, derive_name(derive->kind));
    out_count(out, k);
    out_count(out, b);
    out_count(out, parts.pairs + parts.singles);
    out_count(out, parts.pairs > 0 ? parts.pair_buckets : parts.single_buckets);
    for (size_t i = 0; i < COUNT(loads); i++)
        out_real(out, value[i]);
    out_real(out, load);
    return ERR_NONE;
}

static int run_split(struct out *out, struct error *err)
{
    static const struct {
        struct derive derive;
        unsigned k;
    } rows[] = {{{DERIVE_ROTATE, 0}, 5}, {{DERIVE_DPDK, 16}, 8}, {{DERIVE_DPDK, 16}, 4}};
    int code = ERR_NONE;

    out_begin(out, &split_table);
    out_note(out,
             "Beyond 2^16 buckets both buckets of a key share bits of the hash, and the table");
    out_note(out,
             "falls into parts (src/derive.c) whose keys are binomially many.  More keys than");
    out_note(out, "slots in one part, and no placement exists: a limit from above; a search fails");
    out_note(out, "earlier.");
    for (size_t r = 0; r < COUNT(rows); r++)
        for (unsigned b = 17; b <= 30 && code == ERR_NONE; b++)
            code = write_split(out, &rows[r].derive, rows[r].k, b, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    int code = ERR_NONE;

    out_begin(out, &table);
    out_param(out, "seed", "%llu", (unsigned long long)options->seed);
    for (size_t i = 0; i < COUNT(sizes) && code == ERR_NONE; i++) {
        if (options->slots > 0 ? i > 0 : sizes[i].full && !options->full)
            continue;
        code = run_size(options, sizes[i].lg, sizes[i].seeds, out, err);
    }
    if (code == ERR_NONE)
        out_end(out);
    return code == ERR_NONE ? run_split(out, err) : code;
}

static const struct out_table *const tables[] = {&table, &split_table, NULL};

const struct command experiment_e9 = {
    .name = "e9",
    .summary = "second buckets derived from the first",
    .about =
        "Fills tables whose second bucket depends on the first and a tag, and calculates where\n"
        "derivations from a 32-bit hash break large tables.  --slots replaces every size: each\n"
        "bucket size takes the largest power of two of buckets that it has room for.  --full\n"
        "adds every row of 2^18 and of 2^22 buckets.",
    .takes = OPTION_TRIAL_BITS | OPTION_BIT(OPTION_SLOTS) | OPTION_BIT(OPTION_FULL),
    .tables = tables,
    .slots = {16, UINT64_C(1) << 32, 1},
    .run = run,
};
