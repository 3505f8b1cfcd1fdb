/* measure_insert.c -- what each insertion costs while a table fills, by load segment. */
#include "measure.h"

#include "measure_filler.h"
#include "measure_state.h"
#include "stop.h"

/* Layout of the tally: for each segment the histograms of all quantities; then for each
 * segment and quantity a cell a trial; then for each segment a cell a trial. */
size_t insert_histogram(const struct insert_setting *setting, size_t segment,
                        enum insert_quantity quantity)
{
    (void)setting;
    return (segment * INSERT_QUANTITIES + quantity) * INSERT_CELLS;
}

size_t insert_sum(const struct insert_setting *setting, size_t segment,
                  enum insert_quantity quantity)
{
    return insert_histogram(setting, setting->n_segments, INSERT_KICKS) +
           (segment * INSERT_QUANTITIES + quantity) * setting->trials;
}

size_t insert_max(const struct insert_setting *setting, size_t segment,
                  enum insert_quantity quantity)
{
    return insert_sum(setting, setting->n_segments, INSERT_KICKS) +
           (segment * INSERT_QUANTITIES + quantity) * setting->trials;
}

size_t insert_failed(const struct insert_setting *setting, size_t segment)
{
    return insert_max(setting, setting->n_segments, INSERT_KICKS) + segment * setting->trials;
}

/* `times` insertions of the same cost. */
static void count(const struct insert_setting *setting, const uint64_t *value, size_t segment,
                  uint64_t trial, uint64_t times, uint64_t *tally)
{
    for (unsigned q = 0; q < INSERT_QUANTITIES; q++) {
        uint64_t cell = value[q] < INSERT_CELLS ? value[q] : INSERT_CELLS - 1;
        tally[insert_histogram(setting, segment, q) + cell] += times;
        tally[insert_sum(setting, segment, q) + trial] += times * value[q];
        uint64_t *most = &tally[insert_max(setting, segment, q) + trial];
        *most = value[q] > *most ? value[q] : *most;
    }
}

/* Insertions that evict and move nothing are most of them: they are counted by the buckets
 * they read, and added up at the end of the segment. */
#define PLAIN_READS (SCHEME_D_MAX + 1)

static void run_segment(const struct insert_setting *setting, struct filler *state, size_t segment,
                        uint64_t trial, uint64_t insertions, uint64_t *tally)
{
    const struct insert_cost *cost = &state->inserter.cost;
    uint64_t plain[PLAIN_READS] = {0}, failed = 0;

    for (uint64_t i = 0; i < insertions && !stop_signal(); i++) {
        failed += filler_add(state) != INSERT_PLACED;
        if (cost->writes == 1 && cost->kicks == 0 && cost->buckets_read < PLAIN_READS) {
            plain[cost->buckets_read]++;
            continue;
        }
        const uint64_t value[INSERT_QUANTITIES] = {cost->kicks, cost->moves, cost->buckets_read,
                                                   inserter_lines_written(&state->inserter)};
        count(setting, value, segment, trial, 1, tally);
    }
    for (unsigned reads = 0; reads < PLAIN_READS; reads++) {
        const uint64_t value[INSERT_QUANTITIES] = {0, 0, reads, 1};
        if (plain[reads] > 0)
            count(setting, value, segment, trial, plain[reads], tally);
    }
    tally[insert_failed(setting, segment) + trial] += failed;
}

static int run_block(const void *pointer, void *opened, uint64_t first, uint64_t number,
                     uint64_t *tally)
{
    const struct insert_setting *setting = pointer;
    struct filler *state = opened;

    for (uint64_t trial = first; trial < first + number; trial++) {
        uint64_t offered = 0;
        filler_reset(state, setting->seed, trial);
        for (size_t segment = 0; segment < setting->n_segments; segment++) {
            run_segment(setting, state, segment, trial, setting->keys[segment] - offered, tally);
            offered = setting->keys[segment];
        }
        if (state->inserter.memory_failed || stop_signal())
            return state->inserter.memory_failed ? ERR_MEMORY : ERR_STOPPED;
    }
    return ERR_NONE;
}

static int open_state(const void *pointer, void **opened)
{
    const struct insert_setting *setting = pointer;

    int code = filler_open(&setting->scheme, setting->rule, opened);

    return code == ERR_NONE
               ? filler_offer(*opened, &setting->offered, setting->keys[setting->n_segments - 1])
               : code;
}

void insert_work(struct insert_setting *setting, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .block = filler_block(&setting->scheme),
        .adds = insert_failed(setting, setting->n_segments),
        .state_bytes =
            filler_bytes(&setting->scheme, setting->rule) +
            filler_offer_bytes(&setting->offered, setting->keys[setting->n_segments - 1]),
        .fingerprint = setting->offered.fingerprint,
        .open = open_state,
        .close = filler_close,
        .run_block = run_block,
        .rows = setting->n_segments * (2 * INSERT_QUANTITIES + 1),
        .done = &setting->trials,
    };
}
