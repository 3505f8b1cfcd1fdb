"""Every row of small versions of e1 to e7, recomputed by slow.py and compared with what the
program prints: counts exactly, reals to the last digit printed."""
import itertools
import math
from decimal import Decimal
from fractions import Fraction

import pytest

import simulator
import slow

SEED = 9


def run(name, *words, table=None):
    return simulator.rows(name, "--seed", SEED, *words, table=table)


def assert_real(printed, value):
    """The printed digits are those of the value, but for a tie that doubles cannot see."""
    if value in (math.inf, -math.inf):
        assert float(printed) == value
        return
    unit = Decimal(1).scaleb(Decimal(printed).as_tuple().exponent)
    off = abs(Decimal(printed) - Decimal(float(value)))
    assert off <= unit / 2 * Decimal("1.00001"), (printed, float(value))


def assert_row(row, **expected):
    for column, value in expected.items():
        if value is None:
            assert row[column] == "-", (column, row)
        elif isinstance(value, (float, Fraction)):
            assert_real(row[column], value)
        else:
            assert row[column] == str(value), (column, value, row)


# --- e1 -----------------------------------------------------------------------------------

EXAMPLE = {"A": (0, 2), "B": (1, 1), "C": (0, 2), "D": (0, 3), "E": (0, 2)}


def test_e1_steps():
    """The original insertion on given positions, MaxLoop = 4 rounds of two placements."""
    expected, outcomes = [], []
    tables = [["."] * 4, ["."] * 4]
    for new in EXAMPLE:
        nestless, kicks, steps = new, 0, 0
        while nestless and steps < 8:
            which = steps % 2
            slot = EXAMPLE[nestless][which]
            placed, evicted = nestless, tables[which][slot]
            tables[which][slot] = placed
            nestless = None if evicted == "." else evicted
            kicks += nestless is not None
            steps += 1
            expected.append({"inserting": new, "step": str(steps), "round": str((steps + 1) // 2),
                             "placed": placed, "into_table": str(which + 1), "slot": str(slot),
                             "evicted": nestless or "-", "table_1": "".join(tables[0]),
                             "table_2": "".join(tables[1])})
        outcomes.append({"inserting": new, "steps": str(steps), "kicks": str(kicks),
                         "rounds": str((steps + 1) // 2),
                         "outcome": "stopped" if nestless else "placed",
                         "nestless": nestless or "-"})
    tables = simulator.read_text(simulator.output("e1"))
    assert tables["e1.steps"].rows == expected
    assert tables["e1.insertions"].rows == outcomes
    assert [row["key"] for row in tables["e1.keys"]] == list(EXAMPLE)
    # what has been published of this example
    kicks = {row["inserting"]: (row["kicks"], row["nestless"]) for row in outcomes}
    assert kicks["D"] == ("3", "-") and kicks["E"] == ("8", "C")


def test_e1_components():
    rows = run("e1", table="e1.components")
    for keys in (4, 5):
        edges = [(a, 4 + b) for a, b in list(EXAMPLE.values())[:keys]]
        mine = [row for row in rows if row["keys_inserted"] == str(keys)]
        assert sum(int(row["excess"]) for row in mine) == slow.excess(edges, 8)
        assert sum(int(row["edges"]) for row in mine) == keys
        for row in mine:
            slots = {tuple(map(int, slot.split(":"))) for slot in row["slots"].split("+")}
            inside = row["keys"].split("+")
            assert (len(slots), len(inside)) == (int(row["vertices"]), int(row["edges"]))
            for key in inside:
                assert (1, EXAMPLE[key][0]) in slots and (2, EXAMPLE[key][1]) in slots
            off = len(inside) - len(slots)
            assert row["shape"] == ("tree", "one-cycle", "overfull")[min(off, 1) + 1]


@pytest.mark.parametrize("seed", [1, 2, 3, 77])
def test_e1_search(seed):
    """The example is the first insertion that moves two keys; the tree is the order of
    reading; the moves turn the table before into the table after."""
    text = simulator.read_text(simulator.output("e1", "--seed", seed))
    buckets, search, moves = (text["e1." + name] for name in ("buckets", "search", "moves"))
    trial = 0
    while True:
        table, names, cost = slow.Trial(2, 2, False, 20, seed, trial), {}, None
        placed = True
        while placed and len(names) < 20 and (cost is None or cost.moves != 2):
            before = [list(b) for b in table.bucket]
            key = table.keys.next()
            names[key] = "k%d" % (len(names) + 1)
            placed, cost = slow.breadth(table, key)
        if placed and cost.moves == 2:
            break
        trial += 1
    assert buckets.parameters["trial"] == str(trial)
    assert buckets.parameters["new_key"] == names[key]

    def named(content, row):
        slot = int(row["slot"])
        content = content[int(row["bucket"])]
        return names[content[slot]] if slot < len(content) else "-"

    for row in buckets:
        assert (row["before"], row["after"]) == (named(before, row), named(table.bucket, row))
    assert len(search.rows) == cost.read
    state = {(row["bucket"], row["slot"]): row["before"] for row in buckets}
    for row in moves:
        if row["from_bucket"] != "-":
            assert state[row["from_bucket"], row["from_slot"]] == row["key"]
        state[row["to_bucket"], row["to_slot"]] = row["key"]
    assert state == {(row["bucket"], row["slot"]): row["after"] for row in buckets}
    assert [int(row["to_bucket"]) for row in moves] == [bucket for bucket, _ in cost.written]
    by_node = {row["node"]: row for row in search}
    for row in search:
        if row["parent"] != "-":
            parent = by_node[row["parent"]]
            assert int(row["moves"]) == int(parent["moves"]) + 1
            assert state_before(buckets, parent["bucket"], row["slot"]) == row["key"]


def state_before(buckets, bucket, slot):
    return next(row["before"] for row in buckets if (row["bucket"], row["slot"]) == (bucket, slot))


# --- e2, e3 -------------------------------------------------------------------------------

SHAPES = [  # method, fill, d, k, split, loads in per cent
    ("linear-probing", None, 1, 1, False, (50, 70, 80, 90, 95)),
    ("robin-hood", None, 1, 1, False, (50, 70, 80, 90, 95)),
    ("cuckoo", "breadth-first", 2, 4, False, (50, 70, 80, 90, 95)),
    ("cuckoo", "walk", 2, 4, False, (50, 70, 80, 90, 95)),
    ("cuckoo", "breadth-first", 2, 8, False, (50, 70, 80, 90, 95)),
    ("cuckoo", "breadth-first", 4, 1, False, (50, 70, 80, 90, 95)),
    ("cuckoo", "breadth-first", 3, 1, False, (50, 70, 80, 90)),
    ("cuckoo", "breadth-first", 2, 1, True, (45, 50)),
]


class Fill:
    """One table filled step by step: costs of hits and misses, keys left over."""

    def __init__(self, shape, slots, trial):
        self.method, self.fill, d, k, split, _ = shape
        self.left_over = 0
        if self.method == "cuckoo":
            self.table = slow.Trial(d, k, split, slots, SEED, trial)
            self.slots = self.table.slots
        else:
            self.table = slow.Probing(slots, self.method == "robin-hood", SEED, trial)
            self.slots = slots
        self.offered = 0

    def fill_to(self, keys):
        for _ in range(self.offered, keys):
            if self.method != "cuckoo":
                self.table.insert()
            else:
                rule = slow.walk if self.fill == "walk" else slow.breadth
                self.left_over += not rule(self.table, self.table.keys.next())[0]
        self.offered = keys

    def costs(self, miss):
        if self.method != "cuckoo":
            return self.table.misses() if miss else self.table.hits()
        if miss:
            return [(self.table.d * self.table.k, None)]
        return [slow.hit(self.table, key) for bucket in self.table.bucket for key in bucket]


@pytest.mark.parametrize("slots", [96, 242])
def test_e2(slots):
    if slots == 242:  # buckets that leave slots over, lines that end before their eighth slot
        assert slots % 4 and slots % 8
    rows = iter(run("e2", "--slots", slots, "--trials", "3"))
    for shape in SHAPES:
        method, fill, d, k, split, loads = shape
        fills = [Fill(shape, slots, trial) for trial in range(3)]
        real = fills[0].slots
        for load in loads:
            keys = load * real // 100
            for each in fills:
                each.fill_to(keys)
            for miss in (False, True):
                costs = [each.costs(miss) for each in fills]
                means = [Fraction(sum(c for c, _ in one), len(one)) for one in costs]
                pooled = [c for one in costs for c, _ in one]
                most = [max(c for c, _ in one) for one in costs]
                if method == "cuckoo" and miss:
                    lines, lines_max = slow.mean_lines(fills[0].table), d
                else:
                    lines = sum(Fraction(sum(n for _, n in one), len(one)) for one in costs) / 3
                    lines_max = max(n for one in costs for _, n in one)
                exact, limit = None, None
                if method == "linear-probing":
                    a = Fraction(keys, real)
                    exact = slow.knuth(real, keys)[miss]
                    limit = (1 + 1 / (1 - a)**(1 + miss)) / 2
                assert_row(next(rows), method=method, candidates=d, bucket=k,
                           layout="split" if split else "one", fill=fill, slots=real,
                           load=Fraction(load, 100), keys=keys, fills=3,
                           lookup="miss" if miss else "hit", mean=sum(means) / 3,
                           mean_ci=slow.student_half_width(means),
                           p99=slow.percentile(pooled, Fraction(99, 100)),
                           p999=slow.percentile(pooled, Fraction(999, 1000)),
                           max_median=slow.lower_median(most), max_least=min(most),
                           max_greatest=max(most), lines_mean=lines, lines_max=lines_max,
                           knuth_exact=exact, knuth_limit=limit,
                           left_over=sum(each.left_over for each in fills),
                           fills_left_over=sum(each.left_over > 0 for each in fills))
    assert next(rows, None) is None


@pytest.mark.parametrize("slots", [100, 256])
def test_e3(slots):
    rows = run("e3", "--slots", slots, "--trials", "4")
    assert len(rows) == 3
    for row, shape in zip(rows, SHAPES[:3]):
        fills = [Fill(shape, slots, trial) for trial in range(4)]
        keys = fills[0].slots * 9 // 10
        for each in fills:
            each.fill_to(keys)
        longest = [max(c for c, _ in each.costs(False)) for each in fills]
        lines = max(n for each in fills for _, n in each.costs(False))
        assert_row(row, method=shape[0], slots=fills[0].slots, keys=keys, fills=4,
                   longest_median=slow.lower_median(longest), longest_least=min(longest),
                   longest_greatest=max(longest), lines_greatest=lines,
                   left_over=sum(each.left_over for each in fills))


# --- e4, e5 -------------------------------------------------------------------------------


def stash(split, slots, keys, trial):
    table = slow.Trial(2, 1, split, slots, SEED, trial, keys)
    return slow.excess([table.candidates(table.keys.next()) for _ in range(keys)], slots)


def proportion(count, trials):
    low, high = slow.clopper_pearson(count, trials)
    return {"trials": trials, "proportion": Fraction(count, trials), "low": low, "high": high}


def test_e4():
    m, trials = 30, 250
    text = simulator.read_text(simulator.output("e4", "--seed", SEED, "--slots", 2 * m, "--trials",
                                                trials))
    rows = text["e4.failures"].rows
    assert len(rows) == 6
    for row, (split, slack) in zip(rows, itertools.product((True, False), (20, 10, 5))):
        keys = (100 - slack) * m // 100
        failures = sum(stash(split, 2 * m, keys, trial) > 0 for trial in range(trials))
        assert_row(row, layout="split" if split else "one", m=m, slots=2 * m,
                   eps=Fraction(slack, 100), keys=keys, failures=failures,
                   **proportion(failures, trials))
        if split:
            e = Fraction(slack, 100)
            constant = (2 * e**2 - 5 * e + 5) * (1 - e)**3 / (12 * (2 - e)**2 * e**3)
            assert_row(row, leading=constant / m,
                       sampled_by_leading=Fraction(failures, trials) / (constant / m))
        assert math.isclose(float(row["exact_by_leading"]),
                            float(row["exact"]) / float(row["leading"]), abs_tol=1e-3)
    for row, split in zip(text["e4.critical"].rows, (True, False)):
        good = sum(stash(split, 2 * m, m, trial) == 0 for trial in range(trials))
        assert_row(row, layout="split" if split else "one", m=m, slots=2 * m, keys=m,
                   successes=good, limit=math.sqrt(2 / 3), **proportion(good, trials))


def enumerated_failures(split, m, keys):
    """Probability that no placement exists, from all configurations."""
    ends = [(a, m + b) for a in range(m) for b in range(m)] if split else \
        [(a, b) for a in range(2 * m) for b in range(2 * m)]
    bad = sum(slow.excess(edges, 2 * m) > 0 for edges in itertools.product(ends, repeat=keys))
    return Fraction(bad, len(ends)**keys)


def test_e4_exact_column_against_all_configurations():
    m = 3
    text = simulator.read_text(simulator.output("e4", "--slots", 2 * m, "--trials", 1))
    for row in text["e4.failures"]:
        value = enumerated_failures(row["layout"] == "split", m, int(row["keys"]))
        assert_row(row, exact=value)
    for row in text["e4.critical"]:
        assert_row(row, exact=1 - enumerated_failures(row["layout"] == "split", m, m))


@pytest.mark.parametrize("slots", [24, 26])
def test_e5(slots):
    trials, m = 300, slots // 2
    keys = m * 10 // 12
    found, walked = [], []
    for trial in range(trials):
        found.append(stash(True, slots, keys, trial))
        table = slow.Trial(2, 1, True, slots, SEED, trial, keys)
        walked.append(sum(not slow.original(table, table.keys.next(), 100)[0]
                          for _ in range(keys)))
        assert walked[-1] >= found[-1]
    rows = run("e5", "--slots", slots, "--trials", trials)
    assert len(rows) == 4
    for s, row in enumerate(rows, 1):
        count, walk = sum(x >= s for x in found), sum(x >= s for x in walked)
        assert_row(row, keys=keys, m=m, slots=slots, s=s, at_least=count, original_at_least=walk,
                   **proportion(count, trials))
        assert_row(row, **{"original_" + name: value for name, value in
                           proportion(walk, trials).items() if name != "trials"})


# --- e6, e7 -------------------------------------------------------------------------------

RULES = {
    "complete": slow.breadth,
    "walk": slow.walk,
    "breadth-first": lambda table, key: slow.breadth(table, key, 2000, 5),
    "original": slow.original,
}


def test_e6():
    slots, trials = 97, 9
    text = simulator.read_text(simulator.output("e6", "--seed", SEED, "--slots", slots, "--trials",
                                                trials))
    fills, rows = iter(text["e6.fills"].rows), iter(text["e6.thresholds"].rows)
    for d, k in [(2, 1), (3, 1), (4, 1), (2, 2), (2, 3), (2, 4), (2, 8), (3, 2), (3, 4)]:
        for rule, insert in RULES.items():
            if rule == "original" and d != 2:
                continue
            placed = []
            for trial in range(trials):
                table, n = slow.Trial(d, k, False, slots, SEED, trial), 0
                while insert(table, table.keys.next())[0]:
                    n += 1
                placed.append(n)
                assert_row(next(fills), candidates=d, bucket=k, search=rule, trial=trial, keys=n,
                           load=Fraction(n, table.slots))
            low, high = slow.median_interval(placed)
            median, limit = slow.lower_median(placed), slow.threshold(d, k)
            assert_row(next(rows), candidates=d, bucket=k, slots=table.slots, threshold=limit,
                       search=rule, seeds=trials, median=Fraction(median, table.slots),
                       median_low=Fraction(low, table.slots),
                       median_high=Fraction(high, table.slots),
                       least=Fraction(min(placed), table.slots),
                       greatest=Fraction(max(placed), table.slots),
                       distance=median / table.slots - limit)
    assert next(fills, None) is None and next(rows, None) is None


ENDS = (50, 80, 90, 93, 95)
SPANS = [(0, 0), (1, 1), (2, 2), (3, 4), (3, 3), (4, 4)]


def test_e7():
    slots, trials = 400, 3
    text = simulator.read_text(simulator.output("e7", "--seed", SEED, "--slots", slots, "--trials",
                                                trials))
    rows, paths = iter(text["e7.insertions"].rows), iter(text["e7.paths"].rows)
    longest = 0
    for search in ("walk", "breadth-first"):
        costs = [[[] for _ in range(trials)] for _ in ENDS]  # [segment][trial]: (placed, cost)
        for trial in range(trials):
            table, offered = slow.Trial(2, 4, False, slots, SEED, trial), 0
            for segment, end in enumerate(ENDS):
                while offered < slots * end // 100:
                    key = table.keys.next()
                    costs[segment][trial].append(
                        slow.walk(table, key) if search == "walk"
                        else slow.breadth(table, key, 2000))
                    offered += 1
        for first, last in SPANS:
            pooled = [[one for segment in range(first, last + 1) for one in costs[segment][trial]]
                      for trial in range(trials)]
            quantities = {
                "kicks": lambda cost: cost.kicks,
                "moves": lambda cost: cost.moves,
                "buckets_read": lambda cost: cost.read,
                "slots_read": lambda cost: 4 * cost.read,
                "lines_written": lambda cost: cost.lines(4),
            }
            del quantities["moves" if search == "walk" else "kicks"]
            for name, value in quantities.items():
                means = [Fraction(sum(value(c) for _, c in one), len(one)) for one in pooled]
                every = [value(c) for one in pooled for _, c in one]
                most = [max(value(c) for _, c in one) for one in pooled]
                assert_row(next(rows), search=search,
                           load_from=Fraction(ENDS[first - 1] if first else 0, 100),
                           load_to=Fraction(ENDS[last], 100), fills=trials, insertions=len(every),
                           failed=sum(not ok for one in pooled for ok, _ in one), quantity=name,
                           mean=sum(means) / trials, mean_ci=slow.student_half_width(means),
                           p99=slow.percentile(every, Fraction(99, 100)),
                           max_median=slow.lower_median(most), max_least=min(most),
                           max_greatest=max(most))
        for segment, end in enumerate(ENDS):
            lengths = [c.kicks + c.moves for one in costs[segment] for _, c in one]
            if search != "walk":
                longest = max(longest, *lengths)
            for length in sorted(set(lengths)):
                assert_row(next(paths), search=search,
                           load_from=Fraction(ENDS[segment - 1] if segment else 0, 100),
                           load_to=Fraction(end, 100), length=length,
                           insertions=lengths.count(length))
    assert next(rows, None) is None and next(paths, None) is None
    bound = text["e7.bound"].rows
    assert len(bound) == 1
    assert_row(bound[0], bucket=4, slots_limit=2000, bound_buckets=5, bound_moves=4,
               longest_moves=longest)
