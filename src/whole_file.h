/* whole_file.h -- a file that appears whole or not at all: results, checkpoints, shards.
 *
 * The new text is written beside its final place, synced, and renamed there, so that a
 * reader, a full disk or a kill at any moment meets the old file or the new one.  The name
 * beside it, .cuckoo_sim.HASH, follows from the file's: a kill can leave one such file, and
 * the next run that writes the same FILE uses it up.  Two processes that write one file take
 * turns (flock).  Links
 * are followed and stay links.  What is no regular file (a pipe, a device) cannot be
 * replaced and is written directly. */
#ifndef CUCKOO_WHOLE_FILE_H
#define CUCKOO_WHOLE_FILE_H

#include <stddef.h>
#include <sys/types.h>

#include "error.h"

struct whole_file {
    char *path;      /* behind all links */
    char *temporary; /* its name until it is whole, beside it */
    int direct;      /* no regular file: write to it, replace nothing */
    mode_t mode;     /* rights of the file that is replaced; 0 where there is none */
};

/* Find out where the file will stand and whether it can: ERR_IO or ERR_MEMORY, described in
 * `err` as "OPTION PATH: why".  Nothing is created.  Free in every case. */
int whole_file_prepare(struct whole_file *self, const char *option, const char *path,
                       struct error *err);

/* Put the file in place; may be called again.  ERR_IO with errno: then what stood there
 * before still does. */
int whole_file_write(const struct whole_file *self, const char *data, size_t length);

void whole_file_free(struct whole_file *self);

#endif
