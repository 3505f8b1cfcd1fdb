/* options.h -- one vocabulary of options for every subcommand.
 *
 * All options stand in one table (options.c): name, argument, meaning, range.  A
 * subcommand says which of them it takes; the others are refused by name.  Numbers
 * have one syntax everywhere: sizes 1000, 1e6, 1.5e6, 2^20; lists 2,3 and ranges 2:8
 * (lists only where the option says so); probabilities 0.001, 1e-12, 2^-40; slots of
 * two unequal tables 1200+1000; slots a key 1.27n; exact decimals and fractions 0.95,
 * 19/20 for loads.  `sweep` takes lists and ranges for most options. */
#ifndef CUCKOO_OPTIONS_H
#define CUCKOO_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "error.h"
#include "out.h"
#include "ratio.h"

enum option_id {
    OPTION_TRIALS = 0,
    OPTION_SEED,
    OPTION_KEYS,
    OPTION_SLOTS,
    OPTION_CANDIDATES,
    OPTION_BUCKET,
    OPTION_LAYOUT,
    OPTION_WINDOW, /* also --layout, with window:L; a command takes one of the two */
    OPTION_POSITIONS,
    OPTION_STASH,
    OPTION_FAIL,
    OPTION_THREADS,
    OPTION_MEMORY,
    OPTION_FORMAT,
    OPTION_OUTPUT,
    OPTION_QUIET,
    OPTION_HASH,
    OPTION_MAX_ROUNDS,
    OPTION_MAX_PLACEMENTS,
    OPTION_RANDOM,
    OPTION_FIND,
    OPTION_FULL,
    OPTION_LOAD,
    OPTION_EXPANSION,
    OPTION_SEARCH,
    OPTION_KEYSET,
    OPTION_MEASURE,
    OPTION_UNTIL_FAILURES,
    OPTION_UNTIL_WIDTH,
    OPTION_PROGRESS,
    OPTION_CHECKPOINT,
    OPTION_CHECKPOINT_EVERY,
    OPTION_SHARD,
    OPTION_DRY_RUN,
    OPTION_RULE,
    OPTION_FAMILY, /* also --hash; a command takes one of the two */
    OPTION_DERIVE,
    OPTION_SVG,
    OPTION_COUNT
};

#define OPTION_BIT(id) (UINT64_C(1) << (id))
/* What every subcommand that prints tables takes. */
#define OPTION_OUTPUT_BITS                                                                         \
    (OPTION_BIT(OPTION_FORMAT) | OPTION_BIT(OPTION_OUTPUT) | OPTION_BIT(OPTION_QUIET))
/* What every subcommand that runs trials takes. */
#define OPTION_TRIAL_BITS                                                                          \
    (OPTION_BIT(OPTION_TRIALS) | OPTION_BIT(OPTION_SEED) | OPTION_BIT(OPTION_THREADS) |            \
     OPTION_BIT(OPTION_MEMORY) | OPTION_BIT(OPTION_PROGRESS) | OPTION_BIT(OPTION_CHECKPOINT) |     \
     OPTION_BIT(OPTION_CHECKPOINT_EVERY) | OPTION_BIT(OPTION_SHARD) | OPTION_BIT(OPTION_DRY_RUN) | \
     OPTION_OUTPUT_BITS)
/* What changes how the work is done and written, but none of its numbers. */
#define OPTION_MANNER_BITS                                                                         \
    (OPTION_BIT(OPTION_THREADS) | OPTION_BIT(OPTION_MEMORY) | OPTION_BIT(OPTION_PROGRESS) |        \
     OPTION_BIT(OPTION_CHECKPOINT) | OPTION_BIT(OPTION_CHECKPOINT_EVERY) |                         \
     OPTION_BIT(OPTION_SHARD) | OPTION_BIT(OPTION_DRY_RUN) | OPTION_OUTPUT_BITS)

#define OPTION_LIST_MAX     256
#define OPTION_OPERANDS_MAX 4096

struct option_list {
    size_t count;
    uint64_t value[OPTION_LIST_MAX];
};

struct option_ratios {
    size_t count;
    struct ratio value[OPTION_LIST_MAX];
};

enum progress_form { PROGRESS_AUTO = 0, PROGRESS_JSON };
enum measure { MEASURE_FILL = 0, MEASURE_FAIL, MEASURE_INSERT, MEASURE_LOOKUP, MEASURE_PRIMARY };

struct session;

/* Every option's value; 0 in a count means "not given: the row's own default". */
struct options {
    uint64_t given; /* OPTION_BITs */
    uint64_t trials;
    uint64_t seed; /* default 1 */
    uint64_t keys;
    uint64_t slots;         /* over all tables */
    uint64_t slots_part[2]; /* of two unequal tables; 0 where --slots was one number */
    struct option_list candidates, bucket;
    int split;       /* --layout split */
    uint64_t window; /* L of --layout window:L or window:L/P, 0: another layout */
    uint64_t page;   /* P, 0: none */
    int distinct;    /* --positions distinct */
    uint64_t stash;
    double fail_log2; /* log2 of --fail, negative */
    int threads;      /* 0: as many as the machine has */
    uint64_t memory;  /* bytes; 0: half of what is free */
    enum out_format format;
    const char *output; /* NULL: standard output */
    int quiet;
    int hash_mix;            /* --hash mix; else divmod */
    uint64_t max_rounds;     /* 0: not given */
    uint64_t max_placements; /* 0: not given */
    uint64_t random;         /* seed of random keys */
    const char *find;        /* NULL: not given */
    const char *svg;         /* NULL: no picture */
    int full;                /* the largest rows too */
    /* Words that are no options, for commands that take them; borrowed from argv. */
    const char *operand[OPTION_OPERANDS_MAX];
    size_t n_operands;
    struct option_ratios loads;
    struct ratio expansion;    /* num 0: not given; also set by --slots 1.27n */
    const char *search;        /* as in search.h */
    const char *keyset;        /* as in keyset.h; NULL: random */
    int measure;               /* enum measure */
    uint64_t until_failures;   /* 0: not asked for */
    struct ratio until_width;  /* num 0: not asked for */
    int progress;              /* enum progress_form */
    const char *checkpoint;    /* NULL: none */
    uint64_t checkpoint_every; /* seconds */
    uint64_t shard[2];         /* I of K; 0 of 0: the whole */
    int dry_run;
    const char *text[OPTION_COUNT]; /* as it was written; NULL: not given */
    const char *rule;               /* NULL: none; else a name of rules.h */
    const char *family;             /* NULL: the mixer */
    const char *derive;             /* NULL: independent candidates */
    struct session *session;        /* of this process, see session.h; NULL is allowed */
};

/* What --slots may be where one number has to suit every row of an experiment. */
struct slots_range {
    uint64_t least, most; /* 0 in both: whatever the option itself allows */
    uint64_t multiple;    /* 0 or 1: every number */
};

/* A narrower range of a number than the option's own. */
struct option_limit {
    enum option_id id;
    uint64_t least, most;
};

/* A subcommand.  The table of all of them (cuckoo_sim.c) gives dispatch, help and the
 * list that the tests walk through. */
struct command {
    const char *name;
    const char *summary;                   /* one line for the list of subcommands */
    const char *about;                     /* a paragraph for `help NAME` */
    uint64_t takes;                        /* OPTION_BITs */
    uint64_t needs;                        /* those that must be given */
    const char *operands;                  /* "KEY...", for help; NULL: it takes none */
    const struct out_table *const *tables; /* NULL at the end: the dictionary of columns */
    /* Set defaults that differ from options_init()'s; may be NULL. */
    void (*defaults)(struct options *options);
    /* Fill tables; 0 or a negative code described in `err`. */
    int (*run)(const struct options *options, struct out *out, struct error *err);
    uint64_t lists;           /* options whose value may be a list or a range: see options_words */
    int operands_needed;      /* at least one word that is no option */
    struct slots_range slots; /* checked before the first table is printed */
    const struct option_limit *limits;  /* a most of 0 at the end, or NULL */
    const struct command *const *parts; /* commands that it runs (NULL at the end), or NULL */
};

void options_init(struct options *self);

/* Read argv[1..] (argv[0] is the subcommand's name).  Returns 0, or ERR_USAGE with a line
 * that names the option, the value and what is allowed. */
int options_parse(struct options *self, const struct command *command, int argc, char **argv,
                  struct error *err);

/* The options that `command` takes, with their live defaults. */
void options_describe(FILE *stream, const struct command *command);

/* Set one option from its text, as if it stood on the command line of `command`. */
int options_set(struct options *self, const struct command *command, enum option_id id,
                const char *text, struct error *err);

/* As options_set, or for a listed option as on the command line; the option by its name. */
int options_set_named(struct options *self, const struct command *command, const char *name,
                      const char *text, struct error *err);

/* What `command` and all of its parts allow for --slots; multiple is at least 1. */
struct slots_range options_slots_range(const struct command *command);

/* "a multiple of 2 from 8 to 2^20". */
void options_print_range(const struct slots_range *range, char *buffer, size_t size);

/* Checks that concern several options: to be called after options_set. */
int options_check(struct options *self, const struct command *command, struct error *err);

/* The words that the value of a listed option stands for; free(*words). */
int options_words(const struct options *self, const struct command *command, enum option_id id,
                  char ***words, size_t *count, struct error *err);

const char *options_name(enum option_id id);

/* The value of an option in one spelling, whatever was written: to compare settings. */
void options_print_value(const struct options *self, enum option_id id, char *buffer, size_t size);

/* What completion and the manual need of each option that `command` takes. */
void options_visit(const struct command *command,
                   void (*visit)(void *context, const char *name, const char *argument,
                                 const char *const *choices, const char *help),
                   void *context);

/* True if the option was on the command line. */
int options_given(const struct options *self, enum option_id id);

#endif
