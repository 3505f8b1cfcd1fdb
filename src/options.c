/* options.c -- see options.h.  getopt_long() splits the words; the table below says
 * what each option means.  Every refusal is one line: option, value, what is allowed. */
#include "options_table.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

#define WINDOW   "window:" /* and a length, perhaps / and a page: a layout */
#define PAGE_MAX (1 << 20) /* slots; what a command can hold may be less */

void options_init(struct options *self)
{
    memset(self, 0, sizeof *self);
    self->seed = 1;
    self->checkpoint_every = 5;
}

int options_given(const struct options *self, enum option_id id)
{
    return (self->given & OPTION_BIT(id)) != 0;
}

static void *field(struct options *self, const struct spec *spec)
{
    return (char *)self + spec->offset;
}

/* "one of text, csv, jsonl" */
static void list_choices(char *buffer, size_t size, const char *const *choices)
{
    size_t length = 0;

    buffer[0] = '\0';
    for (size_t i = 0; choices[i] != NULL && length < size; i++)
        length +=
            (size_t)snprintf(buffer + length, size - length, "%s%s", i > 0 ? ", " : "", choices[i]);
}

static int refuse_number(const struct command *command, const struct spec *spec, const char *value,
                         const char *what, struct error *err)
{
    char limit[24];

    parse_print_size(limit, sizeof limit, spec->max);
    return error_set(err, ERR_USAGE, "%s: --%s %.80s: %s from %" PRIu64 " to %s is allowed (%s)",
                     command->name, spec->name, value, what, spec->min, limit,
                     "written as 1000, 1e6 or 2^20");
}

static int read_choice(struct options *self, const struct command *command, const struct spec *spec,
                       const char *value, struct error *err)
{
    char allowed[128];

    for (int i = 0; spec->choices[i] != NULL; i++)
        if (strcmp(value, spec->choices[i]) == 0) {
            memcpy(field(self, spec), &i, sizeof i);
            return ERR_NONE;
        }
    list_choices(allowed, sizeof allowed, spec->choices);
    return error_set(err, ERR_USAGE, "%s: --%s %.80s: one of %s is allowed%s", command->name,
                     spec->name, value, allowed,
                     spec->id == OPTION_LAYOUT && strncmp(value, WINDOW, strlen(WINDOW)) == 0
                         ? "; windows are for run, sweep and threshold"
                         : "");
}

/* L or L/P after `window:`. */
static int read_window(struct options *self, const struct spec *spec, const char *text)
{
    char length[24];
    size_t n = strcspn(text, "/");

    self->page = 0;
    if (n >= sizeof length)
        return ERR_USAGE;
    memcpy(length, text, n);
    length[n] = '\0';
    int code = parse_size(length, spec->min, spec->max, &self->window);
    if (code == ERR_NONE && text[n] == '/')
        code = parse_size(text + n + 1, self->window, PAGE_MAX, &self->page);
    return code;
}

/* one, split, window:L or window:L/P. */
static int read_layout(struct options *self, const struct command *command, const struct spec *spec,
                       const char *value, struct error *err)
{
    int one = strcmp(value, "one") == 0, split = strcmp(value, "split") == 0;

    if (!one && !split &&
        (strncmp(value, WINDOW, strlen(WINDOW)) != 0 ||
         read_window(self, spec, value + strlen(WINDOW)) != ERR_NONE))
        return error_set(err, ERR_USAGE,
                         "%s: --%s %.80s: one of one, split, window:L (L slots, %" PRIu64
                         " to %" PRIu64 "), window:L/P (in pages of P slots, L to %d) is allowed",
                         command->name, spec->name, value, spec->min, spec->max, PAGE_MAX);
    self->split = split;
    if (one || split)
        self->window = self->page = 0;
    return ERR_NONE;
}

static int read_slots(struct options *self, const struct command *command, const struct spec *spec,
                      const char *value, struct error *err)
{
    uint64_t part[2] = {0, 0};
    size_t parts = 0;

    if (parse_sum(value, spec->min, spec->max / 2, part, 2, &parts) == ERR_NONE && parts == 2) {
        if (!options_take_two_tables(command))
            return error_set(err, ERR_USAGE,
                             "%s: --slots %.80s: one number is allowed here, not two tables",
                             command->name, value);
        self->slots = part[0] + part[1];
        self->slots_part[0] = part[0];
        self->slots_part[1] = part[1];
        return ERR_NONE;
    }
    self->slots_part[0] = self->slots_part[1] = 0;
    size_t length = strlen(value);
    char number[64];
    if (length > 1 && length < sizeof number && value[length - 1] == 'n') { /* slots a key */
        memcpy(number, value, length - 1);
        number[length - 1] = '\0';
        self->slots = 0;
        if (parse_ratio(number, &self->expansion) == ERR_NONE && self->expansion.num > 0)
            return ERR_NONE;
        return error_set(err, ERR_USAGE,
                         "%s: --%s %.80s: slots a key are written 1.27n, with at most 9 decimals",
                         command->name, spec->name, value);
    }
    if (parse_size(value, spec->min, spec->max, &self->slots) == ERR_NONE)
        return ERR_NONE;
    return refuse_number(command, spec, value, "a number", err);
}

static int read_ratios(void *target, const struct command *command, const struct spec *spec,
                       const char *value, struct error *err)
{
    struct option_ratios *list = target;
    size_t limit = spec->kind == KIND_RATIO ? 1 : OPTION_LIST_MAX, count = 0;
    char **words = NULL;
    int code = parse_words(value, 0, limit, &words, &count);

    for (size_t i = 0; i < count && code == ERR_NONE; i++) {
        struct ratio *ratio = spec->kind == KIND_RATIO ? target : &list->value[i];
        code = parse_ratio(words[i], ratio);
        if (code == ERR_NONE && ratio->num == 0)
            code = ERR_USAGE;
    }
    if (code == ERR_NONE && spec->kind == KIND_RATIOS)
        list->count = count;
    free(words);
    if (code == ERR_NONE)
        return code;
    if (code == ERR_MEMORY)
        return error_set(err, code, "%s: %s", command->name, error_text(code));
    return error_set(err, ERR_USAGE,
                     "%s: --%s %.80s: %s above 0 is allowed (written as 0.95 or 19/20, with at "
                     "most 9 decimals)",
                     command->name, spec->name, value,
                     spec->kind == KIND_RATIO ? "a number" : "a number, list or range a:b:step");
}

static int read_shard(uint64_t *target, const struct command *command, const struct spec *spec,
                      const char *value, struct error *err)
{
    const char *slash = strchr(value, '/');
    char first[32];
    size_t length = slash != NULL ? (size_t)(slash - value) : sizeof first;

    if (length < sizeof first) {
        memcpy(first, value, length);
        first[length] = '\0';
        if (parse_size(slash + 1, spec->min, spec->max, &target[1]) == ERR_NONE &&
            parse_size(first, spec->min, target[1], &target[0]) == ERR_NONE)
            return ERR_NONE;
    }
    target[0] = target[1] = 0;
    return error_set(err, ERR_USAGE, "%s: --%s %.80s: I/K with 1 <= I <= K is allowed",
                     command->name, spec->name, value);
}

static int read_value(struct options *self, const struct command *command, const struct spec *spec,
                      const char *value, struct error *err)
{
    void *target = field(self, spec);
    uint64_t number = 0;

    switch (spec->kind) {
    case KIND_SIZE:
        if (parse_size(value, spec->min, spec->max, target) == ERR_NONE)
            return ERR_NONE;
        return refuse_number(command, spec, value, "a number", err);
    case KIND_INT:
        if (parse_size(value, spec->min, spec->max, &number) != ERR_NONE)
            return refuse_number(command, spec, value, "a number", err);
        *(int *)target = (int)number;
        return ERR_NONE;
    case KIND_LIST: {
        struct option_list *list = target;
        if (parse_list(value, spec->min, spec->max, list->value, OPTION_LIST_MAX, &list->count) ==
            ERR_NONE)
            return ERR_NONE;
        return refuse_number(command, spec, value, "a list such as 2,3 or a range such as 2:8",
                             err);
    }
    case KIND_SLOTS:
        return read_slots(self, command, spec, value, err);
    case KIND_FAIL:
        if (parse_probability_log2(value, target) == ERR_NONE)
            return ERR_NONE;
        return error_set(err, ERR_USAGE,
                         "%s: --%s %.80s: a probability between 0 and 1 is allowed "
                         "(written as 2^-40, 1e-12 or 0.001)",
                         command->name, spec->name, value);
    case KIND_CHOICE:
        return read_choice(self, command, spec, value, err);
    case KIND_TEXT:
        if (value[0] == '\0')
            return error_set(err, ERR_USAGE, "%s: --%s '': the name of a file is needed",
                             command->name, spec->name);
        *(const char **)target = value;
        return ERR_NONE;
    case KIND_FLAG:
        *(int *)target = 1;
        return ERR_NONE;
    case KIND_RATIO:
    case KIND_RATIOS:
        return read_ratios(target, command, spec, value, err);
    case KIND_LAYOUT:
        return read_layout(self, command, spec, value, err);
    case KIND_SHARD:
        return read_shard(target, command, spec, value, err);
    }
    return error_set(err, ERR_VERIFY, "option --%s has no reader", spec->name);
}

/* "--trials, --seed" for a refusal; empty if nothing is taken. */
static void list_options(char *buffer, size_t size, uint64_t bits)
{
    size_t length = 0;

    buffer[0] = '\0';
    for (size_t i = 0; i < OPTION_COUNT && length < size; i++)
        if (bits & OPTION_BIT(i))
            length += (size_t)snprintf(buffer + length, size - length, "%s--%s",
                                       length > 0 ? " " : "", option_specs[i].name);
}

static int refuse_word(const struct command *command, const char *word, struct error *err)
{
    char allowed[480];

    list_options(allowed, sizeof allowed, command->takes);
    return error_set(err, ERR_USAGE, "%s: %.60s is not known here; allowed: %s", command->name,
                     word, allowed);
}

static int check_needs(struct options *self, const struct command *command, struct error *err)
{
    char missing[200];

    list_options(missing, sizeof missing, command->needs & ~self->given);
    if (missing[0] != '\0')
        return error_set(err, ERR_USAGE, "%s: %s must be given; see `cuckoo_sim help %s`",
                         command->name, missing, command->name);
    if (self->expansion.num > 0 && !options_given(self, OPTION_KEYS) &&
        !options_given(self, OPTION_KEYSET))
        return error_set(err, ERR_USAGE, "%s: %s: slots a key need --keys", command->name,
                         options_given(self, OPTION_EXPANSION) ? "--expansion" : "--slots");
    if (self->expansion.num > 0 && options_given(self, OPTION_KEYS) &&
        !(command->takes & OPTION_BIT(OPTION_EXPANSION))) {
        /* a command that knows slots only */
        self->slots = ratio_ceil(self->expansion, self->keys);
        if (self->slots < 1 || self->slots > COUNT_MAX)
            return error_set(err, ERR_USAGE, "%s: --slots: from 1 to 2^53 are allowed",
                             command->name);
    }
    if (options_given(self, OPTION_CHECKPOINT_EVERY) && !options_given(self, OPTION_CHECKPOINT))
        return error_set(err, ERR_USAGE, "%s: --checkpoint-every %s: --checkpoint FILE is needed",
                         command->name, self->text[OPTION_CHECKPOINT_EVERY]);
    const char *layout = self->text[OPTION_LAYOUT];
    if (layout == NULL)
        layout = self->text[OPTION_WINDOW];
    if (self->slots_part[1] > 0 && layout != NULL && !self->split)
        return error_set(err, ERR_USAGE,
                         "%s: --slots %" PRIu64 "+%" PRIu64 ": two tables, but --layout %.40s",
                         command->name, self->slots_part[0], self->slots_part[1], layout);
    return ERR_NONE;
}

/* Take argv[optind] as an operand and step over it, where the command takes operands. */
static int read_operand(struct options *self, const struct command *command, char **argv,
                        struct error *err)
{
    const char *word = argv[optind];

    if (command->operands == NULL)
        return refuse_word(command, word, err);
    if (self->n_operands == OPTION_OPERANDS_MAX)
        return error_set(err, ERR_USAGE, "%s: %.60s: at most %d of %s are allowed", command->name,
                         word, OPTION_OPERANDS_MAX, command->operands);
    self->operand[self->n_operands++] = word;
    optind++;
    return ERR_NONE;
}

int options_set(struct options *self, const struct command *command, enum option_id id,
                const char *text, struct error *err)
{
    struct spec spec = options_spec(command, id);
    int code = read_value(self, command, &spec, text, err);

    if (code == ERR_NONE) {
        self->given |= OPTION_BIT(id);
        self->text[id] = text;
    }
    return code;
}

int options_words(const struct options *self, const struct command *command, enum option_id id,
                  char ***words, size_t *count, struct error *err)
{
    int code = parse_words(self->text[id], id == OPTION_SEARCH, OPTION_LIST_MAX, words, count);

    if (code == ERR_USAGE)
        return error_set(err, code,
                         "%s: --%s %.80s: a list (a,b,c) or a range (2:8, 0.90:0.99:0.01) of at "
                         "most %d values is allowed",
                         command->name, option_specs[id].name, self->text[id], OPTION_LIST_MAX);
    return code == ERR_NONE ? code
                            : error_set(err, code, "%s: %s", command->name, error_text(code));
}

/* Each word of the list must be a value; the first one stays. */
static int set_list(struct options *self, const struct command *command, enum option_id id,
                    const char *text, struct error *err)
{
    char **words = NULL;
    size_t count = 0;

    self->text[id] = text;
    int code = options_words(self, command, id, &words, &count, err);
    for (size_t i = count; i > 0 && code == ERR_NONE; i--) {
        /* the words are freed below: a value that points into them is for the check only */
        code = options_set(self, command, id, words[i - 1], err);
        if (option_specs[id].kind == KIND_TEXT)
            *(const char **)field(self, &option_specs[id]) = text;
    }
    free(words);
    self->text[id] = text;
    return code;
}

/* getopt takes the beginning of a name for the name; a script that relies on it breaks with
 * the next option that begins alike. */
static int is_whole_name(const char *word, const char *name)
{
    size_t length = strlen(name);

    return strncmp(word, "--", 2) == 0 && strncmp(word + 2, name, length) == 0 &&
           (word[2 + length] == '\0' || word[2 + length] == '=');
}

static int set_word(struct options *self, const struct command *command, enum option_id id,
                    const char *text, struct error *err)
{
    if (text == NULL)
        text = "";
    return command->lists & OPTION_BIT(id) ? set_list(self, command, id, text, err)
                                           : options_set(self, command, id, text, err);
}

int options_set_named(struct options *self, const struct command *command, const char *name,
                      const char *text, struct error *err)
{
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        if (strcmp(option_specs[i].name, name) == 0 && (command->takes & OPTION_BIT(i)))
            return set_word(self, command, (enum option_id)i, text, err);
    return refuse_word(command, name, err);
}

/* One option that getopt has read. */
static int read_option(struct options *self, const struct command *command, int code, char **argv,
                       struct error *err)
{
    const char *word = argv[optind - 1];

    if (code == ':')
        return error_set(err, ERR_USAGE, "%s: %.60s: a value is needed", command->name, word);
    if (code == '?' && optopt >= 256)
        return error_set(err, ERR_USAGE, "%s: %.60s: no value is allowed here", command->name,
                         word);
    if (code < 256 || !(command->takes & OPTION_BIT(code - 256))) {
        /* argv[optind - 1] is the value of a known option, and the word before a
         * cluster of letters (-xyz) that is not read to its end: name the option */
        char name[64];
        if (code >= 256)
            snprintf(name, sizeof name, "--%s", option_specs[code - 256].name);
        else if (optopt > 0 && optopt < 256)
            snprintf(name, sizeof name, "-%c", optopt);
        else
            snprintf(name, sizeof name, "%.60s", word);
        return refuse_word(command, name, err);
    }
    if (optarg != NULL && optarg == word)
        word = argv[optind - 2]; /* --name value */
    if (!is_whole_name(word, option_specs[code - 256].name))
        return refuse_word(command, word, err);
    return set_word(self, command, (enum option_id)(code - 256), optarg, err);
}

static int check_slots(const struct options *self, const struct command *command, struct error *err)
{
    struct slots_range range = options_slots_range(command);
    char given[24], allowed[96];

    if (self->slots == 0 || (self->slots >= range.least && self->slots <= range.most &&
                             self->slots % range.multiple == 0))
        return ERR_NONE;
    parse_print_size(given, sizeof given, self->slots);
    options_print_range(&range, allowed, sizeof allowed);
    return error_set(err, ERR_USAGE, "%s: --slots %s: %s is allowed", command->name, given,
                     allowed);
}

int options_check(struct options *self, const struct command *command, struct error *err)
{
    int code = check_needs(self, command, err);

    if (self->slots_part[1] > 0)
        self->split = 1;
    return code == ERR_NONE ? check_slots(self, command, err) : code;
}

/* Two options may have one name, if no command takes both: the one that this one takes. */
static size_t taken_of_name(const struct command *command, size_t id)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if ((command->takes & OPTION_BIT(i)) &&
            strcmp(option_specs[i].name, option_specs[id].name) == 0)
            return i;
    return id;
}

int options_parse(struct options *self, const struct command *command, int argc, char **argv,
                  struct error *err)
{
    struct option longs[OPTION_COUNT + 1];
    int code;

    memset(longs, 0, sizeof longs);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        longs[i].name = option_specs[i].name;
        longs[i].has_arg = option_specs[i].kind == KIND_FLAG ? no_argument : required_argument;
        longs[i].val = (int)(256 + taken_of_name(command, i));
    }
    opterr = 0;
    optind = 0; /* not 1: forgets the word that an earlier call was in */
    while ((code = getopt_long(argc, argv, "+:", longs, NULL)) != -1 || optind < argc) {
        code = code != -1 ? read_option(self, command, code, argv, err)
                          : read_operand(self, command, argv, err);
        if (code != ERR_NONE)
            return code;
    }
    if (self->n_operands == 0 && command->operands_needed)
        return error_set(err, ERR_USAGE, "%s: %s is needed", command->name, command->operands);
    return options_check(self, command, err);
}
