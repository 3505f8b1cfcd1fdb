/* record.c -- writing and comparing records; see record.h.  record_read.c reads them. */
#include "record.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "record_text.h"
#include "version.h"

struct text {
    char *data;
    size_t length, capacity;
    int failed;
};

static void add(struct text *self, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *self, const char *format, ...)
{
    char piece[512];
    va_list args;

    va_start(args, format);
    int length = vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof piece)
        self->failed = 1;
    if (self->failed)
        return;
    if (self->capacity - self->length <= (size_t)length) {
        size_t capacity = 2 * self->capacity + sizeof piece;
        char *grown = realloc(self->data, capacity);
        if (grown == NULL) {
            self->failed = 1;
            return;
        }
        self->data = grown;
        self->capacity = capacity;
    }
    memcpy(self->data + self->length, piece, (size_t)length + 1);
    self->length += (size_t)length;
}

/* Bytes that would break a line or a word, as %0A. */
static void add_escaped(struct text *self, const char *value)
{
    for (const unsigned char *c = (const unsigned char *)value; *c != '\0'; c++)
        if (*c <= ' ' || *c == '%' || *c >= 127)
            add(self, "%%%02X", *c);
        else
            add(self, "%c", *c);
}

/* What an option contributes to the numbers: a list as it was written, else its value. */
void record_setting(const struct command *command, const struct options *options, enum option_id id,
                    char *buffer, size_t size)
{
    if ((command->lists & OPTION_BIT(id)) && options->text[id] != NULL)
        snprintf(buffer, size, "%s", options->text[id]);
    else
        options_print_value(options, id, buffer, size);
}

int record_is_setting(const struct command *command, enum option_id id)
{
    return (command->takes & OPTION_BIT(id)) && !(OPTION_MANNER_BITS & OPTION_BIT(id));
}

static void add_options(struct text *self, const struct command *command,
                        const struct options *options)
{
    char value[RECORD_VALUE];

    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        enum option_id id = (enum option_id)i;
        if (!record_is_setting(command, id) || options->text[id] == NULL)
            continue;
        add(self, "argument %s ", options_name(id));
        add_escaped(self, options->text[id]);
        add(self, "\n");
    }
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        enum option_id id = (enum option_id)i;
        if (!record_is_setting(command, id))
            continue;
        record_setting(command, options, id, value, sizeof value);
        add(self, "setting %s ", options_name(id));
        add_escaped(self, value);
        add(self, "\n");
    }
    add(self, "shard %" PRIu64 " %" PRIu64 "\n", options->shard[0], options->shard[1]);
}

static void add_section(struct text *self, const struct section *section)
{
    const struct tally *tally = &section->tally;
    size_t columns = (size_t)(tally->limit - tally->first);
    size_t used = (size_t)(tally->end - tally->first);

    add(self,
        "section %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
        " %zu %zu %zu %" PRIu64 " %" PRIu64 " ",
        tally->first, tally->end, section->limit, section->trials, section->first, section->block,
        tally->sums, tally->maxes, tally->rows, section->fingerprint, section->stop_failures);
    add_escaped(self, section->label);
    add(self, "\ncells");
    for (size_t i = 0; i < tally->sums + tally->maxes; i++)
        if (tally->common[i] > 0)
            add(self, " %zu %" PRIu64, i, tally->common[i]);
    for (size_t r = 0; r < tally->rows; r++) {
        add(self, "\nrow");
        for (size_t t = 0; t < used; t++)
            add(self, " %" PRIu64, tally->row[r * columns + t]);
    }
    add(self, "\n");
}

uint64_t record_checksum(const char *data, size_t length)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < length; i++)
        sum = (sum ^ (unsigned char)data[i]) * UINT64_C(0x100000001b3);
    return sum;
}

const char *record_kind_name(enum record_kind kind)
{
    return kind == RECORD_SHARD ? "shard" : "checkpoint";
}

char *record_print(enum record_kind kind, const struct command *command,
                   const struct options *options, const struct section *section, size_t sections,
                   size_t *length)
{
    struct text text = {0};

    add(&text, "cuckoo_sim %s, format %d\nversion %s\ncommand %s\n", record_kind_name(kind),
        RECORD_FORMAT, CUCKOO_VERSION, command->name);
    add_options(&text, command, options);
    for (size_t i = 0; i < sections; i++)
        add_section(&text, &section[i]);
    if (!text.failed)
        add(&text, "end %016" PRIx64 "\n", record_checksum(text.data, text.length));
    if (text.failed) {
        free(text.data);
        return NULL;
    }
    *length = text.length;
    return text.data;
}

static const char *find(const struct record *self, const char *name)
{
    for (size_t i = 0; i < self->n_settings; i++)
        if (strcmp(self->setting[i].name, name) == 0)
            return self->setting[i].value;
    return "";
}

static int differs(struct error *err, const char *option, const char *path, const char *name,
                   const char *there, const char *here)
{
    return error_set(err, ERR_USAGE, "%s %.100s: it was made with --%s %.60s, here it is %.60s",
                     option, path, name, there[0] != '\0' ? there : "(none)",
                     here[0] != '\0' ? here : "(none)");
}

int record_check(const struct record *self, const struct command *command,
                 const struct options *options, const char *option, const char *path,
                 struct error *err)
{
    char value[RECORD_VALUE];

    if (strcmp(self->version, CUCKOO_VERSION) != 0)
        return error_set(err, ERR_USAGE, "%s %.100s: it was made by version %.20s, this is %s",
                         option, path, self->version, CUCKOO_VERSION);
    if (strcmp(self->command, command->name) != 0)
        return error_set(err, ERR_USAGE, "%s %.100s: it was made by `%.20s`, this is `%s`", option,
                         path, self->command, command->name);
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        enum option_id id = (enum option_id)i;
        if (!record_is_setting(command, id))
            continue;
        record_setting(command, options, id, value, sizeof value);
        const char *there = find(self, options_name(id));
        if (strcmp(there, value) != 0)
            return differs(err, option, path, options_name(id), there, value);
    }
    if (self->shard[0] != options->shard[0] || self->shard[1] != options->shard[1])
        return error_set(err, ERR_USAGE,
                         "%s %.100s: it was made with --shard %" PRIu64 "/%" PRIu64
                         ", here it is %" PRIu64 "/%" PRIu64 " (0/0: the whole)",
                         option, path, self->shard[0], self->shard[1], options->shard[0],
                         options->shard[1]);
    return ERR_NONE;
}

int record_compare(const struct record *self, const char *path, const struct record *other,
                   const char *other_path, struct error *err)
{
    if (strcmp(self->version, other->version) != 0)
        return error_set(err, ERR_USAGE,
                         "merge %.100s: it was made by version %.20s, %.100s by %.20s", path,
                         self->version, other_path, other->version);
    if (strcmp(self->command, other->command) != 0)
        return error_set(err, ERR_USAGE, "merge %.100s: it was made by `%.20s`, %.100s by `%.20s`",
                         path, self->command, other_path, other->command);
    for (size_t i = 0; i < self->n_settings; i++) {
        const char *there = find(other, self->setting[i].name);
        if (strcmp(self->setting[i].value, there) != 0)
            return error_set(err, ERR_USAGE,
                             "merge %.100s: it was made with --%s %.60s, %.100s with %.60s", path,
                             self->setting[i].name, self->setting[i].value, other_path, there);
    }
    return ERR_NONE;
}
