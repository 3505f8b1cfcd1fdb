/* pool.c -- see pool.h.  The only file that starts threads. */
#include "pool.h"

#include <stdlib.h>

/* Finished trials beyond a gap. */
struct waiting {
    struct waiting *next;
    uint64_t first, end;
    uint64_t common[];
};

struct pool {
    const struct trials_work *work;
    const struct pool_watch *watch;
    struct tally *tally;
    struct waiting *waiting; /* by first trial */
    uint64_t next, limit;    /* first trial not yet taken; none from here on */
    uint64_t block;
    uint64_t done;
    uint64_t cut; /* the block in which the stopping rule is met begins here */
    int satisfied;
    int code; /* first failure */
};

int pool_satisfied(const struct trials_work *work, const struct tally *tally)
{
    return work->stop_failures > 0 &&
           work->failures(work->setting, tally->common) >= work->stop_failures;
}

/* Take the next block; 0 trials when there is none, or something failed, or it is enough. */
static uint64_t take_block(struct pool *pool, uint64_t *first)
{
    uint64_t count = 0;

#ifdef _OPENMP
#pragma omp critical(trials_pool)
#endif
    if (pool->code == ERR_NONE && !pool->satisfied && !pool->watch->stop(pool->watch->context)) {
        uint64_t left = pool->limit - pool->next;
        count = left < pool->block ? left : pool->block;
        *first = pool->next;
        pool->next += count;
    }
    return count;
}

/* The next trials of the prefix, unless the stopping rule is met within them: then they are
 * run again one by one, see finish_cut. */
static void join(struct pool *pool, const uint64_t *common, uint64_t count)
{
    const struct trials_work *work = pool->work;

    if (pool->satisfied)
        return;
    if (work->stop_failures > 0 && work->failures(work->setting, pool->tally->common) +
                                           work->failures(work->setting, common) >=
                                       work->stop_failures) {
        pool->satisfied = 1;
        pool->cut = pool->tally->end;
        pool->limit = pool->cut + count;
        return;
    }
    tally_join(pool->tally, common, count);
}

static void join_waiting(struct pool *pool)
{
    while (pool->waiting != NULL && pool->waiting->first == pool->tally->end && !pool->satisfied) {
        struct waiting *head = pool->waiting;
        pool->waiting = head->next;
        join(pool, head->common, head->end - head->first);
        free(head);
    }
}

static void merge_common(const struct pool *pool, uint64_t *into, const uint64_t *from)
{
    tally_add_common(into, from, pool->tally->sums, pool->tally->maxes);
}

/* Put a block beside the prefix, into the neighbour before or after it where there is one. */
static int wait_for_gap(struct pool *pool, const uint64_t *common, uint64_t first, uint64_t end)
{
    int joins = pool->work->stop_failures == 0;
    size_t cells = pool->tally->sums + pool->tally->maxes;
    struct waiting **place = &pool->waiting;

    while (*place != NULL && (*place)->end <= first && !(joins && (*place)->end == first))
        place = &(*place)->next;
    struct waiting *here = *place;
    if (here != NULL && joins && here->end == first) {
        merge_common(pool, here->common, common);
        here->end = end;
        struct waiting *after = here->next;
        if (after != NULL && after->first == end) {
            merge_common(pool, here->common, after->common);
            here->end = after->end;
            here->next = after->next;
            free(after);
        }
        return ERR_NONE;
    }
    if (here != NULL && joins && here->first == end) {
        merge_common(pool, here->common, common);
        here->first = first;
        return ERR_NONE;
    }
    struct waiting *added = calloc(1, sizeof *added + cells * sizeof *common);
    if (added == NULL)
        return ERR_MEMORY;
    *added = (struct waiting){.next = here, .first = first, .end = end};
    merge_common(pool, added->common, common);
    *place = added;
    return ERR_NONE;
}

static void finish_block(struct pool *pool, const uint64_t *cells, const uint64_t *common,
                         uint64_t first, uint64_t count, int code)
{
#ifdef _OPENMP
#pragma omp critical(trials_pool)
#endif
    {
        if (code == ERR_NONE && count > 0) {
            tally_take_rows(pool->tally, pool->work, cells, first, count);
            pool->done += count;
            if (first == pool->tally->end)
                join(pool, common, count);
            else if (!pool->satisfied)
                code = wait_for_gap(pool, common, first, first + count);
            join_waiting(pool);
            if (pool->watch->finished != NULL)
                pool->watch->finished(pool->watch->context, pool->tally, pool->done);
        }
        if (pool->code == ERR_NONE)
            pool->code = code;
    }
}

static void run_thread(struct pool *pool)
{
    const struct trials_work *work = pool->work;
    uint64_t *cells = calloc(work->adds + work->maxes + 1, sizeof *cells);
    uint64_t *common = calloc(tally_common(work) + 1, sizeof *common);
    void *state = NULL;
    uint64_t first = 0, count;
    int code = cells != NULL && common != NULL ? work->open(work->setting, &state) : ERR_MEMORY;

    if (code != ERR_NONE)
        finish_block(pool, cells, common, 0, 0, code);
    while (code == ERR_NONE && (count = take_block(pool, &first)) > 0) {
        code = work->run_block(work->setting, state, first, count, cells);
        tally_take_common(work, cells, common);
        finish_block(pool, cells, common, first, count, code);
    }
    if (state != NULL)
        work->close(state);
    free(common);
    free(cells);
}

/* The block in which the stopping rule is met, trial by trial up to the one that meets it. */
static int finish_cut(struct pool *pool)
{
    const struct trials_work *work = pool->work;
    uint64_t *cells = calloc(work->adds + work->maxes + 1, sizeof *cells);
    uint64_t *common = calloc(tally_common(work) + 1, sizeof *common);
    void *state = NULL;
    int code = cells != NULL && common != NULL ? work->open(work->setting, &state) : ERR_MEMORY;

    while (code == ERR_NONE && pool->tally->end < pool->limit &&
           !pool_satisfied(work, pool->tally)) {
        code = work->run_block(work->setting, state, pool->tally->end, 1, cells);
        tally_take_common(work, cells, common);
        if (code == ERR_NONE)
            tally_join(pool->tally, common, 1);
    }
    if (state != NULL)
        work->close(state);
    free(common);
    free(cells);
    return code;
}

/* Few trials are cut finer than the work asks for, so that all threads get some. */
static uint64_t fair_block(uint64_t block, uint64_t trials, uint64_t threads)
{
    uint64_t share = trials / (4 * threads) + 1;

    return block < share ? block : share;
}

int pool_run(const struct trials_work *work, int threads, uint64_t end, struct tally *tally,
             const struct pool_watch *watch)
{
    struct pool pool = {
        .work = work, .watch = watch, .tally = tally, .next = tally->end, .limit = end};

    if (tally->end >= end || pool_satisfied(work, tally))
        return ERR_NONE;
    pool.block = fair_block(work->block, end - tally->end, (uint64_t)threads);
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
#else
    (void)threads;
#endif
    run_thread(&pool);
    while (pool.waiting != NULL) {
        struct waiting *head = pool.waiting;
        pool.waiting = head->next;
        free(head);
    }
    if (pool.code == ERR_NONE && pool.satisfied)
        pool.code = finish_cut(&pool);
    /* a trial that gave up at a signal: what is finished before it counts */
    return pool.code == ERR_STOPPED ? ERR_NONE : pool.code;
}
