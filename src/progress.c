/* progress.c -- see progress.h. */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define LINE_SECONDS   0.2
#define OBJECT_SECONDS 1.0
#define LONGEST_LEFT   1e15 /* seconds; a longer estimate says nothing more */

double progress_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_init(struct progress *self, const struct options *options)
{
    *self = (struct progress){.form = PROGRESS_OFF};
    if (options->quiet)
        return;
    if (options->progress == PROGRESS_JSON)
        self->form = PROGRESS_OBJECTS;
    else if (isatty(STDERR_FILENO))
        self->form = PROGRESS_LINE;
}

void progress_begin(struct progress *self, const char *label, uint64_t total, uint64_t done)
{
    self->label = label;
    self->total = total;
    self->before = done;
    self->began = self->shown = progress_clock();
}

static void show_line(const struct progress *self, uint64_t done, uint64_t failures, double rate,
                      double left)
{
    char counted[48] = "";

    if (failures != UINT64_MAX)
        snprintf(counted, sizeof counted, ", %" PRIu64 " failures", failures);
    fprintf(stderr, "\r\033[K%s: %" PRIu64 " of %" PRIu64 " trials (%d%%), %.3g/s", self->label,
            done, self->total, (int)(100.0 * (double)done / (double)self->total), rate);
    if (left >= 0.0) {
        uint64_t seconds = left < LONGEST_LEFT ? (uint64_t)left : (uint64_t)LONGEST_LEFT;
        fprintf(stderr, ", %" PRIu64 ":%02u left", seconds / 60, (unsigned)(seconds % 60));
    }
    fprintf(stderr, "%s", counted);
    fflush(stderr);
}

static void show_object(const struct progress *self, uint64_t done, uint64_t failures, double rate,
                        double left)
{
    fprintf(stderr,
            "{\"label\":\"%s\",\"done\":%" PRIu64 ",\"total\":%" PRIu64 ",\"per_second\":%.6g",
            self->label, done, self->total, rate);
    if (left >= 0.0)
        fprintf(stderr, ",\"seconds_left\":%.3g", left);
    else
        fprintf(stderr, ",\"seconds_left\":null");
    if (failures != UINT64_MAX)
        fprintf(stderr, ",\"failures\":%" PRIu64 "}\n", failures);
    else
        fprintf(stderr, ",\"failures\":null}\n");
    fflush(stderr);
}

void progress_show(struct progress *self, uint64_t done, uint64_t failures, int now)
{
    double clock, seconds, rate, left;

    if (self->form == PROGRESS_OFF || self->total == 0)
        return;
    clock = progress_clock();
    if (!now && clock - self->shown < (self->form == PROGRESS_LINE ? LINE_SECONDS : OBJECT_SECONDS))
        return;
    self->shown = clock;
    seconds = clock - self->began;
    rate = seconds > 0.0 ? (double)(done - self->before) / seconds : 0.0;
    left = rate > 0.0 ? (double)(self->total - done) / rate : -1.0;
    if (self->form == PROGRESS_OBJECTS) {
        show_object(self, done, failures, rate, left);
        return;
    }
    show_line(self, done, failures, rate, left);
    self->on_screen = 1;
}

void progress_clear(struct progress *self)
{
    if (self->on_screen)
        fprintf(stderr, "\r\033[K");
    self->on_screen = 0;
}
