"""The law of the stash that `exact` prints, against a count of all configurations: integer
recurrences over the component of one vertex, no generating function and no sampling."""
import functools
from fractions import Fraction
from math import comb, factorial

import pytest

import simulator


def add(into, shift, factor, law):
    for s, ways in enumerate(law):
        while len(into) <= s + shift:
            into.append(0)
        into[s + shift] += factor * ways


def split_law(m1, m2, n):
    """Pr[S = s] for n keys, each with a slot in a table of m1 and one in a table of m2."""
    @functools.lru_cache(maxsize=None)
    def connected(a, b, e):
        """Sequences of e edges that connect all of a + b vertices."""
        if a + b == 1:
            return int(e == 0)
        if a == 0 or b == 0:
            return 0
        total = (a * b)**e
        for x in range(1, a + 1):  # the component of the first vertex of the first table
            for y in range(b + 1):
                for f in range(e + 1):
                    if (x, y) != (a, b):
                        total -= comb(a - 1, x - 1) * comb(b, y) * comb(e, f) * \
                            connected(x, y, f) * ((a - x) * (b - y))**(e - f)
        return total

    @functools.lru_cache(maxsize=None)
    def ways(a, b, e):
        """Sequences of e edges by S, as a tuple."""
        if a == 0:
            return (1,) if e == 0 else ()
        found = []
        for x in range(1, a + 1):
            for y in range(b + 1):
                for f in range(e + 1):
                    if connected(x, y, f):
                        add(found, max(0, f - x - y), comb(a - 1, x - 1) * comb(b, y) *
                            comb(e, f) * connected(x, y, f), ways(a - x, b - y, e - f))
        return tuple(found)

    return [Fraction(count, (m1 * m2)**n) for count in ways(m1, m2, n)]


def one_law(m, n, distinct):
    """Pr[S = s] for n keys, each with an ordered pair of slots of one table of m."""
    def pairs(v):
        return v * (v - 1) if distinct else v * v

    @functools.lru_cache(maxsize=None)
    def connected(v, e):
        return pairs(v)**e - sum(
            comb(v - 1, x - 1) * comb(e, f) * connected(x, f) * pairs(v - x)**(e - f)
            for x in range(1, v) for f in range(e + 1))

    @functools.lru_cache(maxsize=None)
    def ways(v, e):
        if v == 0:
            return (1,) if e == 0 else ()
        found = []
        for x in range(1, v + 1):
            for f in range(e + 1):
                if connected(x, f):
                    add(found, max(0, f - x), comb(v - 1, x - 1) * comb(e, f) * connected(x, f),
                        ways(v - x, e - f))
        return tuple(found)

    return [Fraction(count, pairs(m)**n) for count in ways(m, n)]


def printed(*words):
    return simulator.rows("exact", *words, "--stash", "6")


def assert_law(rows, law):
    assert sum(law) == 1
    law = law + [Fraction(0)] * (len(rows) + 1)
    for row in rows:
        s = int(row["stash"])
        for column, value in [("pr_equal", law[s]), ("pr_at_least", sum(law[s:])),
                              ("pr_overflow", sum(law[s + 1:]))]:
            got = float(row[column])
            assert abs(got - value) <= 6e-8 * value + 1e-14, (s, column, got, float(value))


@pytest.mark.parametrize("m1, m2, n", [(2, 2, 3), (2, 2, 4), (3, 3, 3), (5, 5, 4), (7, 4, 6),
                                       (1, 3, 5), (8, 8, 8), (9, 9, 7), (6, 6, 9)])
def test_split_tables(m1, m2, n):
    slots = "%d+%d" % (m1, m2)
    assert_law(printed("--keys", n, "--slots", slots), split_law(m1, m2, n))
    if m1 == m2:
        assert printed("--keys", n, "--slots", slots) == \
            printed("--keys", n, "--slots", 2 * m1, "--layout", "split")


def no_stash(m1, m2, n):
    """Pr[S = 0] as docs/EXACT.md has it, the coefficient taken term by term in fractions:
    m1! m2! n!/(m1 m2)^n [u^m1 v^m2] U^N/N! (1-uv)^(1/2) e^(m1 v + m2 u), U = u + v - uv."""
    trees, total = m1 + m2 - n, Fraction(0)
    root = [Fraction(1)]  # of (1-w)^(1/2)
    for i in range(min(m1, m2)):
        root.append(root[-1] * (Fraction(i) - Fraction(1, 2)) / (i + 1))
    for both in range(min(m1, m2, trees) + 1):  # factors -uv of U^N
        for left in range(min(m1, trees) - both + 1):  # factors u
            right = trees - both - left  # factors v
            term = Fraction((-1)**both, factorial(both) * factorial(left) * factorial(right)) \
                if right >= 0 else 0
            for i in range(min(m1 - both - left, m2 - both - right) + 1):
                u, v = m1 - both - left - i, m2 - both - right - i
                total += term * root[i] * Fraction(m2**u, factorial(u)) * \
                    Fraction(m1**v, factorial(v))
    return total * factorial(m1) * factorial(m2) * factorial(n) / (m1 * m2)**n


@pytest.mark.parametrize("m1, m2, n", [(5, 5, 4), (7, 4, 6), (71, 7, 55), (98, 9, 55), (44, 4, 34),
                                       (89, 8, 60), (60, 60, 89), (150, 15, 120), (30, 10, 20)])
def test_unequal_tables(m1, m2, n):
    """Where the integrand is far from a normal density: a window of 10 instead of 14 of its
    standard deviations would be off by 1e-4 for 71 and 7 slots."""
    value = no_stash(m1, m2, n)
    if m1 * m2 * n < 200:
        assert value == split_law(m1, m2, n)[0]
    got = float(printed("--keys", n, "--slots", "%d+%d" % (m1, m2))[0]["pr_equal"])
    assert abs(got - value) <= 6e-8 * value, (got, float(value))


@pytest.mark.parametrize("m, n", [(1, 1), (2, 2), (4, 3), (3, 5), (8, 4), (10, 10), (16, 9), (13, 13),
                                  (24, 24), (25, 12)])
def test_one_table(m, n):
    assert_law(printed("--keys", n, "--slots", m), one_law(m, n, False))
    if m > 1:
        assert_law(printed("--keys", n, "--slots", m, "--positions", "distinct"),
                   one_law(m, n, True))


def test_closed_forms():
    """The recurrences themselves: values known from enumeration."""
    assert sum(split_law(2, 2, 3)[1:]) == Fraction(1, 16)
    assert sum(split_law(2, 2, 4)[1:]) == Fraction(19, 64)
    assert sum(split_law(5, 5, 3)[1:]) == Fraction(1, 5**4)
    assert sum(one_law(2, 2, False)[1:]) == Fraction(1, 8)
    assert sum(one_law(4, 3, False)[1:]) == Fraction(7, 64)
    assert sum(one_law(5, 2, False)[1:]) == Fraction(1, 5**3)
    assert sum(one_law(3, 3, True)[1:]) == Fraction(1, 9)
    assert sum(one_law(4, 4, True)[1:]) == Fraction(19, 72)
