/* exact_integral.h -- Pr[S = s] as a Cauchy integral, one table or two.
 * Inner to exact.c; docs/EXACT.md, sections "Lagrange inversion" and "Integration". */
#ifndef CUCKOO_EXACT_INTEGRAL_H
#define CUCKOO_EXACT_INTEGRAL_H

#include "exact_kernel.h"

/* log Pr[S = s] for s = kernel->excess, for a setting in range with keys >= 1 and an s
 * that can occur (exact.c knows which).  Returns 0 or ERR_NUMERIC. */
int integral_one(const struct exact_setting *setting, const struct kernel *kernel, double *log_p);
int integral_split(const struct exact_setting *setting, const struct kernel *kernel, double *log_p);

/* log(1 + z), accurate for small z; the branch with |Im| <= pi. */
double complex integral_log1p(double complex z);

/* log r - (r - 1) for r > 0, without cancellation near 1. */
double integral_log_minus(double r);

/* exp(i angle) - 1 without cancellation. */
double complex integral_turn(double angle);

/* E_s's rows at a real tau, divided by exp(*log_scale) to stay in range. */
void integral_rows(const struct kernel *kernel, double tau, double complex *rows,
                   double *log_scale);

enum { INTEGRAL_ROWS = 3 * KERNEL_EXCESS_MAX + 1 };

#endif
