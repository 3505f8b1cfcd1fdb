/* progress.h -- how far a long run is, on standard error.  Never part of the results. */
#ifndef CUCKOO_PROGRESS_H
#define CUCKOO_PROGRESS_H

#include <stdint.h>

#include "options.h"

struct progress {
    enum { PROGRESS_OFF, PROGRESS_LINE, PROGRESS_OBJECTS } form;
    const char *label;
    uint64_t total, before; /* trials of the section; of them finished when it began */
    double began, shown;    /* seconds of a clock that only goes forward */
    int on_screen;
};

/* Seconds since some moment. */
double progress_clock(void);

void progress_init(struct progress *self, const struct options *options);

/* A section of `total` trials begins, `done` of them finished earlier. */
void progress_begin(struct progress *self, const char *label, uint64_t total, uint64_t done);

/* Show where things are, a few times a second at most, unless `now`.  failures: UINT64_MAX
 * where they are not counted. */
void progress_show(struct progress *self, uint64_t done, uint64_t failures, int now);

/* Leave the terminal's line empty, before something else is written there. */
void progress_clear(struct progress *self);

#endif
