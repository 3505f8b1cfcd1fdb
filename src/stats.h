/* stats.h -- intervals, exact tests and percentiles for counted outcomes.
 *
 * Every estimate the program prints comes with its interval: Clopper-Pearson for a
 * proportion, order statistics for a median over seeds, Student's t for a mean over
 * fills.  Counts published by others are compared with ours by exact tails.  All of it
 * is a function of integers (or exact sums of integers), so the printed digits do not
 * depend on the order in which trials were run. */
#ifndef CUCKOO_STATS_H
#define CUCKOO_STATS_H

#include <stddef.h>
#include <stdint.h>

/* Two-sided Clopper-Pearson interval for a proportion after `successes` of `trials`.
 * successes <= trials, 1 <= trials (values above 2^53 are rounded to doubles: 1e-16
 * relative), 0 < confidence < 1.  *low is exactly 0 for no success and *high exactly 1
 * for no failure; the other end is then the closed form 1 - (alpha/2)^(1/trials) and its
 * mirror.  Relative error 1e-12 while trials <= 10^9; beyond, the end is within a few
 * units in its last place.  About 50 microseconds whatever the counts.
 * Returns 0, ERR_DOMAIN or ERR_NUMERIC.
 * Source: Clopper and Pearson, Biometrika 26 (1934) 404. */
int stats_clopper_pearson(uint64_t successes, uint64_t trials, double confidence, double *low,
                          double *high);

/* Exact binomial tails for X ~ Bin(trials, p): natural logarithms of Pr[X <= k] and
 * Pr[X >= k] (-INFINITY for an impossible tail).  k <= trials, 0 <= p <= 1; k > trials is
 * ERR_DOMAIN.  Relative error of the probability about 1e-12 times max(1, |log tail|/100).
 * Either output may be NULL. */
int stats_binomial_tails(uint64_t k, uint64_t trials, double p, double *log_at_most,
                         double *log_at_least);

/* log Pr[X = k] for X ~ Bin(trials, p), by Loader's saddle-point form (no cancellation).
 * Same ranges as stats_binomial_tails. */
double stats_binomial_log_pmf(uint64_t k, uint64_t trials, double p);

/* Distribution-free interval for a median: with n independent values sorted upwards, the
 * median lies between those of rank *low_rank and *high_rank (1-based, high = n + 1 - low)
 * with probability at least *coverage, the exact Pr[low <= Bin(n,1/2) < high].  The ranks
 * are the narrowest symmetric pair with coverage >= confidence; when n is too small for
 * that (n < 6 at 95%), the full range 1..n with the coverage it has, 1 - 2^(1-n).
 * n >= 1, 0 < confidence < 1.  coverage may be NULL.
 * Source: e.g. David and Nagaraja, Order Statistics, section 7.1. */
int stats_median_interval(uint64_t n, double confidence, uint64_t *low_rank, uint64_t *high_rank,
                          double *coverage);

/* Mean of n values and the half width of Student's two-sided interval for it, from
 * n, the sum and the sum of squares.  The sums are exact when they are integers below
 * 2^53; the variance is then formed without cancellation (n Sum x^2 - (Sum x)^2 in twice
 * the precision).  For n = 1 the half width is INFINITY.  n >= 1, 0 < confidence < 1. */
int stats_mean_interval(uint64_t n, double sum, double sum_squares, double confidence, double *mean,
                        double *half_width);

/* The nearest-rank percentile of a histogram: the least value v such that at least
 * numerator/denominator of the total count has a value <= v; counts[v] is the number of
 * observations of value v, 0 <= v < length.  The rank ceil(total * numerator / denominator)
 * (at least 1) is formed in integers.  0 <= numerator <= denominator, denominator >= 1;
 * an empty histogram is ERR_DOMAIN. */
int stats_percentile(const uint64_t *counts, size_t length, uint32_t numerator,
                     uint32_t denominator, size_t *value);

/* Fisher's exact test of two counts, successes_1 of trials_1 against successes_2 of
 * trials_2, given their sum.  Natural logarithms of the probabilities, under equal
 * proportions, of a first count as small (*log_less), as large (*log_greater), and of any
 * split at most as likely as the one seen (*log_two_sided, ties counted within 1e-9).
 * Any output may be NULL.  Trials at least 1, successes <= trials, sums below 2^63.
 * Cost: about sqrt(successes_1 + successes_2) steps.
 * Source: Fisher 1935; the pmf by Loader's binomials. */
int stats_fisher(uint64_t successes_1, uint64_t trials_1, uint64_t successes_2, uint64_t trials_2,
                 double *log_less, double *log_greater, double *log_two_sided);

/* log(1 + x) - x without cancellation near 0; x > -1. */
double stats_log1p_minus(double x);

/* log n! - [(n + 1/2) log n - n + log(2 pi)/2], the remainder of Stirling's series;
 * n >= 1 need not be an integer above 16 (below, it is rounded). */
double stats_stirling_remainder(double n);

#endif
