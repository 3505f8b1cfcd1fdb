/* trials_ranks.c -- see trials_ranks.h.
 *
 * Work goes in rounds: rank 0 cuts the next trials into a window for each rank, as long as
 * its last speed says, every rank runs its window with its own threads, and the tallies are
 * added up at rank 0, which so holds a prefix without a gap after every round.  A rank that
 * was stopped within its window contributes as far as it came and the ranks after it
 * nothing.  What is handed out never depends on how rounds and windows fell. */
#include "trials_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "ranks.h"
#include "stop.h"

#define ROUND_SECONDS 1.0

/* What a rank reports of its window. */
enum { DONE, FAILURES, MICROSECONDS, SIGNAL, FAILED, STATUS_CELLS };
/* What rank 0 says before the windows' ends. */
enum { FINISHED, CODE, STOP, ROUND_BEGIN, ORDER_CELLS };

struct job {
    const struct trials_work *work;
    struct trials_work window; /* the same without the stopping rule, which rank 0 applies */
    int threads, ranks, number;
    uint64_t end;
    struct tally *tally; /* rank 0: the prefix */
    const struct pool_watch *watch;
    uint64_t *order;  /* ORDER_CELLS, then the end of each rank's window */
    uint64_t *status; /* rank 0: STATUS_CELLS of each rank */
    uint64_t *take;   /* trials of each rank's window that count */
    double *speed;    /* trials a second, 0: not known */
    uint64_t done;
    int code;
};

static void quiet(void *context, const struct tally *tally, uint64_t done)
{
    (void)context;
    (void)tally;
    (void)done;
}

static int stopped(void *context)
{
    (void)context;
    return stop_signal() != 0;
}

/* Rank 0: the next round, or that there is none. */
static void plan_round(struct job *job)
{
    uint64_t begin = job->tally->end, at = begin, left = job->end - begin;
    uint64_t most = left / (uint64_t)job->ranks + 1;

    job->order[FINISHED] = left == 0 || job->code != ERR_NONE || stop_signal() != 0 ||
                           pool_satisfied(job->work, job->tally);
    job->order[CODE] = (uint64_t)-job->code;
    job->order[STOP] = (uint64_t)stop_signal();
    job->order[ROUND_BEGIN] = begin;
    for (int r = 0; r < job->ranks; r++) {
        double wanted = job->speed[r] * ROUND_SECONDS;
        uint64_t window = job->work->block * (uint64_t)job->threads;
        if (wanted > (double)window)
            window = wanted < (double)most ? (uint64_t)wanted : most;
        if (window > most)
            window = most;
        at = job->end - at > window ? at + window : job->end;
        job->order[ORDER_CELLS + r] = at;
    }
}

static uint64_t window_begin(const struct job *job, int rank)
{
    return rank == 0 ? job->order[ROUND_BEGIN] : job->order[ORDER_CELLS + rank - 1];
}

/* Rank 0: how many trials of each window follow without a gap, up to the window in which
 * the stopping rule is met; that one (its number is returned, else -1) is run again. */
static int choose_windows(struct job *job)
{
    const struct trials_work *work = job->work;
    uint64_t failures =
        work->stop_failures > 0 ? work->failures(work->setting, job->tally->common) : 0;
    int gap = 0, cut = -1;

    for (int r = 0; r < job->ranks; r++) {
        const uint64_t *status = &job->status[r * STATUS_CELLS];
        uint64_t length = job->order[ORDER_CELLS + r] - window_begin(job, r);
        if (status[FAILED] != 0 && job->code == ERR_NONE)
            job->code = -(int)status[FAILED];
        if (status[SIGNAL] != 0 && stop_signal() == 0)
            stop_ask((int)status[SIGNAL]);
        if (status[MICROSECONDS] > 0 && status[DONE] > 0)
            job->speed[r] = 1e6 * (double)status[DONE] / (double)status[MICROSECONDS];
        failures += status[FAILURES];
        if (!gap && cut < 0 && work->stop_failures > 0 && failures >= work->stop_failures)
            cut = r;
        job->take[r] = gap || cut >= 0 ? 0 : status[DONE];
        gap = gap || status[DONE] < length;
    }
    return cut;
}

/* Add up the windows at rank 0. */
static int join_windows(struct job *job, const struct tally *mine)
{
    struct tally *tally = job->tally;
    uint64_t total = 0, before = 0, own = job->take[job->number];
    size_t common = mine->sums + mine->maxes;

    for (int r = 0; r < job->ranks; r++) {
        total += job->take[r];
        before += r < job->number ? job->take[r] : 0;
    }
    uint64_t *cells = calloc(common + mine->rows * (size_t)total + 1, sizeof *cells);
    int code = ranks_agree(cells == NULL ? ERR_MEMORY : ERR_NONE);
    if (code == ERR_NONE && cells != NULL) {
        size_t columns = (size_t)(mine->limit - mine->first);
        if (own > 0)
            memcpy(cells, mine->common, common * sizeof *cells);
        for (size_t r = 0; r < mine->rows; r++)
            memcpy(cells + common + r * (size_t)total + before, mine->row + r * columns,
                   (size_t)own * sizeof *cells);
        ranks_add(cells, mine->sums);
        ranks_maximum(cells + mine->sums, mine->maxes);
        ranks_add(cells + common, mine->rows * (size_t)total);
    }
    if (code == ERR_NONE && cells != NULL && job->number == 0) {
        size_t columns = (size_t)(tally->limit - tally->first);
        for (size_t r = 0; r < tally->rows; r++)
            memcpy(tally->row + r * columns + (tally->end - tally->first),
                   cells + common + r * (size_t)total, (size_t)total * sizeof *cells);
        tally_join(tally, cells, total);
    }
    free(cells);
    return code;
}

/* This rank's window. */
static void run_window(struct job *job, struct tally *mine, uint64_t *status)
{
    const struct pool_watch watch = {.finished = quiet, .stop = stopped};
    uint64_t begin = window_begin(job, job->number);
    uint64_t end = job->order[ORDER_CELLS + job->number];
    double began = progress_clock();
    int code = tally_init(mine, &job->window, begin, end);

    if (code == ERR_NONE)
        code = pool_run(&job->window, job->threads, end, mine, &watch);
    memset(status, 0, STATUS_CELLS * sizeof *status);
    status[DONE] = mine->end - mine->first;
    status[MICROSECONDS] = (uint64_t)(1e6 * (progress_clock() - began)) + 1;
    status[SIGNAL] = (uint64_t)stop_signal();
    status[FAILED] = (uint64_t)-code;
    if (job->work->stop_failures > 0 && mine->common != NULL)
        status[FAILURES] = job->work->failures(job->work->setting, mine->common);
}

/* One round; 0 when there is none left. */
static int run_round(struct job *job)
{
    struct tally mine = {0};
    uint64_t status[STATUS_CELLS];
    uint64_t cut = UINT64_MAX;

    if (job->number == 0)
        plan_round(job);
    ranks_share(job->order, ORDER_CELLS + (size_t)job->ranks);
    if (job->order[FINISHED])
        return 0;
    run_window(job, &mine, status);
    ranks_gather(status, STATUS_CELLS, job->status);
    if (job->number == 0) {
        int window = choose_windows(job);
        if (window >= 0)
            cut = job->order[ORDER_CELLS + window];
    }
    ranks_share(job->take, (size_t)job->ranks);
    int code = join_windows(job, &mine);
    tally_free(&mine);
    if (job->number == 0) {
        uint64_t before = job->tally->end;
        if (job->code == ERR_NONE)
            job->code = code;
        for (int r = 0; r < job->ranks; r++)
            job->done += job->take[r];
        job->watch->finished(job->watch->context, job->tally, job->done);
        if (cut != UINT64_MAX && job->code == ERR_NONE) {
            /* with the rule: ends at the trial that meets it */
            const struct pool_watch watch = {.finished = quiet, .stop = stopped};
            job->code = pool_run(job->work, job->threads, cut, job->tally, &watch);
            job->done += job->tally->end - before;
        }
    }
    return 1;
}

/* Rank 0's tally for all. */
static void share_tally(struct job *job)
{
    struct tally *tally = job->tally;
    uint64_t end = tally->end;

    ranks_share(&end, 1);
    tally->end = end;
    ranks_share(tally->common, tally->sums + tally->maxes);
    ranks_share(tally->row, tally->rows * (size_t)(tally->limit - tally->first));
}

int trials_run_ranks(const struct trials_work *work, int threads, uint64_t end, struct tally *tally,
                     const struct pool_watch *watch)
{
    struct job job = {.work = work,
                      .window = *work,
                      .threads = threads,
                      .ranks = ranks_count(),
                      .number = ranks_number(),
                      .end = end,
                      .tally = tally,
                      .watch = watch};
    size_t ranks = (size_t)job.ranks;

    job.window.stop_failures = 0;
    job.order = calloc(ORDER_CELLS + ranks, sizeof *job.order);
    job.status = calloc(STATUS_CELLS * ranks, sizeof *job.status);
    job.take = calloc(ranks, sizeof *job.take);
    job.speed = calloc(ranks, sizeof *job.speed);
    int short_of = job.order == NULL || job.status == NULL || job.take == NULL || job.speed == NULL;
    int code = ranks_agree(short_of ? ERR_MEMORY : ERR_NONE);
    if (code == ERR_NONE) {
        while (run_round(&job))
            ;
        code = -(int)job.order[CODE];
        if (job.order[STOP] != 0)
            stop_ask((int)job.order[STOP]);
        share_tally(&job);
    }
    free(job.order);
    free(job.status);
    free(job.take);
    free(job.speed);
    return code;
}
