/* e7.c -- random walk against breadth-first insertion on the same keys, (2,4). */
#include "experiments.h"

#include <stdlib.h>

#include "../src/stats.h"
#include "common.h"
#include "defaults.h"

#define CANDIDATES 2
#define BUCKET     4

/* Ends of the segments in hundredths of the slots; the last two together are printed too. */
static const unsigned ends[] = {50, 80, 90, 93, 95};
enum { SEGMENTS = sizeof ends / sizeof ends[0] };

static const struct {
    const char *search;
    const struct insert_rule *rule;
} searches[] = {{"walk", &insert_rule_walk500}, {"breadth-first", &insert_rule_breadth_far}};
enum { SEARCHES = sizeof searches / sizeof searches[0] };

static const struct out_column columns[] = {
    {"search", OUT_WORD, 0, "walk: at most 500 kicks; breadth-first: at most 2000 slots inspected"},
    {"load_from", OUT_FIXED, 2, "segment: keys offered / slots, from"},
    {"load_to", OUT_FIXED, 2, "to"},
    {"fills", OUT_COUNT, 0, "tables filled"},
    {"insertions", OUT_COUNT, 0, "in this segment, all fills"},
    {"failed", OUT_COUNT, 0, "of them given up"},
    {"quantity", OUT_WORD, 0,
     "kicks: residents evicted; moves: keys copied to another candidate; "
     "slots_read: a bucket's k slots each time it is read; "
     "lines_written: distinct 64-byte lines"},
    {"mean", OUT_FIXED, 4, "an insertion"},
    {"mean_ci", OUT_FIXED, 4, "half width of Student's 95% interval of the mean over fills"},
    {"p99", OUT_COUNT, 0, "99th percentile, nearest rank, all fills pooled"},
    {"max_median", OUT_COUNT, 0, "most in one insertion: median over the fills (lower middle)"},
    {"max_least", OUT_COUNT, 0, "least of the fills' maxima"},
    {"max_greatest", OUT_COUNT, 0, "greatest of the fills' maxima"},
};
static const struct out_column path_columns[] = {
    {"search", OUT_WORD, 0, "as above"},
    {"load_from", OUT_FIXED, 2, "segment"},
    {"load_to", OUT_FIXED, 2, "segment"},
    {"length", OUT_COUNT, 0, "kicks of a walk, moves of a breadth-first insertion"},
    {"insertions", OUT_COUNT, 0, "with a path of this length, all fills"},
};
static const struct out_column bound_columns[] = {
    {"bucket", OUT_COUNT, 0, "B, slots of a bucket"},
    {"slots_limit", OUT_COUNT, 0, "M, slots that a search may inspect"},
    {"bound_buckets", OUT_COUNT, 0, "ceil(log_B(M/2 - M/(2B) + 1)): buckets on the longest path"},
    {"bound_moves", OUT_COUNT, 0, "one less: keys moved"},
    {"longest_moves", OUT_COUNT, 0, "most keys moved by a breadth-first insertion here"},
};

static const struct out_table table = {"e7.insertions", "What an insertion costs, by load", columns,
                                       sizeof columns / sizeof columns[0]};
static const struct out_table path_table = {"e7.paths", "Path lengths", path_columns, 5};
static const struct out_table bound_table = {"e7.bound", "The longest breadth-first path",
                                             bound_columns, 5};

struct result {
    struct insert_setting setting;
    uint64_t *tally;
};

/* A row: segments [first, last]. */
struct span {
    size_t first, last;
};
static const struct span spans[] = {{0, 0}, {1, 1}, {2, 2}, {3, 4}, {3, 3}, {4, 4}};
enum { SPANS = sizeof spans / sizeof spans[0] };

static double load_before(size_t segment)
{
    return segment > 0 ? ends[segment - 1] / 100.0 : 0.0;
}

/* Insertions of a segment in one fill. */
static uint64_t insertions_of(const struct insert_setting *setting, size_t segment)
{
    return setting->keys[segment] - (segment > 0 ? setting->keys[segment - 1] : 0);
}

static uint64_t pooled(const struct result *result, struct span span, enum insert_quantity q,
                       size_t cell)
{
    uint64_t count = 0;

    for (size_t s = span.first; s <= span.last; s++)
        count += result->tally[insert_histogram(&result->setting, s, q) + cell];
    return count;
}

/* Mean over the fills of the mean of quantity q (times `scale`) over the span. */
static int span_mean(const struct result *result, struct span span, enum insert_quantity q,
                     uint64_t scale, struct mean *mean, struct error *err)
{
    size_t trials = result->setting.trials;
    uint64_t *sum = calloc(2 * trials, sizeof *sum);

    if (sum == NULL)
        return error_set(err, ERR_MEMORY, "e7: %s", error_text(ERR_MEMORY));
    uint64_t *count = sum + trials;
    for (size_t s = span.first; s <= span.last; s++)
        for (size_t t = 0; t < trials; t++) {
            sum[t] += scale * result->tally[insert_sum(&result->setting, s, q) + t];
            count[t] += insertions_of(&result->setting, s);
        }
    int code = mean_of_ratios(sum, count, trials, mean, err);
    free(sum);
    return code;
}

/* The fills' maxima of a quantity over the span. */
static int span_maxima(const struct result *result, struct span span, enum insert_quantity q,
                       struct spread *spread, struct error *err)
{
    size_t trials = result->setting.trials;
    uint64_t *most = calloc(trials, sizeof *most);

    if (most == NULL)
        return error_set(err, ERR_MEMORY, "e7: %s", error_text(ERR_MEMORY));
    for (size_t s = span.first; s <= span.last; s++)
        for (size_t t = 0; t < trials; t++) {
            uint64_t value = result->tally[insert_max(&result->setting, s, q) + t];
            most[t] = value > most[t] ? value : most[t];
        }
    int code = summarize(most, trials, spread, err);
    free(most);
    return code;
}

static int write_quantity(struct out *out, const struct result *result, struct span span,
                          enum insert_quantity q, uint64_t scale, struct error *err)
{
    uint64_t histogram[INSERT_CELLS];
    struct mean mean;
    struct spread most = {0};
    size_t p99 = 0;
    int code = span_mean(result, span, q, scale, &mean, err);

    for (size_t cell = 0; cell < INSERT_CELLS; cell++)
        histogram[cell] = pooled(result, span, q, cell);
    if (code == ERR_NONE)
        code = span_maxima(result, span, q, &most, err);
    if (code == ERR_NONE && most.greatest >= INSERT_CELLS - 1)
        code = error_set(err, ERR_DOMAIN, "e7: a cost beyond %d was not told apart", INSERT_CELLS);
    if (code == ERR_NONE && mean.mean > 0.0)
        code = stats_percentile(histogram, INSERT_CELLS, 99, 100, &p99);
    if (code != ERR_NONE)
        return error_from_code(err, code, "e7");
    out_real(out, mean.mean);
    out_real(out, mean.half_width);
    out_count(out, scale * p99);
    out_count(out, scale * most.median);
    out_count(out, scale * most.least);
    out_count(out, scale * most.greatest);
    return ERR_NONE;
}

static int write_span(struct out *out, const char *search, const struct result *result,
                      struct span span, struct error *err)
{
    static const struct {
        const char *name;
        enum insert_quantity q;
        uint64_t scale;
    } quantities[] = {{"kicks", INSERT_KICKS, 1},
                      {"moves", INSERT_MOVES, 1},
                      {"buckets_read", INSERT_BUCKETS, 1},
                      {"slots_read", INSERT_BUCKETS, BUCKET},
                      {"lines_written", INSERT_LINES, 1}};
    const struct insert_setting *setting = &result->setting;
    uint64_t insertions = 0, failed = 0;
    int code = ERR_NONE;

    for (size_t s = span.first; s <= span.last; s++) {
        insertions += setting->trials * insertions_of(setting, s);
        failed += total_of(&result->tally[insert_failed(setting, s)], setting->trials);
    }
    for (size_t i = 0; i < sizeof quantities / sizeof quantities[0] && code == ERR_NONE; i++) {
        int walk = setting->rule->insert == insert_walk;
        if (quantities[i].q == (walk ? INSERT_MOVES : INSERT_KICKS))
            continue; /* a walk moves nothing, a breadth-first search kicks nobody */
        out_word(out, search);
        out_real(out, load_before(span.first));
        out_real(out, ends[span.last] / 100.0);
        out_count(out, setting->trials);
        out_count(out, insertions);
        out_count(out, failed);
        out_word(out, quantities[i].name);
        code = write_quantity(out, result, span, quantities[i].q, quantities[i].scale, err);
    }
    return code;
}

static enum insert_quantity path_quantity(const struct result *result)
{
    return result->setting.rule->insert == insert_walk ? INSERT_KICKS : INSERT_MOVES;
}

static void write_paths(struct out *out, const struct result *result)
{
    out_begin(out, &path_table);
    out_note(out, "Segments as above; lengths that did not occur are left out.");
    for (size_t i = 0; i < SEARCHES; i++)
        for (size_t s = 0; s < SEGMENTS; s++)
            for (size_t cell = 0; cell < INSERT_CELLS; cell++) {
                struct span span = {s, s};
                uint64_t count = pooled(&result[i], span, path_quantity(&result[i]), cell);
                if (count == 0)
                    continue;
                out_word(out, searches[i].search);
                out_real(out, load_before(s));
                out_real(out, ends[s] / 100.0);
                out_count(out, cell);
                out_count(out, count);
            }
    out_end(out);
}

/* The least L with B^L >= M/2 - M/(2B) + 1, in integers: 2B B^L >= M B - M + 2B. */
static unsigned bound_buckets(uint64_t b, uint64_t m)
{
    unsigned length = 0;

    for (uint64_t power = 1; 2 * b * power < m * b - m + 2 * b; power *= b)
        length++;
    return length;
}

static void write_bound(struct out *out, const struct result *breadth)
{
    struct span all = {0, SEGMENTS - 1};
    uint64_t limit = breadth->setting.rule->max_slots;
    size_t longest = 0;

    for (size_t cell = 0; cell < INSERT_CELLS; cell++)
        if (pooled(breadth, all, INSERT_MOVES, cell) > 0)
            longest = cell;
    out_begin(out, &bound_table);
    out_note(out, "The bound: Li, Andersen, Kaminsky, Freedman, EuroSys 2014, section 4.");
    out_count(out, BUCKET);
    out_count(out, limit);
    out_count(out, bound_buckets(BUCKET, limit));
    out_count(out, bound_buckets(BUCKET, limit) - 1);
    out_count(out, longest);
    out_end(out);
}

static int measure(const struct options *options, const struct insert_rule *rule,
                   struct result *result, struct error *err)
{
    struct trials_work work;

    result->setting = (struct insert_setting){.rule = rule,
                                              .n_segments = SEGMENTS,
                                              .seed = options->seed,
                                              .trials = chosen(options->trials, E7_FILLS),
                                              .label = "e7"};
    int code = init_scheme(&result->setting.scheme, CANDIDATES, BUCKET, LAYOUT_ONE,
                           chosen(options->slots, E7_SLOTS), "e7", err);
    if (code != ERR_NONE)
        return code;
    for (size_t s = 0; s < SEGMENTS; s++) {
        struct ratio end = {ends[s], 100};
        result->setting.keys[s] = ratio_floor(end, result->setting.scheme.slots);
    }
    insert_work(&result->setting, &work);
    return trials_run(&work, options, &result->tally, err);
}

static int run(const struct options *options, struct out *out, struct error *err)
{
    struct result result[SEARCHES] = {0};
    int code = ERR_NONE;

    for (size_t i = 0; i < SEARCHES && code == ERR_NONE; i++)
        code = measure(options, searches[i].rule, &result[i], err);
    int stopped = code == ERR_STOPPED; /* what is finished is printed all the same */
    code = stopped ? ERR_NONE : code;
    if (code == ERR_NONE) {
        out_begin(out, &table);
        out_param(out, "seed", "%llu", (unsigned long long)options->seed);
        out_param(out, "candidates", "%d", CANDIDATES);
        out_param(out, "bucket", "%d", BUCKET);
        out_param(out, "slots", "%llu", (unsigned long long)result[0].setting.scheme.slots);
        out_param(out, "walk_kicks_limit", "%u", (unsigned)searches[0].rule->max_kicks);
        out_param(out, "breadth_slots_limit", "%u", (unsigned)searches[1].rule->max_slots);
        out_note(out, "Both searches meet the same keys in the same order, each in its own table.");
    }
    for (size_t i = 0; i < SEARCHES; i++)
        for (size_t s = 0; result[i].tally != NULL && s < SPANS && code == ERR_NONE; s++)
            code = write_span(out, searches[i].search, &result[i], spans[s], err);
    if (code == ERR_NONE) {
        out_end(out);
        if (!stopped) {
            write_paths(out, result);
            write_bound(out, &result[SEARCHES - 1]);
        }
    }
    for (size_t i = 0; i < SEARCHES; i++)
        free(result[i].tally);
    return code == ERR_NONE && stopped ? ERR_STOPPED : code;
}

static const struct out_table *const tables[] = {&table, &path_table, &bound_table, NULL};

const struct command experiment_e7 = {
    .name = "e7",
    .summary = "random walk against breadth-first insertion",
    .about = "Fills (2,4) tables of 2^20 slots to load 0.95 by both searches on the same keys and\n"
             "prints, by load segment, kicks, moves, buckets and slots read, and lines written.",
    .takes = OPTION_TRIAL_BITS | OPTION_BIT(OPTION_SLOTS),
    .tables = tables,
    .slots = {BUCKET, BUCKET *(uint64_t)SCHEME_BUCKETS_MAX, 1},
    .run = run,
};
