/* trials.c -- see trials.h.  The only file that starts threads. */
#include "trials.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* Bytes that are free for us: MemAvailable where Linux tells it, else physical memory. */
static uint64_t free_bytes(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    uint64_t kibibytes = 0;

    while (file != NULL && kibibytes == 0 && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %" SCNu64, &kibibytes) != 1)
            kibibytes = 0;
    if (file != NULL)
        fclose(file);
    if (kibibytes > 0)
        return kibibytes * 1024;
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static int wanted_threads(const struct options *options)
{
#ifdef _OPENMP
    return options->threads > 0 ? options->threads : omp_get_num_procs();
#else
    (void)options;
    return 1;
#endif
}

static int choose_threads(const struct trials_work *work, const struct options *options,
                          uint64_t blocks, int *threads, struct error *err)
{
    uint64_t budget = options->memory > 0 ? options->memory : free_bytes() / 2;
    uint64_t cells = (work->adds + work->maxes) * sizeof(uint64_t);
    uint64_t each = work->state_bytes + cells + 1;
    uint64_t limit = (uint64_t)wanted_threads(options);

    if (each > budget)
        return error_set(err, ERR_USAGE,
                         "%s: tables take %" PRIu64 " MiB and tallies %" PRIu64
                         " MiB, the memory budget is %" PRIu64
                         " MiB; fewer --slots or --trials, or more --memory, is allowed",
                         work->label, work->state_bytes >> 20, cells >> 20, budget >> 20);
    if (limit > budget / each)
        limit = budget / each;
    if (limit > blocks)
        limit = blocks;
    *threads = (int)limit;
    return ERR_NONE;
}

static void merge(const struct trials_work *work, uint64_t *into, const uint64_t *from)
{
    for (size_t i = 0; i < work->adds; i++)
        into[i] += from[i];
    for (size_t i = work->adds; i < work->adds + work->maxes; i++)
        if (from[i] > into[i])
            into[i] = from[i];
}

struct pool {
    const struct trials_work *work;
    uint64_t next; /* first trial not yet taken */
    uint64_t done;
    int code; /* first failure */
    int progress;
    int percent; /* shown last */
    uint64_t *tally;
};

/* Progress on a terminal: trials done of all, in per cent, over the last line; at each new
 * per cent, since blocks may be short. */
static void show_progress(struct pool *pool)
{
    const struct trials_work *work = pool->work;
    int percent = (int)(100.0 * (double)pool->done / (double)work->trials);

    if (percent == pool->percent)
        return;
    pool->percent = percent;
    fprintf(stderr, "\r\033[K%s: %" PRIu64 " of %" PRIu64 " trials (%d%%)", work->label, pool->done,
            work->trials, percent);
    fflush(stderr);
}

/* Take the next block; 0 trials when there is none or something failed. */
static uint64_t take_block(struct pool *pool, uint64_t *first)
{
    uint64_t count = 0;

#ifdef _OPENMP
#pragma omp critical(trials_pool)
#endif
    if (pool->code == ERR_NONE) {
        uint64_t left = pool->work->trials - pool->next;
        count = left < pool->work->block ? left : pool->work->block;
        *first = pool->next;
        pool->next += count;
    }
    return count;
}

static void finish_block(struct pool *pool, uint64_t count, int code)
{
#ifdef _OPENMP
#pragma omp critical(trials_pool)
#endif
    {
        if (pool->code == ERR_NONE)
            pool->code = code;
        pool->done += count;
        if (pool->progress)
            show_progress(pool);
    }
}

static void run_thread(struct pool *pool)
{
    const struct trials_work *work = pool->work;
    uint64_t *tally = calloc(work->adds + work->maxes, sizeof *tally);
    void *state = NULL;
    uint64_t first = 0, count;
    int code = tally != NULL ? work->open(work->setting, &state) : ERR_MEMORY;

    if (code != ERR_NONE)
        finish_block(pool, 0, code);
    while ((count = take_block(pool, &first)) > 0)
        finish_block(pool, count, work->run_block(work->setting, state, first, count, tally));
#ifdef _OPENMP
#pragma omp critical(trials_pool)
#endif
    if (tally != NULL)
        merge(work, pool->tally, tally);
    if (state != NULL)
        work->close(state);
    free(tally);
}

int trials_run(const struct trials_work *work, const struct options *options, uint64_t **tally,
               struct error *err)
{
    struct pool pool = {.work = work};
    uint64_t blocks = (work->trials + work->block - 1) / work->block;
    int threads = 1;
    int code = choose_threads(work, options, blocks, &threads, err);

    *tally = NULL;
    if (code != ERR_NONE)
        return code;
    pool.tally = *tally = calloc(work->adds + work->maxes, sizeof **tally);
    if (pool.tally == NULL)
        return error_set(err, ERR_MEMORY, "%s: %s", work->label, error_text(ERR_MEMORY));
    pool.percent = -1;
    pool.progress = !options->quiet && isatty(STDERR_FILENO);
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
#endif
    run_thread(&pool);
    if (pool.progress)
        fprintf(stderr, "\r\033[K");
    if (pool.code != ERR_NONE)
        return error_set(err, pool.code, "%s: %s", work->label, error_text(pool.code));
    return ERR_NONE;
}
