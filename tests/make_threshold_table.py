#!/usr/bin/env python3
"""Write tests/unit/threshold_table.h: thresholds straight from their equations, 120 digits.

Windows: the queue's stationary law and the fate of one more key by solving linear equations,
where src/threshold.c has recursions; a page by the law of everything that may arrive.

Nothing is rearranged against cancellation here: at 120 digits none is needed.  Needs
mpmath, so it is run by hand and its output is committed:
    /usr/bin/python3 tests/make_threshold_table.py > tests/unit/threshold_table.h
"""
from mpmath import mp, mpf, exp, factorial, lu_solve, eye, zeros

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


def line(rate, length):
    """idle and room of a row of slots (docs/THRESHOLDS.md), by linear equations."""
    arrivals = [exp(-rate) * rate**n / factorial(n) for n in range(length)]
    step, lost = zeros(length, length), zeros(length, 1)
    for b in range(length):
        for n in range(length - b):
            step[b, max(b + n - 1, 0)] += arrivals[n]
        step[b, length - 1] += 1 - sum(arrivals[:length - b])
        lost[b] = 1 - sum(arrivals[:length - b])
    equations, right = step.T - eye(length), zeros(length, 1)
    for b in range(length):
        equations[length - 1, b] = 1
    right[length - 1] = 1
    waiting = lu_solve(equations, right)
    go_on = eye(length)  # one more key beside b: lost, or b + n - 1 at the next slot
    for b in range(length):
        for n in range(length - b):
            if b + n > 0:
                go_on[b, b + n - 1] -= arrivals[n]
    fate = lu_solve(go_on, lost)
    return waiting[0] * arrivals[0], 1 - sum(waiting[b] * fate[b] for b in range(length))


def page_line(rate, length, page):
    """The same in a page, by trying what arrives: all the ways, slot by slot, with their law."""
    starts = page - length + 1
    mean = rate * page / starts
    arrivals = [exp(-mean) * mean**n / factorial(n) for n in range(length)]
    arrivals.append(1 - sum(arrivals))      # as many as can be placed, or more

    def steps(i, b):
        """(probability, keys at the slot) with b waiting."""
        return [(p, b + n) for n, p in enumerate(arrivals)] if i < starts else [(mpf(1), b)]

    law, laws, idle = {0: mpf(1)}, [], mpf(0)
    for i in range(page):
        laws.append(law)
        after = {}
        for b, weight in law.items():
            for p, keys in steps(i, b):
                idle += weight * p if keys == 0 else 0
                to = max(min(keys, length) - 1, 0)
                after[to] = after.get(to, 0) + weight * p
        law = after
    fate, room = {}, mpf(0)
    for i in reversed(range(page)):
        fate = {b: sum(p * (1 if keys == 0 else 0 if keys >= length else fate.get(keys - 1, 0))
                       for p, keys in steps(i, b)) for b in range(length)}
        if i < starts:
            room += sum(weight * fate[b] for b, weight in laws[i].items()) / starts
    return idle / page, room


def windows(d, length, page):
    def gap(rate):
        idle, room = line(rate, length) if page == 0 else page_line(rate, length, page)
        return rate * (1 + (d - 1) * room) / d - (1 - idle)
    rate = bisect(gap, mpf(d) / 2, mpf(d))  # a second root is 0
    room = (line(rate, length) if page == 0 else page_line(rate, length, page))[1]
    return rate / d / (1 - room)**(d - 1)


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

WINDOWS = [(d, length, 0) for d in (2, 3, 4) for length in (2, 3, 4, 5, 6, 8)]
WINDOWS += [(8, 2, 0), (2, 12, 0), (2, 20, 0), (5, 10, 0)]
WINDOWS += [(2, 2, 2), (2, 2, 3), (2, 2, 8), (2, 4, 8), (3, 2, 8), (2, 3, 20), (4, 6, 9)]

print("static const struct {\n    unsigned d, length, page;\n    double load, one_minus;\n} window_table[] = {")
for d, length, page in WINDOWS:
    load = windows(d, length, page)
    print("    {%d, %d, %d, %s, %s}," % (d, length, page, mp.nstr(load, 17), mp.nstr(1 - load, 17)))
print("};")
