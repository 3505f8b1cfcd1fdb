/* keyfile.c -- see keyfile.h. */
#include "keyfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "parse.h"

struct line {
    const unsigned char *text;
    size_t length, number; /* number from 1 */
    uint64_t key;
};

/* Bytes behind the last line's end, if there were `before` of them and these are the next. */
static size_t open_line(size_t before, const unsigned char *data, size_t length)
{
    const unsigned char *last = memrchr(data, '\n', length);

    return last != NULL ? (size_t)(data + length - last) - 1 : before + length;
}

/* ERR_USAGE: a line is too long; ERR_DOMAIN: more than `memory` bytes. */
static int read_all(const char *path, uint64_t memory, unsigned char **data, size_t *length)
{
    FILE *file = fopen(path, "rb");
    size_t capacity = 1 << 16, got, open = 0;
    int code = ERR_NONE;

    *length = 0;
    if (file == NULL)
        return ERR_IO;
    *data = malloc(capacity);
    while (*data != NULL && code == ERR_NONE &&
           (got = fread(*data + *length, 1, capacity - *length, file)) > 0) {
        open = open_line(open, *data + *length, got);
        *length += got;
        code = open > KEYFILE_LINE_MAX ? ERR_USAGE : *length > memory ? ERR_DOMAIN : ERR_NONE;
        if (*length < capacity || code != ERR_NONE)
            continue;
        unsigned char *grown = realloc(*data, capacity *= 2);
        if (grown == NULL)
            free(*data);
        *data = grown;
    }
    if (*data == NULL || ferror(file))
        code = *data == NULL ? ERR_MEMORY : ERR_IO;
    fclose(file);
    return code;
}

static size_t count_lines(const unsigned char *data, size_t length)
{
    size_t lines = length > 0 && data[length - 1] != '\n';

    for (size_t i = 0; i < length; i++)
        lines += data[i] == '\n';
    return lines;
}

static void split(const unsigned char *data, size_t length, struct line *line, size_t lines)
{
    const unsigned char *at = data, *end = data + length;

    for (size_t i = 0; i < lines; i++) {
        const unsigned char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t own = (size_t)((stop != NULL ? stop : end) - at);
        line[i] = (struct line){.text = at, .length = own, .number = i + 1};
        if (own > 0 && stop != NULL && at[own - 1] == '\r')
            line[i].length--;
        at += own + 1;
    }
}

static int read_decimal(struct line *line)
{
    char word[24];

    if (line->length == 0 || line->length >= sizeof word ||
        (line->text[0] == '0' && line->length > 1))
        return ERR_USAGE;
    memcpy(word, line->text, line->length);
    word[line->length] = '\0';
    if (strspn(word, "0123456789") != line->length)
        return ERR_USAGE;
    return parse_size(word, 0, UINT64_MAX, &line->key);
}

static uint64_t fold_bytes(const unsigned char *text, size_t length)
{
    uint64_t key = hash_mix(length + HASH_GAMMA);

    for (size_t i = 0; i < length; i += 8) {
        uint64_t word = 0;
        for (size_t j = 0; j < 8 && i + j < length; j++)
            word |= (uint64_t)text[i + j] << (8 * j);
        key = hash_mix(key ^ word) + HASH_GAMMA;
    }
    return hash_mix(key);
}

static int by_key(const void *a, const void *b)
{
    const struct line *x = a, *y = b;

    if (x->key != y->key)
        return (x->key > y->key) - (x->key < y->key);
    return (x->number > y->number) - (x->number < y->number);
}

static int descending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x < y) - (x > y);
}

static int same_text(const struct line *a, const struct line *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* Sorts the lines and counts the copies of each key. */
static int count_copies(struct keyfile *self, struct line *line, const char *path,
                        struct error *err)
{
    qsort(line, self->count, sizeof *line, by_key);
    for (size_t i = 0; i < self->count;) {
        size_t first = i;
        for (; i < self->count && line[i].key == line[first].key; i++)
            if (!same_text(&line[i], &line[first]))
                return error_set(err, ERR_USAGE,
                                 "--keyset %.200s: lines %zu and %zu differ, but have one 64-bit "
                                 "key: change one of them",
                                 path, line[first].number, line[i].number);
        self->copies[self->distinct++] = i - first;
        if (i - first > self->most_copies) {
            self->most_copies = i - first;
            self->most_line = line[first].number;
        }
    }
    qsort(self->copies, self->distinct, sizeof *self->copies, descending);
    return ERR_NONE;
}

static void take_keys(struct keyfile *self, struct line *line)
{
    self->decimal = 1;
    for (size_t i = 0; i < self->count && self->decimal; i++)
        self->decimal = read_decimal(&line[i]) == ERR_NONE;
    self->fingerprint = hash_mix(self->count);
    for (size_t i = 0; i < self->count; i++) {
        if (!self->decimal)
            line[i].key = fold_bytes(line[i].text, line[i].length);
        self->key[i] = line[i].key;
        self->fingerprint = hash_mix(self->fingerprint ^ line[i].key) + HASH_GAMMA;
    }
}

static int refuse(int code, const char *path, uint64_t memory, struct error *err)
{
    if (code == ERR_USAGE)
        return error_set(err, ERR_USAGE,
                         "--keyset %.200s: a line is too long; %d bytes are allowed", path,
                         KEYFILE_LINE_MAX);
    if (code == ERR_DOMAIN)
        return error_set(err, ERR_USAGE,
                         "--keyset %.200s: the keys do not fit; the memory budget is %" PRIu64
                         " MiB, more --memory is allowed",
                         path, memory >> 20);
    return error_set(err, code, "--keyset %.200s: %s", path,
                     code == ERR_IO ? strerror(errno) : error_text(code));
}

int keyfile_read(struct keyfile *self, const char *path, uint64_t memory, struct error *err)
{
    unsigned char *data = NULL;
    size_t length = 0;

    memset(self, 0, sizeof *self);
    errno = 0;
    int code = read_all(path, memory, &data, &length);
    if (code == ERR_NONE) {
        self->count = count_lines(data, length);
        if (self->count > memory / (sizeof(struct line) + 2 * sizeof(uint64_t)))
            code = ERR_DOMAIN;
    }
    if (code != ERR_NONE) {
        refuse(code, path, memory, err);
        free(data);
        return err->code;
    }
    struct line *line = calloc(self->count + 1, sizeof *line);
    self->key = calloc(self->count + 1, sizeof *self->key);
    self->copies = calloc(self->count + 1, sizeof *self->copies);
    if (line == NULL || self->key == NULL || self->copies == NULL) {
        code = error_set(err, ERR_MEMORY, "--keyset %.200s: %s", path, error_text(ERR_MEMORY));
    } else if (self->count == 0) {
        code = error_set(err, ERR_USAGE,
                         "--keyset %.200s: the file is empty; a key a line is needed", path);
    } else {
        split(data, length, line, self->count);
        take_keys(self, line);
        code = count_copies(self, line, path, err);
    }
    free(line);
    free(data);
    return code;
}

void keyfile_free(struct keyfile *self)
{
    free(self->key);
    free(self->copies);
    memset(self, 0, sizeof *self);
}

uint64_t keyfile_beyond(const struct keyfile *self, uint64_t places)
{
    uint64_t beyond = 0;

    for (size_t i = 0; i < self->distinct && self->copies[i] > places; i++)
        beyond += self->copies[i] - places;
    return beyond;
}
