/* out.h -- tables of results as text, csv or jsonl.
 *
 * A table is declared once (struct out_table: name, title, columns with their notes)
 * and serves the writer, `help` and the Python readers alike.  An experiment fills it
 * value by value in column order; nothing is printed before out_end(), since columns
 * are aligned.  Errors are sticky: the first one is kept and out_close() returns it,
 * so that the filling code stays readable.
 *
 * Text format, version 1 (docs/FORMAT.md): first line `# cuckoo_sim results, format 1`;
 * then a table: `# name  title`, `# key=value` lines, `# note` lines, `# column: note`
 * lines, a header line, a line a row, a blank line.  No value holds a space; a value
 * that does not exist is `-` (csv: empty, jsonl: null).  */
#ifndef CUCKOO_OUT_H
#define CUCKOO_OUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "error.h"

#define OUT_FORMAT_VERSION 1

enum out_format { OUT_TEXT = 0, OUT_CSV, OUT_JSONL };

enum out_kind {
    OUT_WORD,  /* a name without spaces */
    OUT_COUNT, /* an unsigned integer, in full */
    OUT_FIXED, /* a real with `digits` places after the point */
    OUT_SCI    /* a real in scientific notation with `digits` significant digits */
};

struct out_column {
    const char *name;
    enum out_kind kind;
    int digits;
    const char *note; /* unit and definition, one line, for the table's head and `help` */
};

struct out_table {
    const char *name;  /* "e4.failures" */
    const char *title; /* one line */
    const struct out_column *columns;
    size_t n_columns;
};

struct out; /* opaque: a writer */

/* Start writing to `stream` (path == NULL; flushed table by table) or to a file that
 * appears at out_close() whole or not at all: it is written beside its final place,
 * synced and renamed; a device or a pipe is written directly.  A path that cannot be
 * written is refused here, before any work: ERR_IO or ERR_MEMORY, described in `err`. */
int out_open(struct out **self, enum out_format format, FILE *stream, const char *path,
             struct error *err);

/* Finish: write what is left, close, rename.  The first error of all calls is returned
 * and described in `err`; with an error the file at `path` is left as it was. */
int out_close(struct out *self, struct error *err);

/* Finish a run that was stopped: the rows of an open table that are complete are written,
 * then the line `# mark` (text), and what would have been in FILE goes to FILE.partial, FILE
 * itself staying as it was.  Errors as in out_close. */
int out_close_partial(struct out *self, const char *mark, struct error *err);

/* Drop everything unwritten and free; for a run that failed.  NULL is allowed. */
void out_discard(struct out *self);

void out_begin(struct out *self, const struct out_table *table);
/* Head lines `# key=value`; text format only. */
void out_param(struct out *self, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Head line `# ...`; text format only. */
void out_note(struct out *self, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The next value of the row; its kind must be the column's (checked: ERR_VERIFY). */
void out_word(struct out *self, const char *value);
void out_wordf(struct out *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
void out_count(struct out *self, uint64_t value);
void out_real(struct out *self, double value);
/* A real with another number of digits than the column's, where a row needs it. */
void out_real_digits(struct out *self, double value, int digits);
void out_none(struct out *self); /* no value here */

/* End the table; the number of values must be a multiple of the columns (ERR_VERIFY). */
void out_end(struct out *self);

/* The dictionary of a table's columns, as `help` prints it. */
void out_describe(FILE *stream, const struct out_table *table);

#endif
