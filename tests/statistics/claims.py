"""A claim: what is expected by whom, what the program printed, and how far off it may be.

Seeds are fixed, so a claim that holds once holds always.  Limits are wide enough for any
seed: counts are held against exact binomial tails of at least TAIL, means against five
standard errors."""
import math

TAIL = 1e-6
SIGMAS = 5


def log_pmf(k, n, p):
    return (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
            + k * math.log(p) + (n - k) * math.log1p(-p))


def tails(k, n, p):
    """(Pr[X <= k], Pr[X >= k]) for X ~ Bin(n, p), 0 < p < 1, summed outwards from k."""
    def outwards(k, step):
        start, term, total = log_pmf(k, n, p), 1.0, 1.0
        while 0 <= k + step <= n and term > 1e-18 * total:
            odds = p / (1 - p) * (n - k) / (k + 1) if step > 0 else \
                (1 - p) / p * k / (n - k + 1)
            term *= odds
            total += term
            k += step
        return math.exp(start) * total

    return min(1.0, outwards(k, -1)), min(1.0, outwards(k, 1))


def count(claim, source, observed, trials, probability):
    """A count out of so many trials, each with this probability."""
    least = min(tails(observed, trials, probability)) if 0 < probability < 1 else \
        float(observed == trials * probability)
    assert least >= TAIL, "%s (%s): expected %.6g of %d, observed %d, tail %.2g < %g" % (
        claim, source, trials * probability, trials, observed, least, TAIL)


def within(claim, source, expected, observed, limit):
    """A value no further off than `limit`."""
    assert abs(observed - expected) <= limit, \
        "%s (%s): expected %.10g, observed %.10g, limit %.3g" % (claim, source, expected, observed,
                                                                 limit)


def holds(claim, source, fact, *observed):
    """A claim that is true or not."""
    assert fact, "%s (%s): observed %s" % (claim, source, ", ".join(map(str, observed)))


def student(degrees):
    """97.5% quantile of Student's t, by halving over its distribution function (Simpson)."""
    def beyond(t):
        scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / \
            math.sqrt(degrees * math.pi)
        steps = 2000
        total = 0.0
        for i in range(steps + 1):
            x = t * i / steps
            weight = 1 if i in (0, steps) else 4 if i % 2 else 2
            total += weight * (1 + x * x / degrees)**(-(degrees + 1) / 2)
        return 0.5 - scale * total * t / steps / 3

    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if beyond(middle) > 0.025 else (low, middle)
    return low
