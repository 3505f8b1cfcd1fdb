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

static void count(const struct insert_setting *setting, const struct inserter *inserter,
                  size_t segment, uint64_t trial, uint64_t *tally)
{
    const uint64_t value[INSERT_QUANTITIES] = {
        inserter->cost.kicks,
        inserter->cost.moves,
        inserter->cost.buckets_read,
        inserter_lines_written(inserter),
    };

    for (unsigned q = 0; q < INSERT_QUANTITIES; q++) {
        uint64_t cell = value[q] < INSERT_CELLS ? value[q] : INSERT_CELLS - 1;
        tally[insert_histogram(setting, segment, q) + cell]++;
        tally[insert_sum(setting, segment, q) + trial] += value[q];
        uint64_t *most = &tally[insert_max(setting, segment, q) + trial];
        *most = value[q] > *most ? value[q] : *most;
    }
}

static int run_block(const void *pointer, void *opened, uint64_t first, uint64_t number,
                     uint64_t *tally)
{
    const struct insert_setting *setting = pointer;
    struct filler *state = opened;

    for (uint64_t trial = first; trial < first + number; trial++) {
        uint64_t offered = 0;
        filler_reset(state, setting->seed, trial);
        for (size_t segment = 0; segment < setting->n_segments; segment++)
            for (; offered < setting->keys[segment] && !stop_signal(); offered++) {
                if (filler_add(state) != INSERT_PLACED)
                    tally[insert_failed(setting, segment) + trial]++;
                count(setting, &state->inserter, segment, trial, tally);
            }
        if (state->inserter.memory_failed || stop_signal())
            return state->inserter.memory_failed ? ERR_MEMORY : ERR_STOPPED;
    }
    return ERR_NONE;
}

static int open_state(const void *pointer, void **opened)
{
    const struct insert_setting *setting = pointer;

    return filler_open(&setting->scheme, setting->rule, opened);
}

void insert_work(struct insert_setting *setting, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .block = filler_block(&setting->scheme),
        .adds = insert_failed(setting, setting->n_segments),
        .state_bytes = filler_bytes(&setting->scheme, setting->rule),
        .open = open_state,
        .close = filler_close,
        .run_block = run_block,
        .rows = setting->n_segments * (2 * INSERT_QUANTITIES + 1),
        .done = &setting->trials,
    };
}
