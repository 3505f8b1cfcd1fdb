/* trace.c -- the original insertion step by step, on keys of one's own: who takes which
 * slot and who is evicted, the tables at the end, the components of the cuckoo graph and
 * why a key cannot be placed.  --find looks for a small example with a property. */
#include "commands.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../src/parse.h"
#include "../src/rng.h"
#include "../src/scheme.h"
#include "trace_svg.h"
#include "trace_tables.h"

#define SLOTS_A_TABLE 11     /* where --slots is not given */
#define KEYS_RANDOM   10     /* where --random comes without --keys */
#define FIND_SEEDS    100000 /* sets of keys looked at for each number of keys */

/* What stays the same for all sets of keys of a run. */
struct shape {
    uint32_t slots[2];
    int mix;
    struct hasher hasher;
    int max_steps; /* 0: twice the keys so far */
};

static int read_shape(const struct options *options, struct shape *shape, struct error *err)
{
    uint64_t slots = options->slots > 0 ? options->slots
                     : options->split   ? 2 * SLOTS_A_TABLE
                                        : SLOTS_A_TABLE;
    uint64_t part[2] = {slots, 0};

    memset(shape, 0, sizeof *shape);
    if (options->slots_part[1] > 0) {
        part[0] = options->slots_part[0];
        part[1] = options->slots_part[1];
    } else if (options->split) {
        if (slots % 2 != 0)
            return error_set(err, ERR_USAGE,
                             "trace: --slots %" PRIu64 ": an even number for two equal tables, or "
                             "two sizes A+B, is allowed",
                             slots);
        part[0] = part[1] = slots / 2;
    }
    if (part[0] > TRACE_SLOTS_MAX || part[1] > TRACE_SLOTS_MAX)
        return error_set(err, ERR_USAGE,
                         "trace: --slots %" PRIu64 ": at most %d slots a table are allowed", slots,
                         TRACE_SLOTS_MAX);
    shape->slots[0] = (uint32_t)part[0];
    shape->slots[1] = (uint32_t)part[1];
    shape->mix = options->hash_mix;
    const uint64_t words[] = {options->seed, STREAM_HASH};
    hasher_init(&shape->hasher, stream_key(words, 2));
    if (options->max_rounds > 0 && options->max_placements > 0)
        return error_set(err, ERR_USAGE,
                         "trace: --max-rounds and --max-placements: one of them is allowed");
    shape->max_steps =
        (int)(options->max_rounds > 0 ? 2 * options->max_rounds : options->max_placements);
    return ERR_NONE;
}

static int add_key(struct trace *trace, const struct shape *shape, uint64_t key)
{
    uint32_t first = shape->slots[0], second = shape->slots[trace->tables - 1];
    uint32_t slot[2];
    char name[24];

    if (shape->mix) {
        uint64_t hash = hash_mix(key ^ shape->hasher.seed[0]);
        slot[0] = hash_reduce(hash >> 32, first);
        slot[1] = hash_reduce(hash, second);
    } else {
        slot[0] = (uint32_t)(key % first);
        slot[1] = (uint32_t)(key / first % second);
    }
    snprintf(name, sizeof name, "%" PRIu64, key);
    return trace_add_key(trace, name, slot[0], slot[1]);
}

/* Different keys of few digits; enough of them that both positions take all values. */
static int random_keys(struct trace *trace, const struct shape *shape, uint64_t seed,
                       uint64_t number)
{
    uint32_t range = shape->slots[0] * (shape->slots[1] > 0 ? shape->slots[1] : shape->slots[0]);
    const uint64_t words[] = {seed, number, STREAM_KEYS};
    uint64_t drawn[TRACE_KEYS_MAX];
    struct rng rng;
    int code = trace_init(trace, shape->slots[0], shape->slots[1]);

    if (range < 124)
        range = 124;
    rng_init(&rng, stream_key(words, 3));
    for (uint64_t i = 0; i < number && code == ERR_NONE;) {
        uint64_t key = 1 + rng_below(&rng, 8 * range + 7);
        uint64_t j = 0;
        while (j < i && drawn[j] != key)
            j++;
        if (j < i)
            continue;
        drawn[i++] = key;
        code = add_key(trace, shape, key);
    }
    return code;
}

static int given_keys(const struct options *options, const struct shape *shape, struct trace *trace,
                      struct error *err)
{
    int code = trace_init(trace, shape->slots[0], shape->slots[1]);

    for (size_t i = 0; i < options->n_operands && code == ERR_NONE; i++) {
        uint64_t key;
        if (parse_size(options->operand[i], 0, UINT64_MAX, &key) != ERR_NONE)
            return error_set(err, ERR_USAGE,
                             "trace: %.60s: a key is a whole number from 0 to 2^64-1",
                             options->operand[i]);
        char name[24];
        snprintf(name, sizeof name, "%" PRIu64, key);
        for (int j = 0; j < trace->keys; j++)
            if (strcmp(trace->key[j].name, name) == 0)
                return error_set(err, ERR_USAGE,
                                 "trace: %s: each key is allowed once (an insertion looks first, "
                                 "and does nothing for a key that is there)",
                                 name);
        if (trace->keys == TRACE_KEYS_MAX)
            return error_set(err, ERR_USAGE, "trace: %s: at most %d keys are allowed", name,
                             TRACE_KEYS_MAX);
        code = add_key(trace, shape, key);
    }
    return code;
}

/* The property that --find asks for. */
struct wanted {
    int fail;       /* the last key finds its component full */
    uint64_t kicks; /* else: it is placed after so many kicks */
};

static int read_wanted(const char *text, struct wanted *wanted, struct error *err)
{
    *wanted = (struct wanted){0};
    if (strcmp(text, "fail") == 0)
        wanted->fail = 1;
    else if (strncmp(text, "kicks=", 6) != 0 ||
             parse_size(text + 6, 0, 2 * TRACE_KEYS_MAX, &wanted->kicks) != ERR_NONE)
        return error_set(err, ERR_USAGE,
                         "trace: --find %.60s: kicks=N with N from 0 to %d, or fail, is allowed",
                         text, 2 * TRACE_KEYS_MAX);
    return ERR_NONE;
}

/* All keys but the last are placed, and the last one does what is wanted. */
static int has_property(const struct trace *trace, const struct trace_insertion *insertion,
                        const struct wanted *wanted)
{
    const struct trace_insertion *last = &insertion[trace->keys - 1];

    for (int i = 0; i + 1 < trace->keys; i++)
        if (insertion[i].nestless != TRACE_NONE)
            return 0;
    if (wanted->fail)
        return last->grew;
    return last->nestless == TRACE_NONE && (uint64_t)last->kicks == wanted->kicks;
}

/* Numbers of keys upwards, seeds from --random on: the first set with the property. */
static int find(const struct options *options, const struct shape *shape, uint64_t *seed,
                uint64_t *number, struct out *out, struct error *err)
{
    struct trace_insertion insertion[TRACE_KEYS_MAX];
    uint64_t least = options->keys > 0 ? options->keys : 1, examined = 0;
    uint64_t most = options->keys > 0 ? options->keys : shape->slots[0] + shape->slots[1] + 1;
    struct trace trace;
    struct wanted wanted;
    int code = read_wanted(options->find, &wanted, err);

    if (most > TRACE_KEYS_MAX)
        most = TRACE_KEYS_MAX;
    for (uint64_t n = least; n <= most && code == ERR_NONE; n++) {
        /* a chain moves no key more than twice, and the new key is no kick at first */
        if (!wanted.fail && wanted.kicks > 2 * n)
            continue;
        for (uint64_t i = 0; i < FIND_SEEDS && code == ERR_NONE; i++) {
            examined++;
            code = random_keys(&trace, shape, options->random + i, n);
            if (code == ERR_NONE)
                code = trace_run(&trace, shape->max_steps, insertion, NULL);
            if (code != ERR_NONE || !has_property(&trace, insertion, &wanted))
                continue;
            *seed = options->random + i;
            *number = n;
            out_begin(out, &trace_search_table);
            out_word(out, options->find);
            out_count(out, *seed);
            out_count(out, n);
            out_count(out, examined);
            out_end(out);
            return ERR_NONE;
        }
    }
    return code != ERR_NONE ? code
                            : error_set(err, ERR_NUMERIC,
                                        "trace: --find %.60s: none among %" PRIu64 " sets of keys",
                                        options->find, examined);
}

static int get_keys(const struct options *options, const struct shape *shape, struct trace *trace,
                    struct out *out, struct error *err)
{
    int random = options_given(options, OPTION_RANDOM) || options->find != NULL;
    uint64_t seed = options->random, number = options->keys > 0 ? options->keys : KEYS_RANDOM;
    int code = ERR_NONE;

    if (random && options->n_operands > 0)
        return error_set(err, ERR_USAGE, "trace: %.60s: keys, or --random and --find, are allowed",
                         options->operand[0]);
    if (!random && options->n_operands == 0)
        return error_set(err, ERR_USAGE,
                         "trace: keys are needed: numbers, or --random SEED, or --find kicks=N");
    if (!random && options_given(options, OPTION_KEYS))
        return error_set(err, ERR_USAGE, "trace: --keys %" PRIu64 ": only with --random or --find",
                         options->keys);
    if (number > TRACE_KEYS_MAX)
        return error_set(err, ERR_USAGE, "trace: --keys %" PRIu64 ": at most %d are allowed",
                         number, TRACE_KEYS_MAX);
    if (!random)
        return given_keys(options, shape, trace, err);
    if (options->find != NULL)
        code = find(options, shape, &seed, &number, out, err);
    return code == ERR_NONE ? random_keys(trace, shape, seed, number) : code;
}

static void write_head(const struct options *options, const struct shape *shape, struct out *out)
{
    if (shape->slots[1] > 0)
        out_param(out, "slots", "%u+%u", shape->slots[0], shape->slots[1]);
    else
        out_param(out, "slots", "%u", shape->slots[0]);
    out_param(out, "layout", "%s", shape->slots[1] > 0 ? "split" : "one");
    out_param(out, "hash", "%s", shape->mix ? "mix" : "divmod");
    if (shape->mix)
        out_param(out, "seed", "%" PRIu64, options->seed);
    if (options->max_rounds > 0)
        out_param(out, "max_rounds", "%" PRIu64, options->max_rounds);
    else if (options->max_placements > 0)
        out_param(out, "max_placements", "%" PRIu64, options->max_placements);
    else
        out_param(out, "max_placements", "2*keys");
}

static int write_tables(const struct options *options, const struct shape *shape,
                        const struct trace *keys, struct out *out)
{
    struct trace_insertion insertion[TRACE_KEYS_MAX];
    struct trace trace = *keys; /* its tables are still empty */

    out_begin(out, &trace_key_table);
    write_head(options, shape, out);
    trace_write_keys(out, &trace);
    out_end(out);
    out_begin(out, &trace_step_table);
    int code = trace_run(&trace, shape->max_steps, insertion, out);
    if (code != ERR_NONE)
        return code;
    out_end(out);
    trace_write_insertions(out, &trace, insertion);
    trace_write_end(out, &trace);
    return trace_write_components(out, &trace);
}

/* The same tables as text in a file of their own, for the script that draws. */
static int draw(const struct options *options, const struct shape *shape, const struct trace *keys,
                struct error *err)
{
    const char *folder = getenv("TMPDIR");
    char path[PATH_MAX];
    struct out *out;

    snprintf(path, sizeof path, "%s/cuckoo_trace_XXXXXX",
             folder != NULL && folder[0] != '\0' ? folder : P_tmpdir);
    int file = mkstemp(path);
    if (file < 0)
        return error_set(err, ERR_IO, "trace: --svg: %s: %s", path, strerror(errno));
    close(file);
    int code = out_open(&out, OUT_TEXT, NULL, path, err);
    if (code == ERR_NONE) {
        code = write_tables(options, shape, keys, out);
        if (code == ERR_NONE)
            code = out_close(out, err);
        else
            out_discard(out);
    }
    if (code == ERR_NONE)
        code = trace_svg(path, options->svg, err);
    remove(path);
    return code;
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    struct trace keys = {0};
    struct shape shape;
    int code = read_shape(options, &shape, err);

    if (code == ERR_NONE)
        code = get_keys(options, &shape, &keys, out, err);
    if (code == ERR_NONE && options->svg != NULL)
        code = draw(options, &shape, &keys, err);
    return code == ERR_NONE ? write_tables(options, &shape, &keys, out) : code;
}

static void defaults(struct options *options)
{
    options->split = 1;
    options->random = 1;
}

static const struct out_table *const tables[] = {
    &trace_search_table,
    &trace_key_table,
    &trace_step_table,
    &trace_insertion_table,
    &trace_end_table,
    &trace_component_table,
    NULL,
};

const struct command command_trace = {
    .name = "trace",
    .summary = "the original insertion step by step, on keys of your own",
    .about = "Inserts the keys in order by the original insertion and prints every step, the\n"
             "tables at the end, the components of the cuckoo graph, and why a key cannot be\n"
             "placed.  Keys are numbers; --random SEED draws some, and --find looks for the\n"
             "smallest random example whose last key takes so many kicks, or cannot be placed.\n"
             "After a stop the key in hand is left out and the next one comes.  Tables have 11\n"
             "slots each where --slots says nothing else.",
    .takes = OPTION_BIT(OPTION_SLOTS) | OPTION_BIT(OPTION_LAYOUT) | OPTION_BIT(OPTION_HASH) |
             OPTION_BIT(OPTION_SEED) | OPTION_BIT(OPTION_KEYS) | OPTION_BIT(OPTION_RANDOM) |
             OPTION_BIT(OPTION_FIND) | OPTION_BIT(OPTION_MAX_ROUNDS) |
             OPTION_BIT(OPTION_MAX_PLACEMENTS) | OPTION_BIT(OPTION_SVG) | OPTION_OUTPUT_BITS,
    .operands = "KEY...",
    .tables = tables,
    .defaults = defaults,
    .run = run,
};
