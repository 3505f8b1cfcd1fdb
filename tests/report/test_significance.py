"""The exact tests against sums of exact fractions."""
import math
from fractions import Fraction

import pytest

from report import significance as s


def slow_binomial(k, n, p):
    law = [math.comb(n, j) * p ** j * (1 - p) ** (n - j) for j in range(n + 1)]
    return float(min(1, 2 * min(sum(law[:k + 1]), sum(law[k:]))))


def slow_fisher(k1, n1, k2, n2):
    k, low = k1 + k2, max(0, k1 + k2 - n2)
    law = {j: Fraction(math.comb(n1, j) * math.comb(n2, k - j), math.comb(n1 + n2, k))
           for j in range(low, min(k, n1) + 1)}
    below = sum(value for j, value in law.items() if j <= k1)
    above = sum(value for j, value in law.items() if j >= k1)
    return float(min(1, 2 * min(below, above)))


@pytest.mark.parametrize("n", [1, 2, 7, 30, 120])
@pytest.mark.parametrize("p", [Fraction(1, 100), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10)])
def test_one_sample(n, p):
    for k in range(n + 1):
        assert s.one_sample(k, n, float(p)) == pytest.approx(slow_binomial(k, n, p), rel=1e-10)


@pytest.mark.parametrize("counts", [(3, 10, 5, 20), (0, 50, 9, 60), (73, 1000, 101, 1000),
                                    (10, 10, 3, 9), (0, 5, 0, 5), (5, 5, 7, 7), (1, 400, 30, 900)])
def test_two_samples(counts):
    assert s.two_samples(*counts) == pytest.approx(slow_fisher(*counts), rel=1e-10)


def test_impossible_and_certain():
    assert s.one_sample(0, 10, 0.0) == 1 and s.one_sample(1, 10, 0.0) == 0
    assert s.one_sample(10, 10, 1.0) == 1 and s.one_sample(9, 10, 1.0) == 0


def test_large_counts_keep_their_accuracy():
    # Poisson limit: 3 of 10^9 at 10^-9, Pr[X >= 3] = 1 - 2.5/e
    _, above = s.binomial_tails(3, 10 ** 9, 1e-9)
    assert above == pytest.approx(1 - 2.5 / math.e, rel=1e-8)
    assert s.log_binomial(0, 10 ** 15, 1e-15) == pytest.approx(-1, rel=1e-12)


@pytest.mark.parametrize("freedom, t", [(1, 12.7062047), (4, 2.7764451), (15, 2.1314495),
                                        (24, 2.0638986), (1000, 1.9623391)])
def test_student(freedom, t):
    assert s.student_quantile(0.05, freedom) == pytest.approx(t, rel=1e-7)
    assert s.student_two_sided(t, freedom) == pytest.approx(0.05, rel=1e-6)


def test_holm():
    assert s.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert s.holm([]) == [] and s.holm([0.9, 0.8]) == [1.0, 1.0]
