/* question_parts.c -- the parts of a question that have names: production rules, searches,
 * families of hash functions, derivations, sets of keys. */
#include "question.h"

#include <inttypes.h>
#include <string.h>

#include "../src/insert_production.h"
#include "../src/parse.h"
#include "../src/rules.h"

#define TAG_BITS       12  /* of a derivation that does not say */
#define CHARACTER_BITS 8   /* of the cube */
#define PARTS_TEXT     400 /* room for a list of names */

/* "NAME" or "NAME:REST": the name's length, and the rest or NULL. */
static size_t name_length(const char *text, const char **rest)
{
    size_t length = strcspn(text, ":");

    *rest = text[length] == ':' ? text + length + 1 : NULL;
    return length;
}

static int is_name(const char *text, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(text, name, length) == 0;
}

static void add_name(char *list, const char *name)
{
    size_t length = strlen(list);

    snprintf(list + length, PARTS_TEXT - length, "%s%s", length > 0 ? " " : "", name);
}

/* ---- rules and searches ---- */

int question_read_rule(struct question *self, struct error *err)
{
    const char *name = self->options->rule;
    char list[PARTS_TEXT] = "";

    if (name == NULL)
        return ERR_NONE;
    const struct production_rule *rule = rules_find(name);
    if (rule == NULL) {
        for (size_t i = 0; i < n_rules; i++)
            add_name(list, rules[i].name);
        return error_set(err, ERR_USAGE, "%s: --rule %.60s: one of %s is allowed", self->name, name,
                         list);
    }
    self->d = rule->d;
    self->k = rule->k;
    self->window = rule->window;
    self->positions = rule->positions;
    self->derive = rule->derive;
    return ERR_NONE;
}

/* Which candidates and buckets a search can do with; others would be read or written where
 * there are none. */
static int check_search(const struct question *self, const char *option, const char *text,
                        struct error *err)
{
    const struct insert_rule *rule = &self->rule;
    int by_number = rule->insert == insert_round_robin || rule->insert == insert_bubble_up;

    if (rule->insert == insert_original && (self->d != 2 || self->window > 0))
        return error_set(err, ERR_USAGE, "%s: --%s %.80s: --candidates 2 is needed, not windows",
                         self->name, option, text);
    if (insert_needs_two(rule) && self->d != 2)
        return error_set(err, ERR_USAGE, "%s: --%s %.80s: --candidates %u: 2 are allowed",
                         self->name, option, text, self->d);
    if (rule->insert == insert_bubble_up && self->d < 2)
        return error_set(err, ERR_USAGE, "%s: --%s %.80s: --candidates %u: 2 or more are allowed",
                         self->name, option, text, self->d);
    if (by_number && self->k != 1)
        return error_set(err, ERR_USAGE, "%s: --%s %.80s: --bucket 1 is needed", self->name, option,
                         text);
    return ERR_NONE;
}

int question_read_search(struct question *self, struct error *err)
{
    const char *text = self->options->search, *name = self->options->rule;

    if (name != NULL && !options_given(self->options, OPTION_SEARCH)) {
        self->rule = rules_find(name)->insert;
        snprintf(self->search, sizeof self->search, "%s", name);
        return check_search(self, "rule", name, err);
    }
    if (search_parse(text, &self->rule) != ERR_NONE)
        return error_set(err, ERR_USAGE, "%s: --search %.80s: one of " SEARCH_WORDS " is allowed",
                         self->name, text);
    int code = check_search(self, "search", text, err);
    if (code != ERR_NONE)
        return code;
    search_print(&self->rule, self->search);
    return ERR_NONE;
}

/* ---- hash functions ---- */

static int read_family(struct question *self, struct error *err)
{
    const char *text = self->options->family != NULL ? self->options->family : "mixer", *rest;
    size_t length = name_length(text, &rest);
    char list[PARTS_TEXT] = "";
    unsigned kind = 0;

    while (kind < FAMILY_COUNT && !is_name(text, length, family_name((enum hash_family)kind)))
        kind++;
    if (kind == FAMILY_COUNT || (rest != NULL && strcmp(rest, "fitted") != 0)) {
        for (kind = 0; kind < FAMILY_COUNT; kind++)
            add_name(list, family_name((enum hash_family)kind));
        return error_set(err, ERR_USAGE,
                         "%s: --hash %.60s: one of %s is allowed, perhaps with :fitted", self->name,
                         text, list);
    }
    self->family.kind = (enum hash_family)kind;
    self->fitted = rest != NULL;
    snprintf(self->hash, sizeof self->hash, "%.40s", text);
    return ERR_NONE;
}

static int read_derive(struct question *self, struct error *err)
{
    const char *text = self->options->derive, *rest;
    char list[PARTS_TEXT] = "";
    uint64_t bits = TAG_BITS;
    unsigned kind = 0;

    if (text == NULL)
        return ERR_NONE;
    size_t length = name_length(text, &rest);
    while (kind < DERIVE_COUNT && !is_name(text, length, derive_name((enum derivation)kind)))
        kind++;
    if (kind == DERIVE_COUNT || (rest != NULL && parse_size(rest, 1, 32, &bits) != ERR_NONE)) {
        for (kind = 0; kind < DERIVE_COUNT; kind++)
            add_name(list, derive_name((enum derivation)kind));
        return error_set(err, ERR_USAGE,
                         "%s: --derive %.60s: one of %s is allowed, with :BITS from 1 to 32",
                         self->name, text, list);
    }
    self->derive = (struct derive){(enum derivation)kind, (unsigned)bits};
    if (kind == DERIVE_DPDK)
        self->derive.bits = 16;
    return ERR_NONE;
}

static int has_tag(enum derivation kind)
{
    return kind == DERIVE_XOR_TAG || kind == DERIVE_XOR_HASH || kind == DERIVE_XOR_MIX ||
           kind == DERIVE_ADDITIVE;
}

int question_read_hash(struct question *self, struct error *err)
{
    int code = read_family(self, err);

    if (code == ERR_NONE)
        code = read_derive(self, err);
    if (has_tag(self->derive.kind))
        snprintf(self->derivation, sizeof self->derivation, "%s:%u", derive_name(self->derive.kind),
                 self->derive.bits);
    else
        snprintf(self->derivation, sizeof self->derivation, "%s", derive_name(self->derive.kind));
    if (code == ERR_NONE && self->derive.kind != DERIVE_NONE && self->family.kind != FAMILY_MIXER)
        return error_set(err, ERR_USAGE, "%s: --hash %.60s: --derive needs the mixer", self->name,
                         self->hash);
    return code;
}

int question_use_parts(struct question *self, struct error *err)
{
    const struct options *options = self->options;

    if (options->rule != NULL && !options_given(options, OPTION_SEARCH)) {
        const struct production_rule *rule = rules_find(options->rule);
        struct insert_rule limits;
        struct scheme own;
        self->rule = rules_limits(rule, self->scheme.slots);
        if (rules_make(rule, self->scheme.slots, &own, &limits) != ERR_NONE &&
            self->derive.kind != DERIVE_NONE)
            return error_set(err, ERR_USAGE,
                             "%s: --rule %.60s: --slots %" PRIu64 ": its second bucket is the "
                             "first xor something, which needs a power of two of buckets",
                             self->name, options->rule, self->scheme.slots);
    }
    if (self->derive.kind != DERIVE_NONE &&
        scheme_use_derive(&self->scheme, &self->derive) != ERR_NONE)
        return error_set(
            err, ERR_USAGE,
            "%s: --derive %.40s: two candidates, and for xor and rotate a power of two "
            "of buckets a table (else it is no involution), are needed; xor-hash: "
            "also three or four, and a power of that many buckets in one table; "
            "here are %u candidates, %" PRIu32 " buckets",
            self->name, self->derivation, self->d, self->scheme.width[0]);
    family_init(&self->family, self->family.kind, keyset_universe(&self->keyset), self->fitted);
    if (self->family.kind != FAMILY_MIXER &&
        scheme_use_family(&self->scheme, &self->family) != ERR_NONE)
        return error_set(err, ERR_USAGE,
                         "%s: --hash %.40s: independent positions that may coincide (double: "
                         "one table) are needed",
                         self->name, self->hash);
    return ERR_NONE;
}

/* ---- keys ---- */

/* A set by rule; ERR_DOMAIN where the text is none. */
static int read_set(struct question *self, const char *text)
{
    const char *rest;
    size_t length = name_length(text, &rest);
    struct keyset *set = &self->keyset;

    for (unsigned kind = 0; kind < KEYSET_COUNT; kind++) {
        if (!is_name(text, length, keyset_name((enum keyset_kind)kind)))
            continue;
        set->kind = (enum keyset_kind)kind;
        if (kind == KEYSET_PROGRESSION)
            return rest != NULL ? parse_size(rest, 1, UINT32_MAX, &set->step) : ERR_USAGE;
        if (kind == KEYSET_DENSE) /* the factor, until the number of keys is known */
            return rest != NULL ? parse_size(rest, 1, 1 << 20, &set->universe) : ERR_USAGE;
        return rest == NULL ? ERR_NONE : ERR_USAGE;
    }
    return ERR_DOMAIN;
}

int question_read_keyset(struct question *self, struct error *err)
{
    const struct options *options = self->options;

    if (options->keyset == NULL)
        return ERR_NONE;
    int code = read_set(self, options->keyset);
    if (code == ERR_USAGE)
        return error_set(err, ERR_USAGE,
                         "%s: --keyset %.60s: random, interval, progression:STEP, dense:FACTOR, "
                         "cube or a file (./NAME) is allowed",
                         self->name, options->keyset);
    if (self->measure == MEASURE_FILL && (code != ERR_NONE || self->keyset.kind != KEYSET_RANDOM))
        return error_set(
            err, ERR_USAGE,
            "%s: --keyset %.80s: any --measure but fill, which needs keys without end, "
            "is allowed",
            self->name, options->keyset);
    if (self->measure != MEASURE_FAIL && self->keyset.kind == KEYSET_CUBE)
        return error_set(err, ERR_USAGE,
                         "%s: --keyset cube: --measure fail is needed, since loads make no cubes",
                         self->name);
    if (code == ERR_NONE)
        return code;
    if (options_given(options, OPTION_KEYS))
        return error_set(err, ERR_USAGE, "%s: --keys: --keyset FILE says how many there are",
                         self->name);
    return keyfile_read(&self->keyfile, options->keyset, trials_memory(options), err);
}

/* The measures at loads take the first keys of a file, and no key twice. */
static int check_keyfile(const struct question *self, uint64_t keys, struct error *err)
{
    const struct keyfile *file = &self->keyfile;

    if (file->count == 0 || self->measure == MEASURE_FAIL)
        return ERR_NONE;
    if (file->most_copies > 1)
        return error_set(
            err, ERR_USAGE,
            "%s: --keyset %.80s: the key of line %zu occurs %zu times; each key once is "
            "allowed with this --measure",
            self->name, self->options->keyset, file->most_line, file->most_copies);
    if (file->count < keys)
        return error_set(err, ERR_USAGE,
                         "%s: --keyset %.80s: its %zu keys are less than the %" PRIu64
                         " of the highest load",
                         self->name, self->options->keyset, file->count, keys);
    return ERR_NONE;
}

int question_read_keyset_size(struct question *self, struct error *err)
{
    struct keyset *set = &self->keyset;
    int fails = self->measure == MEASURE_FAIL;

    set->keys = fails || self->n_loads == 0 ? self->keys : self->keys_at[self->n_loads - 1];
    int code = check_keyfile(self, set->keys, err);
    if (code != ERR_NONE)
        return code;
    if (set->kind == KEYSET_DENSE) {
        set->universe *= set->keys;
        if (set->universe >= UINT32_MAX)
            return error_set(err, ERR_USAGE,
                             "%s: --keyset dense: FACTOR x keys below 2^32 - 1, "
                             "not %" PRIu64 ", is allowed",
                             self->name, set->universe);
    }
    if (set->kind == KEYSET_CUBE) {
        set->bits = CHARACTER_BITS;
        while (set->side * set->side * set->side < self->keys)
            set->side++;
        if (set->side * set->side * set->side != self->keys || set->side > 1 << CHARACTER_BITS)
            return error_set(err, ERR_USAGE,
                             "%s: --keyset cube: a cube of --keys, 1 8 27 ... 2^24, is allowed, "
                             "not %" PRIu64,
                             self->name, self->keys);
    }
    return ERR_NONE;
}
