"""What cuckoo_sim costs as tables and numbers of trials grow, what it takes of memory, and what
the machine charges for the parts that no such program can do without."""
import statistics

from measure import limit_of, measure, mebibytes, threaded

LOGS = range(14, 25, 2)
PARTS = ("hash", "increment", "graph", "stream")


def limits(build):
    """bench/limits.c by size of the table."""
    print("\n# limits: nanoseconds of hashing a key to two candidates; the same and one random")
    print("# increment; and two; of reading a word in order; tables of 16-bit words")
    print(f"{'slots':>9} " + " ".join(f"{part:>9}" for part in PARTS))
    for log in LOGS:
        print(f"{1 << log:9} " + " ".join(f"{limit_of(build, part, 1 << log):9.2f}"
                                         for part in PARTS), flush=True)


def timed(build, command, rounds):
    """(median wall seconds with one thread, with two, and both peaks), alternating."""
    wall, peak = {1: [], 2: []}, {1: 0, 2: 0}
    for _ in range(rounds):
        for threads in (1, 2):
            _, _, seconds, most = measure(build, threaded(command, threads))
            wall[threads].append(seconds)
            peak[threads] = max(peak[threads], most)
    return statistics.median(wall[1]), statistics.median(wall[2]), peak[1], peak[2]


def by_slots(rounds, build):
    """e3: linear probing, Robin Hood and (2,4), each filled to load 0.9."""
    print("\n# growth by slots: e3, all three methods to load 0.9; wall nanoseconds a key with one")
    print("# thread and with two; limit: by hashing and one random increment; peaks in MiB")
    print(f"{'slots':>9} {'fills':>6} {'ns_1':>8} {'ns_2':>8} {'scale':>6} {'limit':>7} "
          f"{'peak_1':>8} {'peak_2':>8}")
    for log in LOGS:
        fills = max(2, 1 << (21 - log)) if log < 21 else 2
        command = ["cuckoo_sim", "e3", "--trials", str(fills), "--quiet", "--slots", str(1 << log)]
        one, two, peak_1, peak_2 = timed(build, command, rounds)
        keys = fills * 3 * ((1 << log) * 9 // 10)
        limit = 1e9 * one / keys / limit_of(build, "increment", 1 << log)
        print(f"{1 << log:9} {fills:6} {1e9 * one / keys:8.2f} {1e9 * two / keys:8.2f} "
              f"{one / two:6.2f} {limit:7.2f} {mebibytes(peak_1)} {mebibytes(peak_2)}", flush=True)


def by_trials(rounds, build):
    """Failure trials: from those of a moment to those of some seconds."""
    print("\n# growth by trials: d = 2, 1000 keys in 2200 slots; wall microseconds a trial with one")
    print("# thread and with two; limit: by hashing and two random increments a key")
    print(f"{'trials':>9} {'us_1':>8} {'us_2':>8} {'scale':>6} {'limit':>7} {'peak_1':>8} "
          f"{'peak_2':>8}")
    for trials in (10**3, 10**4, 10**5, 10**6):
        command = ["cuckoo_sim", "run", "--measure", "fail", "--candidates", "2", "--bucket", "1",
                   "--layout", "split", "--slots", "2200", "--keys", "1000", "--search",
                   "complete", "--quiet", "--trials", str(trials)]
        one, two, peak_1, peak_2 = timed(build, command, rounds)
        limit = 1e6 * one / trials / (limit_of(build, "graph", 2200) * 1e-3 * 1000)
        print(f"{trials:9} {1e6 * one / trials:8.3f} {1e6 * two / trials:8.3f} {one / two:6.2f} "
              f"{limit:7.2f} {mebibytes(peak_1)} {mebibytes(peak_2)}", flush=True)


MEMORY = [("e2", 20), ("e2", 22), ("e3", 22), ("e4", 22), ("e5", 22), ("e6", 18), ("e6", 20),
          ("e7", 20), ("e7", 22)]


def memory(build):
    """Peaks of whole processes over what e1 takes, in units of the tables: 8 bytes a slot."""
    base = measure(build, ["cuckoo_sim", "e1"])[3]
    print(f"\n# memory: peak of the process in MiB; by_table: less {base / 2**20:.1f} MiB (e1), for")
    print("# each thread, by 8 bytes a slot")
    print(f"{'row':>4} {'slots':>9} {'peak_1':>8} {'by_table':>9} {'peak_2':>8} {'by_table':>9}")
    for name, log in MEMORY:
        command = ["cuckoo_sim", name, "--trials", "2", "--quiet", "--slots", str(1 << log)]
        peaks = [measure(build, threaded(command, threads))[3] for threads in (1, 2)]
        print(f"{name:>4} {1 << log:9} " + " ".join(
            f"{mebibytes(peak)} {(peak - base) / threads / (8 << log):9.2f}"
            for threads, peak in enumerate(peaks, 1)), flush=True)
