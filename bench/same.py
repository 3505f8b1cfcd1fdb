"""Whether cuckoo_sim and bench/straightforward.c print the same numbers: a function for each
experiment, of what the first prints with `--format csv` and what the second prints."""
import csv
import io
import statistics


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
