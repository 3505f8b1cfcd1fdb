/* e12.c -- readers beside a writer: can a lookup miss a key that was there all the time,
 * return what it should not, and how often must it begin anew?  All interleavings of one
 * lookup with one displacement path, counted; then long random schedules on real tables. */
#include "experiments.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../src/measure_live.h"
#include "../src/race.h"
#include "common.h"

#define SLOTS       (UINT64_C(1) << 14)
#define SLOTS_LEAST (UINT64_C(1) << 8) /* smaller tables do not reach load 0.95 in every trial */
#define TRIALS      4
#define STEPS       UINT64_C(4000000) /* of all together, in a trial */
#define COUNTERS    8192              /* MemC3's; libcuckoo's paper has 2048 locks */
#define LOCKS       2048

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- every interleaving ---- */

static const struct out_column race_columns[] = {
    {"protocol", OUT_WORD, 0, "what writer and reader do; a name with an addition is a variant"},
    {"slots_hold", OUT_WORD, 0, "pointer: tag and a pointer to key and value; inline: all three"},
    {"lookup", OUT_WORD, 0, "moving: of each key that moves, either bucket first; absent: of none"},
    {"moves", OUT_COUNT, 0, "keys that the path displaces"},
    {"writer_steps", OUT_COUNT, 0, "reads and writes of the writer"},
    {"interleavings", OUT_WORD, 0, "orders of all steps, in full"},
    {"false_misses", OUT_WORD, 0,
     "of them: the key was there all the time, the lookup says absent"},
    {"wrong_hits", OUT_WORD, 0, "of them: another key's value is returned"},
    {"retried", OUT_WORD, 0, "of them: the reader began anew at least once"},
    {"most_retries", OUT_COUNT, 0, "in one interleaving"},
    {"verdict", OUT_WORD, 0, "safe: no false miss and no wrong hit in any order"},
};
static const struct out_table race_table = {"e12.interleavings",
                                            "Every order of one lookup and one path", race_columns,
                                            COUNT(race_columns)};

static void write_big(struct out *out, struct count128 value)
{
    char digits[COUNT128_DIGITS];

    count128_print(value, digits);
    out_word(out, digits);
}

/* All lookups of a kind beside a path of `moves`, added up. */
static int count_lookups(const struct race_protocol *protocol, int inline_values, int absent,
                         unsigned moves, struct race_counts *sum)
{
    *sum = (struct race_counts){.most_retries = 0};
    for (unsigned key = 1; key <= moves; key++)
        for (int new_first = 0; new_first < 2; new_first++) {
            struct race_setting setting = {protocol,         inline_values, moves,
                                           absent ? 0 : key, key - 1,       new_first};
            struct race_counts counts;
            int code = race_count(&setting, &counts);
            if (code != ERR_NONE)
                return code;
            race_add(sum, &counts);
            sum->writer_steps = counts.writer_steps;
        }
    return count128_fits(sum->interleavings) ? ERR_NONE : ERR_NUMERIC;
}

static int write_race(struct out *out, const struct race_protocol *protocol, int inline_values,
                      int absent, unsigned moves)
{
    struct race_counts sum;
    int code = count_lookups(protocol, inline_values, absent, moves, &sum);

    if (code != ERR_NONE)
        return code;
    out_word(out, protocol->name);
    out_word(out, inline_values ? "inline" : "pointer");
    out_word(out, absent ? "absent" : "moving");
    out_count(out, moves);
    out_count(out, sum.writer_steps);
    write_big(out, sum.interleavings);
    write_big(out, sum.false_misses);
    write_big(out, sum.wrong_hits);
    write_big(out, sum.retried);
    out_count(out, sum.most_retries);
    int safe = count128_is_zero(sum.false_misses) && count128_is_zero(sum.wrong_hits);
    out_word(out, safe ? "safe" : "unsafe");
    return ERR_NONE;
}

static int interleavings(struct out *out, struct error *err)
{
    int code = ERR_NONE;

    out_begin(out, &race_table);
    out_note(out, "A step is one read or write of a tag, a key, a value, a counter or a lock;");
    out_note(out, "sequentially consistent.  A reader that waits is blocked until the counter has");
    out_note(out, "changed.  Each order counts once: the shares are no probabilities.");
    for (const struct race_protocol *p = race_protocols; p->name != NULL; p++)
        for (int inline_values = 0; inline_values < 2; inline_values++)
            for (unsigned moves = 1; moves <= RACE_MOVES_MAX && code == ERR_NONE; moves++)
                code = write_race(out, p, inline_values, 0, moves);
    for (const struct race_protocol *p = race_protocols; p->name != NULL; p++)
        for (unsigned moves = 1; moves <= RACE_MOVES_MAX && code == ERR_NONE && !p->mistake;
             moves++)
            code = write_race(out, p, 0, 1, moves);
    if (code == ERR_NONE)
        out_end(out);
    return code == ERR_NONE ? code
                            : error_set(err, code, "e12: interleavings: %s", error_text(code));
}

/* ---- long schedules ---- */

static const struct out_column live_columns[] = {
    {"protocol", OUT_WORD, 0, "as above"},
    {"search", OUT_WORD, 0, "breadth: 2000 slots at most; walk: one random path, 500 moves"},
    {"load", OUT_FIXED, 2, "keys / slots, kept constant: each insertion follows a deletion"},
    {"readers", OUT_COUNT, 0, "beside one writer"},
    {"rest", OUT_COUNT, 0, "steps in which the writer does nothing after each insertion"},
    {"insertions", OUT_COUNT, 0, "carried out; trials added up"},
    {"failed", OUT_COUNT, 0, "no path was found, the key stays out"},
    {"lookups", OUT_COUNT, 0, "half of them of keys that were never there"},
    {"false_misses", OUT_COUNT, 0, "lookups of keys there all the time that said absent"},
    {"wrong_hits", OUT_COUNT, 0, "lookups that returned another key"},
    {"retries", OUT_COUNT, 0, "times a lookup (Open vSwitch: or a bucket) began anew"},
    {"needless", OUT_COUNT, 0, "retries in which the key looked up had not moved"},
    {"lookups_retried", OUT_COUNT, 0, "lookups with a retry"},
    {"share", OUT_SCI, 4, "lookups_retried / lookups"},
    {"low", OUT_SCI, 4, "lower end of its 95% Clopper-Pearson interval"},
    {"high", OUT_SCI, 4, "upper end"},
    {"reader_lost", OUT_FIXED, 6, "share of the readers' steps spent waiting"},
    {"writer_lost", OUT_FIXED, 6, "share of the writer's steps spent waiting"},
};
static const struct out_table live_table = {"e12.schedules",
                                            "Random schedules: retries of lookups, needless or not",
                                            live_columns, COUNT(live_columns)};

static const struct out_column hold_columns[] = {
    {"protocol", OUT_WORD, 0, "as above"},
    {"search", OUT_WORD, 0, "as above"},
    {"load", OUT_FIXED, 2, "keys / slots"},
    {"insertions", OUT_COUNT, 0, "carried out, at that load"},
    {"moves", OUT_COUNT, 0, "keys displaced"},
    {"moves_mean", OUT_FIXED, 3, "an insertion"},
    {"moves_most", OUT_COUNT, 0, "by one insertion"},
    {"held", OUT_COUNT, 0, "steps in which the writer held a lock or an odd counter"},
    {"held_mean", OUT_FIXED, 3, "an insertion"},
    {"held_most", OUT_COUNT, 0, "in one insertion"},
    {"held_longest", OUT_COUNT, 0, "between taking hold and letting all go"},
};
static const struct out_table hold_table = {"e12.held", "How long the writer holds anything",
                                            hold_columns, COUNT(hold_columns)};

struct row {
    const char *protocol;
    enum live_search search;
    unsigned load; /* in hundredths */
    unsigned readers;
    uint32_t rest;
};

static const struct race_protocol *find_protocol(const char *name)
{
    const struct race_protocol *protocol = race_protocols;

    while (protocol->name != NULL && strcmp(protocol->name, name) != 0)
        protocol++;
    return protocol;
}

static int run_live(const struct options *options, const struct row *row, uint64_t **tally,
                    struct error *err)
{
    struct live_trials setting = {.seed = options->seed, .label = "e12"};
    struct ratio load = {row->load, 100};
    struct trials_work work;
    int code = init_scheme(&setting.live.scheme, 2, 4, LAYOUT_ONE, chosen(options->slots, SLOTS),
                           "e12", err);

    *tally = NULL;
    if (code != ERR_NONE)
        return code;
    setting.trials = chosen(options->trials, TRIALS);
    setting.live.protocol = find_protocol(row->protocol);
    setting.live.search = row->search;
    setting.live.keys = ratio_floor(load, setting.live.scheme.slots);
    setting.live.readers = row->readers;
    setting.live.counters = setting.live.protocol->guard == RACE_GUARD_LOCKS ? LOCKS : COUNTERS;
    setting.live.rest = row->rest;
    setting.live.steps = STEPS;
    live_work(&setting, &work);
    code = trials_run(&work, options, tally, err);
    if (code == ERR_DOMAIN)
        return error_set(err, ERR_USAGE,
                         "e12: --slots %" PRIu64 ": so small a table is not filled to load 0.%02u",
                         options->slots, row->load);
    return code;
}

static int write_live(struct out *out, const struct row *row, const uint64_t *t, struct error *err)
{
    out_word(out, row->protocol);
    out_word(out, row->search == LIVE_BREADTH ? "breadth" : "walk");
    out_real(out, row->load / 100.0);
    out_count(out, row->readers);
    out_count(out, row->rest);
    out_count(out, t[LIVE_INSERTIONS]);
    out_count(out, t[LIVE_FAILED]);
    out_count(out, t[LIVE_LOOKUPS]);
    out_count(out, t[LIVE_FALSE_MISSES]);
    out_count(out, t[LIVE_WRONG_HITS]);
    out_count(out, t[LIVE_RETRIES]);
    out_count(out, t[LIVE_NEEDLESS]);
    out_count(out, t[LIVE_LOOKUPS_RETRIED]);
    int code = out_estimate(out, t[LIVE_LOOKUPS_RETRIED], t[LIVE_LOOKUPS], err);
    out_real(out, (double)t[LIVE_READER_LOST] / (double)t[LIVE_READER_STEPS]);
    out_real(out, (double)t[LIVE_WRITER_LOST] / (double)t[LIVE_WRITER_STEPS]);
    return code;
}

static void write_hold(struct out *out, const struct row *row, const uint64_t *t)
{
    double insertions = (double)t[LIVE_INSERTIONS];

    out_word(out, row->protocol);
    out_word(out, row->search == LIVE_BREADTH ? "breadth" : "walk");
    out_real(out, row->load / 100.0);
    out_count(out, t[LIVE_INSERTIONS]);
    out_count(out, t[LIVE_MOVES]);
    out_real(out, (double)t[LIVE_MOVES] / insertions);
    out_count(out, t[LIVE_MOST_MOVES]);
    out_count(out, t[LIVE_HELD]);
    out_real(out, (double)t[LIVE_HELD] / insertions);
    out_count(out, t[LIVE_HELD_INSERTION]);
    out_count(out, t[LIVE_MOST_HELD]);
}

static void live_head(const struct options *options, struct out *out)
{
    out_param(out, "seed", "%" PRIu64, options->seed);
    out_param(out, "trials", "%" PRIu64, chosen(options->trials, TRIALS));
    out_param(out, "slots", "%" PRIu64, chosen(options->slots, SLOTS));
    out_param(out, "candidates", "2");
    out_param(out, "bucket", "4");
    out_param(out, "steps_a_trial", "%" PRIu64, STEPS);
    out_param(out, "memc3_counters", "%d", COUNTERS);
    out_param(out, "libcuckoo_locks", "%d", LOCKS);
}

/* Protocols and searches at the highest load; then loads; then the writer's rest. */
static const struct row live_rows[] = {
    {"kick-first", LIVE_WALK, 95, 1, 0},   {"kick-first", LIVE_WALK, 95, 8, 0},
    {"backwards", LIVE_BREADTH, 95, 1, 0}, {"backwards", LIVE_BREADTH, 95, 8, 0},
    {"memc3", LIVE_WALK, 95, 1, 0},        {"memc3", LIVE_WALK, 95, 2, 0},
    {"memc3", LIVE_WALK, 95, 4, 0},        {"memc3", LIVE_WALK, 95, 8, 0},
    {"memc3", LIVE_BREADTH, 95, 1, 0},     {"memc3", LIVE_BREADTH, 95, 8, 0},
    {"memc3", LIVE_WALK, 80, 4, 0},        {"memc3", LIVE_WALK, 90, 4, 0},
    {"libcuckoo", LIVE_BREADTH, 95, 1, 0}, {"libcuckoo", LIVE_BREADTH, 95, 2, 0},
    {"libcuckoo", LIVE_BREADTH, 95, 4, 0}, {"libcuckoo", LIVE_BREADTH, 95, 8, 0},
    {"dpdk", LIVE_BREADTH, 95, 1, 0},      {"dpdk", LIVE_BREADTH, 95, 2, 0},
    {"dpdk", LIVE_BREADTH, 95, 4, 0},      {"dpdk", LIVE_BREADTH, 95, 8, 0},
    {"dpdk", LIVE_BREADTH, 95, 4, 100},    {"dpdk", LIVE_BREADTH, 95, 4, 1000},
    {"dpdk", LIVE_BREADTH, 95, 4, 10000},  {"dpdk", LIVE_BREADTH, 80, 4, 0},
    {"dpdk", LIVE_BREADTH, 90, 4, 0},      {"ovs", LIVE_BREADTH, 95, 1, 0},
    {"ovs", LIVE_BREADTH, 95, 2, 0},       {"ovs", LIVE_BREADTH, 95, 4, 0},
    {"ovs", LIVE_BREADTH, 95, 8, 0},
};

static const struct row hold_rows[] = {
    {"memc3", LIVE_WALK, 80, 1, 0},        {"memc3", LIVE_WALK, 90, 1, 0},
    {"memc3", LIVE_WALK, 95, 1, 0},        {"memc3", LIVE_BREADTH, 95, 1, 0},
    {"libcuckoo", LIVE_WALK, 95, 1, 0},    {"libcuckoo", LIVE_BREADTH, 80, 1, 0},
    {"libcuckoo", LIVE_BREADTH, 90, 1, 0}, {"libcuckoo", LIVE_BREADTH, 95, 1, 0},
};

static int run(const struct options *options, struct out *out, struct error *err)
{
    uint64_t *tally = NULL;
    int code = interleavings(out, err);

    if (code != ERR_NONE)
        return code;
    out_begin(out, &live_table);
    live_head(options, out);
    out_note(out, "Each step belongs to a reader or to the writer, all equally likely.");
    for (size_t i = 0; i < COUNT(live_rows) && code == ERR_NONE; i++) {
        code = run_live(options, &live_rows[i], &tally, err);
        if (code == ERR_NONE)
            code = write_live(out, &live_rows[i], tally, err);
        free(tally);
    }
    if (code != ERR_NONE)
        return code;
    out_end(out);
    out_begin(out, &hold_table);
    live_head(options, out);
    for (size_t i = 0; i < COUNT(hold_rows) && code == ERR_NONE; i++) {
        code = run_live(options, &hold_rows[i], &tally, err);
        if (code == ERR_NONE)
            write_hold(out, &hold_rows[i], tally);
        free(tally);
    }
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

static const struct out_table *const tables[] = {&race_table, &live_table, &hold_table, NULL};

const struct command experiment_e12 = {
    .name = "e12",
    .summary = "readers beside a writer: every interleaving, and long random schedules",
    .about = "Counts all orders of the steps of one lookup and one displacement path for the\n"
             "protocols of MemC3, libcuckoo, DPDK and Open vSwitch and for variants with a\n"
             "mistake; then runs readers beside a writer on real tables, one step at a time.\n"
             "--slots and --trials are those of the random schedules.",
    .takes = OPTION_TRIAL_BITS | OPTION_BIT(OPTION_SLOTS),
    .tables = tables,
    .slots = {SLOTS_LEAST, 4 * (uint64_t)SCHEME_BUCKETS_MAX, 1},
    .run = run,
};
