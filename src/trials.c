/* trials.c -- see trials.h: memory and threads, the range of a shard, and what is handed out. */
#include "trials.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "pool.h"
#include "ranks.h"
#include "session.h"
#include "stop.h"
#include "trials_ranks.h"

/* Bytes that are free for us: MemAvailable where Linux tells it, else physical memory. */
static uint64_t free_bytes(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    uint64_t kibibytes = 0;

    while (file != NULL && kibibytes == 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "MemAvailable:", 13) == 0)
            kibibytes = strtoull(line + 13, NULL, 10);
    if (file != NULL)
        fclose(file);
    if (kibibytes > 0)
        return kibibytes * 1024;
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t trials_memory(const struct options *options)
{
    return options->memory > 0 ? options->memory : free_bytes() / 2;
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

static uint64_t bytes_a_thread(const struct trials_work *work)
{
    return work->state_bytes + (work->adds + work->maxes) * sizeof(uint64_t) + 1;
}

/* Do the cells of one tally fit into half of the address space?  Where trials are many or
 * addresses have 32 bits, work->adds itself has wrapped, but not its distance from the rows. */
static int cells_fit(const struct trials_work *work)
{
    size_t others = tally_sums(work) + work->maxes, most = SIZE_MAX / 2 / sizeof(uint64_t);

    return others <= most && (work->rows == 0 || work->trials <= (most - others) / work->rows);
}

static int choose_threads(const struct trials_work *work, const struct options *options,
                          int *threads, struct error *err)
{
    uint64_t budget = trials_memory(options);
    uint64_t each = bytes_a_thread(work);
    uint64_t limit = (uint64_t)wanted_threads(options);

    if (!cells_fit(work))
        return error_set(err, ERR_USAGE,
                         "%s: the values of %" PRIu64 " trials do not fit into memory; fewer "
                         "--trials is allowed",
                         work->label, work->trials);
    if (each > budget)
        return error_set(err, ERR_USAGE,
                         "%s: tables take %" PRIu64 " MiB and tallies %" PRIu64
                         " MiB, the memory budget is %" PRIu64
                         " MiB; fewer --slots or --trials, or more --memory, is allowed",
                         work->label, work->state_bytes >> 20, (each - work->state_bytes) >> 20,
                         budget >> 20);
    if (limit > budget / each)
        limit = budget / each;
    if (limit > work->trials)
        limit = work->trials > 0 ? work->trials : 1;
    *threads = (int)limit;
    return ERR_NONE;
}

struct watched {
    struct session *session;
    const struct trials_work *work;
    const struct section *section;
    uint64_t before; /* trials finished when the pool began */
};

static void finished(void *context, const struct tally *tally, uint64_t done)
{
    struct watched *watched = context;

    (void)tally;
    session_advance(watched->session, watched->work, watched->section, watched->before + done, 0);
}

static int stop(void *context)
{
    (void)context;
    return stop_signal() != 0;
}

/* Trials before part I of K, the parts as equal as can be. */
static uint64_t part(uint64_t trials, uint64_t i, uint64_t k)
{
    return trials / k * i + trials % k * i / k;
}

/* A tally of `count` trials, where the right ones are done elsewhere or not at all (a shard
 * without a trial in this section, --dry-run): what is printed from it is thrown away. */
static int run_sample(const struct trials_work *work, uint64_t count, struct tally *tally,
                      double *seconds)
{
    struct watched none = {0};
    struct pool_watch watch = {.finished = NULL, .stop = stop, .context = &none};
    double began = progress_clock();
    int code = tally_init(tally, work, work->first, work->first + count);

    if (code == ERR_NONE)
        code = pool_run(work, 1, tally->limit, tally, &watch);
    *seconds = (progress_clock() - began) / (double)count;
    if (code == ERR_NONE && tally->end == tally->first)
        code = ERR_STOPPED;
    return code;
}

static int hand_out(const struct trials_work *work, const struct tally *tally, uint64_t **cells)
{
    uint64_t count = tally->end - tally->first;
    uint64_t columns = work->done != NULL ? count : work->trials;

    *cells = tally_export(tally, columns);
    if (*cells == NULL)
        return ERR_MEMORY;
    if (work->done != NULL)
        *work->done = count;
    return ERR_NONE;
}

/* --dry-run: one trial is timed, but no longer than DRY_SECONDS, and a block of them where one
 * is too short for the clock. */
#define DRY_SECONDS 10
#define DRY_SHORT   0.05

static int run_dry(struct session *session, const struct trials_work *work, int threads,
                   uint64_t block, struct tally *tally)
{
    double seconds = 0.0;

    stop_alarm_on(DRY_SECONDS);
    int code = run_sample(work, 1, tally, &seconds);
    int rang = stop_alarm_off();
    if (rang) {
        tally_free(tally); /* a trial that did not end: its zeros will do */
        code = tally_init(tally, work, work->first, work->first + 1);
        tally->end = tally->limit;
    } else if (code == ERR_NONE && seconds < DRY_SHORT && block > 1) {
        tally_free(tally);
        code = run_sample(work, block, tally, &seconds);
    }
    if (code != ERR_NONE)
        return code;
    double all = seconds * (double)work->trials / threads;
    uint64_t bytes = bytes_a_thread(work) * (uint64_t)threads;
    fprintf(stderr, "%s: %" PRIu64 " trials, %s %.3g s on %d threads, %" PRIu64 " MiB\n",
            work->label, work->trials, rang ? "more than" : "about", all, threads, bytes >> 20);
    session->dry_seconds += all;
    session->dry_bytes = bytes > session->dry_bytes ? bytes : session->dry_bytes;
    session->dry_cut |= rang;
    return ERR_NONE;
}

static int hand_out_sample(struct session *session, const struct trials_work *work, int threads,
                           uint64_t **cells)
{
    uint64_t block = work->block < work->trials ? work->block : work->trials;
    struct tally tally = {0};
    double seconds = 0.0;
    int code = session->options->dry_run ? run_dry(session, work, threads, block, &tally)
                                         : run_sample(work, block, &tally, &seconds);

    if (code == ERR_NONE)
        code = hand_out(work, &tally, cells);
    tally_free(&tally);
    return code;
}

static int run_section(struct session *session, const struct trials_work *work, int threads,
                       struct section *section)
{
    struct watched watched = {.session = session,
                              .work = work,
                              .section = section,
                              .before = section->tally.end - section->tally.first};
    struct pool_watch watch = {.finished = finished, .stop = stop, .context = &watched};

    if (session->given)
        return ERR_NONE;
    if (ranks_count() > 1)
        return trials_run_ranks(work, threads, section->tally.limit, &section->tally, &watch);
    return pool_run(work, threads, section->tally.limit, &section->tally, &watch);
}

static int run(struct session *session, const struct trials_work *work, uint64_t **cells,
               struct error *err)
{
    const uint64_t *shard = session->options->shard;
    uint64_t from = work->first, to = work->first + work->trials;
    struct section *section = NULL;
    int threads = 1;
    int code = ranks_agree(stop_signal() ? ERR_STOPPED : ERR_NONE);

    if (code == ERR_NONE)
        code = ranks_agree(choose_threads(work, session->options, &threads, err));
    else
        session->stopped = stop_signal() ? stop_signal() : session->stopped;
    if (code == ERR_NONE && session->options->dry_run)
        return hand_out_sample(session, work, threads, cells);
    if (shard[1] > 0) {
        from = work->first + part(work->trials, shard[0] - 1, shard[1]);
        to = work->first + part(work->trials, shard[0], shard[1]);
    }
    if (code == ERR_NONE)
        code = ranks_agree(session_begin(session, work, from, to, &section, err));
    if (code != ERR_NONE)
        return code;
    int failed = run_section(session, work, threads, section);
    code = ranks_agree(
        session_end(session, work, section, pool_satisfied(work, &section->tally), err));
    if (failed != ERR_NONE || code != ERR_NONE)
        return failed != ERR_NONE ? failed : code;
    if (from == to)
        return hand_out_sample(session, work, threads, cells);
    if (section->tally.end == from || (session->stopped && work->done == NULL))
        return ERR_STOPPED;
    if (tally_overflows(&section->tally))
        return error_set(err, ERR_DOMAIN,
                         "%s: a sum over %" PRIu64 " trials is beyond 2^64-2; fewer --trials is "
                         "allowed",
                         work->label, section->tally.end - from);
    code = hand_out(work, &section->tally, cells);
    if (!session->keep && !session->given)
        tally_free(&section->tally);
    return code;
}

int trials_run(const struct trials_work *work, const struct options *options, uint64_t **tally,
               struct error *err)
{
    struct session plain, *session = options->session;

#ifdef __GLIBC__
    /* Large tables always go back to the system: glibc would keep up to 32 MiB of them. */
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
    *tally = NULL;
    if (session == NULL) {
        session_init_plain(&plain, options);
        session = &plain;
    }
    int code = run(session, work, tally, err);
    if (session == &plain)
        session_free(&plain);
    return code == ERR_NONE ? code : error_from_code(err, code, work->label);
}
