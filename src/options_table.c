/* options_table.c -- every option of every subcommand: name, argument, range, meaning. */
#include "options_table.h"

static const char *const choices_format[] = {"text", "csv", "jsonl", NULL};
static const char *const choices_layout[] = {"one", "split", NULL};
static const char *const choices_window[] = {"one",      "split",    "window:2",
                                             "window:3", "window:4", NULL};
static const char *const choices_measure[] = {"fill", "fail", "insert", "lookup", "primary", NULL};
static const char *const choices_progress[] = {"auto", "json", NULL};
static const char *const choices_hash[] = {"divmod", "mix", NULL};
static const char *const choices_positions[] = {"repeat", "distinct", NULL};

#define WINDOW_MAX 64 /* slots; what a command can hold may be less */

#define AT(field) offsetof(struct options, field)

const struct spec option_specs[OPTION_COUNT] = {
    {OPTION_TRIALS, "trials", "N", KIND_SIZE, AT(trials), 1, TRIALS_MAX, NULL,
     "trials of every row (tables filled, graphs drawn, seeds)", "each row's own number"},
    {OPTION_SEED, "seed", "N", KIND_SIZE, AT(seed), 0, UINT64_MAX, NULL,
     "seed of all random streams", NULL},
    {OPTION_KEYS, "keys", "N", KIND_SIZE, AT(keys), 0, COUNT_MAX, NULL, "number of keys", NULL},
    {OPTION_SLOTS, "slots", "M", KIND_SLOTS, AT(slots), 1, COUNT_MAX, NULL, "slots over all tables",
     "each row's own number"},
    {OPTION_CANDIDATES, "candidates", "D", KIND_LIST, AT(candidates), 1, 64, NULL,
     "candidate buckets of a key", NULL},
    {OPTION_BUCKET, "bucket", "K", KIND_LIST, AT(bucket), 1, 4096, NULL, "slots of a bucket", NULL},
    {OPTION_LAYOUT, "layout", "one|split", KIND_CHOICE, AT(split), 0, 0, choices_layout,
     "all candidates in one table, or a table for each", NULL},
    {OPTION_WINDOW, "layout", "one|split|window:L[/P]", KIND_LAYOUT, AT(split), 2, WINDOW_MAX,
     choices_window,
     "one table, a table for each candidate, or one with windows of L neighbouring slots (in pages "
     "of P)",
     NULL},
    {OPTION_POSITIONS, "positions", "repeat|distinct", KIND_CHOICE, AT(distinct), 0, 0,
     choices_positions, "whether a key's candidates may coincide", NULL},
    {OPTION_STASH, "stash", "S", KIND_SIZE, AT(stash), 0, 64, NULL, "slots outside the tables",
     NULL},
    {OPTION_FAIL, "fail", "P", KIND_FAIL, AT(fail_log2), 0, 0, NULL,
     "probability of failure, 0 < P < 1 (2^-40, 1e-12, 0.001)", NULL},
    {OPTION_THREADS, "threads", "N", KIND_INT, AT(threads), 1, 1024, NULL,
     "threads; the bytes do not depend on it", "one for each processor"},
    {OPTION_MEMORY, "memory", "BYTES", KIND_SIZE, AT(memory), 1 << 20, COUNT_MAX, NULL,
     "memory for tables, up to 1.3 times 8 bytes a slot for each thread in e2 to e7; fewer threads "
     "run if they need more",
     "half of what is free"},
    {OPTION_FORMAT, "format", "text|csv|jsonl", KIND_CHOICE, AT(format), 0, 0, choices_format,
     "form of the tables", NULL},
    {OPTION_OUTPUT, "output", "FILE", KIND_TEXT, AT(output), 0, 0, NULL,
     "write to FILE, whole or not at all", "standard output"},
    {OPTION_QUIET, "quiet", NULL, KIND_FLAG, AT(quiet), 0, 0, NULL, "no progress on a terminal",
     "progress where standard error is a terminal"},
    {OPTION_HASH, "hash", "divmod|mix", KIND_CHOICE, AT(hash_mix), 0, 0, choices_hash,
     "positions k mod m and (k div m) mod m', or the seeded mixer", NULL},
    {OPTION_MAX_ROUNDS, "max-rounds", "N", KIND_SIZE, AT(max_rounds), 1, 1 << 20, NULL,
     "stop an insertion after N rounds of one placement in each table", NULL},
    {OPTION_MAX_PLACEMENTS, "max-placements", "N", KIND_SIZE, AT(max_placements), 1, 1 << 21, NULL,
     "stop an insertion after N placements", "twice the keys so far, which always suffices"},
    {OPTION_RANDOM, "random", "SEED", KIND_SIZE, AT(random), 0, UINT64_MAX, NULL,
     "draw the keys from this seed", NULL},
    {OPTION_FIND, "find", "kicks=N|fail", KIND_TEXT, AT(find), 0, 0, NULL,
     "look for keys of which the last one takes N kicks, or cannot be placed", NULL},
    {OPTION_FULL, "full", NULL, KIND_FLAG, AT(full), 0, 0, NULL,
     "the rows that take minutes and gigabytes too", "without them"},
    {OPTION_LOAD, "load", "A", KIND_RATIOS, AT(loads), 0, 0, NULL,
     "keys / slots, exactly (0.95, 19/20); a list where the measure walks up loads",
     "0.90; insert 0.50,0.80,0.90,0.93,0.95; lookup and primary 0.50,0.70,0.80,0.90,0.95"},
    {OPTION_EXPANSION, "expansion", "E", KIND_RATIO, AT(expansion), 0, 0, NULL,
     "slots / keys, exactly; slots are rounded up to whole buckets and tables", NULL},
    {OPTION_SEARCH, "search", "RULE", KIND_TEXT, AT(search), 0, 0, NULL,
     "complete, walk:KICKS, bfs:SLOTS, bfs:SLOTS,MOVES, original:KICKS (two candidates), "
     "walk-rr:KICKS, bubble-up:KICKS (buckets of one) or lsa:LABEL,TIES",
     NULL},
    {OPTION_KEYSET, "keyset", "SET|FILE", KIND_TEXT, AT(keyset), 0, 0, NULL,
     "random, interval, progression:STEP, dense:FACTOR, cube, or a file with a key a line",
     "random"},
    {OPTION_MEASURE, "measure", "WHAT", KIND_CHOICE, AT(measure), 0, 0, choices_measure,
     "fill, fail, insert, lookup or primary", NULL},
    {OPTION_UNTIL_FAILURES, "until-failures", "F", KIND_SIZE, AT(until_failures), 1, COUNT_MAX,
     NULL, "stop at the shortest prefix of trials that holds F failures", NULL},
    {OPTION_UNTIL_WIDTH, "until-width", "W", KIND_RATIO, AT(until_width), 0, 0, NULL,
     "stop when the interval is W wide or less, looking after 1024, 2048, 4096 ... trials", NULL},
    {OPTION_PROGRESS, "progress", "auto|json", KIND_CHOICE, AT(progress), 0, 0, choices_progress,
     "auto: a line where standard error is a terminal; json: an object a line, always", NULL},
    {OPTION_CHECKPOINT, "checkpoint", "FILE", KIND_TEXT, AT(checkpoint), 0, 0, NULL,
     "keep finished trials in FILE and go on from it", "none"},
    {OPTION_CHECKPOINT_EVERY, "checkpoint-every", "SECONDS", KIND_SIZE, AT(checkpoint_every), 0,
     86400, NULL, "least time between two writes of the checkpoint", NULL},
    {OPTION_SHARD, "shard", "I/K", KIND_SHARD, AT(shard), 1, 1000000, NULL,
     "do part I of K and write it to --output for `merge`", "the whole"},
    {OPTION_DRY_RUN, "dry-run", NULL, KIND_FLAG, AT(dry_run), 0, 0, NULL,
     "only say what memory and time it would take", NULL},
    {OPTION_RULE, "rule", "NAME", KIND_TEXT, AT(rule), 0, 0, NULL,
     "what a library does (e10 lists them); other options change parts of it", "none"},
    {OPTION_FAMILY, "hash", "FAMILY", KIND_TEXT, AT(family), 0, 0, NULL,
     "family of hash functions (e8 lists them); FAMILY:fitted for the keys' universe", "mixer"},
    {OPTION_DERIVE, "derive", "HOW[:BITS]", KIND_TEXT, AT(derive), 0, 0, NULL,
     "second bucket from the first and a tag of BITS bits (e9 lists the ways); xor-hash: others "
     "too",
     "independent"},
    {OPTION_SVG, "svg", "FILE", KIND_TEXT, AT(svg), 0, 0, NULL,
     "draw the steps into FILE, by draw_diagrams.py", "no picture"},
};

struct spec options_spec(const struct command *command, enum option_id id)
{
    struct spec spec = option_specs[id];

    for (const struct option_limit *limit = command->limits; limit != NULL && limit->most > 0;
         limit++)
        if (limit->id == id) {
            spec.min = limit->least;
            spec.max = limit->most;
        }
    return spec;
}
