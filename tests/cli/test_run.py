"""`run` and `sweep`: the presets' numbers, sizes, key files, stopping rules, refusals."""
import math

import pytest

import simulator

SETTING = ["candidates", "bucket", "layout", "positions", "search", "slots"]


def same(mine, theirs, columns):
    """Rows agree in the columns named, which may differ in their number of digits."""
    assert len(mine) == len(theirs) > 0
    for left, right in zip(mine, theirs):
        for ours, his in (c if isinstance(c, tuple) else (c, c) for c in columns):
            if left[ours] != right[his]:
                assert float(left[ours]) == pytest.approx(float(right[his]), abs=5e-5), (ours, left)


def test_e4_by_run():
    preset = simulator.rows("e4", "--slots", 2000, "--trials", 5000, table="e4.failures")
    for row in preset:
        mine = simulator.rows("run", "--measure", "fail", "--candidates", 2, "--bucket", 1,
                              "--layout", row["layout"], "--slots", 2000, "--keys", row["keys"],
                              "--search", "complete", "--trials", 5000)
        same(mine, [row], ["slots", "keys", "trials", "failures", "low", "high", "exact"])
        assert mine[0]["no_placement"] == row["failures"] and mine[0]["gave_up"] == "0"


def test_e5_by_run():
    preset = simulator.rows("e5", "--slots", 240, "--trials", 20000)
    mine = simulator.rows("run", "--measure", "fail", "--candidates", 2, "--bucket", 1,
                          "--layout", "split", "--slots", "2.4n", "--keys", 100, "--stash", 3,
                          "--search", "original:100", "--trials", 20000)
    same(mine, preset, ["slots", "keys", "trials", ("no_placement", "at_least"),
                        ("failures", "original_at_least"), ("low", "original_low"),
                        ("high", "original_high"), "exact"])
    assert [int(row["s"]) for row in preset] == [int(row["stash"]) + 1 for row in mine]


E6 = {"complete": "complete", "walk": "walk:500", "breadth-first": "bfs:2000,5",
      "original": "original:500"}


def test_e6_by_run():
    preset = simulator.rows("e6", "--slots", 1024, "--trials", 7, table="e6.thresholds")
    for row in preset:
        mine = simulator.rows("run", "--candidates", row["candidates"], "--bucket", row["bucket"],
                              "--slots", 1024, "--trials", 7, "--search", E6[row["search"]])
        same(mine, [row], ["slots", "threshold", "median", "median_low", "median_high", "least",
                           "greatest", "distance"])


def test_e7_by_run():
    columns = ["load_from", "load_to", "fills", "insertions", "failed", "mean", "mean_ci", "p99",
               "max_median", "max_least", "max_greatest"]
    preset = simulator.rows("e7", "--slots", 4096, "--trials", 3, table="e7.insertions")
    for name, search in (("walk", "walk:500"), ("breadth-first", "bfs:2000")):
        mine = simulator.rows("run", "--measure", "insert", "--slots", 4096, "--trials", 3,
                              "--search", search)
        joined = [row for row in preset if row["search"] == name and
                  (row["load_from"], row["load_to"]) != ("0.90", "0.95")]
        assert [row["quantity"] for row in mine] == [row["quantity"] for row in joined]
        same(mine, joined, columns)


def test_e2_by_run():
    preset = simulator.rows("e2", "--slots", 1024, "--trials", 3)
    walk = [row for row in preset if row["fill"] == "walk"]
    mine = simulator.rows("run", "--measure", "lookup", "--slots", 1024, "--trials", 3)
    same(mine, walk, ["load", "keys", "fills", "mean", "mean_ci", "p99", "p999",
                      ("max", "max_greatest"), "lines_mean", "left_over", "fills_left_over"])
    primary = simulator.rows("run", "--measure", "primary", "--slots", 1024, "--trials", 3)
    hits = [row for row in mine if row["lookup"] == "hit"]
    for row, hit in zip(primary, hits):  # one bucket compares 4 slots, two compare 8
        assert 8 - 4 * float(row["share"]) == pytest.approx(float(hit["mean"]), abs=1e-4)


def test_buckets_that_a_lookup_reads():
    """Buckets of one: as many are full as keys are stored, so a miss goes on with that chance."""
    words = ["run", "--measure", "lookup", "--candidates", 3, "--bucket", 1, "--slots", 300,
             "--load", "0.7", "--trials", 1, "--search", "complete"]
    hit, miss = simulator.rows(*words)
    full = int(hit["keys"]) - int(hit["left_over"])
    share = full / 300
    assert float(miss["buckets_mean"]) == pytest.approx(1 + share + share ** 2, abs=1e-6)
    assert float(hit["buckets_mean"]) == pytest.approx(float(hit["mean"]), abs=1e-4)
    distinct = simulator.rows(*words, "--positions", "distinct")[1]
    second = (full - 1) / 299
    assert float(distinct["buckets_mean"]) == pytest.approx(1 + share + share * second, abs=1e-6)
    hit, miss = simulator.rows(*words, "--layout", "split")
    assert miss["buckets_mean"] == miss["buckets_ci"] == "-" and float(hit["buckets_mean"]) > 1
    four = simulator.rows("run", "--measure", "lookup", "--slots", 1024, "--trials", 3)
    for row in four:
        if row["lookup"] == "hit":
            assert 4 * float(row["buckets_mean"]) == pytest.approx(float(row["mean"]), abs=1e-4)


def test_the_mean_of_the_loads():
    """Two fills: their mean, and Student's interval at one degree of freedom (t = 12.706)."""
    row = simulator.rows("run", "--slots", 1024, "--trials", 2)[0]
    low, high = float(row["least"]), float(row["greatest"])
    assert float(row["mean"]) == pytest.approx((low + high) / 2, abs=2e-6)
    assert float(row["mean_ci"]) == pytest.approx(12.7062 * (high - low) / 2, abs=2e-5)


@pytest.mark.parametrize("rule, search", [("psi-100", "walk-rr:100"), ("lsa-max-3", "lsa:3"),
                                          ("lsa-max-4", "lsa:4,left")])
def test_rules_by_their_search(rule, search):
    """A rule's name is its scheme and its search; by words it gives the same numbers."""
    shape = ["--candidates", 3, "--bucket", 1] if rule.startswith("psi") else []
    mine = simulator.rows("run", *shape, "--search", search, "--slots", 512, "--trials", 20)
    named = simulator.rows("run", "--rule", rule, "--slots", 512, "--trials", 20)
    same(mine, named, [name for name in mine[0] if name != "search"])


def test_e8_by_run():
    """Families and key sets: the draws without a placement, and those that the search missed."""
    words = {"interval": "interval", "progression": "progression:4096", "random": "random",
             "dense": None, "cube": "cube"}
    preset = simulator.rows("e8", "--slots", 2048, "--trials", 40, table="e8.families")
    checked = 0
    for row in preset[::3]:
        keyset = words[row["keyset"]]
        if row["keyset"] == "dense":
            keyset = "dense:%d" % (int(row["universe"]) // int(row["keys"]))
        family = row["family"] + (":fitted" if row["fitted"] == "1" else "")
        mine = simulator.rows("run", "--measure", "fail", "--candidates", 2, "--bucket", 1,
                              "--layout", "split", "--slots", row["slots"], "--keys", row["keys"],
                              "--keyset", keyset, "--hash", family, "--search", "original",
                              "--trials", 40)[0]
        assert mine["no_placement"] == row["no_placement"], row
        assert mine["gave_up"] == row["gave_up"], row
        checked += 1
    assert checked > 20


@pytest.mark.parametrize("rule", ["dpdk-8", "memc3-2", "redisbloom-4", "bght", "lsa-max-3",
                                  "libcuckoo"])
def test_a_rule_is_a_bundle(rule):
    row = simulator.rows("run", "--rule", rule, "--slots", "2^12", "--trials", 3)[0]
    assert row["search"] == rule and float(row["median"]) > 0.3
    other = simulator.rows("run", "--rule", rule, "--slots", "2^12", "--trials", 3,
                           "--search", "complete")[0]
    assert float(other["median"]) >= float(row["median"])
    assert (other["bucket"], other["derive"]) == (row["bucket"], row["derive"])
    wide = simulator.rows("run", "--rule", rule, "--slots", "2^12", "--trials", 3,
                          "--bucket", 2 * int(row["bucket"]))[0]
    assert int(wide["bucket"]) == 2 * int(row["bucket"])


def test_a_rule_keeps_its_limits_with_other_buckets():
    # 8 slots are less than one of bght's own buckets; 7 lg 8 evictions fill three in four of them
    row = simulator.rows("run", "--rule", "bght", "--bucket", 1, "--slots", 8, "--trials", 200)[0]
    walk = simulator.rows("run", "--search", "walk:21", "--candidates", 3, "--bucket", 1,
                          "--slots", 8, "--trials", 200)[0]
    assert abs(float(row["mean"]) - float(walk["mean"])) < 0.05


def test_expansion_counts_the_keys_of_a_file(tmp_path):
    (tmp_path / "keys").write_text("".join(f"{i}\n" for i in range(60)))
    row = simulator.rows("run", "--measure", "insert", "--expansion", "1.3", "--bucket", 1,
                         "--keyset", tmp_path / "keys", "--load", "0.5", "--trials", 2)[0]
    assert (row["slots"], row["insertions"]) == ("78", "78")


def test_bounds_stand_beside():
    words = ["--candidates", 3, "--bucket", 1, "--keys", 30, "--slots", 60]
    row = simulator.rows("run", "--measure", "fail", *words, "--search", "complete",
                         "--stash", 1, "--trials", 20000)
    bound = simulator.rows("bound", *words)[0]
    low, high = float(row[0]["proved_low"]), float(row[0]["proved_high"])
    assert -math.log2(high) == pytest.approx(float(bound["lower_bits"]), abs=0.01)
    assert -math.log2(low) == pytest.approx(float(bound["upper_bits"]), abs=0.01)
    assert low <= float(row[0]["high"]) and float(row[0]["low"]) <= high
    assert row[1]["proved_low"] == row[1]["proved_high"] == row[0]["exact"] == "-"


COSTS = ["--slots", 256, "--trials", 6, "--load", "0.5,0.9", "--hash", "multiply"]


@pytest.mark.parametrize("measure", ["insert", "lookup", "primary"])
def test_an_interval_is_the_file_of_its_numbers(measure, tmp_path):
    """Two ways to say the same keys give the same rows, and random keys give others."""
    path = tmp_path / "keys"
    path.write_text("".join("%d\n" % key for key in range(300)))
    words = ["run", "--measure", measure, *COSTS, "--keyset"]
    interval = simulator.rows(*words, "interval")
    assert interval == simulator.rows(*words, path)
    assert interval == simulator.rows(*words, "progression:1")
    assert interval != simulator.rows(*words, "random")


def test_a_set_is_drawn_anew_in_every_trial():
    """Under one family of weak functions dense sets differ from trial to trial."""
    rows = simulator.rows("run", "--measure", "insert", *COSTS, "--keyset", "dense:2")
    kicks = [row for row in rows if row["quantity"] == "kicks"][-1]
    assert float(kicks["mean_ci"]) > 0
    again = simulator.rows("run", "--measure", "insert", *COSTS, "--keyset", "dense:2",
                           "--threads", 3)
    assert rows == again


@pytest.mark.parametrize("keys, named", [("1\n2\n2\n3\n", "line 2 occurs 2 times"),
                                         ("1\n2\n3\n", "3 keys are less than the 230")])
def test_files_that_do_not_suit_the_loads(keys, named, tmp_path):
    path = tmp_path / "keys"
    path.write_text(keys)
    done = simulator.run("run", "--measure", "insert", *COSTS, "--keyset", path)
    assert done.returncode == 2 and named in done.stderr.decode()


@pytest.mark.parametrize("first, second", [(40, 20), (20, 40), (50, 10)])
def test_tables_of_two_sizes(first, second):
    """The exact law of unequal tables, at 5 sigma, for the search that finds every placement."""
    slots = "%d+%d" % (first, second)
    table = simulator.read_text(simulator.output(
        "run", "--measure", "fail", "--bucket", 1, "--keys", 20, "--slots", slots, "--search",
        "complete", "--trials", 20000))["run.fail"]
    row = table.rows[0]
    exact = simulator.rows("exact", "--keys", 20, "--slots", slots, "--stash", 0)[0]
    expected = float(exact["pr_overflow"])
    assert float(row["exact"]) == pytest.approx(expected, rel=1e-5)
    sigma = math.sqrt(expected * (1 - expected) / 20000)
    assert abs(int(row["failures"]) / 20000 - expected) < 5 * sigma
    assert row["layout"] == table.parameters["layout"] == "split:" + slots


def test_equal_parts_are_the_split_table():
    words = ["run", "--bucket", 1, "--trials", 3, "--format", "csv", "--slots"]
    assert simulator.output(*words, "500+500") == simulator.output(*words, 1000, "--layout",
                                                                   "split")


def test_tables_of_two_sizes_have_no_threshold_printed():
    row = simulator.rows("run", "--slots", "100+60", "--trials", 3)[0]
    assert row["threshold"] == row["distance"] == "-"


def test_defaults_are_printed_back():
    table = simulator.read_text(simulator.output("run", "--slots", 512, "--trials", 2))["run.fill"]
    assert table.parameters == {
        "measure": "fill", "seed": "1", "trials": "2", "candidates": "2", "bucket": "4",
        "layout": "one", "positions": "repeat", "slots": "512", "hash": "mixer",
        "derive": "independent", "search": "walk:500", "keyset": "random"}


def test_sizes_are_exact():
    def sizes(*words):
        row = simulator.rows("run", "--measure", "fail", "--trials", 1, "--bucket", 1, *words)[0]
        return int(row["slots"]), int(row["keys"])

    assert sizes("--slots", "2^12", "--load", "0.95") == (4096, 3891)
    assert sizes("--slots", 4000, "--load", "19/20") == (4000, 3800)
    assert sizes("--keys", 1000, "--expansion", "1.27") == (1270, 1000)
    assert sizes("--keys", 1001, "--slots", "1.27n") == (1272, 1001)  # 1271.27
    assert sizes("--keys", 900, "--load", "0.9") == (1000, 900)
    assert sizes("--keys", 900, "--load", "0.9", "--bucket", 3) == (1002, 900)
    assert sizes("--keys", 1001, "--expansion", 2, "--layout", "split") == (2002, 1001)
    assert sizes("--keys", 333, "--expansion", 1, "--layout", "split", "--candidates", 4) == (336, 333)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_until_failures_cuts_at_the_same_trial(threads):
    words = ["run", "--measure", "fail", "--candidates", 2, "--bucket", 1, "--layout", "split",
             "--slots", 200, "--keys", 90, "--search", "complete"]
    row = simulator.rows(*words, "--until-failures", 40, "--threads", threads)[0]
    assert row["failures"] == "40"
    trials = int(row["trials"])
    whole = simulator.rows(*words, "--trials", trials)[0]
    before = simulator.rows(*words, "--trials", trials - 1)[0]
    assert whole["failures"] == "40" and before["failures"] == "39"
    assert row["low"] == whole["low"] and row["high"] == before["high"]


def test_until_failures_respects_the_limit():
    row = simulator.rows("run", "--measure", "fail", "--slots", 512, "--load", "0.5",
                         "--until-failures", 5, "--trials", 300)[0]
    assert (row["trials"], row["failures"], row["proportion"], row["bits"]) == ("300", "0", "-", "-")
    assert float(row["high"]) == pytest.approx(1 - 0.025 ** (1 / 300), rel=1e-3)
    assert float(row["bits_low"]) == pytest.approx(-math.log2(float(row["high"])), abs=0.01)


@pytest.mark.parametrize("threads", [1, 4])
def test_until_width_looks_at_powers(threads):
    row = simulator.rows("run", "--measure", "fail", "--candidates", 2, "--bucket", 1,
                         "--slots", 200, "--keys", 90, "--search", "complete",
                         "--until-width", "0.03", "--threads", threads, "--trials", "1e6")[0]
    trials = int(row["trials"])
    assert trials >= 1024 and trials & (trials - 1) == 0
    assert float(row["high"]) - float(row["low"]) <= 0.03
    plain = simulator.rows("run", "--measure", "fail", "--candidates", 2, "--bucket", 1,
                           "--slots", 200, "--keys", 90, "--search", "complete",
                           "--trials", trials)[0]
    assert plain["failures"] == row["failures"]
    assert float(plain["high"]) < float(row["high"])  # several looks are paid for


def test_events_apart():
    """A walk of few kicks gives up where a placement exists: cases C28, C30."""
    row = simulator.rows("run", "--measure", "fail", "--candidates", 3, "--bucket", 1, "--keys", 500,
                         "--expansion", "1.15", "--search", "walk:20", "--trials", 300)[0]
    none, gave_up, failures = (int(row[c]) for c in ("no_placement", "gave_up", "failures"))
    assert failures == none + gave_up and gave_up > 0 and row["degenerate"] == "0"
    complete = simulator.rows("run", "--measure", "fail", "--candidates", 3, "--bucket", 1, "--keys",
                              500, "--expansion", "1.15", "--search", "complete", "--trials", 300)[0]
    assert complete["failures"] == complete["no_placement"] == row["no_placement"]


def key_file(path, keys):
    path.write_bytes(b"".join(key + b"\n" for key in keys))
    return path


def file_rows(path, *words):
    return simulator.rows("run", "--measure", "fail", "--keyset", path, "--trials", 50, *words)


def test_copies_are_told_apart(tmp_path):
    """Case C25: d k + 1 copies of a key never fit, and that is not bad luck."""
    keys = [b"key %d" % i for i in range(20)]
    words = ["--candidates", 2, "--bucket", 1, "--slots", 400, "--search", "complete"]
    two = file_rows(key_file(tmp_path / "two", keys + [b"key 3"]), *words)[0]
    assert two["degenerate"] == "0" and int(two["failures"]) < 10
    three = key_file(tmp_path / "three", keys + [b"key 3"] * 2)
    row = file_rows(three, *words)[0]
    assert (row["failures"], row["degenerate"], row["no_placement"]) == ("50", "50", "0")
    text = simulator.output("run", "--measure", "fail", "--keyset", three, "--trials", 5, *words)
    assert "the key of line 4 occurs 3 times and has 2 slots: 1 keys never fit" in text
    assert "keyset_most_copies=3" in text and "keyset_distinct=20" in text
    with_stash = file_rows(three, *words, "--stash", 1)
    assert with_stash[0]["degenerate"] == "50" and with_stash[1]["degenerate"] == "0"


GAMMA, MASK = 0x9e3779b97f4a7c15, 2**64 - 1


def mix(z):
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & MASK
    z = (z ^ z >> 27) * 0x94d049bb133111eb & MASK
    return z ^ z >> 31


def fold(line):
    """A line's bytes as a key, written down a second time: eight at a time, first byte lowest."""
    key = mix(len(line) + GAMMA & MASK)
    for i in range(0, len(line), 8):
        key = mix(key ^ int.from_bytes(line[i:i + 8], "little")) + GAMMA & MASK
    return mix(key)


def fingerprint_of(keys):
    value = mix(len(keys))
    for key in keys:
        value = mix(value ^ key) + GAMMA & MASK
    return "%016x" % value


KNOWN_BYTES = fingerprint_of([fold(line) for line in
                              (b"alpha", b"beta", b"a rather longer key", b"")])
KNOWN_DECIMAL = fingerprint_of([1, 2, 2**64 - 1])


def test_key_file_is_read_alike_everywhere(tmp_path):
    """Fixed fingerprints: of bytes, of numbers, and with CR LF and a last line without end."""
    def fingerprint(data):
        path = tmp_path / "keys"
        path.write_bytes(data)
        text = simulator.output("run", "--measure", "fail", "--keyset", path, "--trials", 1,
                                "--slots", 64)
        table = simulator.read_text(text)["run.fail"].parameters
        return table["keyset_read_as"], table["keyset_fingerprint"]

    numbers = fingerprint(b"1\n2\n18446744073709551615\n")
    assert numbers[0] == "decimal"
    assert numbers == fingerprint(b"1\r\n2\r\n18446744073709551615")
    assert fingerprint(b"1\n02\n3\n")[0] == "bytes"
    assert fingerprint(b"1\n18446744073709551616\n")[0] == "bytes"
    words = fingerprint(b"alpha\nbeta\na rather longer key\n\n")
    assert words == ("bytes", KNOWN_BYTES)
    assert numbers == ("decimal", KNOWN_DECIMAL)


def test_sweep_is_run_many_times():
    rows = simulator.rows("sweep", "--candidates", "2,3", "--bucket", "1:4", "--slots", 480,
                          "--trials", 3, "--search", "walk:50,bfs:200,4,complete")
    assert len(rows) == 2 * 4 * 3
    assert [row["search"] for row in rows[:3]] == ["walk:50", "bfs:200/4", "complete"]
    for row in rows[::5]:
        single = simulator.rows("run", "--candidates", row["candidates"], "--bucket", row["bucket"],
                                "--slots", 480, "--trials", 3,
                                "--search", row["search"])
        assert single == [row]


def test_sweep_of_loads():
    rows = simulator.rows("sweep", "--measure", "fail", "--load", "0.90:0.99:0.01", "--slots", 512,
                          "--trials", 20)
    assert [round(float(row["load"]), 2) for row in rows] == [
        round(0.9 + i / 100, 2) for i in range(10)]
    counts = [int(row["failures"]) for row in rows]
    assert counts[0] < 5 and counts[9] > 10


@pytest.mark.parametrize("words", [["--slots", "3"], ["--search", "original:5", "--candidates", "3"],
                                   ["--load", "0.9", "--slots", "64"]])
def test_sweep_and_run_refuse_in_their_own_names(words):
    for name in ("run", "sweep"):
        done = simulator.run(name, *words)
        assert done.returncode == 2
        assert done.stderr.decode().startswith("cuckoo_sim: %s: --" % name)


REFUSED = [
    ("run --load 0.9", "--load"),
    ("run --measure fail --load 0.9,0.95", "--load"),
    ("run --measure fail --load 0.12345678901", "--load"),
    ("run --measure fail --load -1", "--load"),
    ("run --measure fail --load 0", "--load"),
    ("run --search walk:x", "--search"),
    ("run --search dfs", "--search"),
    ("run --search bfs:0", "--search"),
    ("run --search original:5 --candidates 3", "--candidates 2"),
    ("run --search bubble-up --candidates 1 --bucket 1", "--candidates 1"),
    ("run --rule bubble-up-4 --candidates 1", "--candidates 1"),
    ("run --rule bubble-up-4 --bucket 4", "--bucket 1"),
    ("run --rule psi-100 --bucket 4", "--bucket 1"),
    ("run --rule jemalloc-ckh --candidates 1", "--candidates 1"),
    ("run --rule cuckoofilter --candidates 1 --derive independent", "--candidates 1"),
    ("run --rule libcuckoo --candidates 3 --derive independent", "--candidates 3"),
    ("run --rule rocksdb-2-5 --slots 300+340", "--slots 300+340"),
    ("run --candidates 17", "--candidates"),
    ("run --candidates 2,3", "--candidates"),
    ("run --bucket 65", "--bucket"),
    ("run --rule nobody", "--rule"),
    ("run --rule dpdk-8 --slots 4000", "power of two"),
    ("run --derive xor-hash:12 --slots 4000", "power of two"),
    ("run --derive xor-hash:99", "--derive"),
    ("run --derive dpdk --candidates 3", "--derive"),
    ("run --hash md5", "--hash"),
    ("run --hash double --layout split", "--hash"),
    ("run --hash poly1 --derive dpdk", "--hash"),
    ("run --measure fail --keyset cube --keys 28 --slots 99", "--keyset"),
    ("run --measure fail --keyset progression --keys 28 --slots 99", "--keyset"),
    ("run --keyset interval", "--measure but fill"),
    ("run --keyset cube --measure insert", "--measure fail"),
    ("run --slots 2+12", "--slots 2+12"),
    ("run --slots 100+60 --candidates 3", "--slots 100+60"),
    ("run --slots 100+60 --derive additive:8", "--derive"),
    ("run --slots 100+60 --rule dpdk-8", "--rule"),
    ("run --slots 1.27n", "--keys"),
    ("run --slots 1.27x", "--slots"),
    ("run --slots 1e3x", "--slots"),
    ("run --keys 100", "--keys"),
    ("run --measure fail --keys 10 --load 0.5 --slots 100", "--slots"),
    ("run --measure fail --stash 64", "--stash"),
    ("run --stash 1", "--measure fail"),
    ("run --until-failures 3", "--measure fail"),
    ("run --measure fail --until-failures 3 --until-width 0.1", "--until-width"),
    ("run --measure fail --until-width 2", "--until-width"),
    ("run --layout split --slots 1001", "--slots"),
    ("run --measure fail --keyset /does/not/exist", "--keyset"),
    ("run --measure all", "--measure"),
    ("run extra", "extra"),
    ("run --shard 1/2", "--output"),
    ("run --shard 3/2 --output x", "--shard"),
    ("run --shard 0/2 --output x", "--shard"),
    ("run --shard 1/2 --output x --format csv", "--format"),
    ("run --measure fail --shard 1/2 --output x --until-failures 3", "--shard"),
    ("sweep --bucket 4:2", "--bucket"),
    ("sweep --measure fail --load 0.9:0.99", "--load"),
    ("sweep --search walk:1,,walk:2", "--search"),
    ("sweep --seed 1:1000 --keys 5", "--seed"),
    ("merge", "FILE"),
    ("merge /does/not/exist", "/does/not/exist"),
]


@pytest.mark.parametrize("line,named", REFUSED)
def test_refusals(line, named, tmp_path):
    done = simulator.run(*line.split(), cwd=tmp_path)
    assert done.returncode in (1, 2) and done.stdout == b""
    assert done.returncode == 2 or "/does/not/exist" in line
    text = done.stderr.decode()
    assert text.count("\n") == 1 and named in text
    assert list(tmp_path.iterdir()) == []
