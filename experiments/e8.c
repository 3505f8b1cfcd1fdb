/* e8.c -- how random must the hash functions be?  Families of functions on random and on
 * structured keys: how often no placement exists, beside fully random functions; the cube
 * under simple tabulation and its n^(-1/3); double hashing for more candidates. */
#include "experiments.h"

#include <stdlib.h>

#include "../src/exact.h"
#include "../src/threshold.h"
#include "common.h"
#include "e8_cube.h"

#define DEFAULT_SLOTS  16384 /* in all: two tables of 8192 for 4096 keys */
#define DEFAULT_DRAWS  1000
#define STEP           4096 /* of the progression: addresses of pages */
#define CHARACTER_BITS 8
#define DOUBLE_SLOTS   (UINT64_C(1) << 16)
#define DOUBLE_SEEDS   25

static const struct {
    enum hash_family kind;
    int fitted;
} families[] = {
    {FAMILY_MIXER, 0},        {FAMILY_MIXER_EACH, 0},   {FAMILY_MULTIPLY, 0},
    {FAMILY_MULTIPLY, 1},     {FAMILY_MULTIPLY_XOR, 0}, {FAMILY_MULTIPLY_XOR, 1},
    {FAMILY_MULTIPLY_CUT, 0}, {FAMILY_LINEAR, 0},       {FAMILY_LINEAR, 1},
    {FAMILY_POLY1, 0},        {FAMILY_POLY4, 0},        {FAMILY_POLY5, 0},
    {FAMILY_TABULATION8, 0},  {FAMILY_TABULATION16, 0},
};

/* dense: the universe as a multiple of the keys */
static const struct {
    enum keyset_kind kind;
    unsigned universe;
} keysets[] = {{KEYSET_RANDOM, 0}, {KEYSET_INTERVAL, 0}, {KEYSET_PROGRESSION, 0}, {KEYSET_DENSE, 2},
               {KEYSET_DENSE, 4},  {KEYSET_DENSE, 16},   {KEYSET_CUBE, 0}};

enum {
    FAMILIES = sizeof families / sizeof families[0],
    KEYSETS = sizeof keysets / sizeof keysets[0]
};

static const struct out_column columns[] = {
    {"family", OUT_WORD, 0, "of hash functions (src/family.h); mixer is the reference"},
    {"fitted", OUT_COUNT, 0,
     "1: words of the universe's bits, the least prime from its size on; 0: 64 bits, 2^61 - 1"},
    {"keyset", OUT_WORD, 0, "random, interval [0,n), progression 0, 4096, ..., dense, cube"},
    {"universe", OUT_COUNT, 0, "one more than the largest key; 0 stands for 2^64"},
    {"keys", OUT_COUNT, 0, "n"},
    {"slots", OUT_COUNT, 0, "in two tables of half as many; d = 2, k = 1"},
    {"draws", OUT_COUNT, 0, "of the functions (and of the keys, where they are random)"},
    {"no_placement", OUT_COUNT, 0, "draws without a placement"},
    {"share", OUT_SCI, 4, "no_placement / draws"},
    {"low", OUT_SCI, 4, "lower end of its 95% Clopper-Pearson interval"},
    {"high", OUT_SCI, 4, "upper end"},
    {"random", OUT_SCI, 4, "the probability for fully random functions, exactly"},
    {"triples", OUT_COUNT, 0, "of no_placement: three keys have both slots in common"},
    {"gave_up", OUT_COUNT, 0,
     "draws with a placement that the original insertion (500 kicks) missed"},
    {"kicks", OUT_FIXED, 4, "of a key, mean over the draws that worked"},
    {"kicks_half", OUT_FIXED, 4, "half width of its 95% interval (Student, over draws)"},
};

static const struct out_column double_columns[] = {
    {"candidates", OUT_COUNT, 0, "d, in one table"},
    {"bucket", OUT_COUNT, 0, "k"},
    {"slots", OUT_COUNT, 0, "floor(slots / k) buckets of k slots"},
    {"threshold", OUT_FIXED, 6, "of independent candidates"},
    {"family", OUT_WORD, 0, "mixer: independent candidates; double: (h1 + j h2) mod buckets"},
    {"seeds", OUT_COUNT, 0, "tables filled, the same keys for both families"},
    {"median", OUT_FIXED, 6, "load at the first failure of a complete search"},
    {"median_low", OUT_FIXED, 6, "lower end of its 95% interval, by order statistics"},
    {"median_high", OUT_FIXED, 6, "upper end"},
    {"least", OUT_FIXED, 6, "least of the loads"},
    {"greatest", OUT_FIXED, 6, "greatest of the loads"},
};

static const struct out_table table = {"e8.families", "Weak hash functions on structured keys",
                                       columns, sizeof columns / sizeof columns[0]};
static const struct out_table double_table = {
    "e8.double", "Double hashing against independent candidates", double_columns,
    sizeof double_columns / sizeof double_columns[0]};

static struct keyset make_keyset(size_t s, uint64_t keys)
{
    struct keyset keyset = {.kind = keysets[s].kind, .keys = keys};

    keyset.step = STEP;
    keyset.universe = keys * keysets[s].universe;
    keyset.bits = CHARACTER_BITS;
    if (keyset.kind == KEYSET_CUBE) {
        while ((keyset.side + 1) * (keyset.side + 1) * (keyset.side + 1) <= keys)
            keyset.side++;
        keyset.keys = keyset.side * keyset.side * keyset.side;
    }
    return keyset;
}

static int exact_random(const struct hash_setting *setting, double *probability, struct error *err)
{
    struct exact_setting exact = {.layout = EXACT_SPLIT,
                                  .keys = setting->keyset.keys,
                                  .slots_1 = setting->scheme.slots / 2,
                                  .slots_2 = setting->scheme.slots / 2};
    struct exact_row law[2];
    int code = exact_stash(&exact, 1, law);

    if (code != ERR_NONE)
        return error_set(err, code, "e8: the exact probability: %s", error_text(code));
    *probability = law[1].at_least;
    return ERR_NONE;
}

static int write_kicks(struct out *out, const struct hash_setting *setting, const uint64_t *tally,
                       struct error *err)
{
    uint64_t worked = setting->trials - tally[HASH_NO_PLACEMENT] - tally[HASH_GAVE_UP];
    double keys = (double)setting->keyset.keys, mean, half;

    if (worked < 2) {
        out_none(out);
        out_none(out);
        return ERR_NONE;
    }
    int code = stats_mean_interval(worked, (double)tally[HASH_KICKS],
                                   (double)tally[HASH_KICKS_SQUARED], CONFIDENCE, &mean, &half);
    if (code != ERR_NONE)
        return error_set(err, code, "e8: mean of kicks: %s", error_text(code));
    out_real(out, mean / keys);
    out_real(out, half / keys);
    return ERR_NONE;
}

static int write_row(struct out *out, const struct hash_setting *setting, int fitted,
                     const uint64_t *tally, struct error *err)
{
    double random = 0.0;
    int code = exact_random(setting, &random, err);

    if (code != ERR_NONE)
        return code;
    out_word(out, family_name(setting->scheme.family.kind));
    out_count(out, (uint64_t)fitted);
    out_word(out, keyset_name(setting->keyset.kind));
    out_count(out, keyset_universe(&setting->keyset));
    out_count(out, setting->keyset.keys);
    out_count(out, setting->scheme.slots);
    code = out_proportion(out, tally[HASH_NO_PLACEMENT], setting->trials, err);
    out_real(out, random);
    out_count(out, tally[HASH_TRIPLE]);
    out_count(out, tally[HASH_GAVE_UP]);
    return code == ERR_NONE ? write_kicks(out, setting, tally, err) : code;
}

static int run_row(const struct options *options, size_t f, size_t s, struct out *out,
                   struct error *err)
{
    struct hash_setting setting = {.rule = &insert_rule_original500,
                                   .seed = options->seed,
                                   .trials = chosen(options->trials, DEFAULT_DRAWS),
                                   .label = "e8"};
    uint64_t slots = chosen(options->slots, DEFAULT_SLOTS);
    struct family family;
    struct trials_work work;
    uint64_t *tally = NULL;
    int code = init_scheme(&setting.scheme, 2, 1, LAYOUT_SPLIT, slots, "e8", err);

    if (code != ERR_NONE)
        return code;
    setting.keyset = make_keyset(s, slots / 4);
    family_init(&family, families[f].kind, keyset_universe(&setting.keyset), families[f].fitted);
    code = scheme_use_family(&setting.scheme, &family);
    if (code != ERR_NONE)
        return error_set(err, code, "e8: family: %s", error_text(code));
    hash_work(&setting, &work);
    code = trials_run(&work, options, &tally, err);
    if (code == ERR_NONE)
        code = write_row(out, &setting, families[f].fitted, tally, err);
    free(tally);
    return code;
}

static int run_families(const struct options *options, struct out *out, struct error *err)
{
    int code = ERR_NONE;

    out_begin(out, &table);
    out_param(out, "seed", "%llu", (unsigned long long)options->seed);
    out_note(out, "Two tables, a quarter as many keys as slots: n = m/2, where fully random");
    out_note(out, "functions fail with the probability in column `random`.");
    for (size_t s = 0; s < KEYSETS && code == ERR_NONE; s++)
        for (size_t f = 0; f < FAMILIES && code == ERR_NONE; f++) {
            if (families[f].fitted && keysets[s].kind == KEYSET_RANDOM)
                continue; /* the universe is all of 2^64: the unfitted row again */
            code = run_row(options, f, s, out, err);
        }
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

/* ---- double hashing ---- */

static const struct {
    unsigned d, k;
} shapes[] = {{3, 1}, {4, 1}, {2, 4}, {3, 4}};

static int write_double(struct out *out, const struct fill_setting *setting, uint64_t *keys,
                        struct error *err)
{
    const struct scheme *scheme = &setting->scheme;
    double slots = (double)scheme->slots, threshold;
    struct spread spread;
    int code = threshold_orientability(scheme->d, scheme->k, &threshold, NULL);

    if (code != ERR_NONE)
        return error_set(err, code, "e8: threshold: %s", error_text(code));
    code = summarize(keys, setting->trials, &spread, err);
    if (code != ERR_NONE)
        return code;
    out_count(out, scheme->d);
    out_count(out, scheme->k);
    out_count(out, scheme->slots);
    out_real(out, threshold);
    out_word(out, family_name(scheme->family.kind));
    out_count(out, setting->trials);
    out_spread(out, &spread, slots);
    return ERR_NONE;
}

static int run_shape(const struct options *options, size_t i, enum hash_family kind,
                     struct out *out, struct error *err)
{
    struct fill_setting setting = {.rule = &insert_rule_complete,
                                   .seed = options->seed,
                                   .trials = chosen(options->trials, DOUBLE_SEEDS),
                                   .label = "e8"};
    struct family family;
    struct trials_work work;
    uint64_t *tally = NULL;
    int code = init_scheme(&setting.scheme, shapes[i].d, shapes[i].k, LAYOUT_ONE,
                           chosen(options->slots, DOUBLE_SLOTS), "e8", err);

    if (code != ERR_NONE)
        return code;
    family_init(&family, kind, 0, 0);
    code = scheme_use_family(&setting.scheme, &family);
    if (code != ERR_NONE)
        return error_set(err, code, "e8: family: %s", error_text(code));
    fill_work(&setting, &work);
    code = trials_run(&work, options, &tally, err);
    if (code == ERR_NONE)
        code = write_double(out, &setting, tally, err);
    free(tally);
    return code;
}

static int run_doubles(const struct options *options, struct out *out, struct error *err)
{
    static const enum hash_family kinds[] = {FAMILY_MIXER, FAMILY_DOUBLE};
    int code = ERR_NONE;

    out_begin(out, &double_table);
    out_param(out, "seed", "%llu", (unsigned long long)options->seed);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (size_t f = 0; f < 2 && code == ERR_NONE; f++)
            code = run_shape(options, i, kinds[f], out, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    int code = run_families(options, out, err);
    if (code == ERR_NONE)
        code = e8_run_cube(options, out, err);
    return code == ERR_NONE ? run_doubles(options, out, err) : code;
}

static const struct out_table *const tables[] = {&table, &e8_cube_table, &double_table, NULL};

const struct command experiment_e8 = {
    .name = "e8",
    .summary = "how random the hash functions must be",
    .about = "Draws functions of weak and strong families, offers random and structured keys, and\n"
             "counts the draws for which no placement exists.  --slots is for e8.families and\n"
             "e8.double; the cubes keep their sides.",
    .takes = OPTION_TRIAL_BITS | OPTION_BIT(OPTION_SLOTS),
    .tables = tables,
    .slots = {32, SCHEME_BUCKETS_MAX, 4},
    .run = run,
};
