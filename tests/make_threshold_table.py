#!/usr/bin/env python3
"""Write tests/unit/threshold_table.h: thresholds straight from their equations, 120 digits.

Nothing is rearranged against cancellation here: at 120 digits none is needed.  Needs
mpmath, so it is run by hand and its output is committed:
    /usr/bin/python3 tests/make_threshold_table.py > tests/unit/threshold_table.h
"""
from mpmath import mp, mpf, exp, factorial

mp.dps = 120


def at_least(b, j):
    """Pr[Po(b) >= j]"""
    return 1 - exp(-b) * sum(b**i / factorial(i) for i in range(j))


def bisect(f, low, high):
    """The root of f, negative at low and positive at high."""
    for _ in range(int(3.4 * mp.dps)):
        middle = (low + high) / 2
        if f(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def orientability(d, k):
    if (d, k) == (2, 1):
        return mpf(1) / 2
    b = bisect(lambda b: b * at_least(b, k) - d * k * at_least(b, k + 1), mpf(1) / 100, mpf(d * k))
    return at_least(b, k + 1) / at_least(b, k)**d


def peeling(d, k):
    if (d, k) == (2, 1):
        return mpf(1) / 2
    # where b/(d k Pr[>= k]^(d-1)) is least: its logarithm's derivative changes sign
    slope = lambda b: at_least(b, k) - (d - 1) * b * exp(-b) * b**(k - 1) / factorial(k - 1)
    b = bisect(slope, mpf(1) / 100, mpf(4 * d * k + 50))
    return b / (d * k * at_least(b, k)**(d - 1))


CASES = [(d, k) for d in (2, 3, 4, 5, 6, 7, 8) for k in (1, 2, 3, 4, 5, 6, 7, 8, 16)]
CASES += [(2, k) for k in (20, 30, 40, 50, 64, 100, 200, 400)] + [(3, 32), (4, 64)]
CASES += [(16, 1), (32, 2), (100, 1), (100, 3), (600, 1)]

print("/* Made by tests/make_threshold_table.py; do not edit. */")
print("static const struct {\n    unsigned d, k;\n    double load, one_minus, peeling;\n} threshold_table[] = {")
for d, k in CASES:
    load = orientability(d, k)
    mp.dps = 420 if d * k > 100 else 120
    if mp.dps > 120:
        load = orientability(d, k)
    print("    {%d, %d, %s, %s, %s}," % (d, k, mp.nstr(load, 17), mp.nstr(1 - load, 17),
                                         mp.nstr(peeling(d, k), 17)))
    mp.dps = 120
print("};")
