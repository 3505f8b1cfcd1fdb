#!/usr/bin/env python3
"""Measures cuckoo_sim against a straightforward program and against the machine.

    bench/run.py [--rounds N] [--build DIR] [ROW ...]

Each row runs the same work on the same keys in bench/straightforward.c and in cuckoo_sim
(or, for a single kernel, in bench/kernels.c), alternating, N rounds, and prints medians:
processor time with one thread, wall time with two, nanoseconds per key or edge, ratios,
and peak memory.  The numbers that both programs print are compared first; a difference
ends the run.  ROW: rows whose name begins with it, or total (the rows of the last line:
all of e2 to e7 at the article's numbers of trials), limits, growth, memory; without it
everything, some seven minutes of an idle machine with 3 rounds.  Times are this machine's
and nothing is decided by them.
"""
import argparse
import os
import pathlib
import platform
import statistics
import subprocess
import sys

import growth
import same
from measure import ROOT, limit_of, measure, mebibytes, threaded

# ---- rows -----------------------------------------------------------------------------

class Row:
    """`units` keys or edges are worked on; `limit`: what bench/limits.c does to one;
    `article`: the units of this kind in the article's own experiments, 0 where it is no
    part of their sum."""

    def __init__(self, name, check, ours, plain, units, limit, article):
        self.name, self.check, self.units, self.limit = name, check, units, limit
        self.ours, self.plain, self.article = ours, plain, article


def experiment(name, check, trials, slots, units, limit=None, label=None, article=0):
    size = ["--slots", str(slots)] if slots else []
    ours = ["cuckoo_sim", name, "--trials", str(trials), "--quiet", "--format", "csv"] + size
    plain = ["straightforward", name, str(trials)] + ([str(slots)] if slots else [])
    return Row(label or name, check, ours, plain, trials * units, limit, article)


def kernel(name, check, trials, units, limit=None, label=None):
    arguments = [name, str(trials)]
    return Row(label or name, check, ["kernels"] + arguments, ["straightforward"] + arguments,
               trials * units, limit, 0)


def edges_e4(m):
    """Keys of the eight rows of e4 at one size: two layouts, three slacks and n = m."""
    return 2 * sum(m * (100 - slack) // 100 for slack in (20, 10, 5, 0))


LOOKUP_KEYS = sum((1 << 20) * load // 100 for load in (95, 95, 95, 95, 95, 95, 90, 50))
LONGEST_KEYS = 3 * sum((1 << log) * 9 // 10 for log in range(10, 25, 2))
INSERT_KEYS = 2 * ((95 << 20) // 100)
FILL_KEYS = (95 << 20) // 100
FIRST_FAILURE_KEYS = 30 * (1 << 18)  # about: 30 searches

# The article's numbers of trials, as far as it gives them: 50,000 graphs of 16,000 and of
# 18,000 keys in 2 x 20,000 slots; 100,000 of 1000 and of 10,000 keys; 5 seeds; else one fill.
ROWS = [
    experiment("e2", same.same_e2, 1, None, LOOKUP_KEYS, ("increment", 1 << 20),
               article=LOOKUP_KEYS),
    experiment("e3", same.same_e3, 1, None, LONGEST_KEYS, article=LONGEST_KEYS),
    experiment("e4", same.same_e4, 20000, 2000, edges_e4(1000), ("graph", 2000), "e4 m=1000"),
    experiment("e4", same.same_e4, 1000, 40000, edges_e4(20000), ("graph", 40000), "e4 m=20000",
               article=50000 * (16000 + 18000)),
    experiment("e5", same.same_e5, 40000, 2400, 1000, ("graph", 2400), "e5 n=1000",
               article=100000 * 1000),
    experiment("e5", same.same_e5, 4000, 24000, 10000, ("graph", 24000), "e5 n=10000",
               article=100000 * 10000),
    experiment("e6", same.same_e6, 5, None, FIRST_FAILURE_KEYS, article=5 * FIRST_FAILURE_KEYS),
    experiment("e7", same.same_e7, 4, None, INSERT_KEYS, ("graph", 1 << 20), article=INSERT_KEYS),
    kernel("complete", same.same_text, 1, 9 * (1 << 18), label="complete search (e6)"),
    kernel("walk", same.same_text, 8, FILL_KEYS, ("graph", 1 << 20), "fill (2,4) walk"),
    kernel("breadth", same.same_text, 8, FILL_KEYS, ("graph", 1 << 20),
           "fill (2,4) breadth-first"),
    kernel("fail2", same.same_text, 50000, 1000, ("graph", 2200), "fail d=2 n=1000"),
    kernel("fail3", None, 30000, 1024, label="fail d=3 n=1024"),
]

# ---- running --------------------------------------------------------------------------

class Times:
    """Processor and wall seconds of a row's runs: plain, ours with one thread and with two."""

    def __init__(self):
        self.runs = {"plain": [], "one": [], "two": []}
        self.peak = {"plain": 0, "one": 0, "two": 0}

    def add(self, which, build, command):
        text, cpu, wall, peak = measure(build, command)
        self.runs[which].append((cpu, wall))
        self.peak[which] = max(self.peak[which], peak)
        return text

    def cpu(self, which):
        return statistics.median(cpu for cpu, _ in self.runs[which])

    def wall(self, which):
        return statistics.median(wall for _, wall in self.runs[which])


def run_round(row, times, build):
    plain = times.add("plain", build, row.plain)
    ours = times.add("one", build, threaded(row.ours, 1))
    if row.ours[0] == "cuckoo_sim":
        if times.add("two", build, threaded(row.ours, 2)) != ours:
            sys.exit(f"run.py: {row.name}: two threads print something else than one")
    if len(times.runs["one"]) == 1 and row.check is not None and not row.check(ours, plain):
        sys.exit(f"run.py: {row.name}: cuckoo_sim and the straightforward program differ")


def print_row(row, times, build):
    nanoseconds = 1e9 * times.cpu("one") / row.units
    print(f"{row.name:26} {1e9 * times.cpu('plain') / row.units:9.2f} {nanoseconds:9.2f} "
          f"{times.cpu('plain') / times.cpu('one'):7.2f}", end=" ")
    if times.runs["two"]:
        print(f"{times.wall('plain') / times.wall('two'):7.2f} "
              f"{times.wall('one') / times.wall('two'):7.2f} "
              f"{times.cpu('two') / times.cpu('one'):7.2f}", end=" ")
    else:
        print(f"{'-':>7} {'-':>7} {'-':>7}", end=" ")
    limit = f"{nanoseconds / limit_of(build, *row.limit):7.2f}" if row.limit else f"{'-':>7}"
    print(limit, mebibytes(times.peak["plain"]), mebibytes(times.peak["one"]), flush=True)
    if row.name.startswith("fill"):
        print(f"# {row.name}: {1e-6 * row.units / times.cpu('plain'):.1f} million insertions a "
              f"second, ours {1e-6 * row.units / times.cpu('one'):.1f}")


def print_total(measured):
    """Each row's medians, times as many units as the article has of it."""
    sums = dict.fromkeys(("plain", "one", "plain_wall", "two"), 0.0)
    for row, times in measured:
        share = row.article / row.units
        sums["plain"] += share * times.cpu("plain")
        sums["one"] += share * times.cpu("one")
        sums["plain_wall"] += share * times.wall("plain")
        sums["two"] += share * times.wall("two")
    print("\n# all of e2 to e7 at the article's numbers of trials: sums of the medians above, a row's")
    print("# times as many keys as the article has of it; one thread: processor, two: wall time")
    print(f"{'total':26} {sums['plain']:8.1f} s {sums['one']:7.1f} s "
          f"{sums['plain'] / sums['one']:7.2f} {sums['plain_wall'] / sums['two']:7.2f}   "
          f"with one thread, with two ({sums['two']:.1f} s)", flush=True)


def run_rows(chosen, rounds, build):
    print("# plain, ours: processor nanoseconds per key or edge, one thread; x1: plain by ours")
    print("# x2: wall time of plain by ours with two threads; scale: ours, one thread by two; cpu2:")
    print("# processor time of two threads by one: 1 is perfect, whatever else the machine does")
    print("# limit: ours by the bare hashing and increments; peaks in MiB, one thread")
    print(f"{'row':26} {'plain':>9} {'ours':>9} {'x1':>7} {'x2':>7} {'scale':>7} {'cpu2':>7} "
          f"{'limit':>7} {'peak_pl':>8} {'peak':>8}")
    measured = [(row, Times()) for row in chosen]
    for row, times in measured:
        for _ in range(rounds):
            run_round(row, times, build)
        print_row(row, times, build)
    article = [(row, times) for row, times in measured if row.article > 0]
    if len(article) == sum(row.article > 0 for row in ROWS):
        print_total(article)


def processor():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
        return next(line.split(":", 1)[1].strip() for line in text.splitlines()
                    if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("row", nargs="*",
                        help="rows whose name begins with it; total, limits, growth, memory")
    options = parser.parse_args()
    build = ROOT / options.build
    compiler = subprocess.run([os.environ.get("CC", "cc"), "--version"], capture_output=True,
                              text=True, check=True).stdout.splitlines()[0]
    print(f"# {os.cpu_count()} processors, {processor()}; {compiler}; medians of {options.rounds}")
    chosen = [row for row in ROWS if not options.row
              or any(row.name.startswith(name) for name in options.row)
              or ("total" in options.row and row.article > 0)]
    if chosen:
        run_rows(chosen, options.rounds, build)
    if not options.row or "limits" in options.row:
        growth.limits(build)
    if not options.row or "growth" in options.row:
        growth.by_slots(options.rounds, build)
        growth.by_trials(options.rounds, build)
    if not options.row or "memory" in options.row:
        growth.memory(build)


if __name__ == "__main__":
    main()
