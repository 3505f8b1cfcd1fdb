/* threshold.c -- see threshold.h, and docs/THRESHOLDS.md for the derivation.
 *
 * X is Poisson with mean b; p = Pr[X = k], P = Pr[X <= k-1], Q = 1 - P = Pr[X >= k].
 * Orientability: E[X | X >= k+1] = d k, which is  1 - b/(d k) = p/Q,  and the load is
 * (Q - p)/Q^d.  Peeling: b/(d k Q^(d-1)) is least where p/Q = 1/((d-1) k).
 * For large d k both p and P are far below the rounding of 1 and nearly proportional
 * (P = p/(d-1) to first order), so that 1 - load is kept as p times a series.
 *
 * Windows: see struct line. */
#include "threshold.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>
#include <math.h>

#include "error.h"
#include "stats.h"

static const double two_pi = 6.283185307179586476925;

/* log Pr[Po(mean) = k], k >= 1, by Loader's form. */
static double log_poisson(double k, double mean)
{
    double difference = k - mean;
    double deviance = -k * stats_log1p_minus(-difference / k);
    return -stats_stirling_remainder(k) - deviance - 0.5 * log(two_pi * k);
}

/* Pr[Po(mean) <= k-1] / Pr[Po(mean) = k] = sum over i >= 1 of k (k-1) ... (k-i+1)/mean^i */
static double below_over_pmf(double k, double mean)
{
    double term = 1.0, sum = 0.0;
    for (double i = 0.0; i < k; i += 1.0) {
        term *= (k - i) / mean;
        sum += term;
        if (term < 1e-18 * sum && k - i < mean)
            break;
    }
    return sum;
}

/* p/Q = Pr[X = k | X >= k], which falls from 1 to 0 as the mean grows. */
static double hazard(double k, double mean)
{
    if (mean > k + 1.0) {
        double p = exp(log_poisson(k, mean));
        return p / (1.0 - p * below_over_pmf(k, mean));
    }
    double term = 1.0, sum = 1.0;
    for (double i = 1.0; term > 1e-18 * sum; i += 1.0) {
        term *= mean / (k + i);
        sum += term;
    }
    return 1.0 / sum;
}

struct equation {
    double k, d;   /* windows: k is the length */
    unsigned page; /* windows: 0 for none */
};

/* In e = 1 - b/(d k): positive above the root. */
static double orientability_gap(double e, void *data)
{
    const struct equation *self = data;
    return e - hazard(self->k, self->d * self->k * (1.0 - e));
}

static double peeling_gap(double mean, void *data)
{
    const struct equation *self = data;
    return 1.0 / ((self->d - 1.0) * self->k) - hazard(self->k, mean);
}

/* Brent's root of `gap` between low and high, at which it has different signs. */
static int bracketed_root(double (*gap)(double, void *), struct equation *equation, double low,
                          double high, double *root)
{
    gsl_function function = {gap, equation};
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    if (!solver)
        return ERR_MEMORY;
    int code = ERR_NUMERIC;
    if (gsl_root_fsolver_set(solver, &function, low, high) != GSL_SUCCESS)
        goto out;
    for (int step = 0; step < 200; step++) {
        if (gsl_root_fsolver_iterate(solver) != GSL_SUCCESS)
            goto out;
        double a = gsl_root_fsolver_x_lower(solver), b = gsl_root_fsolver_x_upper(solver);
        *root = gsl_root_fsolver_root(solver);
        if (fabs(b - a) <= 4e-16 * fabs(*root) || gap(*root, equation) == 0.0) {
            code = 0;
            break;
        }
    }
out:
    gsl_root_fsolver_free(solver);
    return code;
}

/* e of the orientability equation. */
static int orientability_root(struct equation *equation, double *e)
{
    double full = hazard(equation->k, equation->d * equation->k);
    if (full < 1e-17) { /* then b = d k to all digits, and e is its hazard */
        *e = full;
        return 0;
    }
    /* gap(full) <= 0, since the hazard falls with the mean; towards e = 1 it is positive */
    double low = 0.999 * full, high = 0.5 * (1.0 + full);
    while (orientability_gap(high, equation) <= 0.0) {
        low = high;
        high = 0.5 * (1.0 + high);
        if (high > 1.0 - 1e-9)
            return ERR_NUMERIC;
    }
    return bracketed_root(orientability_gap, equation, low, high, e);
}

/* p - (d-1) P over p, where the first terms cancel: with the geometric series
 * 1 = (d-1) sum d^-i it is (d-1) times the sum of d^-i - k(k-1)...(k-i+1)/b^i. */
static double pmf_excess(double d, double k, double e)
{
    double scale = 1.0, log_ratio = 0.0, sum = 0.0, log_mean = log1p(-e);
    for (double i = 1.0; scale > 1e-19; i += 1.0) {
        scale /= d;
        if (i <= k) {
            log_ratio += log1p(-(i - 1.0) / k) - log_mean;
            sum -= scale * expm1(log_ratio);
        } else {
            sum += scale;
        }
    }
    return (d - 1.0) * sum;
}

int threshold_orientability(unsigned d, unsigned k, double *load, double *one_minus)
{
    if (d < 2 || k < 1 || d > THRESHOLD_MAX || k > THRESHOLD_MAX)
        return ERR_DOMAIN;
    if (d == 2 && k == 1) {
        *load = 0.5;
        if (one_minus)
            *one_minus = 0.5;
        return 0;
    }
    struct equation equation = {(double)k, (double)d, 0};
    double e;
    int status = orientability_root(&equation, &e);
    if (status)
        return status;
    double mean = equation.d * equation.k * (1.0 - e);
    double p = exp(log_poisson(equation.k, mean)), below = p * below_over_pmf(equation.k, mean);
    /* log((1 - P - p)/(1 - P)^d), its linear part by the series */
    double log_load = -p * pmf_excess(equation.d, equation.k, e) + stats_log1p_minus(-(below + p)) -
                      equation.d * stats_log1p_minus(-below);
    *load = exp(log_load);
    if (one_minus)
        *one_minus = -expm1(log_load);
    return 0;
}

int threshold_peeling(unsigned d, unsigned k, double *load)
{
    if (d < 2 || k < 1 || d > THRESHOLD_MAX || k > THRESHOLD_MAX)
        return ERR_DOMAIN;
    if (d == 2 && k == 1) {
        *load = 0.5;
        return 0;
    }
    struct equation equation = {(double)k, (double)d, 0};
    double low = 0.0, high = equation.k;
    while (peeling_gap(high, &equation) <= 0.0) {
        low = high;
        high *= 2.0;
        if (high > 1e15)
            return ERR_NUMERIC;
    }
    double mean;
    int status = bracketed_root(peeling_gap, &equation, low, high, &mean);
    if (status)
        return status;
    double rate = hazard(equation.k, mean), p = exp(log_poisson(equation.k, mean));
    /* Q = p / hazard */
    *load = mean / (equation.d * equation.k) * exp(-(equation.d - 1.0) * log(p / rate));
    return 0;
}

/* ---- windows ---- */

/* A row of slots, without end or a page, as a queue: at each slot a number of keys arrives whose
 * window starts there, Poisson; one key a slot is served, and a key that is still waiting after
 * `length` slots is lost, so that length - 1 wait at most.
 * idle: the probability that a slot stays empty; room: that one more key, at a random start,
 * is served without another being lost for it, which is that some slot ahead would have
 * stayed empty and no key is lost before. */
struct line {
    double idle, room;
};

/* waiting[b]: Pr[b keys wait before those of a slot arrive].  What flows down from b + 1 to b,
 * waiting[b+1] Pr[no arrival], flows up from 0 ... b: sums of positive terms. */
static void stationary(unsigned length, const double *arrivals, const double *at_least,
                       double *waiting)
{
    double sum = 0.0;

    waiting[0] = 1.0;
    for (unsigned b = 0; b + 1 < length; b++) {
        double flow = 0.0, scale;
        for (unsigned i = 0; i <= b; i++)
            flow += waiting[i] * at_least[b + 2 - i];
        waiting[b + 1] = flow / arrivals[0];
        scale = waiting[b + 1] > 1.0 ? waiting[b + 1] : 1.0;
        for (unsigned i = 0; i <= b + 1; i++) /* e^(rate length) would overflow */
            waiting[i] /= scale;
    }
    for (unsigned b = 0; b < length; b++)
        sum += waiting[b];
    for (unsigned b = 0; b < length; b++)
        waiting[b] /= sum;
}

/* down[b]: Pr[of b waiting, later only b - 1 wait (b = 0: a slot stays empty), and no key is
 * lost before].  n arrivals leave b + n - 1, who have to come down step by step. */
static void come_down(unsigned length, const double *arrivals, double *down)
{
    for (unsigned b = length; b-- > 0;) {
        double stay = 0.0, steps = 1.0;
        for (unsigned n = 1; n + b < length; n++) {
            stay += arrivals[n] * steps;
            steps *= down[b + n];
        }
        down[b] = arrivals[0] / (1.0 - stay);
    }
}

static struct line endless_line(unsigned length, const double *arrivals, const double *at_least)
{
    double waiting[THRESHOLD_WINDOW_MAX], down[THRESHOLD_WINDOW_MAX], all = 1.0;
    struct line line = {0.0, 0.0};

    stationary(length, arrivals, at_least, waiting);
    come_down(length, arrivals, down);
    line.idle = waiting[0] * arrivals[0];
    for (unsigned b = 0; b < length; b++) {
        all *= down[b];
        line.room += waiting[b] * all;
    }
    return line;
}

/* A slot of a page goes by: from[b], b waiting before it, to after[b].  Keys arrive unless
 * arrivals is NULL.  Returns the probability that it stays empty. */
static double pass_slot(unsigned length, const double *arrivals, const double *at_least,
                        const double *from, double *after)
{
    static const double none[] = {1.0};

    for (unsigned b = 0; b < length; b++)
        after[b] = 0.0;
    for (unsigned b = 0; b < length; b++) {
        for (unsigned n = 0; n < (arrivals != NULL ? length - b : 1); n++)
            after[b + n > 0 ? b + n - 1 : 0] += from[b] * (arrivals != NULL ? arrivals : none)[n];
        if (arrivals != NULL)
            after[length - 1] += from[b] * at_least[length - b];
    }
    return from[0] * (arrivals != NULL ? arrivals[0] : 1.0);
}

/* A page: nobody waits before its first slot; its last length - 1 slots start no window.  One
 * more key with b others before a slot: fate[b] of being served, slot by slot from the end. */
static struct line page_line(unsigned length, unsigned page, const double *arrivals,
                             const double *at_least)
{
    static const double certain[] = {1.0};
    double waiting[THRESHOLD_PAGE_MAX + 1][THRESHOLD_WINDOW_MAX] = {{1.0}};
    double fate[THRESHOLD_WINDOW_MAX] = {0.0};
    unsigned starts = page - length + 1;
    struct line line = {0.0, 0.0};

    for (unsigned i = 0; i < page; i++)
        line.idle +=
            pass_slot(length, i < starts ? arrivals : NULL, at_least, waiting[i], waiting[i + 1]) /
            page;
    for (unsigned i = page; i-- > 0;) {
        double next[THRESHOLD_WINDOW_MAX] = {0.0};
        const double *chance = i < starts ? arrivals : certain;
        for (unsigned b = 0; b < length; b++)
            for (unsigned n = 0; n < (i < starts ? length - b : 1); n++)
                next[b] += chance[n] * (b + n > 0 ? fate[b + n - 1] : 1.0);
        for (unsigned b = 0; b < length; b++) {
            fate[b] = next[b];
            line.room += i < starts ? waiting[i][b] * next[b] / starts : 0.0;
        }
    }
    return line;
}

/* `rate`: mean number of keys a slot. */
static struct line line_of(unsigned length, unsigned page, double rate)
{
    double arrivals[THRESHOLD_WINDOW_MAX + 1], at_least[THRESHOLD_WINDOW_MAX + 1];
    double mean = page > 0 ? rate * page / (page - length + 1) : rate; /* at a start */

    arrivals[0] = exp(-mean);
    for (unsigned n = 1; n <= length; n++)
        arrivals[n] = arrivals[n - 1] * mean / n;
    for (unsigned n = 1; n <= length; n++) /* Pr[>= n] by the hazard at n */
        at_least[n] = exp(log_poisson(n, mean)) / hazard(n, mean);
    return page > 0 ? page_line(length, page, arrivals, at_least)
                    : endless_line(length, arrivals, at_least);
}

/* In e = 1 - rate/d: positive below the root. */
static double windows_gap(double e, void *data)
{
    const struct equation *self = data;
    struct line line = line_of((unsigned)self->k, self->page, self->d * (1.0 - e));
    return line.idle + (self->d - 1.0) * line.room * (1.0 - e) - e;
}

static int windows_root(struct equation *equation, double *e)
{
    double high = windows_gap(0.0, equation);
    if (high < 1e-17) { /* then the rate is d to all digits */
        *e = high;
        return 0;
    }
    while (windows_gap(high, equation) >= 0.0) {
        high *= 1.5;
        if (high > 0.99)
            return ERR_NUMERIC;
    }
    return bracketed_root(windows_gap, equation, 0.0, high, e);
}

int threshold_windows(unsigned d, unsigned length, unsigned page, double *load, double *one_minus)
{
    if (d < 2 || length < 2 || d > THRESHOLD_WINDOW_MAX || length > THRESHOLD_WINDOW_MAX ||
        (page > 0 && page < length) || page > THRESHOLD_PAGE_MAX)
        return ERR_DOMAIN;
    struct equation equation = {(double)length, (double)d, page};
    double e;
    int status = windows_root(&equation, &e);
    if (status)
        return status;
    struct line line = line_of(length, page, equation.d * (1.0 - e));
    /* log((1 - idle)/((1 - room)^(d-1) (1 + (d-1) room))): room cancels to first order */
    double log_load = log1p(-line.idle) - (equation.d - 1.0) * stats_log1p_minus(-line.room) -
                      stats_log1p_minus((equation.d - 1.0) * line.room);
    *load = exp(log_load);
    if (one_minus)
        *one_minus = -expm1(log_load);
    return 0;
}
