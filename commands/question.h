/* question.h -- a user's own question: what `run` asks once and `sweep` many times.
 *
 * Options become a scheme, a search, numbers of keys and slots, and a measure; the rows of
 * the answer go into the measure's table (run_fail.c, run_fill.c, run_costs.c). */
#ifndef CUCKOO_QUESTION_H
#define CUCKOO_QUESTION_H

#include "../src/keyfile.h"
#include "../src/keyset.h"
#include "../src/measure.h"
#include "../src/options.h"
#include "../src/out.h"
#include "../src/search.h"

struct question {
    const char *name; /* of the subcommand, for messages */
    const struct options *options;
    enum measure measure;
    struct scheme scheme;
    struct insert_rule rule;
    char search[SEARCH_NAME];
    unsigned d, k;
    unsigned window; /* slots of a window; 0: buckets of k */
    uint64_t page;   /* slots of a page of windows; 0: none */
    char layout[48]; /* as on the command line; split:A+B for tables of two sizes */
    enum positions positions;
    struct derive derive;
    struct family family;
    int fitted; /* the family to the keys' universe */
    char derivation[SEARCH_NAME], hash[SEARCH_NAME];
    struct keyfile keyfile; /* count 0: no file */
    struct keyset keyset;   /* of fail, without a file */
    uint64_t keys;          /* measure fail */
    struct ratio load[LOOKUP_LOADS_MAX];
    uint64_t keys_at[LOOKUP_LOADS_MAX]; /* floor(load * slots), the other measures but fill */
    size_t n_loads;
    uint64_t trials;
};

/* Refusals name the subcommand `name` and the option.  Free in every case. */
int question_init(struct question *self, const char *name, const struct options *options,
                  struct error *err);
/* What a trial offers, for the measures that take it. */
struct offered question_offered(const struct question *self);

void question_free(struct question *self);

/* The head lines that print every setting back, defaults included. */
void question_params(const struct question *self, struct out *out);
/* Head lines that say what was asked, and what is certain about the keys of a file. */
void question_notes(const struct question *self, struct out *out);
/* The first part alone, for many questions of one kind. */
void question_notes_of(const struct options *options, struct out *out);

/* The table of this measure, and the question's rows in it. */
const struct out_table *question_table(enum measure measure);
int question_write(const struct question *self, struct out *out, struct error *err);

/* question_parts.c: --rule, --search, --hash, --derive and --keyset. */
int question_read_rule(struct question *self, struct error *err);
int question_read_search(struct question *self, struct error *err);
int question_read_hash(struct question *self, struct error *err);
int question_read_keyset(struct question *self, struct error *err);
/* Once the number of keys is known. */
int question_read_keyset_size(struct question *self, struct error *err);
/* Once the scheme has its slots: the limits of a rule, the family, the derivation. */
int question_use_parts(struct question *self, struct error *err);

/* The columns and values that every table begins with. */
#define QUESTION_COLUMNS                                                                           \
    {"candidates", OUT_COUNT, 0, "d, candidate buckets of a key"},                                 \
        {"bucket", OUT_COUNT, 0, "k, slots of a bucket"},                                          \
        {"layout", OUT_WORD, 0,                                                                    \
         "one table; split: a table for each candidate (split:A+B: of these sizes); window:L/P: "  \
         "L neighbouring slots in pages of P"},                                                    \
        {"positions", OUT_WORD, 0,                                                                 \
         "repeat: a key's candidates may coincide; distinct: never; -: a split table"},            \
        {"hash", OUT_WORD, 0, "family of hash functions (src/family.h)"},                          \
        {"derive", OUT_WORD, 0, "how a second bucket follows from the first (src/derive.h)"},      \
        {"search", OUT_WORD, 0,                                                                    \
         "complete; walk:KICKS; bfs:SLOTS inspected (/MOVES); original:KICKS; walk-rr:KICKS; "     \
         "bubble-up:KICKS; "                                                                       \
         "lsa:LABEL/TIES; a rule's name"},                                                         \
    {                                                                                              \
        "slots", OUT_COUNT, 0, "over all tables, whole buckets"                                    \
    }
void question_write_setting(const struct question *self, struct out *out);

extern const struct out_table run_table_fail, run_table_fill, run_table_insert, run_table_lookup,
    run_table_primary;
int run_fail(const struct question *question, struct out *out, struct error *err);
int run_fill(const struct question *question, struct out *out, struct error *err);
int run_insert(const struct question *question, struct out *out, struct error *err);
int run_lookup(const struct question *question, struct out *out, struct error *err);
int run_primary(const struct question *question, struct out *out, struct error *err);

/* Options of `run`, and its defaults; `sweep` has the same. */
#define QUESTION_BITS                                                                              \
    (OPTION_TRIAL_BITS | OPTION_BIT(OPTION_CANDIDATES) | OPTION_BIT(OPTION_BUCKET) |               \
     OPTION_BIT(OPTION_WINDOW) | OPTION_BIT(OPTION_POSITIONS) | OPTION_BIT(OPTION_SLOTS) |         \
     OPTION_BIT(OPTION_KEYS) | OPTION_BIT(OPTION_LOAD) | OPTION_BIT(OPTION_EXPANSION) |            \
     OPTION_BIT(OPTION_SEARCH) | OPTION_BIT(OPTION_STASH) | OPTION_BIT(OPTION_KEYSET) |            \
     OPTION_BIT(OPTION_MEASURE) | OPTION_BIT(OPTION_UNTIL_FAILURES) |                              \
     OPTION_BIT(OPTION_UNTIL_WIDTH) | OPTION_BIT(OPTION_RULE) | OPTION_BIT(OPTION_FAMILY) |        \
     OPTION_BIT(OPTION_DERIVE))
extern const struct option_limit question_limits[];

void question_defaults(struct options *options);

#endif
