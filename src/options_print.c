/* options_print.c -- options as text: for help, the manual, completion, and to compare the
 * setting of a checkpoint or a shard with that of a command line. */
#include <inttypes.h>
#include <string.h>

#include "options_table.h"
#include "parse.h"

static const void *value_of(const struct options *self, const struct spec *spec)
{
    return (const char *)self + spec->offset;
}

static void append(char *buffer, size_t size, const char *word)
{
    size_t length = strlen(buffer);

    snprintf(buffer + length, size - length, "%s%s", length > 0 ? "," : "", word);
}

static void print_ratio(char *buffer, size_t size, struct ratio ratio)
{
    if (ratio.den == 1)
        snprintf(buffer, size, "%" PRIu64, ratio.num);
    else
        snprintf(buffer, size, "%" PRIu64 "/%" PRIu64, ratio.num, ratio.den);
}

static void print_lists(const struct options *self, const struct spec *spec, char *buffer,
                        size_t size)
{
    const struct option_list *list = value_of(self, spec);
    const struct option_ratios *ratios = value_of(self, spec);
    char word[48];

    buffer[0] = '\0';
    if (spec->kind == KIND_LIST)
        for (size_t i = 0; i < list->count; i++) {
            snprintf(word, sizeof word, "%" PRIu64, list->value[i]);
            append(buffer, size, word);
        }
    else
        for (size_t i = 0; i < ratios->count; i++) {
            print_ratio(word, sizeof word, ratios->value[i]);
            append(buffer, size, word);
        }
}

/* "" for a value that is not given and has no default. */
static void print_value(const struct options *self, const struct spec *spec, char *buffer,
                        size_t size)
{
    const uint64_t *number = value_of(self, spec);
    const struct ratio *ratio = value_of(self, spec);
    const char *text;

    buffer[0] = '\0';
    switch (spec->kind) {
    case KIND_SIZE:
        if (*number > 0 || options_given(self, spec->id) || spec->id == OPTION_STASH)
            snprintf(buffer, size, "%" PRIu64, *number);
        return;
    case KIND_SLOTS:
        if (self->slots_part[1] > 0)
            snprintf(buffer, size, "%" PRIu64 "+%" PRIu64, self->slots_part[0],
                     self->slots_part[1]);
        else if (self->slots > 0)
            snprintf(buffer, size, "%" PRIu64, self->slots);
        return;
    case KIND_INT:
    case KIND_FLAG:
        if (*(const int *)value_of(self, spec) > 0)
            snprintf(buffer, size, "%d", *(const int *)value_of(self, spec));
        return;
    case KIND_CHOICE:
        snprintf(buffer, size, "%s", spec->choices[*(const int *)value_of(self, spec)]);
        return;
    case KIND_LAYOUT:
        if (self->page > 0)
            snprintf(buffer, size, "window:%" PRIu64 "/%" PRIu64, self->window, self->page);
        else if (self->window > 0)
            snprintf(buffer, size, "window:%" PRIu64, self->window);
        else
            snprintf(buffer, size, "%s", self->split ? "split" : "one");
        return;
    case KIND_TEXT:
        text = *(const char *const *)value_of(self, spec);
        snprintf(buffer, size, "%s", text != NULL ? text : "");
        return;
    case KIND_FAIL:
        if (options_given(self, spec->id))
            snprintf(buffer, size, "2^%.9g", self->fail_log2);
        return;
    case KIND_RATIO:
        if (ratio->num > 0)
            print_ratio(buffer, size, *ratio);
        return;
    case KIND_SHARD:
        if (number[1] > 0)
            snprintf(buffer, size, "%" PRIu64 "/%" PRIu64, number[0], number[1]);
        return;
    case KIND_LIST:
    case KIND_RATIOS:
        print_lists(self, spec, buffer, size);
        return;
    }
}

void options_print_value(const struct options *self, enum option_id id, char *buffer, size_t size)
{
    print_value(self, &option_specs[id], buffer, size);
}

const char *options_name(enum option_id id)
{
    return option_specs[id].name;
}

struct slots_range options_slots_range(const struct command *command)
{
    struct slots_range range = command->slots;

    if (range.most == 0)
        range = (struct slots_range){1, COUNT_MAX, 1};
    if (range.multiple == 0)
        range.multiple = 1;
    for (size_t i = 0; command->parts != NULL && command->parts[i] != NULL; i++) {
        struct slots_range part = options_slots_range(command->parts[i]);
        range.least = part.least > range.least ? part.least : range.least;
        range.most = part.most < range.most ? part.most : range.most;
        /* 1, 2 and 4 occur: the larger is a multiple of the smaller */
        range.multiple = part.multiple > range.multiple ? part.multiple : range.multiple;
    }
    return range;
}

void options_print_range(const struct slots_range *range, char *buffer, size_t size)
{
    char least[24], most[24], kind[48] = "a number";

    parse_print_size(least, sizeof least, range->least);
    parse_print_size(most, sizeof most, range->most);
    if (range->multiple > 1)
        snprintf(kind, sizeof kind, "a multiple of %" PRIu64, range->multiple);
    snprintf(buffer, size, "%s from %s to %s", kind, least, most);
}

static void describe_slots(FILE *stream, const struct command *command)
{
    struct slots_range range = options_slots_range(command);
    char text[96];

    if (options_take_two_tables(command))
        fprintf(stream, " (1200+1000: two unequal tables)");
    if (command->slots.most > 0 || command->parts != NULL) {
        options_print_range(&range, text, sizeof text);
        fprintf(stream, ", %s", text);
    }
}

static void describe_limits(FILE *stream, const struct command *command, enum option_id id)
{
    struct spec spec = options_spec(command, id);

    if (spec.min != option_specs[id].min || spec.max != option_specs[id].max)
        fprintf(stream, ", from %" PRIu64 " to %" PRIu64, spec.min, spec.max);
}

static void describe_default(FILE *stream, const struct spec *spec, const struct options *defaults)
{
    char value[256];

    print_value(defaults, spec, value, sizeof value);
    if (value[0] != '\0')
        fprintf(stream, " [%s]", value);
    else if (spec->otherwise != NULL)
        fprintf(stream, " [%s]", spec->otherwise);
}

void options_describe(FILE *stream, const struct command *command)
{
    struct options defaults;

    options_init(&defaults);
    if (command->defaults != NULL)
        command->defaults(&defaults);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct spec *spec = &option_specs[i];
        char left[64];
        if (!(command->takes & OPTION_BIT(spec->id)))
            continue;
        snprintf(left, sizeof left, "--%s %s", spec->name,
                 spec->argument != NULL ? spec->argument : "");
        fprintf(stream, "  %-28s %s", left, spec->help);
        if (spec->id == OPTION_SLOTS)
            describe_slots(stream, command);
        describe_limits(stream, command, spec->id);
        if (command->needs & OPTION_BIT(spec->id))
            fprintf(stream, " (must be given)");
        else
            describe_default(stream, spec, &defaults);
        fprintf(stream, "\n");
    }
}

void options_visit(const struct command *command,
                   void (*visit)(void *context, const char *name, const char *argument,
                                 const char *const *choices, const char *help),
                   void *context)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct spec *spec = &option_specs[i];
        if (command->takes & OPTION_BIT(spec->id))
            visit(context, spec->name, spec->argument, spec->choices, spec->help);
    }
}
