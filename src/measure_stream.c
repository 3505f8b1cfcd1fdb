/* measure_stream.c -- counts of a Zipf stream in a counting filter and in a sketch: see
 * measure_filter.h.  Weights are integers, so that no power function decides a digit. */
#include <stdlib.h>
#include <string.h>

#include "bloom.h"
#include "measure_filter.h"
#include "measure_filter_state.h"

#define TOP 100

struct state {
    struct filter filter;
    struct sketch sketch;
    uint32_t *upto;  /* weights of the ranks up to this one */
    uint32_t *times; /* that a rank came */
    uint32_t total;
};

static int open_state(const void *pointer, void **opened)
{
    const struct stream_setting *setting = pointer;
    struct state *state = calloc(1, sizeof *state);
    uint64_t sum = 0;

    *opened = state;
    if (state == NULL)
        return ERR_MEMORY;
    int code = filter_init(&state->filter, &setting->shape);
    if (code == ERR_NONE)
        code = sketch_init(&state->sketch, setting->sketch_width, setting->sketch_rows);
    state->upto = malloc(setting->ranks * sizeof *state->upto);
    state->times = malloc(setting->ranks * sizeof *state->times);
    if (code != ERR_NONE)
        return code;
    if (state->upto == NULL || state->times == NULL)
        return ERR_MEMORY;
    for (uint32_t rank = 1; rank <= setting->ranks; rank++) {
        sum += STREAM_WEIGHT / rank;
        if (sum > UINT32_MAX)
            return ERR_DOMAIN;
        state->upto[rank - 1] = (uint32_t)sum;
    }
    state->total = (uint32_t)sum;
    return ERR_NONE;
}

static void close_state(void *pointer)
{
    struct state *state = pointer;

    if (state == NULL)
        return;
    filter_free(&state->filter);
    sketch_free(&state->sketch);
    free(state->upto);
    free(state->times);
    free(state);
}

/* The rank, from 0, whose weights hold `point`. */
static uint32_t rank_of(const struct state *state, uint32_t ranks, uint32_t point)
{
    uint32_t low = 0, high = ranks - 1;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (state->upto[middle] > point)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void compare(uint64_t *cell, uint64_t *most, uint32_t rank, uint32_t times,
                    uint32_t estimate)
{
    uint64_t error = estimate > times ? estimate - times : times - estimate;

    cell[STREAM_SEEN]++;
    cell[STREAM_EXACT] += error == 0;
    cell[STREAM_OVER] += estimate > times;
    cell[STREAM_UNDER] += estimate < times;
    cell[STREAM_ERROR] += error;
    if (rank < TOP)
        cell[STREAM_TOP] += error;
    if (error > *most)
        *most = error;
}

static int run_block(const void *pointer, void *opened, uint64_t first, uint64_t count,
                     uint64_t *tally)
{
    const struct stream_setting *setting = pointer;
    struct state *state = opened;
    uint64_t *most = &tally[STREAM_STRUCTURES * STREAM_CELLS];

    for (uint64_t trial = first; trial < first + count; trial++) {
        struct rng draws, names;
        filter_begin(&state->filter, setting->seed, trial, &draws, &names);
        uint64_t name = rng_next(&names);
        sketch_reset(&state->sketch, name);
        memset(state->times, 0, setting->ranks * sizeof *state->times);
        for (uint64_t i = 0; i < setting->length; i++) {
            uint32_t rank = rank_of(state, setting->ranks, rng_below(&draws, state->total));
            uint64_t item = hash_mix(name + rank);
            state->times[rank]++;
            tally[STREAM_REFUSED] += filter_add(&state->filter, item) == FILTER_REFUSED;
            sketch_add(&state->sketch, item);
        }
        for (uint32_t rank = 0; rank < setting->ranks; rank++) {
            uint64_t item = hash_mix(name + rank);
            if (state->times[rank] == 0)
                continue;
            compare(tally, &most[STREAM_FILTER], rank, state->times[rank],
                    filter_count(&state->filter, item));
            compare(tally + STREAM_CELLS, &most[STREAM_SKETCH], rank, state->times[rank],
                    sketch_count(&state->sketch, item));
        }
    }
    return ERR_NONE;
}

void stream_work(struct stream_setting *setting, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .done = &setting->trials,
        .block = 1,
        .adds = STREAM_STRUCTURES * STREAM_CELLS,
        .maxes = STREAM_STRUCTURES,
        .state_bytes = filter_bytes(&setting->shape) + 8 * (uint64_t)setting->ranks +
                       2 * (uint64_t)setting->sketch_width * setting->sketch_rows,
        .open = open_state,
        .close = close_state,
        .run_block = run_block,
    };
}
