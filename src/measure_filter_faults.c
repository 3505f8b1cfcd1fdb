/* measure_filter_faults.c -- duplicates, deletions of what was never inserted, and the
 * victim: see measure_filter.h. */
#include "measure_filter.h"

#include "measure_filter_state.h"

static int open_fault(const void *setting, void **opened)
{
    return filter_state_open(&((const struct fault_setting *)setting)->shape, opened);
}

static void describe(struct fault_setting *setting, size_t cells, struct trials_work *work)
{
    *work = (struct trials_work){
        .label = setting->label,
        .setting = setting,
        .trials = setting->trials,
        .done = &setting->trials,
        .block = 1,
        .adds = cells,
        .state_bytes = filter_bytes(&setting->shape),
        .open = open_fault,
        .close = filter_state_close,
    };
}

/* Items of the stream that are not found; *last: the last of them is the last item. */
static uint64_t missing(const struct filter *filter, uint64_t stream, uint64_t items, int *last)
{
    struct rng again;
    uint64_t count = 0;

    rng_init(&again, stream);
    for (uint64_t i = 0; i < items; i++) {
        int found = filter_contains(filter, rng_next(&again));
        count += !found;
        *last = !found && i + 1 == items;
    }
    return count;
}

static int run_deletion(const void *pointer, void *opened, uint64_t first, uint64_t count,
                        uint64_t *tally)
{
    const struct fault_setting *setting = pointer;
    struct filter *filter = opened;

    for (uint64_t trial = first; trial < first + count; trial++) {
        struct rng items, absent;
        uint64_t inserted = 0;
        int last;
        filter_begin(filter, setting->seed, trial, &items, &absent);
        while (inserted < setting->items && !filter->victim.used) {
            filter_add(filter, rng_next(&items));
            inserted++;
        }
        tally[DELETION_ITEMS] += inserted;
        for (uint64_t i = 0; i < setting->deletions; i++)
            tally[DELETION_REMOVED] += (uint64_t)filter_remove(filter, rng_next(&absent));
        tally[DELETION_TRIED] += setting->deletions;
        tally[DELETION_MISSING] +=
            missing(filter, filter_stream(&setting->shape, setting->seed, trial, STREAM_KEYS),
                    inserted, &last);
    }
    return ERR_NONE;
}

void deletion_work(struct fault_setting *setting, struct trials_work *work)
{
    describe(setting, DELETION_CELLS, work);
    work->run_block = run_deletion;
}

static int run_copies(const void *pointer, void *opened, uint64_t first, uint64_t count,
                      uint64_t *tally)
{
    const struct fault_setting *setting = pointer;
    struct filter *filter = opened;

    for (uint64_t trial = first; trial < first + count; trial++) {
        struct rng items, absent;
        filter_begin(filter, setting->seed, trial, &items, &absent);
        for (uint64_t i = 0; i < setting->items; i++) {
            uint64_t item = rng_next(&items), held = 0;
            uint32_t bucket = filter_first_bucket(filter, item);
            int same = filter_other_bucket(filter, bucket, filter_tag(filter, item)) == bucket;
            while (held < COPIES_CELLS - 1 && filter_add(filter, item) == FILTER_STORED)
                held++;
            tally[(same ? COPIES_CELLS : 0) + held]++;
            while (filter_remove(filter, item)) /* empty again */
                ;
        }
    }
    return ERR_NONE;
}

void copies_work(struct fault_setting *setting, struct trials_work *work)
{
    describe(setting, 2 * COPIES_CELLS, work);
    work->run_block = run_copies;
}

/* Delete items that are stored until the victim has found a slot. */
static uint64_t deletions_until_placed(struct filter *filter, uint64_t stream, uint64_t items)
{
    struct rng again;
    uint64_t deletions = 0;

    rng_init(&again, stream); /* in the order of insertion, which says nothing of the place */
    while (filter->victim.used && deletions < items) {
        filter_remove(filter, rng_next(&again));
        deletions++;
    }
    return deletions;
}

static int run_victim(const void *pointer, void *opened, uint64_t first, uint64_t count,
                      uint64_t *tally)
{
    const struct fault_setting *setting = pointer;
    struct filter *filter = opened;

    for (uint64_t trial = first; trial < first + count; trial++) {
        uint64_t stream = filter_stream(&setting->shape, setting->seed, trial, STREAM_KEYS);
        struct rng items, absent;
        uint64_t offered = 1;
        int last;
        filter_begin(filter, setting->seed, trial, &items, &absent);
        while (filter_add(filter, rng_next(&items)) == FILTER_STORED)
            offered++;
        tally[VICTIM_ITEMS] += offered;
        tally[VICTIM_MISSING] += missing(filter, stream, offered, &last);
        filter->victim.used = 0;
        tally[VICTIM_LOST] += missing(filter, stream, offered, &last);
        tally[VICTIM_RECENT] += (uint64_t)last;
        filter->victim.used = 1;
        tally[VICTIM_DELETIONS] += deletions_until_placed(filter, stream, offered);
    }
    return ERR_NONE;
}

void victim_work(struct fault_setting *setting, struct trials_work *work)
{
    describe(setting, VICTIM_CELLS, work);
    work->run_block = run_victim;
}
