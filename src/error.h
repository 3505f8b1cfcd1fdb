/* error.h -- one set of return codes for the whole program.
 *
 * Every function that can go wrong returns an int: 0, or one of the negative
 * codes below.  An insertion that finds no place is not an error but an outcome
 * (see insert.h): it is a non-negative enum.
 *
 * The library floors (src/hash ... src/trials) return codes only.  Where a person
 * has to be told which option, value or file it was, the caller that knows fills a
 * `struct error` with one line of text; main() prints it and chooses the exit
 * status: 2 for misuse (ERR_USAGE), 1 for everything else. */
#ifndef CUCKOO_ERROR_H
#define CUCKOO_ERROR_H

#include <stdio.h>

enum {
    ERR_NONE = 0,
    ERR_MEMORY = -1,  /* an allocation failed */
    ERR_DOMAIN = -2,  /* an argument outside the range that the function documents */
    ERR_NUMERIC = -3, /* a root finder or a series did not reach its accuracy */
    ERR_IO = -4,      /* a read, write, rename or close failed; errno says why */
    ERR_USAGE = -5,   /* the command line asks for something that does not exist */
    ERR_VERIFY = -6,  /* an invariant of a structure does not hold: a bug */
    ERR_STOPPED = -7  /* a signal asked for the end before the work was done */
};

struct error {
    int code;
    char text[600]; /* one line, no newline at the end */
};

/* The meaning of `code` in a few words, for people. */
const char *error_text(int code);

/* Fill `self` with a formatted line (cut at the buffer's end) and return `code`, so
 * that a refusal reads `return error_set(err, ERR_USAGE, "...", ...)`. */
int error_set(struct error *self, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "cuckoo_sim: TEXT" as exactly one line: a value may hold any byte, and those that would
 * break the line or steer a terminal are written \x0a. */
void error_print(FILE *stream, const struct error *self);

/* Like error_set with error_text(code), unless `self` already holds a line for this
 * code: then that line, which knows more, stays.  Returns `code`. */
int error_from_code(struct error *self, int code, const char *what);

#endif
