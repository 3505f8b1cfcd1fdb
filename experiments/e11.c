/* e11.c -- the cuckoo filter: how often it says yes to what is not there, how full it gets,
 * what an item costs beside a Bloom filter, and what goes wrong with copies and deletions. */
#include "experiments.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../src/measure_filter.h"
#include "common.h"
#include "e11_parts.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

#define RATE_SLOTS     (UINT64_C(1) << 16)
#define RATE_TRIALS    8
#define LOOKUPS_A_LOAD (UINT64_C(1) << 17) /* of absent items, a load and trial */
#define SLOTS_LEAST    (UINT64_C(1) << 8)  /* of --slots: smaller filters hold too few items */
#define SLOTS_MOST     (UINT64_C(1) << 27)
#define TAG_FIRST      4
#define TAG_LAST       16

static const unsigned bucket_sizes[] = {1, 2, 4, 8};
/* in hundredths; 94 is where the filters of published comparisons are sized */
static const unsigned rate_loads[] = {45, 80, 94, 96};

static const struct out_column rate_columns[] = {
    {"f", OUT_COUNT, 0, "bits of a fingerprint"},
    {"b", OUT_COUNT, 0, "slots of a bucket"},
    {"slots", OUT_COUNT, 0, "a power of two of buckets"},
    {"load", OUT_FIXED, 2, "items / slots"},
    {"items", OUT_COUNT, 0, "inserted: floor(load slots)"},
    {"reached", OUT_COUNT, 0, "filters that held so many without a victim"},
    {"lookups", OUT_COUNT, 0, "of items that were never inserted"},
    {"positives", OUT_COUNT, 0, "of them answered with yes"},
    {"rate", OUT_SCI, 4, "positives / lookups"},
    {"low", OUT_SCI, 4, "lower end of its 95% Clopper-Pearson interval"},
    {"high", OUT_SCI, 4, "upper end"},
    {"exact", OUT_SCI, 5, "of these filters, over all pairs of first bucket and low bits"},
    {"model", OUT_SCI, 5, "tags drawn like an item's: 1 - sum p (1 - load p)^(2b)"},
    {"uniform", OUT_SCI, 5, "the same if all 2^f tags were equally likely"},
    {"bound", OUT_SCI, 5, "2b / 2^f"},
};
const struct out_table e11_rate_table = {"e11.rates", "False positives against load", rate_columns,
                                         COUNT(rate_columns)};

int e11_shape(struct filter_shape *shape, unsigned tag_bits, unsigned slots_a_bucket,
              uint64_t slots, struct error *err)
{
    uint64_t buckets = 1;

    while (2 * buckets * slots_a_bucket <= slots)
        buckets *= 2;
    *shape = (struct filter_shape){tag_bits, slots_a_bucket, (uint32_t)buckets, 0};
    if (slots_a_bucket <= slots)
        return ERR_NONE;
    return error_set(err, ERR_USAGE, "e11: --slots %" PRIu64 ": at least one bucket is needed",
                     slots);
}

static int write_rate(struct out *out, const struct rate_setting *setting, size_t load,
                      const uint64_t *cell, struct error *err)
{
    const struct filter_shape *shape = &setting->shape;
    double slots = (double)shape->buckets * shape->slots;
    double pairs = (double)shape->buckets * (double)(1U << shape->tag_bits);
    double filled = (double)setting->items[load] / slots;

    out_count(out, shape->tag_bits);
    out_count(out, shape->slots);
    out_count(out, (uint64_t)shape->buckets * shape->slots);
    out_real(out, rate_loads[load] / 100.0);
    out_count(out, setting->items[load]);
    out_count(out, cell[RATE_REACHED]);
    int code = out_proportion(out, cell[RATE_POSITIVES], cell[RATE_LOOKUPS], err);
    out_real(out, (double)cell[RATE_EXACT] / (double)cell[RATE_REACHED] / pairs);
    out_real(out, filter_rate(shape, filled));
    out_real(out, filter_rate_uniform(shape, filled));
    out_real(out, 2.0 * shape->slots / (double)(1U << shape->tag_bits));
    return code;
}

static int rate_rows(const struct options *options, unsigned f, unsigned b, struct out *out,
                     struct error *err)
{
    struct rate_setting setting = {.n_loads = COUNT(rate_loads),
                                   .lookups = LOOKUPS_A_LOAD,
                                   .seed = options->seed,
                                   .trials = chosen(options->trials, RATE_TRIALS),
                                   .label = "e11 rates"};
    struct trials_work work;
    uint64_t *tally = NULL;
    int code = e11_shape(&setting.shape, f, b, chosen(options->slots, RATE_SLOTS), err);

    if (code != ERR_NONE)
        return code;
    for (size_t i = 0; i < COUNT(rate_loads); i++) {
        struct ratio load = {rate_loads[i], 100};
        setting.items[i] = ratio_floor(load, (uint64_t)setting.shape.buckets * setting.shape.slots);
    }
    rate_work(&setting, &work);
    code = trials_run(&work, options, &tally, err);
    for (size_t i = 0; i < COUNT(rate_loads) && code == ERR_NONE; i++)
        if (tally[i * RATE_CELLS + RATE_REACHED] > 0)
            code = write_rate(out, &setting, i, &tally[i * RATE_CELLS], err);
    free(tally);
    return code;
}

int e11_rates(const struct options *options, struct out *out, struct error *err)
{
    int code = ERR_NONE;

    out_begin(out, &e11_rate_table);
    out_param(out, "seed", "%" PRIu64, options->seed);
    out_param(out, "trials", "%" PRIu64, chosen(options->trials, RATE_TRIALS));
    out_note(out,
             "Tag 0 marks a free slot and becomes 1, which is twice as likely as any other: two");
    out_note(out, "tags agree with probability (2^f + 2) / 4^f instead of 2^-f.  Loads that no");
    out_note(out, "filter reached have no row.");
    for (unsigned f = TAG_FIRST; f <= TAG_LAST; f++)
        for (size_t i = 0; i < COUNT(bucket_sizes) && code == ERR_NONE; i++)
            code = rate_rows(options, f, bucket_sizes[i], out, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    static int (*const parts[])(const struct options *, struct out *, struct error *) = {
        e11_rates, e11_loads, e11_space, e11_copies, e11_deletions, e11_victims, e11_streams,
    };
    int code = ERR_NONE;

    for (size_t i = 0; i < COUNT(parts) && code == ERR_NONE; i++)
        code = parts[i](options, out, err);
    return code;
}

static const struct out_table *const tables[] = {
    &e11_rate_table,     &e11_load_table,   &e11_space_table,
    &e11_crossing_table, &e11_copies_table, &e11_deletion_table,
    &e11_victim_table,   &e11_stream_table, NULL,
};

const struct command experiment_e11 = {
    .name = "e11",
    .summary = "cuckoo filters: false positives, loads, bits an item, copies, deletions",
    .about = "Fills cuckoo filters of all tag and bucket sizes and measures their false-positive\n"
             "rate beside the exact one, the load at the first victim, the bits an item takes\n"
             "beside a Bloom filter of the same rate, copies of one item, deletions of items\n"
             "never inserted, the victim, and counts of a stream.  --slots holds for all rows;\n"
             "--full adds the sizes that published comparisons used, up to 2^27 slots.",
    /* no shards: the Bloom filters of e11.space are as large as what all trials before say */
    .takes = (OPTION_TRIAL_BITS & ~OPTION_BIT(OPTION_SHARD)) | OPTION_BIT(OPTION_SLOTS) |
             OPTION_BIT(OPTION_FULL),
    .tables = tables,
    .slots = {SLOTS_LEAST, SLOTS_MOST, 1},
    .run = run,
};
