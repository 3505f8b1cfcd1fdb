"""The law of the stash in exact fractions, with no formula of docs/EXACT.md.

The weights of all graphs on v slots by edges are known at once; those of connected ones
follow by taking the component of the first slot away; and putting components together
again, each with its max(0, edges - slots), gives the law of S.  Slow, but it reaches
stashes of 20, where complete enumeration ends at 4."""
import csv
import io
from fractions import Fraction
from math import comb, factorial

import pytest

import simulator


def add_product(total, left, right, weight, most):
    """total += weight left right, for {(edges, stash): weight}, edges at most `most`."""
    for (e, s), a in left.items():
        for (f, t), b in right.items():
            if e + f <= most:
                key = (e + f, s + t)
                total[key] = total.get(key, 0) + weight * a * b


def all_graphs(pairs, keys):
    """pairs^e/e!: e edges, each of `pairs` kinds (one table: v^2/2, the two orders are one)."""
    return {(e, 0): Fraction(pairs)**e / factorial(e) for e in range(keys + 1)}


def law(sizes, pairs_of, keys):
    """Pr[S = s] as fractions; sizes: slots of each table; pairs_of(*slots used)."""
    shapes = [(a,) for a in range(sizes[0] + 1)]
    if len(sizes) == 2:
        shapes = [(a, b) for a in range(sizes[0] + 1) for b in range(sizes[1] + 1)]
    connected, graphs = {}, {}
    for shape in shapes:
        whole = all_graphs(pairs_of(*shape), keys)
        if not any(shape):
            graphs[shape] = {(0, 0): Fraction(1)}
            continue
        # the first slot: of the first table that has one
        first = 0 if shape[0] else 1
        rest_of_whole, law_here = dict(whole), {}
        parts = [part for part in shapes if part[first] and any(part)
                 and all(p <= q for p, q in zip(part, shape))]
        def ways(part):
            product = 1
            for i, (p, q) in enumerate(zip(part, shape)):
                product *= comb(q - 1, p - 1) if i == first else comb(q, p)
            return product
        for part in parts:
            if part != shape:
                left = tuple(q - p for p, q in zip(part, shape))
                add_product(rest_of_whole, connected[part], all_graphs(pairs_of(*left), keys),
                            -ways(part), keys)
        connected[shape] = {key: w for key, w in rest_of_whole.items() if w}
        for part in parts:
            left = tuple(q - p for p, q in zip(part, shape))
            marked = {(e, max(0, e - sum(part))): w for (e, _), w in connected[part].items()}
            add_product(law_here, marked, graphs[left], ways(part), keys)
        graphs[shape] = law_here
    total = Fraction(pairs_of(*sizes))**keys / factorial(keys)
    return {s: w / total for (e, s), w in graphs[tuple(sizes)].items() if e == keys}


CASES = [
    (["--slots", "9"], (9,), lambda v: Fraction(v * v, 2), 22),
    (["--slots", "14"], (14,), lambda v: Fraction(v * v, 2), 9),
    (["--slots", "9", "--positions", "distinct"], (9,), lambda v: Fraction(v * (v - 1), 2), 22),
    (["--slots", "13", "--positions", "distinct"], (13,), lambda v: Fraction(v * (v - 1), 2), 9),
    (["--slots", "24"], (24,), lambda v: Fraction(v * v, 2), 30),
    (["--slots", "5+3"], (5, 3), lambda a, b: a * b, 18),
    (["--slots", "10", "--layout", "split"], (5, 5), lambda a, b: a * b, 9),
]


@pytest.mark.parametrize("words, sizes, pairs_of, keys", CASES,
                         ids=[" ".join(case[0]) for case in CASES])
def test_law_in_fractions(words, sizes, pairs_of, keys):
    expected = law(sizes, pairs_of, keys)
    assert sum(expected.values()) == 1
    text = simulator.output("exact", "--keys", keys, "--stash", keys, "--format", "csv", *words)
    above = Fraction(0)
    for row in reversed(list(csv.DictReader(io.StringIO(text)))):
        equal = expected.get(int(row["stash"]), Fraction(0))
        assert float(row["pr_overflow"]) == pytest.approx(float(above), rel=1e-7, abs=0)
        above += equal
        assert float(row["pr_equal"]) == pytest.approx(float(equal), rel=1e-7, abs=0)
        assert float(row["pr_at_least"]) == pytest.approx(float(above), rel=1e-7, abs=0)
