/* e8_cube.c -- cuckoo hashing with simple tabulation on the cube [side]^3, the keys for which
 * Patrascu and Thorup prove failures of order n^(-1/3) (JACM 59 (2012)).
 *
 * Where the order comes from, and what the columns hold against it: two characters of one
 * position fall together in one function with probability 1/m a pair; there are 3 positions,
 * 2 functions and side (side - 1) / 2 pairs, so about 3 side^2 / m = 3 (n/m) n^(-1/3) draws
 * have such a collision.  It makes side^2 pairs of keys share a slot of that table, and then
 * no placement exists with a probability that stays bounded away from 0.  The measure
 * `planted` makes one collision on purpose and so estimates that probability also where draws
 * that fail by themselves are too rare. */
#include "e8_cube.h"

#include <stdlib.h>

#include "../src/exact.h"
#include "common.h"

static const struct {
    unsigned side;
    uint64_t draws, planted;
} rows[] = {{6, 20000, 4000}, {12, 20000, 4000}, {24, 10000, 2000}, {48, 1500, 500}, {96, 0, 200}};

#define CHARACTER_BITS 8

static const struct out_column columns[] = {
    {"side", OUT_COUNT, 0, "characters of a position; keys have three of 8 bits"},
    {"keys", OUT_COUNT, 0, "n = side^3"},
    {"m", OUT_COUNT, 0, "slots of each of two tables, a power of two: m/n = 1.185"},
    {"draws", OUT_COUNT, 0, "of the tabulated functions"},
    {"no_placement", OUT_COUNT, 0, "draws without a placement"},
    {"share", OUT_SCI, 4, "no_placement / draws"},
    {"low", OUT_SCI, 4, "lower end of its 95% Clopper-Pearson interval"},
    {"high", OUT_SCI, 4, "upper end"},
    {"random", OUT_SCI, 4, "the probability for fully random functions, exactly"},
    {"share_by_cube_root", OUT_FIXED, 4,
     "share times n^(1/3): constant where it falls as n^(-1/3)"},
    {"collided", OUT_COUNT, 0, "draws in which two characters of a position share a bucket"},
    {"collided_failed", OUT_COUNT, 0, "of those, without a placement"},
    {"clean_failed", OUT_COUNT, 0, "without a placement though no characters collided"},
    {"clean_share", OUT_SCI, 4, "clean_failed / (draws - collided)"},
    {"clean_low", OUT_SCI, 4, "lower end of its 95% interval"},
    {"clean_high", OUT_SCI, 4, "upper end"},
    {"planted", OUT_COUNT, 0, "further draws, with one collision made on purpose"},
    {"planted_failed", OUT_COUNT, 0, "of those, without a placement"},
    {"planted_share", OUT_FIXED, 4, "planted_failed / planted"},
    {"planted_low", OUT_FIXED, 4, "lower end of its 95% interval"},
    {"planted_high", OUT_FIXED, 4, "upper end"},
    {"term", OUT_SCI, 4,
     "3 side (side - 1) / m * planted_share: the expected collisions times what one does"},
};

const struct out_table e8_cube_table = {"e8.cube", "Simple tabulation on the cube", columns,
                                        sizeof columns / sizeof columns[0]};

struct result {
    struct hash_setting setting;
    uint64_t draws, planted;
    uint64_t tally[HASH_CELLS], planted_tally[HASH_CELLS];
};

static int sample(const struct options *options, struct result *result, int plant,
                  struct error *err)
{
    struct trials_work work;
    uint64_t *tally = NULL, *kept = plant ? result->planted_tally : result->tally;

    result->setting.plant = plant;
    result->setting.trials = plant ? result->planted : result->draws;
    for (size_t i = 0; i < HASH_CELLS; i++)
        kept[i] = 0;
    if (result->setting.trials == 0)
        return ERR_NONE;
    hash_work(&result->setting, &work);
    int code = trials_run(&work, options, &tally, err);
    for (size_t i = 0; i < HASH_CELLS && code == ERR_NONE; i++)
        kept[i] = tally[i];
    free(tally);
    return code;
}

static int write_some(struct out *out, uint64_t count, uint64_t trials, struct error *err)
{
    if (trials > 0)
        return out_estimate(out, count, trials, err);
    for (int i = 0; i < 3; i++)
        out_none(out);
    return ERR_NONE;
}

static int write_draws(struct out *out, const struct result *result, double random,
                       struct error *err)
{
    const uint64_t *tally = result->tally;
    uint64_t side = result->setting.keyset.side, draws = result->draws;
    uint64_t clean_failed = tally[HASH_NO_PLACEMENT] - tally[HASH_COLLIDED_FAILED];

    out_count(out, draws);
    out_count(out, tally[HASH_NO_PLACEMENT]);
    int code = write_some(out, tally[HASH_NO_PLACEMENT], draws, err);
    out_real(out, random);
    if (draws > 0)
        out_real(out, (double)tally[HASH_NO_PLACEMENT] / (double)draws * (double)side);
    else
        out_none(out);
    out_count(out, tally[HASH_COLLIDED]);
    out_count(out, tally[HASH_COLLIDED_FAILED]);
    out_count(out, clean_failed);
    return code == ERR_NONE ? write_some(out, clean_failed, draws - tally[HASH_COLLIDED], err)
                            : code;
}

static int write_row(struct out *out, const struct result *result, struct error *err)
{
    const struct hash_setting *setting = &result->setting;
    uint64_t side = setting->keyset.side, m = setting->scheme.slots / 2;
    struct exact_setting exact = {
        .layout = EXACT_SPLIT, .keys = setting->keyset.keys, .slots_1 = m, .slots_2 = m};
    struct exact_row law[2];
    int code = exact_stash(&exact, 1, law);

    if (code != ERR_NONE)
        return error_set(err, code, "e8: the exact probability: %s", error_text(code));
    out_count(out, side);
    out_count(out, setting->keyset.keys);
    out_count(out, m);
    code = write_draws(out, result, law[1].at_least, err);
    if (code != ERR_NONE)
        return code;
    uint64_t failed = result->planted_tally[HASH_NO_PLACEMENT];
    code = out_proportion(out, failed, result->planted, err);
    double share = (double)failed / (double)result->planted;
    out_real(out, 3.0 * (double)(side * (side - 1)) / (double)m * share);
    return code;
}

static int run_side(const struct options *options, size_t i, struct out *out, struct error *err)
{
    struct result result = {.draws = rows[i].draws, .planted = rows[i].planted};
    uint64_t side = rows[i].side, keys = side * side * side, m = 1;
    struct family family;

    if (options->trials > 0)
        result.draws = result.planted = options->trials;
    while (m < keys)
        m *= 2;
    int code = init_scheme(&result.setting.scheme, 2, 1, LAYOUT_SPLIT, 2 * m, "e8", err);
    if (code != ERR_NONE)
        return code;
    family_init(&family, FAMILY_TABULATION8, 0, 0);
    code = scheme_use_family(&result.setting.scheme, &family);
    if (code != ERR_NONE)
        return error_set(err, code, "e8: family: %s", error_text(code));
    result.setting.keyset =
        (struct keyset){.kind = KEYSET_CUBE, .keys = keys, .side = side, .bits = CHARACTER_BITS};
    result.setting.seed = options->seed;
    result.setting.label = "e8 cube";
    for (int plant = 0; plant < 2 && code == ERR_NONE; plant++)
        code = sample(options, &result, plant, err);
    return code == ERR_NONE ? write_row(out, &result, err) : code;
}

int e8_run_cube(const struct options *options, struct out *out, struct error *err)
{
    int code = ERR_NONE;

    out_begin(out, &e8_cube_table);
    out_param(out, "seed", "%llu", (unsigned long long)options->seed);
    out_note(out, "Simple tabulation, two functions, two tables.  A collision of characters makes");
    out_note(out, "all side^2 pairs of keys that differ in them alone meet in one function.");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && code == ERR_NONE; i++)
        code = run_side(options, i, out, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}
