/* measure_filter.c -- rates and loads of filters: see measure_filter.h. */
#include "measure_filter.h"

#include <stdlib.h>

#include "bloom.h"
#include "measure_filter_state.h"

uint64_t filter_stream(const struct filter_shape *shape, uint64_t seed, uint64_t trial,
                       enum stream_use use)
{
    const uint64_t words[] = {seed, shape->slots, shape->buckets, trial, use};

    return stream_key(words, sizeof words / sizeof words[0]);
}

void filter_begin(struct filter *filter, uint64_t seed, uint64_t trial, struct rng *items,
                  struct rng *absent)
{
    const struct filter_shape shape = filter->shape;
    uint64_t keys = filter_stream(&shape, seed, trial, STREAM_KEYS);

    filter_reset(filter, filter_stream(&shape, seed, trial, STREAM_HASH),
                 filter_stream(&shape, seed, trial, STREAM_SEARCH));
    rng_init(items, keys);
    rng_init(absent, hash_mix(keys));
}

int filter_state_open(const struct filter_shape *shape, void **opened)
{
    struct filter *filter = calloc(1, sizeof *filter);

    *opened = filter;
    return filter != NULL ? filter_init(filter, shape) : ERR_MEMORY;
}

void filter_state_close(void *opened)
{
    filter_free(opened);
    free(opened);
}

static int open_rate(const void *setting, void **opened)
{
    return filter_state_open(&((const struct rate_setting *)setting)->shape, opened);
}

static uint64_t positives(const struct filter *filter, uint64_t lookups, struct rng *absent)
{
    uint64_t yes = 0;

    for (uint64_t i = 0; i < lookups; i++)
        yes += (uint64_t)filter_contains(filter, rng_next(absent));
    return yes;
}

static int run_rate(const void *pointer, void *opened, uint64_t first, uint64_t count,
                    uint64_t *tally)
{
    const struct rate_setting *setting = pointer;
    struct filter *filter = opened;

    for (uint64_t trial = first; trial < first + count; trial++) {
        struct rng items, absent;
        uint64_t inserted = 0;
        filter_begin(filter, setting->seed, trial, &items, &absent);
        for (size_t load = 0; load < setting->n_loads && !filter->victim.used; load++) {
            uint64_t *cell = &tally[load * RATE_CELLS];
            for (; inserted < setting->items[load] && !filter->victim.used; inserted++)
                filter_add(filter, rng_next(&items));
            if (filter->victim.used)
                break;
            cell[RATE_REACHED]++;
            cell[RATE_LOOKUPS] += setting->lookups;
            cell[RATE_POSITIVES] += positives(filter, setting->lookups, &absent);
            cell[RATE_EXACT] += filter_positives(filter);
        }
    }
    return ERR_NONE;
}

void rate_work(struct rate_setting *setting, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .done = &setting->trials,
        .block = 1,
        .adds = RATE_CELLS * setting->n_loads,
        .state_bytes = filter_bytes(&setting->shape),
        .open = open_rate,
        .close = filter_state_close,
        .run_block = run_rate,
    };
}

static int open_load(const void *setting, void **opened)
{
    return filter_state_open(&((const struct load_setting *)setting)->shape, opened);
}

static int run_load(const void *pointer, void *opened, uint64_t first, uint64_t count,
                    uint64_t *tally)
{
    const struct load_setting *setting = pointer;
    struct filter *filter = opened;

    for (uint64_t trial = first; trial < first + count; trial++) {
        struct rng items, absent;
        filter_begin(filter, setting->seed, trial, &items, &absent);
        while (filter_add(filter, rng_next(&items)) == FILTER_STORED)
            ;
        tally[LOAD_SUMS + trial] = filter->stored;
        filter->victim.used = 0;
        tally[LOAD_EXACT] += filter_positives(filter);
        tally[LOAD_LOOKUPS] += setting->lookups;
        tally[LOAD_POSITIVES] += positives(filter, setting->lookups, &absent);
    }
    return ERR_NONE;
}

void load_work(struct load_setting *setting, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .done = &setting->trials,
        .block = 1,
        .adds = LOAD_SUMS + setting->trials,
        .rows = 1,
        .state_bytes = filter_bytes(&setting->shape),
        .open = open_load,
        .close = filter_state_close,
        .run_block = run_load,
    };
}

static int open_bloom(const void *pointer, void **opened)
{
    const struct bloom_setting *setting = pointer;
    struct bloom *bloom = calloc(1, sizeof *bloom);

    *opened = bloom;
    return bloom != NULL ? bloom_init(bloom, setting->bits, setting->functions) : ERR_MEMORY;
}

static void close_bloom(void *opened)
{
    bloom_free(opened);
    free(opened);
}

static int run_bloom(const void *pointer, void *opened, uint64_t first, uint64_t count,
                     uint64_t *tally)
{
    const struct bloom_setting *setting = pointer;
    struct bloom *bloom = opened;

    for (uint64_t trial = first; trial < first + count; trial++) {
        const uint64_t words[] = {setting->seed, setting->items, trial, STREAM_KEYS};
        uint64_t keys = stream_key(words, 4);
        struct rng items, absent;
        bloom_reset(bloom, hash_mix(keys + 1));
        rng_init(&items, keys);
        rng_init(&absent, hash_mix(keys));
        for (uint64_t i = 0; i < setting->items; i++)
            bloom_add(bloom, rng_next(&items));
        for (uint64_t i = 0; i < setting->lookups; i++)
            tally[BLOOM_POSITIVES] += (uint64_t)bloom_contains(bloom, rng_next(&absent));
        tally[BLOOM_LOOKUPS] += setting->lookups;
        tally[BLOOM_SET] += bloom_set(bloom);
    }
    return ERR_NONE;
}

void bloom_work(struct bloom_setting *setting, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .done = &setting->trials,
        .block = 1,
        .adds = BLOOM_CELLS,
        .state_bytes = setting->bits / 8 + 64,
        .open = open_bloom,
        .close = close_bloom,
        .run_block = run_bloom,
    };
}
