/* record_read.c -- reading records; see record.h.  Nothing in the file is believed before its
 * checksum is, and every number still has its range checked. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "record_text.h"

static int read_file(const char *path, char **data, size_t *length)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = 1 << 16, n = 0, got = 0;
    char *text = malloc(capacity + 1);

    if (file == NULL || text == NULL) {
        if (file != NULL)
            fclose(file);
        free(text);
        return file == NULL ? ERR_IO : ERR_MEMORY;
    }
    while ((got = fread(text + n, 1, capacity - n, file)) > 0) {
        n += got;
        if (strncmp(text, "cuckoo_sim ", n < 11 ? n : 11) != 0)
            break; /* no file of ours, perhaps one without an end */
        if (n < capacity)
            continue;
        char *grown = realloc(text, 2 * capacity + 1);
        if (grown == NULL) {
            free(text);
            fclose(file);
            return ERR_MEMORY;
        }
        text = grown;
        capacity *= 2;
    }
    int code = ferror(file) ? ERR_IO : ERR_NONE;
    fclose(file);
    text[n] = '\0';
    *data = text;
    *length = n;
    if (code != ERR_NONE)
        free(text);
    return code;
}

/* The last line holds the checksum of all before it; it is cut off. */
static int check_end(char *data, size_t length)
{
    static const char word[] = "end ";
    size_t tail = sizeof word - 1 + 16 + 1;
    char expected[32];

    if (length < tail || data[length - 1] != '\n' || strlen(data) != length)
        return ERR_USAGE;
    char *end = data + length - tail;
    snprintf(expected, sizeof expected, "%s%016" PRIx64 "\n", word,
             record_checksum(data, length - tail));
    if (strcmp(end, expected) != 0)
        return ERR_USAGE;
    *end = '\0';
    return ERR_NONE;
}

/* The next word of *at, ended at a blank or the line's end; NULL at the line's end. */
static char *next_word(char **at)
{
    char *word = *at;

    if (*word == '\0')
        return NULL;
    size_t length = strcspn(word, " ");
    *at = word + length + (word[length] == ' ');
    word[length] = '\0';
    return word;
}

static void unescape(char *text)
{
    static const char digits[] = "0123456789ABCDEF";
    char *to = text;

    for (const char *from = text; *from != '\0'; to++) {
        const char *high = *from == '%' && from[1] != '\0' ? strchr(digits, from[1]) : NULL;
        const char *low = high != NULL && from[2] != '\0' ? strchr(digits, from[2]) : NULL;
        if (low != NULL) {
            *to = (char)(16 * (high - digits) + (low - digits));
            from += 3;
        } else {
            *to = *from++;
        }
    }
    *to = '\0';
}

static int read_number(char **at, uint64_t *value)
{
    char *word = next_word(at), *end;

    if (word == NULL || *word < '0' || *word > '9')
        return ERR_USAGE;
    errno = 0;
    *value = strtoull(word, &end, 10);
    return *end == '\0' && errno == 0 ? ERR_NONE : ERR_USAGE;
}

static char *copy(const char *text)
{
    char *own = malloc(strlen(text) + 1);

    if (own != NULL)
        strcpy(own, text);
    return own;
}

static int add_item(struct record_item **items, size_t *count, char *rest)
{
    char *name = next_word(&rest);

    if (name == NULL)
        return ERR_USAGE;
    struct record_item *grown = realloc(*items, (*count + 1) * sizeof **items);
    if (grown == NULL)
        return ERR_MEMORY;
    *items = grown;
    unescape(rest);
    grown[*count] = (struct record_item){copy(name), copy(rest)};
    (*count)++;
    return grown[*count - 1].name != NULL && grown[*count - 1].value != NULL ? ERR_NONE
                                                                             : ERR_MEMORY;
}

/* What a file may ask memory for: so many cells, and some more for each of its bytes. */
#define CELLS_FREE   (UINT64_C(1) << 22)
#define CELLS_A_BYTE 64

struct reader {
    struct record *record;
    size_t row;     /* of the section at hand */
    size_t room;    /* bytes of the file behind this line */
    uint64_t cells; /* that may still be asked for */
};

/* The eleven numbers of a section, and whether the file is large enough for its values. */
enum { FIRST, END, LIMIT, TRIALS, START, BLOCK, SUMS, MAXES, ROWS, FINGERPRINT, FAILURES, NUMBERS };

static int read_shape(struct reader *self, char **rest, uint64_t *number)
{
    for (size_t i = 0; i < NUMBERS; i++)
        if (read_number(rest, &number[i]) != ERR_NONE)
            return ERR_USAGE;
    if (number[END] < number[FIRST] || number[LIMIT] < number[END] || number[BLOCK] == 0 ||
        number[SUMS] > self->cells || number[MAXES] > self->cells - number[SUMS])
        return ERR_USAGE;
    self->cells -= number[SUMS] + number[MAXES];
    uint64_t columns = number[END] - number[FIRST];
    /* " 0" for each value of a row, "\nrow" for a row without any */
    if (number[ROWS] > self->room / 4 || (columns > 0 && number[ROWS] > self->room / 2 / columns))
        return ERR_USAGE;
    return ERR_NONE;
}

static int read_section(struct reader *self, char *rest)
{
    uint64_t number[NUMBERS];
    struct record *record = self->record;
    struct section *grown = realloc(record->section, (record->n_sections + 1) * sizeof *grown);

    if (grown == NULL)
        return ERR_MEMORY;
    record->section = grown;
    if (read_shape(self, &rest, number) != ERR_NONE)
        return ERR_USAGE;
    struct section *section = &grown[record->n_sections];
    *section = (struct section){.trials = number[TRIALS],
                                .first = number[START],
                                .block = number[BLOCK],
                                .fingerprint = number[FINGERPRINT],
                                .stop_failures = number[FAILURES],
                                .limit = number[LIMIT]};
    unescape(rest);
    snprintf(section->label, sizeof section->label, "%s", rest);
    struct trials_work shape = {.adds = (size_t)number[SUMS], .maxes = (size_t)number[MAXES]};
    int code = tally_init(&section->tally, &shape, number[FIRST], number[FIRST]);
    record->n_sections++;
    if (code != ERR_NONE)
        return code;
    section->tally.rows = (size_t)number[ROWS];
    code = tally_resize(&section->tally, number[END]);
    section->tally.end = section->tally.limit;
    return code;
}

static int read_cells(struct record *self, char *rest)
{
    if (self->n_sections == 0)
        return ERR_USAGE;
    struct tally *tally = &self->section[self->n_sections - 1].tally;
    while (*rest != '\0') {
        uint64_t index, value;
        if (read_number(&rest, &index) != ERR_NONE || read_number(&rest, &value) != ERR_NONE ||
            index >= tally->sums + tally->maxes)
            return ERR_USAGE;
        tally->common[index] = value;
    }
    return ERR_NONE;
}

static int read_row(struct record *self, size_t row, char *rest)
{
    if (self->n_sections == 0)
        return ERR_USAGE;
    struct tally *tally = &self->section[self->n_sections - 1].tally;
    size_t columns = (size_t)(tally->limit - tally->first);
    if (row >= tally->rows)
        return ERR_USAGE;
    for (size_t t = 0; t < columns; t++)
        if (read_number(&rest, &tally->row[row * columns + t]) != ERR_NONE)
            return ERR_USAGE;
    return *rest == '\0' ? ERR_NONE : ERR_USAGE;
}

static int read_line(struct reader *reader, char *line)
{
    struct record *self = reader->record;
    char *rest = line, *word = next_word(&rest);

    if (word == NULL)
        return ERR_USAGE;
    if (strcmp(word, "row") == 0)
        return read_row(self, reader->row++, rest);
    reader->row = 0;
    if (strcmp(word, "version") == 0 && self->version == NULL)
        return (self->version = copy(rest)) != NULL ? ERR_NONE : ERR_MEMORY;
    if (strcmp(word, "command") == 0 && self->command == NULL)
        return (self->command = copy(rest)) != NULL ? ERR_NONE : ERR_MEMORY;
    if (strcmp(word, "argument") == 0)
        return add_item(&self->argument, &self->n_arguments, rest);
    if (strcmp(word, "setting") == 0)
        return add_item(&self->setting, &self->n_settings, rest);
    if (strcmp(word, "shard") == 0)
        return read_number(&rest, &self->shard[0]) == ERR_NONE ? read_number(&rest, &self->shard[1])
                                                               : ERR_USAGE;
    if (strcmp(word, "section") == 0)
        return read_section(reader, rest);
    return strcmp(word, "cells") == 0 ? read_cells(self, rest) : ERR_USAGE;
}

static int read_text(struct record *self, char *data)
{
    size_t length = strlen(data);
    struct reader reader = {
        .record = self, .room = length, .cells = CELLS_FREE + CELLS_A_BYTE * (uint64_t)length};

    while (*data != '\0') {
        char *end = strchr(data, '\n');
        if (end == NULL)
            return ERR_USAGE;
        *end = '\0';
        reader.room -= (size_t)(end + 1 - data);
        int code = read_line(&reader, data);
        if (code != ERR_NONE)
            return code;
        data = end + 1;
    }
    return self->version != NULL && self->command != NULL ? ERR_NONE : ERR_USAGE;
}

int record_read(struct record *self, enum record_kind kind, const char *option, const char *path,
                int must_exist, struct error *err)
{
    char first[80], *data = NULL;
    size_t length = 0;

    memset(self, 0, sizeof *self);
    self->kind = kind;
    errno = 0;
    int code = read_file(path, &data, &length);
    if (code == ERR_IO && errno == ENOENT && !must_exist)
        return ERR_NONE;
    if (code != ERR_NONE)
        return error_set(err, code, "%s %.200s: %s", option, path,
                         code == ERR_IO ? strerror(errno) : error_text(code));
    int known = snprintf(first, sizeof first, "cuckoo_sim %s, format %d\n", record_kind_name(kind),
                         RECORD_FORMAT);
    if (strncmp(data, first, (size_t)known) != 0)
        code = error_set(err, ERR_USAGE, "%s %.200s: this is no cuckoo_sim %s of format %d", option,
                         path, record_kind_name(kind), RECORD_FORMAT);
    else if (check_end(data, length) != ERR_NONE)
        code =
            error_set(err, ERR_USAGE, "%s %.200s: the file is damaged or cut short", option, path);
    else if ((code = read_text(self, data + known)) != ERR_NONE)
        error_set(err, code, "%s %.200s: %s", option, path,
                  code == ERR_MEMORY ? error_text(code) : "the file is damaged");
    free(data);
    return code;
}

static void free_items(struct record_item *item, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(item[i].name);
        free(item[i].value);
    }
    free(item);
}

void sections_free(struct section *section, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tally_free(&section[i].tally);
    free(section);
}

void record_free(struct record *self)
{
    free(self->version);
    free(self->command);
    free_items(self->argument, self->n_arguments);
    free_items(self->setting, self->n_settings);
    sections_free(self->section, self->n_sections);
    memset(self, 0, sizeof *self);
}
