/* record_text.h -- what writing and reading records share; internal to record*.c. */
#ifndef CUCKOO_RECORD_TEXT_H
#define CUCKOO_RECORD_TEXT_H

#include "record.h"

#define RECORD_VALUE 4096 /* longest value of an option */

const char *record_kind_name(enum record_kind kind);
uint64_t record_checksum(const char *data, size_t length);
int record_is_setting(const struct command *command, enum option_id id);
void record_setting(const struct command *command, const struct options *options, enum option_id id,
                    char *buffer, size_t size);

#endif
