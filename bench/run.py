#!/usr/bin/env python3
"""Measures cuckoo_sim against a straightforward program and against the machine.

    bench/run.py [--rounds N] [--build DIR] [ROW ...]

Each row runs the same work on the same keys in bench/straightforward.c and in cuckoo_sim
(or, for a single kernel, in bench/kernels.c), alternating, N rounds (default 5), and
prints medians: processor time with one thread, wall time with two, nanoseconds per key or
edge, ratios, and peak memory.  The numbers that both programs print are compared first; a
difference ends the run.  Times are this machine's and nothing is decided by them.
"""
import argparse
import csv
import io
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def measure(command):
    """Run it: (standard output, processor seconds, wall seconds, peak bytes)."""
    read, write = os.pipe()
    start = time.monotonic()
    pid = os.posix_spawn(command[0], command, os.environ,
                         file_actions=[(os.POSIX_SPAWN_DUP2, write, 1),
                                       (os.POSIX_SPAWN_CLOSE, read)])
    os.close(write)
    with os.fdopen(read) as stream:
        text = stream.read()
    _, status, usage = os.wait4(pid, 0)
    wall = time.monotonic() - start
    if status != 0:
        sys.exit(f"run.py: {' '.join(command)}: exit status {os.waitstatus_to_exitcode(status)}")
    return text, usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024


# ---- the same numbers in both outputs -------------------------------------------------

def rows_of(text, table):
    """The rows of one table of `--format csv` as dictionaries."""
    lines = list(csv.reader(io.StringIO(text)))
    header = None
    for line in lines:
        if line and line[0] == "table":
            header = line
        elif line and line[0] == table:
            yield dict(zip(header, line))


def words(text):
    return [line.split() for line in text.splitlines()]


def same_text(ours, plain):
    return ours == plain


def same_e4(ours, plain):
    got = {(r["layout"], r["m"], r["keys"]): int(r["failures"]) for r in rows_of(ours, "e4.failures")}
    got.update({(r["layout"], r["m"], r["keys"]): int(r["trials"]) - int(r["successes"])
                for r in rows_of(ours, "e4.critical")})
    return got == {(w[1], w[2], w[3]): int(w[5]) for w in words(plain)}


def same_e5(ours, plain):
    got = {(r["keys"], r["m"], r["s"]): (r["at_least"], r["original_at_least"])
           for r in rows_of(ours, "e5.stash")}
    return got == {(w[1], w[2], w[3]): (w[5], w[7]) for w in words(plain)}


def same_e6(ours, plain):
    got = {(r["candidates"], r["bucket"], r["search"], r["trial"]): r["keys"]
           for r in rows_of(ours, "e6.fills")}
    return got == {(w[1], w[2], w[3], w[4]): w[6] for w in words(plain)}


def same_e7(ours, plain):
    """Kicks or moves, buckets read and lines written: printed as means to four digits."""
    names = ["kicks", "moves", "buckets_read", "lines_written"]
    want = {(w[1], int(w[2]), name): int(w[6 + i])
            for w in words(plain) for i, name in enumerate(names)}
    checked = 0
    for r in rows_of(ours, "e7.insertions"):
        key = (r["search"], round(100 * float(r["load_to"])), r["quantity"])
        if key in want and (r["load_from"], r["load_to"]) != ("0.90", "0.95"):
            checked += 1
            if abs(want[key] / int(r["insertions"]) - float(r["mean"])) > 6e-5:
                return False
    return checked >= 2 * 5 * 3


def lookups_of(plain):
    """(method or fill, d, k, slots, keys) -> per-fill hits and misses of the plain program."""
    fills = {}
    for w in words(plain):
        fills.setdefault((w[0], w[1], w[2], w[3], w[4]), []).append([int(x) for x in
                         (w[8], w[9], w[10], w[12], w[13], w[15])])
    return fills


def same_e2(ours, plain):
    want, checked = lookups_of(plain), 0
    for r in rows_of(ours, "e2.lookups"):
        name = {"breadth-first": "complete", "walk": "walk"}.get(r["fill"], r["method"])
        fills = want[(name, r["candidates"], r["bucket"], r["slots"], r["keys"])]
        hit = r["lookup"] == "hit"
        cuckoo_miss = r["method"] == "cuckoo" and not hit
        lookups = [1 if cuckoo_miss else int(r["slots"]) if not hit else int(r["keys"]) - f[5]
                   for f in fills]
        mean = statistics.mean(f[0 if hit else 3] / n for f, n in zip(fills, lookups))
        if (max(f[2 if hit else 4] for f in fills) != int(r["max_greatest"]) or
                sum(f[5] for f in fills) != int(r["left_over"]) or
                abs(mean - float(r["mean"])) > 6e-5):
            return False
        checked += 1
    return checked == 2 * len(want)


def same_e3(ours, plain):
    want = {("cuckoo" if key[0] == "complete" else key[0], key[3]): max(f[2] for f in fills)
            for key, fills in lookups_of(plain).items()}
    return want == {(r["method"], r["slots"]): int(r["longest_greatest"])
                    for r in rows_of(ours, "e3.longest")}


# ---- rows -----------------------------------------------------------------------------

class Row:
    """`units` keys or edges are worked on; `limit`: what bench/limits.c does to one."""

    def __init__(self, name, same, ours, plain, units, limit=None):
        self.name, self.same, self.units, self.limit = name, same, units, limit
        self.ours, self.plain = ours, plain


def experiment(name, same, trials, slots, units, limit=None, label=None):
    size = ["--slots", str(slots)] if slots else []
    ours = ["cuckoo_sim", name, "--trials", str(trials), "--quiet", "--format", "csv"] + size
    plain = ["straightforward", name, str(trials)] + ([str(slots)] if slots else [])
    return Row(label or name, same, ours, plain, trials * units, limit)


def kernel(name, same, trials, units, limit=None, label=None, slots=None):
    arguments = [name, str(trials)] + ([str(slots)] if slots else [])
    return Row(label or name, same, ["kernels"] + arguments, ["straightforward"] + arguments,
               trials * units, limit)


def edges_e4(m):
    """Keys of the eight rows of e4 at one size: two layouts, three slacks and n = m."""
    return 2 * sum(m * (100 - slack) // 100 for slack in (20, 10, 5, 0))


LOOKUP_KEYS = sum((1 << 20) * load // 100 for load in (95, 95, 95, 95, 95, 95, 90, 50))
LONGEST_KEYS = 3 * sum((1 << log) * 9 // 10 for log in range(10, 25, 2))
INSERT_KEYS = 2 * ((95 << 20) // 100)

ROWS = [
    experiment("e2", same_e2, 1, None, LOOKUP_KEYS),
    experiment("e3", same_e3, 1, None, LONGEST_KEYS),
    experiment("e4", same_e4, 20000, 2000, edges_e4(1000), ("graph", 2000), "e4 m=1000"),
    experiment("e4", same_e4, 1000, 40000, edges_e4(20000), ("graph", 40000), "e4 m=20000"),
    experiment("e5", same_e5, 40000, 2400, 1000, ("graph", 2400), "e5 n=1000"),
    experiment("e5", same_e5, 4000, 24000, 10000, ("graph", 24000), "e5 n=10000"),
    experiment("e6", same_e6, 1, None, 30 * (1 << 18)),
    experiment("e7", same_e7, 2, None, INSERT_KEYS),
    kernel("complete", same_text, 1, 9 * (1 << 18), label="e6 complete search"),
    kernel("walk", same_text, 3, (95 << 20) // 100, label="fill (2,4) walk"),
    kernel("breadth", same_text, 3, (95 << 20) // 100, label="fill (2,4) breadth-first"),
    kernel("fail2", same_text, 50000, 1000, ("graph", 2200), "fail d=2 n=1000"),
    kernel("fail3", None, 30000, 1024, label="fail d=3 n=1024"),
]

def path_of(command, build):
    program = ROOT / "cuckoo_sim" if command[0] == "cuckoo_sim" else build / "bench" / command[0]
    return [str(program)] + command[1:]


def threaded(command, threads):
    return command + ["--threads", str(threads)] if command[0] == "cuckoo_sim" else command


def limit_of(build, limit, cache={}):
    if limit not in cache:
        part, slots = limit
        program = str(build / "bench" / "limits")
        cache[limit] = statistics.median(
            float(measure([program, part, "20000000", str(slots)])[0].split()[1])
            for _ in range(3))
    return cache[limit]


# A child starts out with the pages of the process that starts it: smaller peaks do not show.
FLOOR = 0


def mebibytes(peak):
    return f"{'-':>8}" if peak < 1.1 * FLOOR else f"{peak / 2**20:8.1f}"


def run_row(row, rounds, build):
    plain, one, two = [], [], []
    for number in range(rounds):
        text, cpu, wall, peak_plain = measure(path_of(row.plain, build))
        plain.append((cpu, wall))
        ours, cpu, wall, peak = measure(path_of(threaded(row.ours, 1), build))
        one.append((cpu, wall))
        if row.ours[0] == "cuckoo_sim":
            again, cpu, wall, _ = measure(path_of(threaded(row.ours, 2), build))
            two.append((cpu, wall))
            if again != ours:
                sys.exit(f"run.py: {row.name}: two threads print something else than one")
        if number == 0 and row.same is not None and not row.same(ours, text):
            sys.exit(f"run.py: {row.name}: cuckoo_sim and the straightforward program differ")
    cpu_plain = statistics.median(cpu for cpu, _ in plain)
    cpu_one = statistics.median(cpu for cpu, _ in one)
    nanoseconds = 1e9 * cpu_one / row.units
    print(f"{row.name:26} {1e9 * cpu_plain / row.units:9.2f} {nanoseconds:9.2f} "
          f"{cpu_plain / cpu_one:7.2f}", end=" ")
    if two:
        wall_plain = statistics.median(wall for _, wall in plain)
        wall_one = statistics.median(wall for _, wall in one)
        wall_two = statistics.median(wall for _, wall in two)
        cpu_two = statistics.median(cpu for cpu, _ in two)
        print(f"{wall_plain / wall_two:7.2f} {wall_one / wall_two:7.2f} "
              f"{cpu_two / cpu_one:7.2f}", end=" ")
    else:
        print(f"{'-':>7} {'-':>7} {'-':>7}", end=" ")
    if row.limit:
        print(f"{nanoseconds / limit_of(build, row.limit):7.2f}", end=" ")
    else:
        print(f"{'-':>7}", end=" ")
    print(f"{mebibytes(peak_plain)} {mebibytes(peak)}", flush=True)


def growth(rounds, build):
    """Cost and peak memory of one fill of (2,4) and both probing methods as tables grow."""
    print("\n# growth: e3, one fill of each method at load 0.9; peak over the 8 bytes a slot")
    print(f"{'slots':>9} {'ns_key_1':>9} {'ns_key_2':>9} {'peak_mib':>9} {'by_table':>9}")
    for log in range(14, 25, 2):
        one, two, peak = [], [], 0
        for _ in range(rounds):
            command = ["cuckoo_sim", "e3", "--trials", "4", "--quiet", "--slots", str(1 << log)]
            _, cpu, wall, peak = measure(path_of(threaded(command, 1), build))
            one.append(wall)
            two.append(measure(path_of(threaded(command, 2), build))[2])
        keys = 4 * 3 * ((1 << log) * 9 // 10)
        print(f"{1 << log:9} {1e9 * statistics.median(one) / keys:9.2f} "
              f"{1e9 * statistics.median(two) / keys:9.2f} {mebibytes(peak):>9} "
              f"{peak / (8 << log) if peak >= 1.1 * FLOOR else float('nan'):9.2f}", flush=True)
    print("\n# growth: failure trials of d = 2, n = 1000, 2200 slots")
    print(f"{'trials':>9} {'us_trial':>9}")
    for trials in (1000, 10000, 100000, 1000000):
        cpu = statistics.median(measure(path_of(["kernels", "fail2", str(trials)], build))[1]
                                for _ in range(rounds if trials < 1000000 else 1))
        print(f"{trials:9} {1e6 * cpu / trials:9.3f}", flush=True)


def processor():
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
        return next(line.split(":", 1)[1].strip() for line in text.splitlines()
                    if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("row", nargs="*", help="rows whose name begins with it; growth")
    options = parser.parse_args()
    build = ROOT / options.build
    global FLOOR
    FLOOR = measure([shutil.which("true")])[3]
    compiler = subprocess.run([os.environ.get("CC", "cc"), "--version"], capture_output=True,
                              text=True, check=True).stdout.splitlines()[0]
    print(f"# {os.cpu_count()} processors, {processor()}; {compiler}; medians of {options.rounds}")
    print("# plain, ours: processor nanoseconds per key or edge, one thread; x1: plain by ours")
    print("# x2: wall time of plain by ours with two threads; scale: ours, one thread by two; cpu2:")
    print("# processor time of two threads by one: 1 is perfect, whatever else the machine does")
    print("# limit: ours by the bare hashing and increments; peaks in MiB, one thread")
    print(f"{'row':26} {'plain':>9} {'ours':>9} {'x1':>7} {'x2':>7} {'scale':>7} {'cpu2':>7} "
          f"{'limit':>7} {'peak_pl':>8} {'peak':>8}")
    for row in ROWS:
        if not options.row or any(row.name.startswith(name) for name in options.row):
            run_row(row, options.rounds, build)
    if not options.row or "growth" in options.row:
        growth(min(options.rounds, 3), build)


if __name__ == "__main__":
    main()
