/* threshold.c -- see threshold.h, and docs/THRESHOLDS.md for the derivation.
 *
 * X is Poisson with mean b; p = Pr[X = k], P = Pr[X <= k-1], Q = 1 - P = Pr[X >= k].
 * Orientability: E[X | X >= k+1] = d k, which is  1 - b/(d k) = p/Q,  and the load is
 * (Q - p)/Q^d.  Peeling: b/(d k Q^(d-1)) is least where p/Q = 1/((d-1) k).
 * For large d k both p and P are far below the rounding of 1 and nearly proportional
 * (P = p/(d-1) to first order), so that 1 - load is kept as p times a series. */
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
    double k, d;
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
    struct equation equation = {(double)k, (double)d};
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
    struct equation equation = {(double)k, (double)d};
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
