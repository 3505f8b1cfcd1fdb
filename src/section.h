/* section.h -- what one call of trials_run leaves behind: a tally with what it belongs to. */
#ifndef CUCKOO_SECTION_H
#define CUCKOO_SECTION_H

#include "tally.h"

#define SECTION_LABEL 64

/* A command calls trials_run a number of times, always in the same order; the n-th call is
 * the n-th section of its checkpoint. */
struct section {
    char label[SECTION_LABEL];
    uint64_t trials, first, block, fingerprint, stop_failures;
    uint64_t limit; /* the tally's when it was written; one that was read has room up to its end */
    struct tally tally;
};

#endif
