/* out.c -- see out.h.  Values are kept as text from the moment they are given, so
 * that the three formats cannot differ in a digit. */
#include "out.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "stop.h"
#include "whole_file.h"

struct text {
    char *data;
    size_t length, capacity;
};

struct out {
    enum out_format format;
    FILE *stream; /* where tables go at once, or NULL */
    int to_file;  /* the whole goes to `file` at the end */
    struct whole_file file;
    const struct out_table *table;
    struct text done; /* finished text not yet written */
    struct text head; /* the `#` lines of the table at hand */
    char **cells;
    size_t n_cells, cells_capacity;
    int started; /* the version line is out */
    int code;    /* first error */
    int error_number;
};

/* Nobody will see what is still computed: no further block of trials is begun. */
static void fail(struct out *self, int code)
{
    if (self->code == ERR_NONE) {
        self->code = code;
        self->error_number = errno;
        if (stop_signal() == 0)
            stop_ask(SIGPIPE);
    }
}

static void append(struct out *self, struct text *text, const char *data, size_t length)
{
    if (text->capacity - text->length <= length) {
        size_t capacity = text->capacity > 0 ? text->capacity : 1024;
        while (capacity - text->length <= length)
            capacity *= 2;
        char *grown = realloc(text->data, capacity);
        if (grown == NULL) {
            fail(self, ERR_MEMORY);
            return;
        }
        text->data = grown;
        text->capacity = capacity;
    }
    memcpy(text->data + text->length, data, length);
    text->length += length;
    text->data[text->length] = '\0';
}

static void append_text(struct out *self, struct text *text, const char *data)
{
    append(self, text, data, strlen(data));
}

/* printf into `text`, a line of ASCII whatever the name of a file holds.  A line longer than
 * the buffer is a bug of the caller. */
static void append_formatted(struct out *self, struct text *text, const char *format, va_list args)
{
    char line[1024];
    int length = vsnprintf(line, sizeof line, format, args);

    if (length < 0 || (size_t)length >= sizeof line)
        fail(self, ERR_VERIFY);
    for (int i = 0; i < length && (size_t)i < sizeof line - 1; i++)
        if (line[i] < ' ' || line[i] > '~')
            line[i] = '?';
    if (length >= 0 && (size_t)length < sizeof line)
        append(self, text, line, (size_t)length);
}

int out_open(struct out **self, enum out_format format, FILE *stream, const char *path,
             struct error *err)
{
    struct out *out = calloc(1, sizeof *out);

    *self = NULL;
    if (out == NULL)
        return error_set(err, ERR_MEMORY, "starting the output: %s", error_text(ERR_MEMORY));
    out->format = format;
    out->stream = path == NULL ? stream : NULL;
    out->to_file = path != NULL;
    int code = path != NULL ? whole_file_prepare(&out->file, "--output", path, err) : ERR_NONE;
    if (code != ERR_NONE)
        out_discard(out);
    else
        *self = out;
    return code;
}

void out_begin(struct out *self, const struct out_table *table)
{
    if (self->table != NULL)
        fail(self, ERR_VERIFY);
    for (size_t c = 0; c < table->n_columns; c++)
        if (strcmp(table->columns[c].name, "table") == 0) /* csv and jsonl have one of their own */
            fail(self, ERR_VERIFY);
    self->table = table;
}

void out_param(struct out *self, const char *key, const char *format, ...)
{
    va_list args;

    append_text(self, &self->head, "# ");
    append_text(self, &self->head, key);
    append_text(self, &self->head, "=");
    va_start(args, format);
    append_formatted(self, &self->head, format, args);
    va_end(args);
    append_text(self, &self->head, "\n");
}

void out_note(struct out *self, const char *format, ...)
{
    va_list args;

    append_text(self, &self->head, "# ");
    va_start(args, format);
    append_formatted(self, &self->head, format, args);
    va_end(args);
    append_text(self, &self->head, "\n");
}

static void add_cell(struct out *self, const char *value)
{
    if (self->n_cells == self->cells_capacity) {
        size_t capacity = self->cells_capacity > 0 ? 2 * self->cells_capacity : 64;
        char **grown = realloc(self->cells, capacity * sizeof *grown);
        if (grown == NULL) {
            fail(self, ERR_MEMORY);
            return;
        }
        self->cells = grown;
        self->cells_capacity = capacity;
    }
    size_t length = strlen(value);
    char *copy = malloc(length + 1);
    if (copy == NULL) {
        fail(self, ERR_MEMORY);
        return;
    }
    memcpy(copy, value, length + 1);
    self->cells[self->n_cells++] = copy;
}

/* The column that the next value belongs to; NULL if the value is of another kind. */
static const struct out_column *next_column(struct out *self, enum out_kind kind, enum out_kind alt)
{
    if (self->table == NULL) {
        fail(self, ERR_VERIFY);
        return NULL;
    }
    const struct out_column *column = &self->table->columns[self->n_cells % self->table->n_columns];
    if (column->kind != kind && column->kind != alt) {
        fail(self, ERR_VERIFY);
        return NULL;
    }
    return column;
}

void out_word(struct out *self, const char *value)
{
    if (next_column(self, OUT_WORD, OUT_WORD) != NULL) {
        if (value[0] == '\0' || strpbrk(value, " \t\n,\"\\") != NULL)
            fail(self, ERR_VERIFY);
        add_cell(self, value);
    }
}

void out_wordf(struct out *self, const char *format, ...)
{
    char word[256];
    va_list args;

    va_start(args, format);
    int length = vsnprintf(word, sizeof word, format, args);
    va_end(args);
    if (length < 0 || (size_t)length >= sizeof word)
        fail(self, ERR_VERIFY);
    out_word(self, word);
}

void out_count(struct out *self, uint64_t value)
{
    if (next_column(self, OUT_COUNT, OUT_COUNT) != NULL) {
        char digits[24];
        snprintf(digits, sizeof digits, "%" PRIu64, value);
        add_cell(self, digits);
    }
}

void out_real(struct out *self, double value)
{
    const struct out_column *column = next_column(self, OUT_FIXED, OUT_SCI);

    if (column != NULL)
        out_real_digits(self, value, column->digits);
}

void out_real_digits(struct out *self, double value, int digits)
{
    const struct out_column *column = next_column(self, OUT_FIXED, OUT_SCI);
    char number[400];

    if (column == NULL)
        return;
    if (isnan(value)) {
        fail(self, ERR_VERIFY);
        add_cell(self, "nan");
        return;
    }
    if (isinf(value)) {
        add_cell(self, value > 0 ? "inf" : "-inf");
        return;
    }
    if (column->kind == OUT_FIXED)
        snprintf(number, sizeof number, "%.*f", digits, value);
    else
        snprintf(number, sizeof number, "%.*e", digits > 0 ? digits - 1 : 0, value);
    /* A negative number that rounds to nothing is printed as nothing. */
    if (number[0] == '-' && strpbrk(number, "123456789") == NULL)
        memmove(number, number + 1, strlen(number));
    add_cell(self, number);
}

void out_none(struct out *self)
{
    if (self->table == NULL)
        fail(self, ERR_VERIFY);
    else
        add_cell(self, "-");
}

static void render_text(struct out *self)
{
    const struct out_table *table = self->table;
    struct text *done = &self->done;
    size_t *width = calloc(table->n_columns, sizeof *width);

    if (width == NULL) {
        fail(self, ERR_MEMORY);
        return;
    }
    for (size_t c = 0; c < table->n_columns; c++)
        width[c] = strlen(table->columns[c].name);
    for (size_t i = 0; i < self->n_cells; i++) {
        size_t length = strlen(self->cells[i]);
        if (length > width[i % table->n_columns])
            width[i % table->n_columns] = length;
    }
    append_text(self, done, "# ");
    append_text(self, done, table->name);
    append_text(self, done, "  ");
    append_text(self, done, table->title);
    append_text(self, done, "\n");
    append(self, done, self->head.data != NULL ? self->head.data : "", self->head.length);
    for (size_t c = 0; c < table->n_columns; c++) {
        append_text(self, done, "# ");
        append_text(self, done, table->columns[c].name);
        append_text(self, done, ": ");
        append_text(self, done, table->columns[c].note);
        append_text(self, done, "\n");
    }
    for (size_t i = 0; i < table->n_columns + self->n_cells; i++) {
        size_t c = i % table->n_columns;
        const char *cell =
            i < table->n_columns ? table->columns[c].name : self->cells[i - table->n_columns];
        int word = table->columns[c].kind == OUT_WORD;
        size_t pad = width[c] - strlen(cell);
        if (c > 0)
            append_text(self, done, "  ");
        if (!word)
            for (size_t p = 0; p < pad; p++)
                append(self, done, " ", 1);
        append_text(self, done, cell);
        if (word && c + 1 < table->n_columns)
            for (size_t p = 0; p < pad; p++)
                append(self, done, " ", 1);
        if (c + 1 == table->n_columns)
            append_text(self, done, "\n");
    }
    append_text(self, done, "\n");
    free(width);
}

static void render_csv(struct out *self)
{
    const struct out_table *table = self->table;
    struct text *done = &self->done;

    append_text(self, done, "table");
    for (size_t c = 0; c < table->n_columns; c++) {
        append_text(self, done, ",");
        append_text(self, done, table->columns[c].name);
    }
    append_text(self, done, "\n");
    for (size_t i = 0; i < self->n_cells; i++) {
        if (i % table->n_columns == 0)
            append_text(self, done, table->name);
        append_text(self, done, ",");
        if (strcmp(self->cells[i], "-") != 0)
            append_text(self, done, self->cells[i]);
        if ((i + 1) % table->n_columns == 0)
            append_text(self, done, "\n");
    }
}

static void render_jsonl(struct out *self)
{
    const struct out_table *table = self->table;
    struct text *done = &self->done;

    for (size_t i = 0; i < self->n_cells; i++) {
        const struct out_column *column = &table->columns[i % table->n_columns];
        const char *cell = self->cells[i];
        int null = strcmp(cell, "-") == 0 ||
                   (column->kind != OUT_WORD && strpbrk(cell, "in") != NULL); /* inf */
        int quote = column->kind == OUT_WORD && !null;
        if (i % table->n_columns == 0) {
            append_text(self, done, "{\"table\":\"");
            append_text(self, done, table->name);
            append_text(self, done, "\"");
        }
        append_text(self, done, ",\"");
        append_text(self, done, column->name);
        append_text(self, done, quote ? "\":\"" : "\":");
        append_text(self, done, null ? "null" : cell);
        append_text(self, done, quote ? "\"" : "");
        if ((i + 1) % table->n_columns == 0)
            append_text(self, done, "}\n");
    }
}

/* Hand the finished text to the stream; where a file is written it waits for out_close(). */
static void flush_stream(struct out *self)
{
    if (self->stream == NULL || self->done.length == 0 || self->code != ERR_NONE)
        return;
    if (fwrite(self->done.data, 1, self->done.length, self->stream) != self->done.length ||
        fflush(self->stream) != 0)
        fail(self, ERR_IO);
    self->done.length = 0;
}

static void clear_table(struct out *self)
{
    for (size_t i = 0; i < self->n_cells; i++)
        free(self->cells[i]);
    self->n_cells = 0;
    self->head.length = 0;
    self->table = NULL;
}

void out_end(struct out *self)
{
    if (self->table == NULL || self->n_cells % self->table->n_columns != 0)
        fail(self, ERR_VERIFY);
    if (self->code == ERR_NONE) {
        if (self->format == OUT_TEXT && !self->started) {
            char line[64];
            snprintf(line, sizeof line, "# cuckoo_sim results, format %d\n\n", OUT_FORMAT_VERSION);
            append_text(self, &self->done, line);
        }
        self->started = 1;
        if (self->format == OUT_TEXT)
            render_text(self);
        else if (self->format == OUT_CSV)
            render_csv(self);
        else
            render_jsonl(self);
    }
    clear_table(self);
    flush_stream(self);
}

/* The rest of a file goes beside its place. */
static int redirect_partial(struct out *self, struct error *err)
{
    char *path = malloc(strlen(self->file.path) + sizeof ".partial");

    if (path == NULL)
        return error_set(err, ERR_MEMORY, "--output: %s", error_text(ERR_MEMORY));
    strcpy(path, self->file.path);
    strcat(path, ".partial");
    whole_file_free(&self->file);
    int code = whole_file_prepare(&self->file, "--output", path, err);
    free(path);
    return code;
}

int out_close_partial(struct out *self, const char *mark, struct error *err)
{
    if (self->table != NULL) {
        while (self->n_cells % self->table->n_columns != 0)
            free(self->cells[--self->n_cells]);
        out_end(self);
    }
    if (self->format == OUT_TEXT) {
        append_text(self, &self->done, "# ");
        append_text(self, &self->done, mark);
        append_text(self, &self->done, "\n");
    }
    if (self->to_file && !self->file.direct && redirect_partial(self, err) != ERR_NONE) {
        int code = err->code;
        out_discard(self);
        return code;
    }
    return out_close(self, err);
}

int out_close(struct out *self, struct error *err)
{
    int code;

    if (self->table != NULL)
        fail(self, ERR_VERIFY);
    flush_stream(self);
    if (self->to_file && self->code == ERR_NONE &&
        whole_file_write(&self->file, self->done.data, self->done.length) != ERR_NONE)
        fail(self, ERR_IO);
    code = self->code;
    if (code == ERR_IO)
        error_set(err, code, "%s%s: %s", self->to_file ? "--output " : "standard output",
                  self->to_file ? self->file.path : "", strerror(self->error_number));
    else if (code != ERR_NONE)
        error_set(err, code, "writing the results: %s", error_text(code));
    out_discard(self);
    return code;
}

void out_discard(struct out *self)
{
    if (self == NULL)
        return;
    clear_table(self);
    free(self->cells);
    free(self->head.data);
    free(self->done.data);
    whole_file_free(&self->file);
    free(self);
}

void out_describe(FILE *stream, const struct out_table *table)
{
    fprintf(stream, "\n%s  %s\n", table->name, table->title);
    for (size_t c = 0; c < table->n_columns; c++)
        fprintf(stream, "  %-20s  %s\n", table->columns[c].name, table->columns[c].note);
}
