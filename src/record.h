/* record.h -- finished trials as text: checkpoints and shards.
 *
 * One line an item, LF, ASCII; bytes that would break a line are written %0A:
 *   cuckoo_sim checkpoint, format 1     (or: shard)
 *   version 0.1.0
 *   command run
 *   argument keys 1e3                   as given on the command line, for `merge`
 *   setting keys 1000                   every option that its numbers depend on
 *   shard 0 0                           I K; 0 0 for the whole
 *   section FIRST END LIMIT TRIALS START BLOCK SUMS MAXES ROWS FINGERPRINT FAILURES LABEL
 *   cells INDEX VALUE INDEX VALUE ...   those of the sums and maxima that are not 0
 *   row VALUE VALUE ...                 ROWS lines of END - FIRST values
 *   end CHECKSUM                        FNV-1a of all bytes before this line
 * A section is a call of trials_run (section.h).  What is in the file depends on which
 * trials are finished and on nothing else: not on threads, ranks or time. */
#ifndef CUCKOO_RECORD_H
#define CUCKOO_RECORD_H

#include "options.h"
#include "section.h"

#define RECORD_FORMAT 1

enum record_kind { RECORD_CHECKPOINT = 0, RECORD_SHARD };

struct record_item {
    char *name, *value;
};

struct record {
    enum record_kind kind;
    char *version, *command;
    struct record_item *argument, *setting;
    size_t n_arguments, n_settings;
    uint64_t shard[2];
    struct section *section;
    size_t n_sections;
};

/* The text of a record; *length without the final 0.  NULL: out of memory. */
char *record_print(enum record_kind kind, const struct command *command,
                   const struct options *options, const struct section *section, size_t sections,
                   size_t *length);

/* Read a file.  *self is zero where the file does not exist and `must_exist` is 0.  ERR_USAGE
 * for what is no such file or is damaged, ERR_IO, ERR_MEMORY; `option` names it in the refusal.
 * Free in every case. */
int record_read(struct record *self, enum record_kind kind, const char *option, const char *path,
                int must_exist, struct error *err);
void record_free(struct record *self);

/* ERR_USAGE, saying what differs, unless the record was made by this version and command
 * with options that give the same numbers. */
int record_check(const struct record *self, const struct command *command,
                 const struct options *options, const char *option, const char *path,
                 struct error *err);

/* ERR_USAGE, saying what differs, unless both are of the same version, command and setting. */
int record_compare(const struct record *self, const char *path, const struct record *other,
                   const char *other_path, struct error *err);

void sections_free(struct section *section, size_t count);

#endif
