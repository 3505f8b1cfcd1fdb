#!/usr/bin/env python3
"""What is measured against what is known, experiment by experiment, for any seed.

    tests/statistics/verify.py [--seeds 1,2,3] [e4 e5 ...]

A check is an experiment, a claim, who makes it, and a p-value: the chance of being this far
off, two-sided.  What is known is an exact law, a proved formula, or an independent
simulation in a few lines of Python with random numbers of its own (named "simulated here").
A check fails below LEVEL, five standard deviations.  Of right checks at most one in a
hundred is below 0.01: how many are is printed too.

`make check` runs seed 1 (test_verify.py); `make verify SEED=n` another."""
import argparse
import collections
import functools
import math
import pathlib
import random
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parents[1])]
sys.dont_write_bytecode = True

import simulator  # noqa: E402
from claims import tails  # noqa: E402

LEVEL = 5.7e-7  # Pr[|Z| > 5]
Check = collections.namedtuple("Check", "experiment claim source p")


# --- p-values -------------------------------------------------------------------------

def two_sided(z):
    return math.erfc(abs(z) / math.sqrt(2))


def of_count(observed, trials, probability):
    if not 0 < probability < 1:
        return float(observed == trials * probability)
    return min(1.0, 2 * min(tails(observed, trials, probability)))


def of_mean(mean, error, expected):
    """A mean with its standard error, from enough trials that Student is near to normal."""
    return two_sided((mean - expected) / error) if error > 0 else float(mean == expected)


def of_median(median, fills, sample):
    """The median of so many fills against a sample of the same law.  Ties go to the claim."""
    below = sum(x < median for x in sample) / len(sample)
    upto = sum(x <= median for x in sample) / len(sample)
    off = max(0.0, below - 0.5, 0.5 - upto)
    return two_sided(off / math.sqrt(0.25 / fills + 0.25 / len(sample)))


def of_distance(distance, n):
    """Kolmogorov and Smirnov's, by the bound of Dvoretzky, Kiefer, Wolfowitz and Massart."""
    return min(1.0, 2 * math.exp(-2 * n * distance**2))


def moments(values):
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((v - mean)**2 for v in values) / (len(values) - 1) / len(values))


def error_of(half, fills):
    """The standard error behind a printed 95% interval of a mean over fills."""
    return float(half) / student_95(int(fills))


@functools.lru_cache(maxsize=None)
def student_95(fills):
    from claims import student  # pylint: disable=import-outside-toplevel
    return student(fills - 1)


# --- the program ----------------------------------------------------------------------

def tables(*words):
    return simulator.read_text(simulator.output(*words))


@functools.lru_cache(maxsize=None)
def success(keys, slots, *words):
    """The exact probability that the keys have a placement."""
    row = simulator.rows("exact", "--keys", keys, "--slots", slots, "--stash", 0, *words)[0]
    return 1 - float(row["pr_overflow"])


# --- simulated here -------------------------------------------------------------------

def longest_probe(chance, slots, keys, robin_hood):
    """The most slots that a hit compares in a table of linear probing."""
    age = [-1] * slots  # distance from home of who is there
    longest = 0
    for _ in range(keys):
        at, carried = chance.randrange(slots), 0
        while age[at] >= 0:
            if robin_hood and age[at] < carried:
                age[at], carried = carried, age[at]
            at, carried = (at + 1) % slots, carried + 1
        age[at] = carried
        longest = max(longest, carried)
    # under Robin Hood a later displacement can lengthen what was placed before
    return 1 + (max(age) if robin_hood else longest)


def walk_kicks(chance, buckets, k, limits):
    """Kicks of a random walk, two candidates, in each segment of keys."""
    table, totals, offered = [[] for _ in range(buckets)], [], 0
    for limit in limits:
        kicks, first = 0, offered
        while offered < limit:
            key, last = (chance.randrange(buckets), chance.randrange(buckets)), None
            offered += 1
            for _ in range(500):
                free = [b for b in key if b != last and len(table[b]) < k]
                if free:
                    table[free[0]].append(key)
                    break
                choice = [b for b in key if b != last] or [key[0]]
                last = choice[0] if len(choice) == 1 else chance.choice(choice)
                slot = chance.randrange(k)
                table[last][slot], key = key, table[last][slot]
                kicks += 1
        totals.append(kicks / (limit - first))
    return totals


def first_failure(chance, buckets, k, draw):
    """Keys before the first one for which no placement exists, by augmenting paths."""
    place, count = [[] for _ in range(buckets)], 0

    def settle(key, seen):
        for b in key:
            if b in seen:
                continue
            seen.add(b)
            if len(place[b]) < k:
                place[b].append(key)
                return True
            for i, other in enumerate(place[b]):
                if settle(other, seen):
                    place[b][i] = key
                    return True
        return False

    sys.setrecursionlimit(10000)
    while settle(draw(chance, buckets), set()):
        count += 1
    return count


def independent(chance, buckets):
    return chance.randrange(buckets), chance.randrange(buckets)


def xor_hash(bits):
    def draw(chance, buckets):
        first, tag = chance.randrange(buckets), max(1, chance.randrange(2**bits))
        return first, (first ^ tag * 0x5bd1e995) % buckets
    return draw


def filter_fill(chance, buckets, k, bits):
    """Keys that a cuckoo filter holds before the first that is left over."""
    table, count, draw = [[] for _ in range(buckets)], 0, xor_hash(bits)
    while True:
        first, other = draw(chance, buckets)
        shift, at = first ^ other, first
        for iteration in range(500):
            if len(table[at]) < k:
                table[at].append(shift)
                break
            if iteration > 0:
                slot = chance.randrange(k)
                table[at][slot], shift = shift, table[at][slot]
            at ^= shift
        else:
            return count
        count += 1


# --- the checks -----------------------------------------------------------------------

def check_e2(seed):
    text = tables("e2", "--slots", 1024, "--trials", 120, "--seed", seed)["e2.lookups"]
    exact = {(row["load"], row["lookup"]): float(row["knuth_exact"]) for row in text
             if row["method"] == "linear-probing"}
    for row in text:
        label = "%(method)s %(lookup)s at load %(load)s" % row
        # under Robin Hood the mean hit is that of linear probing: the same slots are taken
        if row["method"] == "linear-probing" or (row["method"], row["lookup"]) == ("robin-hood",
                                                                                   "hit"):
            yield label, "Knuth's Q0 and Q1", of_mean(
                float(row["mean"]), error_of(row["mean_ci"], row["fills"]),
                exact[row["load"], row["lookup"]])
        if row["method"] == "cuckoo" and row["lookup"] == "miss":
            slots = int(row["candidates"]) * int(row["bucket"])
            yield label, "d k slots", float(float(row["mean"]) == slots)


def check_e3(seed):
    chance = random.Random("e3 %d" % seed)
    for row in tables("e3", "--slots", 1024, "--trials", 150, "--seed", seed)["e3.longest"]:
        if row["method"] == "cuckoo":
            yield "longest hit of (2,4)", "d k slots", float(int(row["longest_greatest"]) <= 8)
        else:
            sample = [longest_probe(chance, int(row["slots"]), int(row["keys"]),
                                    row["method"] == "robin-hood") for _ in range(150)]
            yield "median longest hit, " + row["method"], "simulated here", of_median(
                int(row["longest_median"]), int(row["fills"]), sample)


def check_e4(seed):
    text = tables("e4", "--slots", 200, "--trials", 20000, "--seed", seed)
    for row in text["e4.failures"]:
        yield "failures, %(layout)s eps=%(eps)s" % row, "exact", of_count(
            int(row["failures"]), int(row["trials"]), float(row["exact"]))
    for row in text["e4.critical"]:
        yield "successes, %(layout)s n=m" % row, "exact", of_count(
            int(row["successes"]), int(row["trials"]), float(row["exact"]))


def check_e5(seed):
    for row in tables("e5", "--slots", 240, "--trials", 20000, "--seed", seed)["e5.stash"]:
        yield "S >= %(s)s, n=%(keys)s" % row, "exact", of_count(
            int(row["at_least"]), int(row["trials"]), float(row["exact"]))


def check_e6(seed):
    trials, slots = 150, 512
    text = tables("e6", "--slots", slots, "--trials", trials, "--seed", seed)
    placed = sorted(int(row["keys"]) for row in text["e6.fills"] if row["search"] == "complete"
                    and (row["candidates"], row["bucket"]) == ("2", "1"))
    distance = 0.0
    for n in sorted(set(placed)):
        for count, law in ((sum(x < n for x in placed), 1 - success(n, slots)),
                           (sum(x <= n for x in placed), 1 - success(n + 1, slots))):
            distance = max(distance, abs(count / trials - law))
    yield "law of the first failure, (2,1)", "exact", of_distance(distance, trials)
    chance = random.Random("e6 %d" % seed)
    sample = [first_failure(chance, 128, 4, independent) for _ in range(60)]
    placed = sorted(int(row["keys"]) for row in text["e6.fills"] if row["search"] == "complete"
                    and (row["candidates"], row["bucket"]) == ("2", "4"))
    yield "median first failure, (2,4)", "simulated here", of_median(
        placed[(trials - 1) // 2], trials, sample)


def check_e7(seed):
    fills, buckets = 60, 256
    text = tables("e7", "--slots", 4 * buckets, "--trials", fills, "--seed", seed)
    limits = [int(4 * buckets * load) for load in (0.5, 0.8, 0.9)]
    chance = random.Random("e7 %d" % seed)
    ours = [walk_kicks(chance, buckets, 4, limits) for _ in range(fills)]
    for i, load in enumerate(("0.50", "0.80", "0.90")):
        row = next(row for row in text["e7.insertions"] if (row["search"], row["load_to"],
                                                             row["quantity"]) == ("walk", load,
                                                                                  "kicks"))
        mean, error = moments([one[i] for one in ours])
        both = math.hypot(error, error_of(row["mean_ci"], row["fills"]) + 5e-5)
        yield "kicks of a walk up to load " + load, "simulated here", of_mean(
            float(row["mean"]), both, mean)


def check_e8(seed):
    """e8's measure by `run`: e8 itself also fills tables of 2^20 slots for the cube."""
    exact = 1 - success(27, 64, "--layout", "split")
    for family, keysets in (("mixer", ("random", "interval", "cube", "progression:4096")),
                            ("poly5", ("random",)), ("tabulation16", ("random",))):
        for keyset in keysets:
            row = simulator.rows("run", "--measure", "fail", "--bucket", 1, "--layout", "split",
                                 "--keys", 27, "--slots", 64, "--hash", family, "--keyset",
                                 keyset, "--search", "complete", "--trials", 20000,
                                 "--seed", seed)[0]
            yield "no placement, %s, %s keys" % (family, keyset), "exact", of_count(
                int(row["no_placement"]), int(row["trials"]), exact)


def check_e9(seed):
    chance = random.Random("e9 %d" % seed)
    draws = {("independent", "0"): independent, ("xor-hash", "2"): xor_hash(2),
             ("xor-hash", "4"): xor_hash(4), ("xor-hash", "12"): xor_hash(12)}
    for row in tables("e9", "--slots", 256, "--trials", 101, "--seed", seed)["e9.loads"]:
        draw = draws.get((row["derivation"], row["tag_bits"]))
        if draw is None or row["search"] != "complete":
            continue
        k, buckets = int(row["bucket"]), int(row["buckets"])
        sample = [first_failure(chance, buckets, k, draw) for _ in range(60)]
        yield "median first failure, %(derivation)s %(tag_bits)s, bucket %(bucket)s" % row, \
            "simulated here", of_median(round(float(row["median"]) * k * buckets),
                                        int(row["seeds"]), sample)


def check_e10(seed):
    chance = random.Random("e10 %d" % seed)
    for row in tables("e10", "--slots", 1024, "--trials", 101, "--seed", seed)["e10.fills"]:
        if row["rule"] == "cuckoofilter":
            slots = int(row["slots"])
            sample = [filter_fill(chance, slots // 4, 4, 12) for _ in range(60)]
            yield "median first failure, cuckoofilter", "simulated here", of_median(
                round(float(row["median"]) * slots), int(row["trials"]), sample)


def check_e11(seed):
    text = tables("e11", "--slots", 1024, "--trials", 2, "--seed", seed)
    for row in text["e11.rates"]:
        # given the filters, positives are a sum of binomial counts: no wider than one of them
        n, p = int(row["lookups"]), float(row["exact"])
        error = math.sqrt(p * (1 - p) / n) + p * 5e-5
        yield "false positives, f=%(f)s b=%(b)s load %(load)s" % row, "these filters' own rate", \
            of_mean(int(row["positives"]) / n, error, p)


def check_e12(seed):
    text = tables("e12", "--trials", 1, "--seed", seed)
    safe = collections.defaultdict(lambda: True)
    for row in text["e12.interleavings"]:
        safe[row["protocol"]] &= row["verdict"] == "safe"
    for row in text["e12.schedules"]:
        if safe[row["protocol"]] and row["protocol"] in safe:
            yield "%(protocol)s %(search)s load %(load)s, %(readers)s readers: no wrong answer" % \
                row, "every interleaving", \
                float(row["false_misses"] == "0" and row["wrong_hits"] == "0")


def check_e13(seed):
    text = tables("e13", "--trials", 40, "--seed", seed)
    for row in text["e13.rebuild"]:
        if row["scheme"] != "two-tables" or row["rebuild"] != "same-size+new-functions" or \
                int(row["slots"]) > 256:
            continue
        slots = int(row["slots"])
        law = [1.0] + [success(n, slots, "--layout", "split") for n in range(1, slots + 1)] + [0.0]
        share = sum((law[n - 1] - law[n]) * law[n] for n in range(1, slots + 2))
        yield "keys that failed, with new functions, %d slots" % slots, \
            "sum of Pr[n fails first] Pr[n has a placement]", \
            of_count(int(row["rebuilt"]), int(row["trials"]), share)
    for row in text["e13.buckets"]:
        if row["rule"] == "chains":
            n, trials = int(row["keys"]), int(row["trials"])
            error = math.sqrt(n * (n - 1) / 2 / n * (1 - 1 / n) / trials) / n + 3e-5
            yield "mean hit in chains, n=%d" % n, "1 + (n - 1) / 2n, pairs that meet", \
                of_mean(float(row["hit_mean"]), error, 1 + (n - 1) / (2 * n))


CHECKS = {"e%d" % i: globals()["check_e%d" % i] for i in range(2, 14)}


def run(names, seed):
    for name in names:
        for claim, source, p in CHECKS[name](seed):
            yield Check(name, claim, source, p)


def main():
    parser = argparse.ArgumentParser(description="measured against known, for any seed")
    parser.add_argument("--seeds", default="1", help="a list: 1,2,3 or 1:20")
    parser.add_argument("names", nargs="*", choices=[[], *CHECKS])
    options = parser.parse_args()
    first, colon, last = options.seeds.partition(":")
    seeds = range(int(first), int(last) + 1) if colon else map(int, options.seeds.split(","))
    total = low = failed = 0
    for seed in seeds:
        done = list(run(options.names or CHECKS, seed))
        for check in done:
            if check.p < 0.01:
                print("seed %d: %s: %s (%s): p = %.2g%s" % (
                    seed, check.experiment, check.claim, check.source, check.p,
                    "  FAILED" if check.p < LEVEL else ""))
        bad = sum(check.p < LEVEL for check in done)
        below = sum(check.p < 0.01 for check in done)
        print("seed %d: %d checks, %d below 0.01, %d failed" % (seed, len(done), below, bad),
              flush=True)
        total, low, failed = total + len(done), low + below, failed + bad
    print("%d checks: %d below 0.01, at most %.1f expected; %d failed, %.2g expected" % (
        total, low, total / 100, failed, total * LEVEL))
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main())
