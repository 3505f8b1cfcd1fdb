/* e11_faults.c -- copies of one item, deletions of what was never inserted, the victim, and
 * counts of a stream beside a count-min sketch of the same bits. */
#include "e11_parts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../src/measure_filter.h"
#include "common.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

#define COPIES_SLOTS    (UINT64_C(1) << 12)
#define COPIES_ITEMS    20000
#define DELETION_SLOTS  (UINT64_C(1) << 14)
#define DELETION_TRIALS 8
#define VICTIM_SLOTS    (UINT64_C(1) << 12)
#define VICTIM_TRIALS   200
#define STREAM_SLOTS    (UINT64_C(1) << 14)
#define STREAM_TRIALS   4
#define STREAM_LENGTH   (UINT64_C(1) << 19)
#define STREAM_ROWS     4
#define STREAM_TAG      12
#define STREAM_COUNTER  16 /* bits */

static const struct out_column copies_columns[] = {
    {"f", OUT_COUNT, 0, "bits of a fingerprint"},
    {"b", OUT_COUNT, 0, "slots of a bucket"},
    {"buckets", OUT_COUNT, 0, "of the filter, empty before each item"},
    {"positions", OUT_WORD, 0, "apart: the item's two buckets differ; same: they coincide"},
    {"items", OUT_COUNT, 0, "tried"},
    {"least", OUT_COUNT, 0, "copies held before the first victim"},
    {"most", OUT_COUNT, 0, "the same, over all items"},
    {"victim", OUT_COUNT, 0, "number of the copy that becomes the victim (or makes one)"},
    {"refused", OUT_COUNT, 0, "number of the first copy that is refused"},
    {"same_expected", OUT_SCI, 4, "probability that the buckets coincide: 1 / buckets"},
};
const struct out_table e11_copies_table = {"e11.copies", "Copies of one item in an empty filter",
                                           copies_columns, COUNT(copies_columns)};

static const struct out_column deletion_columns[] = {
    {"f", OUT_COUNT, 0, "bits of a fingerprint"},
    {"b", OUT_COUNT, 0, "slots of a bucket"},
    {"slots", OUT_COUNT, 0, "a power of two of buckets"},
    {"load", OUT_FIXED, 2, "before the deletions"},
    {"items", OUT_COUNT, 0, "inserted, all trials"},
    {"deletions", OUT_COUNT, 0, "of items that were never inserted: a tenth of the items"},
    {"removed", OUT_COUNT, 0, "of them took a fingerprint out"},
    {"missing", OUT_COUNT, 0, "inserted items that are not found afterwards"},
    {"share", OUT_SCI, 4, "missing / items"},
    {"low", OUT_SCI, 4, "lower end of its 95% Clopper-Pearson interval"},
    {"high", OUT_SCI, 4, "upper end"},
    {"model", OUT_SCI, 4, "deletions times the model's rate (e11.rates) / items: to first order"},
};
const struct out_table e11_deletion_table = {"e11.deletions", "Deleting what was never inserted",
                                             deletion_columns, COUNT(deletion_columns)};

static const struct out_column victim_columns[] = {
    {"f", OUT_COUNT, 0, "bits of a fingerprint"},
    {"b", OUT_COUNT, 0, "slots of a bucket"},
    {"slots", OUT_COUNT, 0, "a power of two of buckets"},
    {"trials", OUT_COUNT, 0, "filters filled to the first victim"},
    {"missing", OUT_COUNT, 0, "items not found, the victim looked at"},
    {"lost", OUT_COUNT, 0, "items not found when the tag left over is dropped"},
    {"last_lost", OUT_COUNT, 0, "trials in which the item lost is the one inserted last"},
    {"deletions", OUT_FIXED, 1, "of stored items until the victim has found a slot, mean"},
};
const struct out_table e11_victim_table = {"e11.victim", "The tag that is left over",
                                           victim_columns, COUNT(victim_columns)};

static const struct out_column stream_columns[] = {
    {"structure", OUT_WORD, 0, "counting filter (tag and counter), or count-min sketch"},
    {"bits", OUT_COUNT, 0, "of it; a counter has 16"},
    {"ranks", OUT_COUNT, 0, "different items; rank r has weight floor(2^24 / r)"},
    {"length", OUT_COUNT, 0, "of the stream"},
    {"seen", OUT_COUNT, 0, "different items that came, trials added up"},
    {"exact", OUT_COUNT, 0, "of them with the right count"},
    {"over", OUT_COUNT, 0, "estimated too high"},
    {"under", OUT_COUNT, 0, "too low, or not found"},
    {"mean_error", OUT_FIXED, 4, "|estimate - count| over the items that came"},
    {"top_error", OUT_FIXED, 4, "over the 100 first ranks"},
    {"greatest", OUT_COUNT, 0, "error"},
    {"refused", OUT_COUNT, 0, "insertions refused, a victim being there"},
};
const struct out_table e11_stream_table = {"e11.streams", "Counts of a Zipf stream", stream_columns,
                                           COUNT(stream_columns)};

/* ---- copies ---- */

static void write_copies(struct out *out, const struct fault_setting *setting,
                         const uint64_t *histogram, int same)
{
    unsigned least = COPIES_CELLS, most = 0;
    uint64_t items = 0;

    for (unsigned held = 0; held < COPIES_CELLS; held++) {
        if (histogram[held] == 0)
            continue;
        items += histogram[held];
        most = held;
        if (held < least)
            least = held;
    }
    if (items == 0)
        return;
    out_count(out, setting->shape.tag_bits);
    out_count(out, setting->shape.slots);
    out_count(out, setting->shape.buckets);
    out_word(out, same ? "same" : "apart");
    out_count(out, items);
    out_count(out, least);
    out_count(out, most);
    out_count(out, most + 1);
    out_count(out, most + 2);
    out_real(out, 1.0 / setting->shape.buckets);
}

int e11_copies(const struct options *options, struct out *out, struct error *err)
{
    int code = ERR_NONE;

    out_begin(out, &e11_copies_table);
    out_param(out, "seed", "%" PRIu64, options->seed);
    for (unsigned b = 1; b <= FILTER_SLOT_MAX && code == ERR_NONE; b *= 2) {
        struct fault_setting setting = {.items = COPIES_ITEMS,
                                        .seed = options->seed,
                                        .trials = chosen(options->trials, 1),
                                        .label = "e11 copies"};
        struct trials_work work;
        uint64_t *tally = NULL;
        code = e11_shape(&setting.shape, 12, b, chosen(options->slots, COPIES_SLOTS), err);
        if (code == ERR_NONE) {
            copies_work(&setting, &work);
            code = trials_run(&work, options, &tally, err);
        }
        for (int same = 0; same < 2 && code == ERR_NONE; same++)
            write_copies(out, &setting, &tally[same ? COPIES_CELLS : 0], same);
        free(tally);
    }
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

/* ---- deletions ---- */

static int deletion_row(const struct options *options, unsigned f, unsigned load, struct out *out,
                        struct error *err)
{
    struct ratio filled = {load, 100};
    struct fault_setting setting = {.seed = options->seed,
                                    .trials = chosen(options->trials, DELETION_TRIALS),
                                    .label = "e11 deletions"};
    struct trials_work work;
    uint64_t *tally = NULL;
    int code = e11_shape(&setting.shape, f, 4, chosen(options->slots, DELETION_SLOTS), err);

    if (code != ERR_NONE)
        return code;
    uint64_t slots = (uint64_t)setting.shape.buckets * setting.shape.slots;
    setting.items = ratio_floor(filled, slots);
    setting.deletions = setting.items / 10;
    deletion_work(&setting, &work);
    code = trials_run(&work, options, &tally, err);
    if (code == ERR_NONE && tally[DELETION_ITEMS] == setting.items * setting.trials) {
        out_count(out, f);
        out_count(out, setting.shape.slots);
        out_count(out, slots);
        out_real(out, load / 100.0);
        out_count(out, tally[DELETION_ITEMS]);
        out_count(out, tally[DELETION_TRIED]);
        out_count(out, tally[DELETION_REMOVED]);
        out_count(out, tally[DELETION_MISSING]);
        code = out_estimate(out, tally[DELETION_MISSING], tally[DELETION_ITEMS], err);
        double rate = filter_rate(&setting.shape, (double)setting.items / (double)slots);
        out_real(out, rate * (double)setting.deletions / (double)setting.items);
    }
    free(tally);
    return code;
}

int e11_deletions(const struct options *options, struct out *out, struct error *err)
{
    static const unsigned loads[] = {50, 80, 94};
    int code = ERR_NONE;

    out_begin(out, &e11_deletion_table);
    out_param(out, "seed", "%" PRIu64, options->seed);
    out_param(out, "trials", "%" PRIu64, chosen(options->trials, DELETION_TRIALS));
    for (unsigned f = 4; f <= 16; f += 2)
        for (size_t i = 0; i < COUNT(loads) && code == ERR_NONE; i++)
            code = deletion_row(options, f, loads[i], out, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

/* ---- the victim ---- */

int e11_victims(const struct options *options, struct out *out, struct error *err)
{
    int code = ERR_NONE;

    out_begin(out, &e11_victim_table);
    out_param(out, "seed", "%" PRIu64, options->seed);
    out_note(out, "The insertion that fails has put its own tag in and left another one over.");
    for (unsigned f = 8; f <= 16 && code == ERR_NONE; f += 4) {
        struct fault_setting setting = {.seed = options->seed,
                                        .trials = chosen(options->trials, VICTIM_TRIALS),
                                        .label = "e11 victim"};
        struct trials_work work;
        uint64_t *tally = NULL;
        code = e11_shape(&setting.shape, f, 4, chosen(options->slots, VICTIM_SLOTS), err);
        if (code == ERR_NONE) {
            victim_work(&setting, &work);
            code = trials_run(&work, options, &tally, err);
        }
        if (code == ERR_NONE) {
            out_count(out, f);
            out_count(out, setting.shape.slots);
            out_count(out, (uint64_t)setting.shape.buckets * setting.shape.slots);
            out_count(out, setting.trials);
            out_count(out, tally[VICTIM_MISSING]);
            out_count(out, tally[VICTIM_LOST]);
            out_count(out, tally[VICTIM_RECENT]);
            out_real(out, (double)tally[VICTIM_DELETIONS] / (double)setting.trials);
        }
        free(tally);
    }
    if (code == ERR_NONE)
        out_end(out);
    return code;
}

/* ---- counts of a stream ---- */

static void write_stream(struct out *out, const struct stream_setting *setting, const char *name,
                         uint64_t bits, const uint64_t *cell, uint64_t greatest)
{
    out_word(out, name);
    out_count(out, bits);
    out_count(out, setting->ranks);
    out_count(out, setting->length);
    out_count(out, cell[STREAM_SEEN]);
    out_count(out, cell[STREAM_EXACT]);
    out_count(out, cell[STREAM_OVER]);
    out_count(out, cell[STREAM_UNDER]);
    out_real(out, (double)cell[STREAM_ERROR] / (double)cell[STREAM_SEEN]);
    out_real(out, (double)cell[STREAM_TOP] / (100.0 * (double)setting->trials));
    out_count(out, greatest);
    out_count(out, cell[STREAM_REFUSED]);
}

static int stream_rows(const struct options *options, unsigned load, struct out *out,
                       struct error *err)
{
    struct ratio filled = {load, 100};
    struct stream_setting setting = {.sketch_rows = STREAM_ROWS,
                                     .length = STREAM_LENGTH,
                                     .seed = options->seed,
                                     .trials = chosen(options->trials, STREAM_TRIALS),
                                     .label = "e11 streams"};
    struct trials_work work;
    uint64_t *tally = NULL;
    int code = e11_shape(&setting.shape, STREAM_TAG, 4, chosen(options->slots, STREAM_SLOTS), err);

    if (code != ERR_NONE)
        return code;
    uint64_t slots = (uint64_t)setting.shape.buckets * setting.shape.slots;
    uint64_t bits = slots * (STREAM_TAG + STREAM_COUNTER);
    setting.shape.counting = 1;
    setting.ranks = (uint32_t)ratio_floor(filled, slots);
    setting.sketch_width = (uint32_t)(bits / STREAM_COUNTER / STREAM_ROWS);
    stream_work(&setting, &work);
    code = trials_run(&work, options, &tally, err);
    if (code == ERR_NONE) {
        const uint64_t *most = &tally[STREAM_STRUCTURES * STREAM_CELLS];
        write_stream(out, &setting, "counting-filter", bits, tally, most[STREAM_FILTER]);
        write_stream(out, &setting, "count-min", bits, tally + STREAM_CELLS, most[STREAM_SKETCH]);
    }
    free(tally);
    return code;
}

int e11_streams(const struct options *options, struct out *out, struct error *err)
{
    static const unsigned loads[] = {25, 50, 95, 120, 200}; /* ranks of 100 slots */
    int code = ERR_NONE;

    out_begin(out, &e11_stream_table);
    out_param(out, "seed", "%" PRIu64, options->seed);
    out_param(out, "trials", "%" PRIu64, chosen(options->trials, STREAM_TRIALS));
    out_param(out, "tag_bits", "%d", STREAM_TAG);
    out_param(out, "bucket", "4");
    out_param(out, "slots", "%" PRIu64, chosen(options->slots, STREAM_SLOTS));
    out_param(out, "sketch_rows", "%d", STREAM_ROWS);
    for (size_t i = 0; i < COUNT(loads) && code == ERR_NONE; i++)
        code = stream_rows(options, loads[i], out, err);
    if (code == ERR_NONE)
        out_end(out);
    return code;
}
