"""exact, threshold, bound and plan: the values that docs and users rely on, edges, refusals."""
import csv
import io
import json
import math

import pytest

import simulator

NAMES = ["threshold", "exact", "bound", "plan"]


def rows(*words):
    """Rows of the only table of a run, in csv: dicts of text."""
    return list(csv.DictReader(io.StringIO(simulator.output(*words, "--format", "csv"))))


def refused(*words):
    """The line that a refused command line gives."""
    done = simulator.run(*words)
    assert done.returncode == 2 and done.stdout == b"", (words, done.stdout)
    text = done.stderr.decode()
    assert text.count("\n") == 1 and text.startswith("cuckoo_sim: %s: " % words[0]), text
    return text


def column(table, name):
    return [float(row[name]) for row in table]


@pytest.mark.parametrize("name", NAMES)
def test_help_and_columns(name):
    text = simulator.output("help", name)
    assert "Example: cuckoo_sim %s" % name in text
    example = text.split("Example: cuckoo_sim ")[1].split("\n")[0].split()
    tables = simulator.read_text(simulator.output(*example))
    assert tables
    for table in tables.values():
        assert table.rows
        for word in table.columns:
            assert table.notes[word] in text


def test_exact_known_values():
    table = rows("exact", "--keys", "1000", "--slots", "2400", "--layout", "split")
    assert len(table) == 9 and table[0]["slots"] == "2400" and table[0]["m"] == "1200"
    assert column(table, "pr_at_least")[1] == pytest.approx(0.714524e-2, rel=1e-6)
    for s in range(8):
        assert table[s]["pr_overflow"] == table[s + 1]["pr_at_least"]
        bits = -math.log2(float(table[s]["pr_at_least"]))
        assert float(table[s]["bits"]) == pytest.approx(bits, abs=2e-5)
    assert sum(column(table, "pr_equal")) == pytest.approx(1.0, abs=1e-8)


def test_exact_layouts():
    repeat = rows("exact", "--keys", "5", "--slots", "4", "--stash", "2")
    assert column(repeat, "pr_equal")[1:] == pytest.approx([0.7651519775, 0.2288818359], rel=3e-8)
    assert repeat[0]["layout"] == "one" and repeat[0]["positions"] == "repeat"
    distinct = rows("exact", "--keys", "3", "--slots", "3", "--positions", "distinct", "--stash", "1")
    assert column(distinct, "pr_overflow")[0] == pytest.approx(1 / 9, rel=1e-7)
    unequal = rows("exact", "--keys", "40", "--slots", "60+20")
    assert unequal[0]["layout"] == "split" and unequal[0]["m"] == "60+20"
    assert unequal[0]["slots"] == "80"
    swapped = rows("exact", "--keys", "40", "--slots", "20+60")
    assert column(unequal, "pr_overflow") == pytest.approx(column(swapped, "pr_overflow"), rel=1e-7)
    equal = rows("exact", "--keys", "40", "--slots", "40+40")
    same = rows("exact", "--keys", "40", "--slots", "80", "--layout", "split")
    assert column(equal, "pr_equal") == column(same, "pr_equal")


def test_exact_edges_never_nan():
    for words in (["--keys", "0", "--slots", "7"], ["--keys", "9", "--slots", "1"],
                  ["--keys", "2^20", "--slots", "10"], ["--keys", "2^30", "--slots", "2^31"],
                  ["--keys", "2^21", "--slots", "2^21", "--stash", "32"]):
        for more in ([], ["--layout", "split", "--slots", "2^22"]):
            text = simulator.output("exact", *words, *more)
            assert "nan" not in text
    none = rows("exact", "--keys", "0", "--slots", "7", "--stash", "1")
    assert [row["bits"] for row in none] == ["0.00000", "inf"]
    lines = simulator.output("exact", "--keys", "0", "--slots", "7", "--format", "jsonl")
    assert json.loads(lines.splitlines()[1])["bits"] is None


def test_exact_survives_underflow():
    last = rows("exact", "--keys", "2^24", "--slots", "2^30", "--stash", "32")[-1]
    assert float(last["pr_overflow"]) == 0.0 and float(last["bits"]) > 1000


def test_threshold():
    table = rows("threshold", "--candidates", "2:4", "--bucket", "1,2")
    assert [(row["candidates"], row["bucket"]) for row in table] == [
        (str(d), str(k)) for d in (2, 3, 4) for k in (1, 2)]
    loads = [row["orientability"] for row in table]
    assert loads[0] == "0.5000000000" and loads[2] == "0.9179352767" and loads[4] == "0.9767701649"
    large = rows("threshold", "--candidates", "8", "--bucket", "16")[0]
    assert float(large["one_minus"]) == pytest.approx(6.376899e-38, rel=1e-6)


def test_bound():
    row = rows("bound", "--keys", "256", "--slots", "325", "--candidates", "4")[0]
    assert abs(float(row["lower_bits"]) - 43.4) < 0.05 and abs(float(row["upper_bits"]) - 43.4) < 0.05
    assert row["obstruction"] == "1" and row["converged"] == "yes"
    row = rows("bound", "--keys", "2^20", "--slots", "1331691", "--candidates", "3",
               "--positions", "distinct")[0]
    assert row["converged"] == "no" and float(row["lower_bits"]) == 0.0
    kinds = {kind: rows("bound", "--keys", "256", "--slots", "384", "--candidates", "3", *words)[0]
             for kind, words in {"repeat": [], "distinct": ["--positions", "distinct"],
                                 "split": ["--layout", "split"]}.items()}
    assert {kind: row["positions"] for kind, row in kinds.items()} == {k: k for k in kinds}
    assert kinds["split"]["m"] == "128"
    whole = rows("bound", "--keys", "10", "--slots", "23", "--candidates", "2", "--bucket", "4")[0]
    assert whole["slots"] == "20"


def test_plan_answers_what_is_missing():
    slots = rows("plan", "--keys", "2^20", "--fail", "2^-40")
    assert [row["stash"] for row in slots] == [str(s) for s in range(9)]
    for row in slots[1:4]:
        law = rows("exact", "--keys", "2^20", "--slots", row["slots"], "--stash", row["stash"])[-1]
        assert float(law["pr_overflow"]) <= 2**-40 * (1 + 1e-6)
        less = rows("exact", "--keys", "2^20", "--slots", int(row["slots"]) - 1,
                    "--stash", row["stash"])[-1]
        assert float(less["pr_overflow"]) > 2**-40 * (1 - 1e-6)
    stash = rows("plan", "--keys", "2^8", "--slots", "614", "--fail", "2^-40")[0]
    assert stash["asked"] == "stash" and stash["stash"] == "11"
    failure = rows("plan", "--keys", "2^8", "--slots", "614", "--stash", "11")[0]
    assert failure["asked"] == "failure" and failure["pr_overflow"] == stash["pr_overflow"]
    split = rows("plan", "--keys", "1000", "--fail", "0.001", "--stash", "1", "--layout", "split")[0]
    assert int(split["slots"]) % 2 == 0 and float(split["pr_overflow"]) <= 0.001
    hopeless = rows("plan", "--keys", "1000", "--slots", "100", "--fail", "0.5")[0]
    assert hopeless["stash"] == ""


def test_plan_bounds_are_no_answer():
    table = rows("plan", "--keys", "256", "--slots", "384", "--candidates", "3", "--fail", "2^-40")
    verdicts = {row["positions"]: row["verdict"] for row in table}
    assert verdicts == {"repeat": "excluded", "distinct": "proved", "split": "excluded"}
    assert 40 < float(table[1]["lower_bits"]) < float(table[1]["upper_bits"]) < 43
    text = simulator.output("plan", "--keys", "256", "--candidates", "3", "--fail", "2^-40")
    assert "not the answer" in text and "gives up" in text and "--measure fail" in text
    for row in rows("plan", "--keys", "256", "--candidates", "3", "--fail", "2^-40"):
        assert int(row["slots_threshold"]) == math.ceil(256 / 0.917935276658086)
        words = {"repeat": [], "distinct": ["--positions", "distinct"],
                 "split": ["--layout", "split"]}[row["positions"]]
        bound = rows("bound", "--keys", "256", "--slots", row["slots_proved"],
                     "--candidates", "3", *words)[0]
        assert float(bound["lower_bits"]) >= 40.0
        bound = rows("bound", "--keys", "256", "--slots", row["slots_excluded"],
                     "--candidates", "3", *words)[0]
        assert float(bound["upper_bits"]) <= 40.01


@pytest.mark.parametrize("words, says", [
    (["exact", "--keys", "5"], "--slots must be given"),
    (["exact", "--keys", "5", "--slots", "7", "--layout", "split"], "even number"),
    (["exact", "--keys", "5", "--slots", "1", "--positions", "distinct"], "at least 2"),
    (["exact", "--keys", "5", "--slots", "2^41"], "2^40"),
    (["exact", "--keys", "5", "--slots", "9", "--stash", "33"], "--stash 33"),
    (["exact", "--keys", "5", "--slots", "3+4", "--layout", "one"], "two tables"),
    (["threshold", "--candidates", "1"], "--candidates 1"),
    (["bound", "--keys", "5", "--slots", "9", "--candidates", "1"], "--candidates 1"),
    (["bound", "--keys", "5", "--slots", "10", "--candidates", "3", "--layout", "split"],
     "multiple of 3"),
    (["bound", "--keys", "5", "--slots", "3+4", "--candidates", "2"], "equal tables"),
    (["bound", "--keys", "5", "--slots", "2", "--candidates", "3", "--positions", "distinct"],
     "at least 3 buckets"),
    (["plan", "--keys", "5"], "--fail or --slots"),
    (["plan", "--keys", "5", "--slots", "9", "--stash", "1", "--fail", "0.5"], "two of them"),
    (["plan", "--keys", "5", "--stash", "1", "--fail", "0.5", "--candidates", "3"], "--stash 1"),
    (["plan", "--keys", "5", "--candidates", "2,3", "--fail", "0.5"], "one value"),
])
def test_refusals(words, says):
    assert says in refused(*words)
