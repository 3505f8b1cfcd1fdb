"""Overlapping windows: run gives e6's rows, every measure takes them or says why not."""
import pytest

import simulator

WALZER = {"2": "0.964994923", "3": "0.994422754", "4": "0.998951593"}  # ICALP 2018, Table 1


def run(*words):
    return simulator.rows("run", *words)


def test_e6_by_run():
    preset = simulator.rows("e6", "--slots", 1024, "--trials", 7, table="e6.windows")
    layouts = ["window:2", "window:3", "window:4", "window:2/8"]
    assert ["window:" + row["window"] + ("/" + row["page"]).replace("/-", "")
            for row in preset] == layouts
    for layout, row in zip(layouts, preset):
        mine = run("--layout", layout, "--slots", 1024, "--trials", 7, "--search", "complete")[0]
        assert mine["layout"] == layout and mine["bucket"] == "1"
        for column in ("candidates", "slots", "threshold", "median", "median_low", "median_high",
                       "least", "greatest", "distance"):
            assert mine[column] == row[column], column


def test_thresholds_are_walzers():
    rows = simulator.rows("threshold", "--candidates", 2, "--layout", "window:2,window:3,window:4")
    for row in rows:
        assert f"{float(row['orientability']):.9f}" == WALZER[row["window"]]
        assert float(row["one_minus"]) == pytest.approx(1 - float(row["orientability"]), abs=6e-11)
    one = run("--layout", "window:3", "--slots", 64, "--trials", 2)[0]
    assert one["threshold"] == rows[1]["orientability"]


def test_pages_of_one_window_are_buckets():
    pages = simulator.rows("threshold", "--candidates", "2:4", "--layout", "window:4/4,window:2/2")
    buckets = simulator.rows("threshold", "--candidates", "2:4", "--bucket", "4,2")
    assert [(row["orientability"], row["one_minus"]) for row in pages] == [
        (row["orientability"], row["one_minus"]) for row in buckets]
    assert [row["page"] for row in pages[:2]] == ["4", "2"]
    sizes = run("--layout", "window:3/5", "--slots", 99, "--trials", 2)[0]
    assert sizes["slots"] == "95" and sizes["layout"] == "window:3/5"
    grown = run("--layout", "window:3/5", "--measure", "fail", "--keys", 91, "--expansion", 1,
                "--trials", 2)[0]
    assert grown["slots"] == "95"


def test_measured_at_the_threshold():
    """Fills end on both sides of the limit, and near it: which the equations do not know."""
    for length in ("2", "3", "4", "5", "2/8", "5/9"):
        row = run("--layout", f"window:{length}", "--slots", "2^16", "--trials", 9, "--search",
                  "complete")[0]
        limit = float(row["threshold"])
        assert float(row["least"]) <= limit <= float(row["greatest"])
        assert float(row["greatest"]) - float(row["least"]) < 1.2 * (1 - limit)**0.5 / 2**6


def test_every_measure():
    words = ["--layout", "window:3", "--slots", 4096, "--trials", 2]
    fail = run("--measure", "fail", "--search", "complete", "--load", 0.96, *words)[0]
    assert fail["failures"] == fail["no_placement"] == "0" and fail["exact"] == "-"
    assert fail["proved_low"] == fail["proved_high"] == "-"
    full = run("--measure", "fail", "--keys", 4097, *words)[0]
    assert int(full["no_placement"]) == 2
    insert = run("--measure", "insert", "--load", 0.9, *words)
    assert {row["quantity"] for row in insert} == {"kicks", "buckets_read", "slots_read",
                                                   "lines_written"}
    hit, miss = run("--measure", "lookup", "--load", 0.9, *words)
    assert 3 < float(hit["mean"]) < 6 and hit["max"] == "6" and miss["mean"] == "6.0000"
    # two windows of 3 that start anywhere: 1 + 2/8 lines each, nearly never a common one
    assert float(miss["lines_mean"]) == pytest.approx(2.5, abs=0.01)
    primary = run("--measure", "primary", "--load", 0.9, *words)[0]
    share = float(primary["share"])
    assert 0.5 < share < 1
    assert float(hit["mean"]) == pytest.approx(3 * share + 6 * (1 - share), abs=1e-3)


def test_other_hash_functions_and_keys():
    mixer = run("--layout", "window:2", "--slots", 999, "--trials", 9)
    other = run("--layout", "window:2", "--slots", 999, "--trials", 9, "--hash", "tabulation16")
    assert mixer[0]["threshold"] == other[0]["threshold"] and mixer[0]["median"] != other[0]["median"]
    keys = run("--layout", "window:2", "--measure", "fail", "--slots", 999, "--trials", 9,
               "--keyset", "interval", "--load", 0.8)
    assert keys[0]["keyset"] == "interval"


def test_sweep():
    rows = simulator.rows("sweep", "--layout", "one,window:2,window:4", "--bucket", 1, "--slots",
                          2048, "--trials", 3, "--search", "complete")
    assert [row["layout"] for row in rows] == ["one", "window:2", "window:4"]
    loads = [float(row["median"]) for row in rows]
    assert loads[0] < 0.7 < 0.94 < loads[1] < loads[2]


def test_pages_beyond_the_calculation_have_no_threshold():
    row = simulator.rows("run", "--layout", "window:2/300", "--slots", 600, "--trials", 2)[0]
    assert (row["threshold"], row["distance"]) == ("-", "-")


REFUSED = [
    ("run --layout window:3 --bucket 4", "--bucket 4"),
    ("run --layout window:3 --positions distinct", "--positions"),
    ("run --layout window:3 --candidates 1", "--candidates 1"),
    ("run --layout window:9", "16 slots"),
    ("run --layout window:3 --candidates 6", "16 slots"),
    ("run --layout window:3 --search original", "not windows"),
    ("run --layout window:3 --rule memc3-1", "--rule"),
    ("run --layout window:3 --derive xor-hash", "--derive"),
    ("run --layout window:3 --slots 2", "--slots 2"),
    ("run --layout window:3 --slots 10+10", "two tables"),
    ("run --layout window:1", "window:L"),
    ("run --layout window:", "window:L"),
    ("run --layout windows", "window:L"),
    ("run --layout window:4/3", "window:L"),
    ("run --layout window:4/", "window:L"),
    ("run --layout window:4/8 --slots 7", "the 8 slots of a page"),
    ("threshold --layout window:4/257", "256"),
    ("sweep --layout one,window:2 --bucket 4", "--layout window:2"),
    ("exact --keys 3 --slots 6 --layout window:2", "run, sweep and threshold"),
    ("bound --keys 3 --slots 6 --candidates 3 --layout window:2", "run, sweep and threshold"),
    ("plan --keys 3 --fail 0.1 --layout window:2", "run, sweep and threshold"),
    ("trace --layout window:2 1 2", "run, sweep and threshold"),
    ("threshold --layout one", "--layout one"),
    ("threshold --layout window:2,split", "--layout split"),
    ("threshold --layout window:2 --bucket 3", "--bucket"),
    ("threshold --candidates 1 --layout window:2", "--candidates 1"),
]


@pytest.mark.parametrize("line,named", REFUSED)
def test_refusals(line, named):
    done = simulator.run(*line.split())
    assert done.returncode == 2 and done.stdout == b""
    assert named in done.stderr.decode() and done.stderr.count(b"\n") == 1
