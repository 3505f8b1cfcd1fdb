/* unit.h -- what every unit test includes: cmocka with the headers it needs, and a
 * chi-square tail for counts that should be uniform.  Seeds are fixed, so a test that
 * passes once passes always; the limits are wide enough for any seed (1e-6). */
#ifndef CUCKOO_UNIT_H
#define CUCKOO_UNIT_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "rng.h"

#define UNIT_TAIL 1e-6

/* Pr[a chi-square of the same degrees of freedom is at least what these counts give]. */
static inline double unit_uniform_tail(const uint64_t *count, size_t cells)
{
    double total = 0.0, sum = 0.0;

    for (size_t i = 0; i < cells; i++)
        total += (double)count[i];
    for (size_t i = 0; i < cells; i++) {
        double off = (double)count[i] - total / (double)cells;
        sum += off * off;
    }
    return gsl_cdf_chisq_Q(sum * (double)cells / total, (double)cells - 1.0);
}

/* A new folder for files, in TMPDIR or the system's own; 0, or -1 where there is none. */
static inline int unit_make_folder(char *folder, size_t size)
{
    const char *parent = getenv("TMPDIR");

    if (parent == NULL || parent[0] == '\0')
        parent = P_tmpdir;
    int length = snprintf(folder, size, "%s/cuckoo_unit.XXXXXX", parent);
    return length > 0 && (size_t)length < size && mkdtemp(folder) != NULL ? 0 : -1;
}

/* Fails where counts are too uneven, and where they are too even to be random. */
static inline void unit_assert_uniform(const uint64_t *count, size_t cells)
{
    double tail = unit_uniform_tail(count, cells);

    assert_true(tail > UNIT_TAIL);
    assert_true(tail < 1.0 - UNIT_TAIL);
}

/* A stream for tests: never one that a trial uses. */
static inline void unit_stream(struct rng *rng, uint64_t number)
{
    const uint64_t words[] = {number, STREAM_TEST};

    rng_init(rng, stream_key(words, 2));
}

#endif
