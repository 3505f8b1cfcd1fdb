#!/usr/bin/env python3
"""Write tests/unit/stats_table.h: Clopper-Pearson ends and binomial tails to 40 digits.

Slow and obvious: mpmath's incomplete beta integral (by quadrature where its series would
be long), bisected.  Needs mpmath, so it is run by hand and its output is committed:
    /usr/bin/python3 tests/make_stats_table.py | clang-format > tests/unit/stats_table.h
"""
from mpmath import mp, mpf, betainc, quad, log, exp, loggamma, sqrt, linspace

mp.dps = 40


def upper_tail(k, n, p):
    """Pr[Bin(n,p) >= k] as an incomplete beta function, by direct quadrature."""
    p = mpf(p)
    if k <= 0:
        return mpf(1)
    if n <= 3000 or (n <= 10**7 and k > n * p * 1.01):
        term, total = exp(loggamma(mpf(n) + 1) - loggamma(mpf(k) + 1) - loggamma(mpf(n) - k + 1)
                          + k * log(p) + (n - k) * log(1 - p)), mpf(0)
        for j in range(k, n + 1):
            total += term
            term *= mpf(n - j) / (j + 1) * p / (1 - p)
            if j > n * p and term < total * mpf(10)**-45:
                break
        return total
    scale = loggamma(mpf(n) + 1) - loggamma(mpf(k)) - loggamma(mpf(n) - k + 1)
    density = lambda t: exp(scale + (k - 1) * log(t) + (n - k) * log(1 - t)) if 0 < t < 1 else mpf(0)
    mode = mpf(k) / n
    sd = sqrt(mpf(k + 1) * (n - k + 1) / mpf(n)**3)
    bottom, top = max(mpf(0), min(p, mode) - 30 * sd), p
    if p > mode + 30 * sd:
        top = mode + 30 * sd
    return quad(density, linspace(bottom, top, 41))


def root(f, low, high):
    """The root of a monotone f in [low, high] by secant steps inside a bisection."""
    flow = f(low)
    for _ in range(60):
        middle = (low + high) / 2
        fm = f(middle)
        if (fm > 0) == (flow > 0):
            low = middle
        else:
            high = middle
        if (high - low) < high * mpf(10)**-17:
            break
    return (low + high) / 2


def interval(k, n, confidence):
    half = (1 - mpf(confidence)) / 2
    mode, sd = mpf(k) / n, sqrt(mpf(k + 1) * (n - k + 1) / mpf(n)**3)
    if k == 0:
        low = mpf(0)
    elif k == n:
        low = half**(mpf(1) / n)
    else:
        low = root(lambda x: upper_tail(k, n, x) - half, max(mpf(0), mode - 6 * sd), mode)
    if k == n:
        high = mpf(1)
    elif k == 0:
        high = 1 - half**(mpf(1) / n)
    else:
        # Pr[X <= k] = half
        high = root(lambda x: 1 - upper_tail(k + 1, n, x) - half, mode, min(mpf(1), mode + 8 * sd))
    return low, high


CASES = [(0, 1), (1, 1), (0, 50), (50, 50), (1, 2), (1, 10), (3, 10), (9, 10), (73, 100000),
         (718, 100000), (16, 50000), (164, 50000), (0, 10**6), (1, 10**6), (500000, 10**6),
         (999999, 10**6), (10040, 10**7), (5, 4 * 10**7), (123456789, 10**9), (0, 10**18),
         (1, 10**18), (1000, 10**18), (5 * 10**17, 10**18), (10**18 - 1, 10**18), (10**18, 10**18)]
TAILS = [(5, 10, "0.5"), (0, 10, "0.1"), (10, 10, "0.25"), (30, 100, "0.125"), (73, 100000, "0.0010262"),
         (16, 50000, "0.00033"), (600000, 10**6, "0.5"), (2000, 3000, "0.25"), (1, 10**9, "1e-12"),
         (10200, 10**7, "0.001")]

print("/* Made by tests/make_stats_table.py; do not edit. */")
print("static const struct {\n    uint64_t k, n;\n    double confidence, low, high;\n} interval_table[] = {")
for k, n in CASES:
    for confidence in ("0.95", "0.99") if n <= 50000 else ("0.95",):
        low, high = interval(k, n, confidence)
        print("    {UINT64_C(%d), UINT64_C(%d), %s, %s, %s}," %
              (k, n, confidence, mp.nstr(low, 17), mp.nstr(high, 17)))
print("};\n\nstatic const struct {\n    uint64_t k, n;\n    double p, log_at_most, log_at_least;\n} tail_table[] = {")
for k, n, p in TAILS:
    p = mpf(float(p))
    least = upper_tail(k, n, p)
    more = upper_tail(k + 1, n, p) if k < n else mpf(0)
    print("    {UINT64_C(%d), UINT64_C(%d), %s, %s, %s}," %
          (k, n, mp.nstr(p, 20), mp.nstr(log(1 - more), 17), mp.nstr(log(least), 17)))
print("};")
