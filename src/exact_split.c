/* exact_split.c -- Pr[S = s] for two tables (see exact_integral.h).
 *
 *   Pr[S = s] = m1! m2! n!/(m1 m2)^n
 *               [u^m1 v^m2] U^N/N! (1-uv)^(1/2) E_s(u,v) e^(m1 v + m2 u),
 *   U = u + v - uv,  N = m1 + m2 - n + s.
 *
 * Polar coordinates  u = sqrt(w) e^d,  v = sqrt(w) e^-d:  the singularity uv = 1 and E_s's
 * powers of tau depend on w alone, so the integral over the angle of d is of an entire
 * function, cheap and smooth, inside the one over the angle of w.
 * With u = (n/m2)(1+e1), v = (n/m1)(1+e2) the main terms join to
 *   s log(n/(m1 m2)) + N l(x) - m1 l(e1) - m2 l(e2) - n e1 e2,  l(x) = log(1+x) - x,
 *   x = (-s + (m1-n) e1 + (m2-n) e2 - n e1 e2)/N. */
#include "exact_integral.h"

#include <float.h>
#include <math.h>

#include "error.h"
#include "stats.h"

static const double pi = 3.14159265358979323846;

struct split {
    const struct kernel *kernel;
    double m1, m2, n, s, trees; /* trees: N */
    double w, rest, d, tau;     /* the radii: w = uv, 1-w, d = log(u/v)/2, tau = w/(1-w) */
    double u, v, forest;        /* forest: U there */
    double spread_w, spread_d;  /* standard deviations of the integrand in the angles of w
                                   (after the other is integrated) and of d (w fixed) */
    double lean;                /* the angle of d follows -lean times that of w */
    double half_circle;         /* what the angle of w runs to, see split_ranges */
    int whole_w, whole_d;       /* the whole circle, or a window about the saddle */
};

/* log of (1-w)^(+-1/2) E_s at a real point, given E_s's rows over their scale (which is for
 * the caller to add); sign as in exact_one.c */
static double split_log_factor(const struct split *self, double tau, double d,
                               const double complex *rows, double sign)
{
    double sum = creal(rows[0]);
    double half = 0.5 * (log(tau) - log1p(tau)), both = 2.0;
    for (unsigned e = 1; e < self->kernel->rows; e++)
        sum += creal(rows[e]) * both * exp(e * half) * cosh(e * d);
    return log(sum) - 0.5 * sign * log1p(tau);
}

/* Derivatives of the real integrand's logarithm without that factor, by log u and log v. */
static void split_main_slopes(const struct split *self, double w, double d, double *by_u,
                              double *by_v)
{
    double u = sqrt(w) * exp(d), v = sqrt(w) * exp(-d), forest = u + v - w;
    *by_u = self->trees * u * (1.0 - v) / forest + self->m2 * u - self->m1;
    *by_v = self->trees * v * (1.0 - u) / forest + self->m1 * v - self->m2;
}

/* Derivative by d at fixed w; by y = log tau at fixed d. */
static double split_slope_d(const struct split *self, double y, double d,
                            const double complex *rows)
{
    const double step = 1e-4;
    double tau = exp(y), by_u, by_v;
    split_main_slopes(self, tau / (1.0 + tau), d, &by_u, &by_v);
    double factor = split_log_factor(self, tau, d + step, rows, 1.0) -
                    split_log_factor(self, tau, d - step, rows, 1.0);
    return by_u - by_v + factor / (2.0 * step);
}

static double split_slope_y(const struct split *self, double y, double d)
{
    const double step = 1e-4;
    double complex rows[INTEGRAL_ROWS];
    double tau = exp(y), by_u, by_v, factor = 0.0, sign = self->kernel->excess ? 1.0 : -1.0;
    split_main_slopes(self, tau / (1.0 + tau), d, &by_u, &by_v);
    for (int side = -1; side <= 1; side += 2) {
        double log_scale;
        tau = exp(y + side * step);
        integral_rows(self->kernel, tau, rows, &log_scale);
        factor += side * (split_log_factor(self, tau, d, rows, sign) + log_scale);
    }
    return 0.5 * (by_u + by_v) / (1.0 + exp(y)) + factor / (2.0 * step);
}

/* The d that minimises at fixed y; both slopes grow through their zero. */
static double split_best_d(const struct split *self, double y)
{
    if (self->m1 == self->m2)
        return 0.0;
    double complex rows[INTEGRAL_ROWS];
    double log_scale; /* does not depend on d */
    integral_rows(self->kernel, exp(y), rows, &log_scale);
    double start = 0.5 * log(self->m1 / self->m2), low = start - 10.0, high = start + 10.0;
    for (int step = 0; step < 50; step++) {
        double middle = 0.5 * (low + high);
        if (split_slope_d(self, y, middle, rows) < 0.0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static void split_radii(struct split *self)
{
    double natural = fmin(1.0, self->n / self->m1 * (self->n / self->m2));
    double low = log(natural) - 40.0, high = 40.0;
    for (int step = 0; step < 60; step++) {
        double middle = 0.5 * (low + high);
        if (split_slope_y(self, middle, split_best_d(self, middle)) < 0.0)
            low = middle;
        else
            high = middle;
    }
    double y = 0.5 * (low + high);
    self->d = split_best_d(self, y);
    self->tau = exp(y);
    self->w = self->tau / (1.0 + self->tau);
    self->rest = 1.0 / (1.0 + self->tau);
    self->u = sqrt(self->w) * exp(self->d);
    self->v = sqrt(self->w) * exp(-self->d);
    self->forest = self->u + self->v - self->w;
    /* second derivatives in (log w, d) */
    const double step = 1e-3;
    double complex rows[INTEGRAL_ROWS];
    double log_w_step = 2.0 * step * self->rest, log_scale;
    integral_rows(self->kernel, self->tau, rows, &log_scale);
    double dd = (split_slope_d(self, y, self->d + step, rows) -
                 split_slope_d(self, y, self->d - step, rows)) /
                (2.0 * step);
    double yd = (split_slope_y(self, y, self->d + step) - split_slope_y(self, y, self->d - step)) /
                (2.0 * step) * (1.0 + self->tau);
    double yy = (split_slope_y(self, y + step, self->d) * (1.0 + exp(y + step)) -
                 split_slope_y(self, y - step, self->d) * (1.0 + exp(y - step))) /
                log_w_step;
    self->spread_d = dd > 1e-6 ? 1.0 / sqrt(dd) : 1e3;
    self->lean = dd > 1e-6 ? yd / dd : 0.0;
    double marginal = yy - self->lean * yd;
    self->spread_w = marginal > 1e-6 ? 1.0 / sqrt(marginal) : 1e3;
}

/* (angle of w, angle of d) is a torus with the lattice of (2 pi, pi), (2 pi, -pi).  A strip
 * about angle_d = -lean angle_w that runs all round closes after 4 pi if lean is 0, after
 * 2 pi if it is +-1/2; where lean is near neither, few slots are hit by several keys each,
 * the strip is not much narrower than the circle, and both circles are taken whole
 * (and for few keys wherever that is cheap). */
static void split_ranges(struct split *self)
{
    double turns = fabs(self->lean) < 0.25 ? 0.0 : self->lean > 0.0 ? 0.5 : -0.5;
    self->whole_d = 12.0 * self->spread_d > 0.5 * pi || (self->n < 200.0 && self->spread_d > 0.03);
    self->half_circle = self->whole_d || turns != 0.0 ? pi : 2.0 * pi;
    self->whole_w = 14.0 * self->spread_w > self->half_circle;
    if (!self->whole_w || self->whole_d)
        return;
    if (fabs(self->lean - turns) > 0.02) {
        self->whole_d = 1;
        self->half_circle = pi;
    } else {
        self->lean = turns;
    }
}

/* What the inner integral needs of a point of the outer circle. */
struct split_point {
    double angle;                       /* of w */
    double complex half;                /* exp(i angle/2) - 1 */
    double complex root;                /* ((1-w)/(1-|w|))^(1/2), times what scales the rows */
    double complex rows[INTEGRAL_ROWS]; /* of E_s */
};

static void split_point(const struct split *self, double angle, struct split_point *point)
{
    double complex turn = integral_turn(angle);
    double complex rest = self->rest - self->w * turn;
    point->angle = angle;
    point->half = integral_turn(0.5 * angle);
    point->root = csqrt(rest / self->rest);
    double complex tau = self->w * (1.0 + turn) / rest;
    int large = self->tau > 1.0;
    kernel_rows(self->kernel, tau, large, point->rows);
    if (large)
        point->root *= cexp((self->kernel->columns - 1.0) * clog(tau / self->tau));
}

/* The integrand over its value on the real axis, E_s's excepted. */
static double complex split_value(const struct split *self, const struct split_point *point,
                                  double angle)
{
    double complex forth = integral_turn(angle), back = conj(forth);
    double complex turn_u = point->half + forth + point->half * forth;
    double complex turn_v = point->half + back + point->half * back;
    /* U = exp(i angle_w/2) (u e^(i angle) + v e^(-i angle) - w e^(i angle_w/2)) */
    double complex ratio =
        (self->u * forth + self->v * back - self->w * point->half) / self->forest;
    double complex exponent = self->trees * integral_log1p(ratio) + self->m1 * self->v * turn_v +
                              self->m2 * self->u * turn_u;
    exponent -= I * (0.5 * (self->n - self->s) * point->angle + (self->m1 - self->m2) * angle);
    double complex u = self->u * (1.0 + turn_u), v = self->v * (1.0 + turn_v);
    double complex power_u = 1.0, power_v = 1.0, sum = point->rows[0];
    for (unsigned e = 1; e < self->kernel->rows; e++) {
        power_u *= u;
        power_v *= v;
        sum += point->rows[e] * (power_u + power_v);
    }
    return cexp(exponent) * point->root * sum;
}

/* The inner integral, over the angle of d, divided by the width 2 pi. */
static double complex split_inner(const struct split *self, const struct split_point *point)
{
    double step = 0.45 * self->spread_d;
    double complex sum = 0.0;
    if (self->whole_d) {
        int count = (int)ceil(fmax(2.0 * pi / step, 48.0));
        for (int j = 0; j < count; j++)
            sum += split_value(self, point, 2.0 * pi * j / count);
        return sum / count;
    }
    double centre = -self->lean * point->angle, most = 0.0;
    int count = (int)(0.5 * pi / step);
    for (int side = -1; side <= 1; side += 2)
        for (int j = side < 0 ? 0 : 1; j <= count; j++) {
            double complex value = split_value(self, point, centre + side * j * step);
            double size = cabs(value);
            sum += value;
            most = fmax(most, size);
            if (size < 1e-19 * most)
                break;
        }
    return sum * step / (2.0 * pi);
}

/* Mean over both circles of the integrand over its value on the real axis. */
static double split_mean(const struct split *self)
{
    struct split_point point;
    split_point(self, 0.0, &point);
    double scale = creal(split_value(self, &point, 0.0));
    double step = fmin(0.35 * self->spread_w, 0.2 * log1p(1.0 / self->tau));
    int whole = self->whole_w;
    int count = whole ? (int)ceil(fmax(self->half_circle / step, 32.0))
                      : (int)ceil(14.0 * self->spread_w / step);
    if (whole)
        step = self->half_circle / count;
    double sum = creal(split_inner(self, &point));
    for (int j = 1; j <= count; j++) {
        split_point(self, j * step, &point);
        double value = creal(split_inner(self, &point));
        sum += whole && j == count ? value : 2.0 * value;
        if (!whole && fabs(value) < 1e-19 * fabs(sum) && j * step > 5.0 * self->spread_w)
            break;
    }
    return sum / scale * step / (2.0 * pi);
}

/* What Stirling's series leaves of m1! m2! n!/N! beside its main terms. */
static double split_log_rest(const struct split *self)
{
    double rest = stats_stirling_remainder(self->m1) + stats_stirling_remainder(self->m2) +
                  stats_stirling_remainder(self->n);
    rest += 0.5 * (log(2.0 * pi * self->m1) + log(2.0 * pi * self->m2) + log(2.0 * pi * self->n));
    if (self->trees > 0.0)
        rest -= 0.5 * log(2.0 * pi * self->trees) + stats_stirling_remainder(self->trees);
    return rest;
}

/* The main terms, as in the header: good where the saddle is near (n/m2, n/m1). */
static double split_log_main(const struct split *self)
{
    double m1 = self->m1, m2 = self->m2, n = self->n, s = self->s, trees = self->trees;
    double ratio1 = self->u * m2 / n, ratio2 = self->v * m1 / n;
    double e1 = ratio1 - 1.0, e2 = ratio2 - 1.0, log_main = s * (log(n / m1) - log(m2));
    if (trees <= 0.0)
        return log_main + s + n * (e1 + e2) - m1 * log(ratio1) - m2 * log(ratio2);
    double x = (-s + (m1 - n) * e1 + (m2 - n) * e2 - n * e1 * e2) / trees;
    return log_main + trees * stats_log1p_minus(x) - m1 * integral_log_minus(ratio1) -
           m2 * integral_log_minus(ratio2) - n * e1 * e2;
}

/* The same for few keys, whose saddle may be far below that point: with
 * d = log(m1/m2)/2 + h every term is of the order of n, whatever the slots. */
static double split_log_main_few(const struct split *self)
{
    double m1 = self->m1, m2 = self->m2, n = self->n, s = self->s, trees = self->trees;
    double all = m1 + m2, h = self->d - 0.5 * log(m1 / m2);
    double shift = (m1 * expm1(h) + m2 * expm1(-h)) / all;
    double log_main = n * log(n) - (2.0 * n - s) - 0.5 * (n + s) * (log(m1) + log(m2)) -
                      0.5 * (n - s) * log(self->w) + m1 * self->v + m2 * self->u;
    if (trees > 0.0)
        log_main +=
            trees * (log1p(shift) + log1p(-self->w / (self->u + self->v)) - log1p(-(n - s) / all));
    return log_main - (m1 - m2) * h;
}

int integral_split(const struct exact_setting *setting, const struct kernel *kernel, double *log_p)
{
    struct split self = {.kernel = kernel,
                         .m1 = (double)setting->slots_1,
                         .m2 = (double)setting->slots_2,
                         .n = (double)setting->keys,
                         .s = kernel->excess};
    self.trees = self.m1 + self.m2 - self.n + self.s;
    split_radii(&self);
    split_ranges(&self);
    double mean = split_mean(&self);
    if (!(mean > 0.0 && mean <= DBL_MAX))
        return ERR_NUMERIC;
    double complex rows[INTEGRAL_ROWS];
    double log_scale;
    integral_rows(kernel, self.tau, rows, &log_scale);
    double log_main = self.n < 1000.0 ? split_log_main_few(&self) : split_log_main(&self);
    *log_p = log_main + split_log_rest(&self) +
             split_log_factor(&self, self.tau, self.d, rows, 1.0) + log_scale + log(mean);
    return 0;
}
