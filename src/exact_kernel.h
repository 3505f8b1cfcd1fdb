/* exact_kernel.h -- the generating functions E_s of complex components, by excess.
 *
 * E_s collects the (multi)graphs all of whose components have more edges than vertices,
 * with total excess s, as functions of the tree functions t (one table) or u, v (two
 * tables).  Each is a sum over kernels, multigraphs of least degree 3, whose edges are
 * blown up into paths.  With tau = t/(1-t), or uv/(1-uv), every coefficient is positive,
 * so that nothing cancels at a real point.  docs/EXACT.md, section "Kernels". */
#ifndef CUCKOO_EXACT_KERNEL_H
#define CUCKOO_EXACT_KERNEL_H

#include <complex.h>

#include "exact.h"

/* C11's CMPLX: glibc has it for compilers that call themselves GCC 4.7 or newer, and clang
 * calls itself 4.2.  A union, since x + I * y turns infinities into NaN. */
#ifndef CMPLX
static inline double complex kernel_complex(double x, double y)
{
    union {
        double part[2];
        double complex value;
    } both = {{x, y}};
    return both.value;
}
#define CMPLX(x, y) kernel_complex(x, y)
#endif

enum { KERNEL_EXCESS_MAX = 48 }; /* beyond, the coefficients leave the range of doubles */

/* Coefficients of E_s for one s; rows and columns depend on the layout:
 *   EXACT_SPLIT         E = sum_e (u^e + v^e, or 1 for e = 0) sum_j c[e][j] tau^j,
 *   EXACT_ONE_REPEAT    E = (1 + tau)^s sum_p c[0][p] tau^p,
 *   EXACT_ONE_DISTINCT  E = (1 + tau)^s sum_l t^l sum_p c[l][p] tau^p. */
struct kernel {
    enum exact_layout layout;
    unsigned excess;  /* s */
    unsigned rows;    /* e or l: 0 ... rows - 1 */
    unsigned columns; /* j or p: 0 ... columns - 1 */
    double *c;        /* rows * columns */
};

/* What is common to the kernels of every excess up to a limit. */
struct kernel_tables;

/* NULL when memory is short or `largest` > KERNEL_EXCESS_MAX. */
struct kernel_tables *kernel_tables_new(enum exact_layout layout, unsigned largest);
void kernel_tables_free(struct kernel_tables *self);

/* Fill `self` with E_s for s = excess <= the tables' largest.  Returns 0 or ERR_MEMORY;
 * kernel_free is legal after either. */
int kernel_init(struct kernel *self, const struct kernel_tables *tables, unsigned excess);
void kernel_free(struct kernel *self);

/* out[row] = sum over the columns of c[row][column] tau^column; where `large`, divided by
 * tau^(columns - 1), which keeps it in range however large tau is. */
void kernel_rows(const struct kernel *self, double complex tau, int large, double complex *out);

#endif
