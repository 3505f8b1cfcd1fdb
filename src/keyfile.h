/* keyfile.h -- the keys that a trial offers: random ones, or those of a file.
 *
 * A file has one key a line; a last line without its end counts, a line may be empty, and
 * a CR before the LF is part of the line's end.  If every line is a decimal number below
 * 2^64 without leading zeros, the keys are those numbers.  Otherwise a key is the line's
 * bytes, folded eight at a time, the first byte lowest, through the mixer: the same 64-bit
 * key on every machine.  Two different lines of one key are refused (their chance is
 * n^2 / 2^65).  Key sets by rule (an interval, a cube) will have their place here. */
#ifndef CUCKOO_KEYFILE_H
#define CUCKOO_KEYFILE_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct keyfile {
    uint64_t *key; /* in the order of the file, copies included */
    size_t count, distinct;
    size_t most_copies, most_line; /* of the key that occurs most often, and its first line */
    int decimal;
    uint64_t fingerprint; /* of all keys in their order */
    uint64_t *copies;     /* of each distinct key, most first */
};

#define KEYFILE_LINE_MAX (1 << 20) /* bytes */

/* ERR_IO, ERR_USAGE (an empty file, a line too long, more than fits into `memory` bytes) or
 * ERR_MEMORY, described in `err`.  Never takes more than twice `memory`, whatever the file. */
int keyfile_read(struct keyfile *self, const char *path, uint64_t memory, struct error *err);
void keyfile_free(struct keyfile *self);

/* Keys that have no place whatever the functions are, if a key has `places` slots: the copies
 * of one key beyond that many. */
uint64_t keyfile_beyond(const struct keyfile *self, uint64_t places);

#endif
