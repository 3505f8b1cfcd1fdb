/* question.c -- see question.h. */
#include "question.h"

#include <inttypes.h>
#include <string.h>

#include "../experiments/common.h"
#include "../src/rules.h"

#define DEFAULT_SLOTS (UINT64_C(1) << 18) /* of fill, as in e6 */
#define SMALL_SLOTS   (UINT64_C(1) << 12) /* of fail, which draws many tables */
#define LARGE_SLOTS   (UINT64_C(1) << 20) /* of insert, lookup and primary, as in e2 and e7 */

#define LOAD_LIMIT 2 /* of insert and its like: a key too many costs a whole search each time */

static const struct measure_defaults {
    uint64_t slots, trials;
    unsigned percent[LOOKUP_LOADS_MAX]; /* loads, 0 at the end */
} defaults_of[] = {
    [MEASURE_FILL] = {DEFAULT_SLOTS, 25, {0}},
    [MEASURE_FAIL] = {SMALL_SLOTS, 1000, {90}},
    [MEASURE_INSERT] = {LARGE_SLOTS, 8, {50, 80, 90, 93, 95}},
    [MEASURE_LOOKUP] = {LARGE_SLOTS, 16, {50, 70, 80, 90, 95}},
    [MEASURE_PRIMARY] = {LARGE_SLOTS, 16, {50, 70, 80, 90, 95}},
};

void question_defaults(struct options *options)
{
    options->candidates = (struct option_list){1, {2}};
    options->bucket = (struct option_list){1, {4}};
    options->search = "walk:500";
    options->measure = MEASURE_FILL;
}

const struct option_limit question_limits[] = {
    {OPTION_CANDIDATES, 1, SCHEME_D_MAX},
    {OPTION_BUCKET, 1, SCHEME_K_MAX},
    {0, 0, 0},
};

static const char *measure_name(const struct question *self)
{
    static const char *const names[] = {"fill", "fail", "insert", "lookup", "primary"};

    return names[self->measure];
}

/* Windows overlap, so that a bucket is one slot, and what works on buckets of its own or on
 * two candidates has no meaning for them. */
static int read_windows(struct question *self, struct error *err)
{
    const struct options *options = self->options;

    if (self->d < 2 || self->d * self->window > SCHEME_D_MAX)
        return error_set(err, ERR_USAGE,
                         "%s: --layout %s: --candidates %u: 2 windows or more, of %d slots at "
                         "most in all, are allowed",
                         self->name, self->layout, self->d, SCHEME_D_MAX);
    if (options_given(options, OPTION_BUCKET) && self->k != 1)
        return error_set(err, ERR_USAGE,
                         "%s: --layout %s: --bucket %u: 1 is allowed, since windows have no "
                         "buckets",
                         self->name, self->layout, self->k);
    if (options->rule != NULL && rules_find(options->rule)->window == 0)
        return error_set(err, ERR_USAGE,
                         "%s: --layout %s: --rule %.60s: a rule has buckets of its own; give "
                         "--search",
                         self->name, self->layout, options->rule);
    if (self->positions == POSITIONS_DISTINCT)
        return error_set(err, ERR_USAGE,
                         "%s: --layout %s: --positions distinct: windows start independently, "
                         "and may coincide or overlap",
                         self->name, self->layout);
    if (options->derive != NULL)
        return error_set(err, ERR_USAGE,
                         "%s: --layout %s: --derive %.60s: the second bucket of two is derived, "
                         "and windows have none",
                         self->name, self->layout, options->derive);
    self->k = 1;
    return ERR_NONE;
}

static int read_shape(struct question *self, struct error *err)
{
    const struct options *options = self->options;

    if (options->candidates.count != 1 || options->bucket.count != 1)
        return error_set(err, ERR_USAGE, "%s: --%s: one number is allowed; lists are for `sweep`",
                         self->name, options->candidates.count != 1 ? "candidates" : "bucket");
    if (options->rule == NULL || options_given(options, OPTION_CANDIDATES))
        self->d = (unsigned)options->candidates.value[0];
    if (options->rule == NULL || options_given(options, OPTION_BUCKET))
        self->k = (unsigned)options->bucket.value[0];
    if (options->rule == NULL || options_given(options, OPTION_POSITIONS))
        self->positions = options->distinct ? POSITIONS_DISTINCT : POSITIONS_REPEAT;
    if (options->slots_part[1] > 0 && self->d != 2)
        return error_set(err, ERR_USAGE, "%s: --slots %s: two tables need --candidates 2",
                         self->name, options->text[OPTION_SLOTS]);
    if (options->rule == NULL || options_given(options, OPTION_WINDOW)) {
        self->window = (unsigned)options->window;
        self->page = options->page;
    }
    if (options->slots_part[1] > 0 && self->window > 0) /* of a rule; --layout is refused before */
        return error_set(err, ERR_USAGE, "%s: --slots %s: two tables, but --rule %.60s has windows",
                         self->name, options->text[OPTION_SLOTS], options->rule);
    if (self->page > 0)
        snprintf(self->layout, sizeof self->layout, "window:%u/%" PRIu64, self->window, self->page);
    else if (self->window > 0)
        snprintf(self->layout, sizeof self->layout, "window:%u", self->window);
    else
        options_print_value(options, OPTION_WINDOW, self->layout, sizeof self->layout);
    return self->window > 0 ? read_windows(self, err) : ERR_NONE;
}

/* Which of --slots, --keys, --load and --expansion may stand together. */
static int check_sizes(const struct question *self, struct error *err)
{
    const struct options *options = self->options;
    int slots = options_given(options, OPTION_SLOTS);
    int keys = options_given(options, OPTION_KEYS) ||
               (self->measure == MEASURE_FAIL && self->keyfile.count > 0);
    int load = options_given(options, OPTION_LOAD);
    int expansion = options_given(options, OPTION_EXPANSION);

    if (slots && expansion)
        return error_set(err, ERR_USAGE, "%s: --slots and --expansion say the same: give one",
                         self->name);
    if (self->measure == MEASURE_FAIL) {
        if (keys && slots + load + expansion > 1)
            return error_set(err, ERR_USAGE,
                             "%s: with the keys, one of --slots, --load, --expansion is allowed",
                             self->name);
        if (!keys && expansion)
            return error_set(err, ERR_USAGE, "%s: --expansion needs --keys", self->name);
        if (options->loads.count > 1)
            return error_set(err, ERR_USAGE,
                             "%s: --load %.80s: one is allowed with --measure fail; "
                             "lists are for `sweep`",
                             self->name, options->text[OPTION_LOAD]);
        return ERR_NONE;
    }
    if (self->measure == MEASURE_FILL && load)
        return error_set(err, ERR_USAGE, "%s: --load: --measure fill finds it", self->name);
    for (size_t i = 0; i < options->loads.count; i++)
        if (options->loads.value[i].num / options->loads.value[i].den >= LOAD_LIMIT)
            return error_set(
                err, ERR_USAGE, "%s: --load %.80s: loads below %d are allowed with --measure %s",
                self->name, options->text[OPTION_LOAD], LOAD_LIMIT, measure_name(self));
    if (keys && options->expansion.num == 0)
        return error_set(err, ERR_USAGE,
                         "%s: --keys: the keys of --measure %s follow from --slots and --load",
                         self->name, measure_name(self));
    if (options->loads.count > LOOKUP_LOADS_MAX)
        return error_set(err, ERR_USAGE, "%s: --load: at most %d loads are allowed", self->name,
                         LOOKUP_LOADS_MAX);
    return ERR_NONE;
}

static void read_loads(struct question *self)
{
    const struct options *options = self->options;
    const unsigned *percent = defaults_of[self->measure].percent;

    if (options->loads.count > 0) {
        self->n_loads = options->loads.count;
        memcpy(self->load, options->loads.value, self->n_loads * sizeof self->load[0]);
        return;
    }
    for (; self->n_loads < LOOKUP_LOADS_MAX && percent[self->n_loads] > 0; self->n_loads++)
        self->load[self->n_loads] = ratio_reduce((struct ratio){percent[self->n_loads], 100});
}

/* Slots for so many keys are rounded up to whole buckets in tables of one size. */
static uint64_t whole_slots(uint64_t slots, uint64_t unit)
{
    return slots % unit == 0 ? slots : slots - slots % unit + unit;
}

static uint64_t choose_slots(const struct question *self, uint64_t keys)
{
    const struct options *options = self->options;
    uint64_t tables = options->split ? self->d : 1;
    uint64_t unit = tables * self->k * (self->page > 0 ? self->page : 1);
    struct ratio load = self->load[0];

    if (options->slots > 0)
        return options->slots;
    if (keys > 0 && options->expansion.num > 0)
        return whole_slots(ratio_ceil(options->expansion, keys), unit);
    if (keys > 0)
        return whole_slots(ratio_ceil((struct ratio){load.den, load.num}, keys), unit);
    return whole_slots(defaults_of[self->measure].slots, unit);
}

static int refuse_slots(const struct question *self, uint64_t slots, struct error *err)
{
    const struct options *options = self->options;

    if (self->window > 0)
        return error_set(err, ERR_USAGE,
                         "%s: --slots %" PRIu64 ": at least the %" PRIu64
                         " slots of a %s, 2^32 at most, are allowed",
                         self->name, slots, self->page > 0 ? self->page : (uint64_t)self->window,
                         self->page > 0 ? "page" : "window");
    if (options->slots_part[1] > 0)
        return error_set(err, ERR_USAGE,
                         "%s: --slots %s: two tables of at least a bucket of %u slots, 2^32 "
                         "buckets at most, are allowed",
                         self->name, options->text[OPTION_SLOTS], self->k);
    return error_set(err, ERR_USAGE,
                     "%s: --slots %" PRIu64 ": %u equal part%s, each of whole buckets of %u slots, "
                     "2^32 buckets at most in all, are allowed (for distinct positions at least "
                     "as many buckets as candidates)",
                     self->name, slots, options->split ? self->d : 1,
                     options->split && self->d > 1 ? "s" : "", self->k);
}

static int make_scheme(struct question *self, uint64_t slots)
{
    const struct options *options = self->options;

    if (self->window > 0)
        return scheme_init_windows(&self->scheme, self->d, self->window, self->page, slots);
    if (options->slots_part[0] != options->slots_part[1])
        return scheme_init_two(&self->scheme, self->k, options->slots_part[0],
                               options->slots_part[1]);
    return scheme_init(&self->scheme, self->d, self->k, options->split ? LAYOUT_SPLIT : LAYOUT_ONE,
                       self->positions, slots);
}

static int read_sizes(struct question *self, struct error *err)
{
    const struct options *options = self->options;
    int by_file = self->measure == MEASURE_FAIL && self->keyfile.count > 0;
    int slots_by_file = by_file || (options->expansion.num > 0 && self->keyfile.count > 0);
    uint64_t given = slots_by_file ? self->keyfile.count : options->keys;
    uint64_t slots = choose_slots(self, given);
    int has_keys = by_file || options_given(options, OPTION_KEYS);
    int code = make_scheme(self, slots);

    if (code == ERR_NONE && scheme_is_unequal(&self->scheme))
        snprintf(self->layout, sizeof self->layout, "split:%" PRIu64 "+%" PRIu64,
                 (uint64_t)self->scheme.width[0] * self->k,
                 (uint64_t)self->scheme.width[1] * self->k);
    if (code != ERR_NONE)
        return refuse_slots(self, slots, err);
    for (size_t i = 0; i < self->n_loads; i++)
        self->keys_at[i] = ratio_floor(self->load[i], self->scheme.slots);
    for (size_t i = 1; i < self->n_loads; i++)
        if (self->keys_at[i] < self->keys_at[i - 1])
            return error_set(err, ERR_USAGE, "%s: --load %.80s: loads that go up are allowed",
                             self->name, options->text[OPTION_LOAD]);
    self->keys = has_keys ? given : self->n_loads > 0 ? self->keys_at[0] : 0;
    if (self->keys >= UINT32_MAX)
        return error_set(err, ERR_USAGE, "%s: --keys %" PRIu64 ": less than 2^32-1 are allowed",
                         self->name, self->keys);
    return ERR_NONE;
}

static int check_rest(const struct question *self, struct error *err)
{
    const struct options *options = self->options;

    if (self->measure != MEASURE_FAIL &&
        (options_given(options, OPTION_STASH) || options->until_failures > 0 ||
         options->until_width.num > 0))
        return error_set(err, ERR_USAGE, "%s: %s: --measure fail is needed", self->name,
                         options_given(options, OPTION_STASH) ? "--stash"
                         : options->until_failures > 0        ? "--until-failures"
                                                              : "--until-width");
    if (options->stash >= FAIL_STASH_CELLS - 1)
        return error_set(err, ERR_USAGE, "%s: --stash %" PRIu64 ": 0 to %d are allowed", self->name,
                         options->stash, FAIL_STASH_CELLS - 2);
    if (options->until_failures > 0 && options->until_width.num > 0)
        return error_set(err, ERR_USAGE, "%s: --until-failures or --until-width, not both",
                         self->name);
    if (options->until_width.num >= options->until_width.den && options->until_width.num > 0)
        return error_set(err, ERR_USAGE, "%s: --until-width %.80s: a width below 1 is allowed",
                         self->name, options->text[OPTION_UNTIL_WIDTH]);
    return ERR_NONE;
}

int question_init(struct question *self, const char *name, const struct options *options,
                  struct error *err)
{
    memset(self, 0, sizeof *self);
    self->name = name;
    self->options = options;
    self->measure = (enum measure)options->measure;
    /* with a stopping rule, --trials is a limit that is not meant to be reached */
    self->trials = options->until_failures > 0 || options->until_width.num > 0
                       ? chosen(options->trials, UINT64_C(1000000000))
                       : chosen(options->trials, defaults_of[self->measure].trials);
    int code = question_read_rule(self, err);
    if (code == ERR_NONE)
        code = read_shape(self, err);
    if (code == ERR_NONE)
        code = question_read_search(self, err);
    if (code == ERR_NONE)
        code = question_read_hash(self, err);
    if (code == ERR_NONE)
        code = question_read_keyset(self, err);
    if (code == ERR_NONE)
        code = check_sizes(self, err);
    read_loads(self);
    if (code == ERR_NONE)
        code = read_sizes(self, err);
    if (code == ERR_NONE)
        code = question_read_keyset_size(self, err);
    if (code == ERR_NONE)
        code = question_use_parts(self, err);
    return code == ERR_NONE ? check_rest(self, err) : code;
}

struct offered question_offered(const struct question *self)
{
    return (struct offered){
        .key = self->keyfile.key,
        .fingerprint = self->keyfile.fingerprint,
        .keyset = self->keyset.kind != KEYSET_RANDOM ? &self->keyset : NULL,
    };
}

void question_free(struct question *self)
{
    keyfile_free(&self->keyfile);
}

static const char *positions_name(const struct question *self)
{
    if (self->scheme.layout == LAYOUT_SPLIT)
        return "-";
    return self->scheme.positions == POSITIONS_DISTINCT ? "distinct" : "repeat";
}

static void params_of_loads(const struct question *self, struct out *out)
{
    char list[LOOKUP_LOADS_MAX * 24] = "";

    for (size_t i = 0; i < self->n_loads; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%" PRIu64 "/%" PRIu64,
                 i > 0 ? "," : "", self->load[i].num, self->load[i].den);
    out_param(out, "load", "%s", list);
}

static void params_of_keyset(const struct question *self, struct out *out)
{
    const struct keyfile *keyfile = &self->keyfile;

    if (keyfile->count == 0) {
        out_param(out, "keyset", "%s", keyset_name(self->keyset.kind));
        if (self->keyset.kind == KEYSET_PROGRESSION)
            out_param(out, "keyset_step", "%" PRIu64, self->keyset.step);
        if (self->keyset.kind == KEYSET_DENSE)
            out_param(out, "keyset_universe", "%" PRIu64, self->keyset.universe);
        if (self->keyset.kind == KEYSET_CUBE)
            out_param(out, "keyset_side", "%" PRIu64, self->keyset.side);
        return;
    }
    out_param(out, "keyset", "%.200s", self->options->keyset);
    out_param(out, "keyset_read_as", "%s", keyfile->decimal ? "decimal" : "bytes");
    out_param(out, "keyset_fingerprint", "%016" PRIx64, keyfile->fingerprint);
    out_param(out, "keyset_distinct", "%zu", keyfile->distinct);
    out_param(out, "keyset_most_copies", "%zu", keyfile->most_copies);
}

void question_params(const struct question *self, struct out *out)
{
    const struct options *options = self->options;

    out_param(out, "measure", "%s", measure_name(self));
    out_param(out, "seed", "%" PRIu64, options->seed);
    out_param(out, "trials", "%" PRIu64, self->trials);
    out_param(out, "candidates", "%u", self->d);
    out_param(out, "bucket", "%u", self->scheme.k);
    out_param(out, "layout", "%s", self->layout);
    out_param(out, "positions", "%s", positions_name(self));
    out_param(out, "slots", "%" PRIu64, self->scheme.slots);
    if (self->measure == MEASURE_FAIL) {
        out_param(out, "keys", "%" PRIu64, self->keys);
        out_param(out, "stash", "%" PRIu64, options->stash);
    } else if (self->measure != MEASURE_FILL) {
        params_of_loads(self, out);
    }
    out_param(out, "hash", "%s", self->hash);
    out_param(out, "derive", "%s", self->derivation);
    out_param(out, "search", "%s", self->search);
    params_of_keyset(self, out);
    if (options->until_failures > 0)
        out_param(out, "until_failures", "%" PRIu64, options->until_failures);
    if (options->until_width.num > 0)
        out_param(out, "until_width", "%" PRIu64 "/%" PRIu64, options->until_width.num,
                  options->until_width.den);
}

void question_notes_of(const struct options *options, struct out *out)
{
    if (options->measure != MEASURE_FAIL)
        return;
    out_note(out, "A key that the search leaves without a nest goes to the stash, and the next");
    out_note(out,
             "key comes.  What no placement can hold is told apart from what the search missed.");
    if (options->until_failures > 0)
        out_note(out,
                 "interval: the inverse binomial's, for the trials that so many failures took");
    else if (options->until_width.num > 0)
        out_note(out,
                 "interval: Clopper-Pearson, 95%% over all looks (1024, 2048, 4096 ... trials)");
    else
        out_note(out, "interval: Clopper-Pearson");
}

void question_notes(const struct question *self, struct out *out)
{
    const struct keyfile *keyfile = &self->keyfile;
    uint64_t places = (uint64_t)self->scheme.d * self->scheme.k;
    uint64_t beyond = keyfile_beyond(keyfile, places);

    question_notes_of(self->options, out);
    if (beyond > 0)
        out_note(out,
                 "degenerate: the key of line %zu occurs %zu times and has %" PRIu64
                 " slots: %" PRIu64 " keys never fit, whatever the functions and the size.",
                 keyfile->most_line, keyfile->most_copies, places, beyond);
}

void question_write_setting(const struct question *self, struct out *out)
{
    out_count(out, self->d);
    out_count(out, self->scheme.k);
    out_word(out, self->layout);
    out_word(out, positions_name(self));
    out_word(out, self->hash);
    out_word(out, self->derivation);
    out_word(out, self->search);
    out_count(out, self->scheme.slots);
}

const struct out_table *question_table(enum measure measure)
{
    static const struct out_table *const tables[] = {
        [MEASURE_FILL] = &run_table_fill,       [MEASURE_FAIL] = &run_table_fail,
        [MEASURE_INSERT] = &run_table_insert,   [MEASURE_LOOKUP] = &run_table_lookup,
        [MEASURE_PRIMARY] = &run_table_primary,
    };

    return tables[measure];
}

int question_write(const struct question *self, struct out *out, struct error *err)
{
    static int (*const run[])(const struct question *, struct out *, struct error *) = {
        [MEASURE_FILL] = run_fill,       [MEASURE_FAIL] = run_fail,
        [MEASURE_INSERT] = run_insert,   [MEASURE_LOOKUP] = run_lookup,
        [MEASURE_PRIMARY] = run_primary,
    };

    return run[self->measure](self, out, err);
}
