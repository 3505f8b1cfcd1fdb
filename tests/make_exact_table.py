#!/usr/bin/env python3
"""Write tests/unit/exact_table.h: log Pr[S = s] to 40 digits for large tables.

The formulas of docs/EXACT.md taken literally: factorials by loggamma, nothing joined or
rearranged, E_s from the Gaussian expectation that defines it (one table: at every node of
the integral; two tables: term by term as fractions), long windows and fine steps.  Needs
mpmath, so it is run by hand and its output is committed:
    /usr/bin/python3 tests/make_exact_table.py | clang-format > tests/unit/exact_table.h
"""
from fractions import Fraction
from math import factorial

from mpmath import mp, mpf, mpc, exp, log, loggamma, sqrt, pi, cos, sin

mp.dps = 50


def hermite(k):
    """Coefficients of He_k."""
    a, b = [1], [0, 1]
    if k == 0:
        return a
    for j in range(1, k):
        c = [0] + b
        for i, x in enumerate(a):
            c[i] -= j * x
        a, b = b, c
    return b


def excess_one(s, t, distinct):
    """E_s(t): [w^s] of E exp(sum_{k>=3} w^((k-2)/2) t p_k(a)/k!), a Gaussian of variance
    1/(1-t), p_k = a^k or He_k(a)."""
    top = 2 * s
    g = [None] * (top + 1)
    for j in range(1, top + 1):
        p = hermite(j + 2) if distinct else [0] * (j + 2) + [1]
        g[j] = [t * x / factorial(j + 2) for x in p]
    f = [[mpc(1)]]
    for j in range(1, top + 1):
        total = [mpc(0)] * (3 * j + 1)
        for i in range(1, j + 1):
            for x, a in enumerate(g[i]):
                if a:
                    for y, b in enumerate(f[j - i]):
                        if b:
                            total[x + y] += i * a * b / j
        f.append(total)
    value, moment = mpc(0), mpc(1)
    for q in range(0, len(f[top]), 2):
        value += f[top][q] * moment
        moment *= (q + 1) / (1 - t)
    return value


def minimum(f, low, high):
    """The least point of a convex f, to a few digits."""
    gold = (sqrt(mpf(5)) - 1) / 2
    for _ in range(60):
        a, b = high - gold * (high - low), low + gold * (high - low)
        if f(a) < f(b):
            high = b
        else:
            low = a
    return (low + high) / 2


def one(n, m, s, distinct):
    trees = m - n + s
    scale = (n * log(mpf(2)) + loggamma(mpf(n + 1)) + loggamma(mpf(m + 1)) - loggamma(mpf(trees + 1))
             - n * log(mpf(m) * (m - 1 if distinct else m)))

    def value(t, half):
        extra = -t / 2 if distinct else 0
        return (trees * log(t - t * t / 2) + m * t - m * log(t) + extra
                + half * log(1 - t) + log(excess_one(s, t, distinct)))

    half = mpf(1) / 2
    y = minimum(lambda y: value(exp(y) / (1 + exp(y)), half if s else -half).real,
                log(min(mpf(1), mpf(2) * n / m)) - 3, log(mpf(m)) + 2)
    r = exp(y) / (1 + exp(y))
    h = mpf(1) / 1000 / sqrt(mpf(n))
    at = value(r, half).real
    bend = at - value(r * mpc(cos(h), sin(h)), half).real + 0
    spread = h / sqrt(2 * bend)
    step = min(spread / 4, -log(r) / 8)
    total, j = mpf(1), 1
    while True:
        angle = j * step
        term = exp(value(r * mpc(cos(angle), sin(angle)), half) - at - 0 * angle).real
        total += 2 * term
        if angle > pi or (abs(term) < mpf(10)**-30 and angle > 4 * spread):
            break
        j += 1
    assert angle < pi, (n, m, s)
    return scale + at + log(total * step / (2 * pi))


def excess_split(s):
    """Terms (coefficient, power of u, of v, of 1/(1-uv)) of E_s(u,v), by Isserlis."""
    top = 6 * s
    w = [[Fraction(0)] * (2 * s + 1) for _ in range(top + 1)]  # [x^i y^p] exp(y sum x^k/k!)
    w[0][0] = Fraction(1)
    for p in range(1, 2 * s + 1):
        for i in range(3 * p, top + 1):
            w[i][p] = sum(w[i - k][p - 1] / factorial(k) for k in range(3, i + 1)) / p
    terms = {}
    for p in range(2 * s + 1):
        for q in range(2 * s + 1 - p):
            edges = s + p + q
            for i in range(2 * edges + 1):
                j = 2 * edges - i
                if i > top or j > top or not w[i][p] or not w[j][q]:
                    continue
                for c in range(i % 2, min(i, j) + 1, 2):
                    a, b = (i - c) // 2, (j - c) // 2
                    ways = Fraction(factorial(i) * factorial(j),
                                    factorial(c) * factorial(a) * factorial(b) * 2**(a + b))
                    key = (p + b, q + a, edges)
                    terms[key] = terms.get(key, 0) + w[i][p] * w[j][q] * ways
    return [(mpf(c.numerator) / c.denominator, *key) for key, c in terms.items()]


def split(n, m, s):
    """Two tables of m slots each."""
    trees = 2 * m - n + s
    scale = (2 * loggamma(mpf(m + 1)) + loggamma(mpf(n + 1)) - loggamma(mpf(trees + 1))
             - 2 * n * log(mpf(m)))
    terms = excess_split(s) if s else [(mpf(1), 0, 0, 0)]

    def value(u, v, half):
        rest = 1 - u * v
        e = sum(c * u**x * v**y / rest**power for c, x, y, power in terms)
        return (trees * log(u + v - u * v) + m * (u + v) - m * log(u) - m * log(v)
                + half * log(rest) + log(e))

    half = mpf(1) / 2
    y = minimum(lambda y: value(*[sqrt(exp(y) / (1 + exp(y)))] * 2, half if s else -half).real,
                2 * log(min(mpf(1), mpf(n) / m)) - 3, log(mpf(m)) + 2)
    r = sqrt(exp(y) / (1 + exp(y)))
    at = value(r, r, half).real
    h = mpf(1) / 1000 / sqrt(mpf(n))
    turn = lambda x: r * mpc(cos(x), sin(x))
    across = h / sqrt(2 * (at - value(turn(h), turn(-h), half).real))
    along = h / sqrt(2 * (at - value(turn(h / 2), turn(h / 2), half).real))
    step, total, j = min(along / 3, -2 * log(r) / 8), mpf(0), 0
    while True:
        row, i = mpf(0), 0
        while i * mpf(2) / 5 < 11:
            # conjugates in the second angle pair up with the first one turned over
            for sign in (1, -1) if i else (1,):
                x = sign * i * across * 2 / 5
                row += exp(value(turn(j * step / 2 + x), turn(j * step / 2 - x), half) - at).real
            i += 1
        total += row * (2 if j else 1)
        if j and abs(row) < mpf(10)**-25 and j * step > 4 * along:
            break
        j += 1
    assert j * step < pi and 11 * across < pi / 2, (n, m, s)
    return scale + at + log(total * step * across * 2 / 5 / (4 * pi * pi))


print("/* Made by tests/make_exact_table.py; do not edit. */")
print("static const struct {\n    enum exact_layout layout;\n    uint64_t keys, slots; /* of a table */\n"
      "    unsigned stash;\n    double log_equal;\n} exact_table[] = {")
for power in (10, 15, 20, 30):
    n = 2**power
    for name, distinct in (("EXACT_ONE_REPEAT", False), ("EXACT_ONE_DISTINCT", True)):
        for m in (n * 12 // 5, n * 2, n * 41 // 20):
            for s in (0, 1, 4, 8):
                if s < 8 or m == n * 12 // 5:
                    print("    {%s, %d, %d, %d, %s}," % (name, n, m, s,
                                                         mp.nstr(one(n, m, s, distinct), 20)))
    for m in (n * 6 // 5, n):
        for s in (0, 1, 2):
            print("    {EXACT_SPLIT, %d, %d, %d, %s}," % (n, m, s, mp.nstr(split(n, m, s), 20)),
                  flush=True)
print("};")
