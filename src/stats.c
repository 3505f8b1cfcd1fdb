/* stats.c -- see stats.h.
 *
 * The binomial tail.  With x = p and o = p/(1-p),
 *
 *   Pr[X >= k] = k Pr[X = k] * Integral_0^inf exp(-k y + (n-k) log1p(o (1 - e^-y))) dy,
 *
 * which is the incomplete beta integral after t = p e^-y.  The exponent is concave and,
 * as long as p <= k/n, falls from y = 0 on; where p is larger, the other tail has that
 * property and the complement is taken.  So one quadrature serves every k, n and p,
 * also where continued fractions need sqrt(n) terms.  The factor Pr[X = k] is Loader's
 * saddle-point form (C. Loader, Fast and accurate computation of binomial
 * probabilities, 2000); the quadrature is Takahasi and Mori's double exponential rule.
 *
 * GSL serves for Student's t only: its inverses of the beta and binomial distributions
 * hang or give NaN at large parameters (GSL 2.7.1). */
#include "stats.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "error.h"

static const double two_pi = 6.283185307179586476925;

double stats_log1p_minus(double x)
{
    if (fabs(x) > 0.1)
        return log1p(x) - x;
    /* log1p(x) = 2 artanh(r), r = x/(2+x); x - 2r = r x; the rest is a fast series. */
    double r = x / (2.0 + x), square = r * r, term = 2.0 * r, sum = 0.0;
    for (int j = 3; j < 40; j += 2) {
        term *= square;
        sum += term / j;
        if (fabs(term) < 1e-20 * fabs(sum))
            break;
    }
    return sum - r * x;
}

double stats_stirling_remainder(double n)
{
    if (n < 16.0) {
        double m = floor(n + 0.5), factorial = 1.0;
        for (int j = 2; j <= (int)m; j++)
            factorial *= j;
        return log(factorial) - ((m + 0.5) * log(m) - m + 0.5 * log(two_pi));
    }
    double i = 1.0 / n, s = i * i;
    return i * (1.0 / 12 -
                s * (1.0 / 360 - s * (1.0 / 1260 -
                                      s * (1.0 / 1680 - s * (1.0 / 1188 - s * (691.0 / 360360))))));
}

/* x log(x/mean) + mean - x, given difference = x - mean to full accuracy. */
static double deviance(double x, double mean, double difference)
{
    if (x == 0.0)
        return mean;
    return -x * stats_log1p_minus(-difference / x);
}

double stats_binomial_log_pmf(uint64_t k, uint64_t trials, double p)
{
    if (k > trials || !(p >= 0.0 && p <= 1.0))
        return -INFINITY;
    double n = (double)trials, a = (double)k, b = (double)(trials - k);
    if (p == 0.0 || k == 0)
        return k == 0 ? (trials == 0 ? 0.0 : n * log1p(-p)) : -INFINITY;
    if (p == 1.0 || k == trials)
        return k == trials ? n * log(p) : -INFINITY;
    double difference = fma(-n, p, a);
    return stats_stirling_remainder(n) - stats_stirling_remainder(a) - stats_stirling_remainder(b) -
           deviance(a, n * p, difference) - deviance(b, n - n * p, -difference) +
           0.5 * (log(n / a) - log(two_pi * b));
}

/* log Integral_0^inf exp(-a y + c log1p(odds (1 - e^-y))) dy for a >= 1, c >= 0 and
 * a >= c * odds, so that the exponent starts at 0, falls and is concave. */
static double log_tail_integral(double a, double c, double odds)
{
    double slope = a - c * odds, curvature = c * odds * (1.0 + odds);
    double scale = 1.0 / (fmax(slope, 0.0) + sqrt(curvature));
    double sum = 0.0, h = 1.0 / 32.0;
    for (int j = -130; j <= 160; j++) {
        double v = j * h, e = exp(-v), y = scale * exp(v - e);
        double gain = -odds * expm1(-y);
        /* -a y + c log1p(gain), with the two linear parts joined before they cancel */
        double f = -slope * y + c * odds * (-expm1(-y) - y) + c * stats_log1p_minus(gain);
        if (f < -60.0)
            break;
        sum += exp(f) * y * (1.0 + e);
    }
    return log(h * sum);
}

/* log Pr[Bin(n,p) >= k] for 1 <= k <= n, 0 < p < 1, n p <= k. */
static double upper_tail_direct(uint64_t k, uint64_t n, double p)
{
    double integral = log_tail_integral((double)k, (double)(n - k), p / (1.0 - p));
    return log((double)k) + stats_binomial_log_pmf(k, n, p) + integral;
}

/* log Pr[Bin(n,p) <= k] for 0 <= k < n, 0 < p < 1, n p >= k. */
static double lower_tail_direct(uint64_t k, uint64_t n, double p)
{
    double integral = log_tail_integral((double)(n - k), (double)k, (1.0 - p) / p);
    return log((double)(n - k)) + stats_binomial_log_pmf(k, n, p) + integral;
}

static double log_complement(double log_p)
{
    if (log_p >= 0.0)
        return -INFINITY;
    return log_p > -0.693 ? log(-expm1(log_p)) : log1p(-exp(log_p));
}

static double log_at_least(uint64_t k, uint64_t n, double p)
{
    if (k == 0)
        return 0.0;
    if (p <= 0.0)
        return -INFINITY;
    if (p >= 1.0)
        return 0.0;
    if ((double)n * p <= (double)k)
        return fmin(0.0, upper_tail_direct(k, n, p));
    return log_complement(lower_tail_direct(k - 1, n, p));
}

static double log_at_most(uint64_t k, uint64_t n, double p)
{
    if (k == n)
        return 0.0;
    if (p <= 0.0)
        return 0.0;
    if (p >= 1.0)
        return -INFINITY;
    if ((double)n * p >= (double)k)
        return fmin(0.0, lower_tail_direct(k, n, p));
    return log_complement(upper_tail_direct(k + 1, n, p));
}

int stats_binomial_tails(uint64_t k, uint64_t trials, double p, double *at_most, double *at_least)
{
    if (k > trials || !(p >= 0.0 && p <= 1.0))
        return ERR_DOMAIN;
    if (at_most)
        *at_most = log_at_most(k, trials, p);
    if (at_least)
        *at_least = log_at_least(k, trials, p);
    return 0;
}

/* The p at which the tail (upper: Pr[X >= k], which grows with p; else Pr[X <= k], which
 * falls) has the logarithm `target`.  Newton's rule on log tail as a function of log p,
 * inside a bracket that shrinks at each step; bisection in log p when it leaves it. */
static int tail_root(int upper, uint64_t k, uint64_t n, double target, double *root)
{
    double low = 0.0, high = 1.0, p = ((double)k + (upper ? 0.0 : 0.5)) / ((double)n + 1.0);
    for (int step = 0; step < 200; step++) {
        double tail = upper ? log_at_least(k, n, p) : log_at_most(k, n, p);
        double error = tail - target;
        if ((error < 0.0) == (upper != 0))
            low = p;
        else
            high = p;
        /* d Pr[X >= k]/dp = k Pr[X = k]/p,  d Pr[X <= k]/dp = -(n-k) Pr[X = k]/(1-p) */
        double log_pmf = stats_binomial_log_pmf(k, n, p);
        double slope = upper ? (double)k * exp(log_pmf - tail)
                             : -(double)(n - k) * exp(log_pmf - tail) * p / (1.0 - p);
        double next = p * exp(fmax(-3.0, fmin(3.0, -error / slope)));
        if (!(next > low && next < high))
            next = low > 0.0 ? sqrt(low) * sqrt(high) : 0.5 * p;
        if (fabs(next - p) <= 4e-16 * p || (step > 8 && fabs(next - p) <= 4e-15 * p)) {
            *root = next;
            return 0;
        }
        p = next;
    }
    return ERR_NUMERIC;
}

int stats_clopper_pearson(uint64_t successes, uint64_t trials, double confidence, double *low,
                          double *high)
{
    if (trials == 0 || successes > trials || !(confidence > 0.0 && confidence < 1.0))
        return ERR_DOMAIN;
    double log_half = log(0.5 * (1.0 - confidence));
    int status = 0;
    if (successes == 0)
        *low = 0.0;
    else if (successes == trials)
        *low = exp(log_half / (double)trials);
    else
        status = tail_root(1, successes, trials, log_half, low);
    if (status)
        return status;
    if (successes == trials)
        *high = 1.0;
    else if (successes == 0)
        *high = -expm1(log_half / (double)trials);
    else
        status = tail_root(0, successes, trials, log_half, high);
    return status;
}

int stats_median_interval(uint64_t n, double confidence, uint64_t *low_rank, uint64_t *high_rank,
                          double *coverage)
{
    if (n == 0 || !(confidence > 0.0 && confidence < 1.0))
        return ERR_DOMAIN;
    /* coverage(l) = 1 - 2 Pr[Bin(n,1/2) <= l-1] falls with l; the greatest l that still
     * has it, by bisection: coverage(low) >= confidence or low = 1, coverage(high) < it. */
    uint64_t low = 1, high = n / 2 + 1;
    if (high < 2)
        high = 2;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        double covered = 1.0 - 2.0 * exp(log_at_most(middle - 1, n, 0.5));
        if (covered >= confidence - 1e-12)
            low = middle;
        else
            high = middle;
    }
    *low_rank = low;
    *high_rank = n + 1 - low;
    if (coverage)
        *coverage = fmax(0.0, 1.0 - 2.0 * exp(log_at_most(low - 1, n, 0.5)));
    return 0;
}

int stats_mean_interval(uint64_t n, double sum, double sum_squares, double confidence, double *mean,
                        double *half_width)
{
    if (n == 0 || !(confidence > 0.0 && confidence < 1.0))
        return ERR_DOMAIN;
    double count = (double)n;
    *mean = sum / count;
    if (n == 1) {
        *half_width = INFINITY;
        return 0;
    }
    double a = count * sum_squares, a_rest = fma(count, sum_squares, -a);
    double b = sum * sum, b_rest = fma(sum, sum, -b);
    double variance = fmax(0.0, ((a - b) + (a_rest - b_rest)) / (count * (count - 1.0)));
    double tail = 0.5 * (1.0 - confidence);
    double quantile = gsl_cdf_tdist_Qinv(tail, count - 1.0);
    if (!(fabs(gsl_cdf_tdist_Q(quantile, count - 1.0) - tail) <= 1e-9 * tail))
        return ERR_NUMERIC;
    *half_width = quantile * sqrt(variance / count);
    return 0;
}

int stats_percentile(const uint64_t *counts, size_t length, uint32_t numerator,
                     uint32_t denominator, size_t *value)
{
    if (denominator == 0 || numerator > denominator)
        return ERR_DOMAIN;
    uint64_t total = 0;
    for (size_t v = 0; v < length; v++)
        total += counts[v];
    if (total == 0)
        return ERR_DOMAIN;
    uint64_t whole = total / denominator, rest = total % denominator;
    uint64_t rank = whole * numerator + (rest * numerator + denominator - 1) / denominator;
    if (rank == 0)
        rank = 1;
    uint64_t seen = 0;
    for (size_t v = 0; v < length; v++) {
        seen += counts[v];
        if (seen >= rank) {
            *value = v;
            return 0;
        }
    }
    return ERR_VERIFY;
}

/* The hypergeometric law of the first count: `drawn` successes among n1 + n2 trials. */
struct hypergeometric {
    uint64_t n1, n2, drawn, least, most;
};

static double hypergeometric_log_pmf(const struct hypergeometric *self, uint64_t x)
{
    double p = (double)self->drawn / ((double)self->n1 + (double)self->n2);
    return stats_binomial_log_pmf(x, self->n1, p) +
           stats_binomial_log_pmf(self->drawn - x, self->n2, p) -
           stats_binomial_log_pmf(self->drawn, self->n1 + self->n2, p);
}

/* Pr[x+1] / Pr[x] */
static double hypergeometric_ratio(const struct hypergeometric *self, uint64_t x)
{
    double a = (double)(self->n1 - x), b = (double)(self->drawn - x);
    double c = (double)x + 1.0, d = (double)(self->n2 + x + 1 - self->drawn);
    return (a / c) * (b / d);
}

/* log of the sum of Pr[x] from x outwards (up or down), terms falling after a while. */
static double hypergeometric_log_tail(const struct hypergeometric *self, uint64_t x, int up)
{
    double term = 1.0, sum = 1.0, start = hypergeometric_log_pmf(self, x);
    while (up ? x < self->most : x > self->least) {
        double ratio = up ? hypergeometric_ratio(self, x) : 1.0 / hypergeometric_ratio(self, x - 1);
        term *= ratio;
        x = up ? x + 1 : x - 1;
        sum += term;
        if (ratio < 1.0 && term < 1e-18 * sum * (1.0 - ratio))
            break;
        if (sum > 1e250) { /* a tail that holds the mode: rescale */
            start += log(sum);
            term /= sum;
            sum = 1.0;
        }
    }
    return fmin(0.0, start + log(sum));
}

/* The first x at or beyond the far side of the mode with Pr[x] <= Pr[seen]; 0 if there is
 * none.  The pmf is unimodal, so bisection finds it. */
static int hypergeometric_mirror(const struct hypergeometric *self, uint64_t seen, double log_seen,
                                 uint64_t mode, uint64_t *x)
{
    int up = seen < mode;
    uint64_t inside = mode, end = up ? self->most : self->least;
    double limit = log_seen + 1e-9;
    if (hypergeometric_log_pmf(self, end) > limit)
        return 0;
    while (up ? end - inside > 1 : inside - end > 1) {
        uint64_t middle = up ? inside + (end - inside) / 2 : end + (inside - end) / 2;
        if (hypergeometric_log_pmf(self, middle) <= limit)
            end = middle;
        else
            inside = middle;
    }
    *x = end;
    return 1;
}

int stats_fisher(uint64_t successes_1, uint64_t trials_1, uint64_t successes_2, uint64_t trials_2,
                 double *log_less, double *log_greater, double *log_two_sided)
{
    const uint64_t limit = UINT64_C(1) << 62;
    if (trials_1 == 0 || trials_2 == 0 || successes_1 > trials_1 || successes_2 > trials_2 ||
        trials_1 > limit || trials_2 > limit)
        return ERR_DOMAIN;
    struct hypergeometric law = {trials_1, trials_2, successes_1 + successes_2, 0, 0};
    law.least = law.drawn > trials_2 ? law.drawn - trials_2 : 0;
    law.most = law.drawn < trials_1 ? law.drawn : trials_1;
    double less = hypergeometric_log_tail(&law, successes_1, 0);
    double greater = hypergeometric_log_tail(&law, successes_1, 1);
    if (log_less)
        *log_less = less;
    if (log_greater)
        *log_greater = greater;
    if (!log_two_sided)
        return 0;
    /* the mode is floor((n1+1)(K+1)/(N+2)); one off does not matter beyond the tie rule */
    double m = (((double)trials_1 + 1.0) * ((double)law.drawn + 1.0)) /
               ((double)trials_1 + (double)trials_2 + 2.0);
    uint64_t mode = (uint64_t)m;
    mode = mode < law.least ? law.least : mode > law.most ? law.most : mode;
    double log_seen = hypergeometric_log_pmf(&law, successes_1);
    uint64_t x;
    if (log_seen + 1e-9 >= hypergeometric_log_pmf(&law, mode)) {
        *log_two_sided = 0.0;
        return 0;
    }
    double one_log = successes_1 < mode ? less : greater;
    if (!hypergeometric_mirror(&law, successes_1, log_seen, mode, &x)) {
        *log_two_sided = one_log;
        return 0;
    }
    double other = hypergeometric_log_tail(&law, x, successes_1 < mode);
    *log_two_sided = fmin(0.0, one_log + log1p(exp(other - one_log)));
    return 0;
}
