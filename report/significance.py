"""Exact tests for counts, in the standard library.

A published count is held against ours by the exact binomial law (one sample: our value is
a known probability) or the hypergeometric law (two samples: Fisher's exact test), since a
normal approximation is worst where it matters here: a handful of failures in millions of
trials.  Two-sided p-values are twice the smaller tail, at most 1: the same convention as
Clopper and Pearson's interval, so that test and interval never contradict each other.

Probabilities are computed with Loader's saddle-point form (C. Loader, Fast and accurate
computation of binomial probabilities, 2000), which keeps its relative accuracy of about
1e-13 for n far beyond what differences of lgamma allow.
"""

import math

# stirling_error(n) = log n! - log(sqrt(2 pi n) (n/e)^n), exact for small n
_STIRLING_SMALL = [0.0] + [math.lgamma(n + 1) - 0.5 * math.log(2 * math.pi * n)
                           - n * math.log(n) + n for n in range(1, 16)]


def stirling_error(n):
    """The error of Stirling's formula for log n!."""
    if n < len(_STIRLING_SMALL):
        return _STIRLING_SMALL[n]
    square = 1.0 / (float(n) * n)
    series = 1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680)))
    return series / n


def deviance(x, mean):
    """x log(x/mean) + mean - x without cancellation where x is near the mean."""
    if x == 0:
        return mean
    difference = x - mean
    if abs(difference) < 0.1 * (x + mean):
        v = difference / (x + mean)
        total, term, odd = difference * v, 2 * x * v, 1
        while True:
            term *= v * v
            odd += 2
            following = total + term / odd
            if following == total:
                return total
            total = following
    return x * math.log(x / mean) + mean - x


def log_binomial(k, n, p):
    """log Pr[Bin(n, p) = k]; -inf where it is impossible."""
    if not 0 <= k <= n:
        return -math.inf
    if p <= 0 or p >= 1:
        return 0.0 if k == (0 if p <= 0 else n) else -math.inf
    if k == 0:
        return n * math.log1p(-p)
    if k == n:
        return n * math.log(p)
    return (stirling_error(n) - stirling_error(k) - stirling_error(n - k)
            - deviance(k, n * p) - deviance(n - k, n * (1 - p))
            + 0.5 * math.log(n / (2 * math.pi * k * (n - k))))


def _tail(k, step, last, log_start, ratio):
    """Sum of probabilities from k on in direction `step`, to `last` at most.

    `ratio(j)` is Pr[j + step] / Pr[j].  It falls with distance, so once a term adds
    nothing and the ratio is below one, nothing further does."""
    total, term, j = 1.0, 1.0, k
    while j != last:
        factor = ratio(j)
        term *= factor
        total += term
        j += step
        if factor < 1 and term <= total * 1e-17 * (1 - factor):
            break
    return math.exp(min(0.0, log_start + math.log(total)))


def binomial_tails(k, n, p):
    """(Pr[X <= k], Pr[X >= k]) for X ~ Bin(n, p); the smaller one to full accuracy."""
    if p <= 0 or p >= 1:
        at = 0 if p <= 0 else n
        return (1.0 if k >= at else 0.0), (1.0 if k <= at else 0.0)
    start = log_binomial(k, n, p)
    odds = p / (1 - p)
    if k <= n * p:
        below = _tail(k, -1, 0, start, lambda j: j / ((n - j + 1) * odds))
        return below, min(1.0, 1.0 - below + math.exp(start))
    above = _tail(k, 1, n, start, lambda j: (n - j) * odds / (j + 1))
    return min(1.0, 1.0 - above + math.exp(start)), above


def one_sample(k, n, p):
    """Two-sided p-value of k successes in n trials under success probability p."""
    return min(1.0, 2 * min(binomial_tails(k, n, p)))


def two_samples(k1, n1, k2, n2):
    """Fisher's exact two-sided p-value for the hypothesis of one common probability."""
    k, n = k1 + k2, n1 + n2
    if k in (0, n):
        return 1.0
    p = k / n
    start = log_binomial(k1, n1, p) + log_binomial(k2, n2, p) - log_binomial(k, n, p)
    lowest, highest = max(0, k - n2), min(k, n1)
    below = _tail(k1, -1, lowest, start,
                  lambda j: j * (n2 - k + j) / ((n1 - j + 1) * (k - j + 1)))
    above = _tail(k1, 1, highest, start,
                  lambda j: (n1 - j) * (k - j) / ((j + 1) * (n2 - k + j + 1)))
    return min(1.0, 2 * min(below, above))


def _beta_fraction(a, b, x):
    """Continued fraction of the incomplete beta function, by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1.0 / max(tiny, 1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 500):
        for numerator in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                          -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 + numerator * d
            c = 1 + numerator / c
            d = 1 / (d if abs(d) > tiny else tiny)
            c = c if abs(c) > tiny else tiny
            value *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return value


def incomplete_beta(a, b, x):
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
                     + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(a, b, x) / a
    return 1 - front * _beta_fraction(b, a, 1 - x) / b


def student_two_sided(t, freedom):
    """Pr[|T| >= |t|] for Student's t with `freedom` degrees of freedom."""
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def student_quantile(level, freedom):
    """t with Pr[|T| >= t] = level; by bisection, as often as a double can halve."""
    low, high = 0.0, 1.0
    while student_two_sided(high, freedom) > level:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        if student_two_sided(middle, freedom) > level:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def holm(p_values):
    """Holm's adjusted p-values: what survives at level a keeps the chance of any false
    difference among all comparisons below a."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, largest = [1.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = largest
    return adjusted
