/* options_table.h -- one row an option; internal to options*.c. */
#ifndef CUCKOO_OPTIONS_TABLE_H
#define CUCKOO_OPTIONS_TABLE_H

#include "options.h"

enum kind {
    KIND_SIZE,
    KIND_LIST,
    KIND_SLOTS,
    KIND_FAIL,
    KIND_INT,
    KIND_CHOICE,
    KIND_TEXT,
    KIND_FLAG,
    KIND_RATIO,
    KIND_RATIOS,
    KIND_SHARD,
    KIND_LAYOUT
};

struct spec {
    enum option_id id;
    const char *name;
    const char *argument; /* for help; NULL for a flag */
    enum kind kind;
    size_t offset;     /* of the value in struct options */
    uint64_t min, max; /* of a number */
    const char *const *choices;
    const char *help;
    const char *otherwise; /* what holds where it is not given, if that is no fixed value */
};

/* 2^53: beyond it a count printed through a ratio of doubles would lose its last digit. */
#define COUNT_MAX  (UINT64_C(1) << 53)
#define TRIALS_MAX ((UINT64_C(1) << 63) - 1) /* proportions are printed to fewer digits */

/* Two tables of different sizes have a meaning where the layout can be chosen. */
static inline int options_take_two_tables(const struct command *command)
{
    return (command->takes & (OPTION_BIT(OPTION_LAYOUT) | OPTION_BIT(OPTION_WINDOW))) != 0;
}

extern const struct spec option_specs[OPTION_COUNT];

/* The option's row with the range that holds in `command`. */
struct spec options_spec(const struct command *command, enum option_id id);

#endif
