/* exact_one.c -- Pr[S = s] for one table (see exact_integral.h).
 *
 *   Pr[S = s] = 2^n n! m!/M^n [t^m] U^N/N! (1-t)^(1/2) D(t) E_s(t) e^(m t),
 *   U = t - t^2/2,  N = m - n + s,
 *   positions may repeat: M = m^2, D = 1;  distinct: M = m(m-1), D = e^(-t/2).
 *
 * The coefficient is the mean of the function on a circle, over t^m.  Its radius is the
 * real saddle point, sought in y = log(t/(1-t)).  With t = (2n/m)(1 + e) the main terms of
 * Stirling's series and of the function join to
 *   -n l(e) + N l(-(s + n e)/N) + s log(t/m),  l(x) = log(1+x) - x,
 * which loses no digit however large n is. */
#include "exact_integral.h"

#include <float.h>
#include <math.h>

#include "error.h"
#include "stats.h"

static const double pi = 3.14159265358979323846;

double complex integral_log1p(double complex z)
{
    double x = creal(z), y = cimag(z);
    double modulus =
        fabs(x) + fabs(y) < 0.5 ? 0.5 * log1p(x * (2.0 + x) + y * y) : log(hypot(1.0 + x, y));
    return modulus + I * atan2(y, 1.0 + x);
}

double integral_log_minus(double r)
{
    return fabs(r - 1.0) < 0.5 ? stats_log1p_minus(r - 1.0) : log(r) - (r - 1.0);
}

void integral_rows(const struct kernel *kernel, double tau, double complex *rows, double *log_scale)
{
    int large = tau > 1.0;
    kernel_rows(kernel, tau, large, rows);
    *log_scale = large ? (kernel->columns - 1.0) * log(tau) : 0.0;
}

double complex integral_turn(double angle)
{
    double half = sin(0.5 * angle);
    return -2.0 * half * half + I * sin(angle);
}

struct one {
    const struct kernel *kernel;
    double m, n, s, trees; /* trees: N */
    int distinct;
    double t, rest, tau; /* the radius, 1 - t and t/(1-t) there */
    double spread;       /* standard deviation of the integrand in the angle */
};

/* (1-t)^(+-1/2) D E_s; `sign` is -1 for s = 0 in the search of the radius, where the
 * square root would pull the circle onto the branch point instead of off it. */
static double one_log_factor(const struct one *self, double y, double sign)
{
    double complex rows[INTEGRAL_ROWS];
    double tau = exp(y), t = tau / (1.0 + tau), sum = 0.0, log_scale;
    integral_rows(self->kernel, tau, rows, &log_scale);
    for (unsigned row = self->kernel->rows; row-- > 0;)
        sum = sum * t + creal(rows[row]);
    /* cppcheck-suppress invalidFunctionArg; the kernel has rows, and their sum is positive */
    return log(sum) + log_scale + (self->s - 0.5 * sign) * log1p(tau) -
           (self->distinct ? 0.5 * t : 0.0);
}

/* Derivative, by log t, of the logarithm of the integrand on the real axis. */
static double one_slope(const struct one *self, double y)
{
    const double step = 1e-4;
    double tau = exp(y), t = tau / (1.0 + tau), rest = 1.0 / (1.0 + tau);
    double sign = self->kernel->excess ? 1.0 : -1.0;
    double factor = (one_log_factor(self, y + step, sign) - one_log_factor(self, y - step, sign)) /
                    (2.0 * step * rest);
    return rest * (self->trees / (1.0 - 0.5 * t) - self->m) + factor;
}

/* The slope grows from negative to positive; where it is positive all the way down, the
 * lowest radius serves as well as any (only the lowest power counts there). */
static void one_radius(struct one *self)
{
    double natural = fmin(1.0, 2.0 * self->n / self->m);
    double low = log(natural) - 40.0, high = 40.0;
    for (int step = 0; step < 60; step++) {
        double middle = 0.5 * (low + high);
        if (one_slope(self, middle) < 0.0)
            low = middle;
        else
            high = middle;
    }
    double y = 0.5 * (low + high), rest = 1.0 / (1.0 + exp(y)), step = 1e-3;
    self->tau = exp(y);
    self->t = self->tau / (1.0 + self->tau);
    self->rest = rest;
    double curvature =
        (one_slope(self, y + step) - one_slope(self, y - step)) / (2.0 * step * rest);
    self->spread = curvature > 1e-6 ? 1.0 / sqrt(curvature) : 1e3;
}

static double complex one_factor(const struct one *self, double complex t, double complex rest)
{
    double complex rows[INTEGRAL_ROWS], tau = t / rest, sum = 0.0, power = 1.0;
    int large = self->tau > 1.0;
    kernel_rows(self->kernel, tau, large, rows);
    if (large)
        power = cexp((self->kernel->columns - 1.0) * clog(tau / self->tau));
    for (unsigned row = self->kernel->rows; row-- > 0;)
        sum = sum * t + rows[row];
    for (unsigned j = 0; j < self->kernel->excess; j++)
        power *= self->rest / rest;
    return sum * power * csqrt(rest / self->rest) *
           cexp(self->distinct ? -0.5 * (t - self->t) : 0.0);
}

/* The integrand at angle a over its value on the real axis, without the constant
 * E_s(real), which `scale` divides. */
static double complex one_value(const struct one *self, double angle, double scale)
{
    double complex turn = integral_turn(angle), move = self->t * turn;
    double complex rest = self->rest - move;
    double complex exponent =
        self->trees * integral_log1p(-0.5 * move / (1.0 - 0.5 * self->t)) + self->m * move;
    exponent -= I * ((self->n - self->s) * angle);
    return cexp(exponent) * one_factor(self, self->t + move, rest) / scale;
}

/* Mean over the circle of the integrand over its value on the real axis. */
static double one_mean(const struct one *self)
{
    double scale = creal(one_factor(self, self->t, self->rest));
    double step = fmin(0.35 * self->spread, 0.2 * log1p(1.0 / self->tau));
    /* small tables: beyond a window of 14 spreads there is still what a digit can show */
    int whole = 28.0 * self->spread > pi;
    int count = whole ? (int)ceil(fmax(pi / step, 32.0)) : (int)ceil(14.0 * self->spread / step);
    if (whole)
        step = pi / count;
    double sum = 1.0;
    for (int j = 1; j <= count; j++) {
        double value = creal(one_value(self, j * step, scale));
        /* the two halves of the circle are conjugate and meet at pi */
        sum += whole && j == count ? value : 2.0 * value;
        if (!whole && fabs(value) < 1e-19 * fabs(sum) && j * step > 5.0 * self->spread)
            break;
    }
    return sum * step / (2.0 * pi);
}

/* The main terms of the header, and what Stirling's series leaves. */
static double one_log_scale(const struct one *self)
{
    double m = self->m, n = self->n, s = self->s, trees = self->trees;
    double ratio = self->t * m / (2.0 * n), e = ratio - 1.0, log_scale = s * log(self->t / m);
    if (trees > 0.0)
        log_scale +=
            trees * stats_log1p_minus(-(s + n * e) / trees) - n * integral_log_minus(ratio);
    else
        log_scale += s + 2.0 * n * e - n * log(ratio);
    log_scale += 0.5 * log(2.0 * pi * m) + 0.5 * log(2.0 * pi * n) + stats_stirling_remainder(m) +
                 stats_stirling_remainder(n);
    if (trees > 0.0)
        log_scale -= 0.5 * log(2.0 * pi * trees) + stats_stirling_remainder(trees);
    if (self->distinct)
        log_scale -= n * log1p(-1.0 / m);
    return log_scale;
}

int integral_one(const struct exact_setting *setting, const struct kernel *kernel, double *log_p)
{
    struct one self = {.kernel = kernel,
                       .m = (double)setting->slots_1,
                       .n = (double)setting->keys,
                       .s = kernel->excess,
                       .distinct = setting->layout == EXACT_ONE_DISTINCT};
    self.trees = self.m - self.n + self.s;
    one_radius(&self);
    double mean = one_mean(&self);
    if (!(mean > 0.0 && mean <= DBL_MAX))
        return ERR_NUMERIC;
    *log_p = one_log_scale(&self) + one_log_factor(&self, log(self.tau), 1.0) + log(mean);
    return 0;
}
