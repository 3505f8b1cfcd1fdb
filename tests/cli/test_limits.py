"""The limits that `help` states: what is just inside runs, what is just outside is refused in
one line; no key, one slot, one bucket, buckets larger than the table."""
import pytest

import simulator

FAIL = ["run", "--measure", "fail", "--trials", "50"]


def refused(*words):
    done = simulator.run(*words)
    line = done.stderr.decode()
    assert done.returncode in (1, 2) and done.stdout == b"", line
    assert line.startswith("cuckoo_sim: ") and line.count("\n") == 1, line
    assert "allowed" in line
    return line


def test_help_states_them():
    text = simulator.output("help")
    limits = text[text.index("Limits: "):]
    for word in ("16 candidates", "64 slots a bucket", "2^32-16 buckets", "2^32 slots",
                 "2^63-1 trials", "2^64-2", "No key, one slot and"):
        assert word in limits.replace("\n", " "), word


def row(*words):
    (only,) = simulator.rows(*words)
    return only


@pytest.mark.parametrize("layout", ["one", "split"])
@pytest.mark.parametrize("bucket", ["1", "4", "64"])
def test_no_key(layout, bucket):
    found = row(*FAIL, "--keys", "0", "--slots", "128", "--bucket", bucket, "--layout", layout)
    assert (found["keys"], found["failures"], found["trials"]) == ("0", "0", "50")


@pytest.mark.parametrize("search", ["complete", "walk:5", "bfs:100"])
def test_one_slot(search):
    """One key always has it, two never."""
    words = FAIL + ["--slots", "1", "--bucket", "1", "--search", search]
    assert row(*words, "--keys", "0")["failures"] == "0"
    assert row(*words, "--keys", "1")["failures"] == "0"
    assert row(*words, "--keys", "2")["failures"] == "50"
    fill = row("run", "--slots", "1", "--bucket", "1", "--trials", "3", "--search", search)
    assert float(fill["least"]) == float(fill["greatest"]) == 1.0


@pytest.mark.parametrize("search", ["complete", "walk:5", "bfs:100"])
@pytest.mark.parametrize("candidates", ["1", "2", "16"])
def test_one_bucket(search, candidates):
    """All candidates are the one bucket: it is filled to the last slot."""
    if candidates == "1" and search != "complete":
        return
    words = FAIL + ["--slots", "64", "--bucket", "64", "--candidates", candidates,
                    "--search", search]
    assert row(*words, "--keys", "64")["failures"] == "0"
    assert row(*words, "--keys", "65")["failures"] == "50"


@pytest.mark.parametrize("slots, bucket, layout", [
    ("3", "4", "one"), ("1", "2", "one"), ("63", "64", "one"), ("6", "4", "split"),
    ("1", "1", "split")])
def test_a_bucket_larger_than_the_table(slots, bucket, layout):
    for measure in ("fill", "fail", "insert", "lookup", "primary"):
        more = ["--keys", "1"] if measure == "fail" else []
        line = refused("run", "--measure", measure, "--slots", slots, "--bucket", bucket,
                       "--layout", layout, *more)
        assert "--slots " + slots in line


@pytest.mark.parametrize("words", [
    ["--candidates", "17"], ["--bucket", "65"], ["--slots", "2^32", "--bucket", "1"],
    ["--slots", "2^39", "--bucket", "64"], ["--trials", "9223372036854775808"],
    ["--trials", "2^63"], ["--slots", "2^54"]])
def test_just_outside(words):
    base = {"--slots": "128", "--bucket": "4", "--trials": "1"}
    base.update(zip(words[::2], words[1::2]))
    line = refused("run", *[word for pair in base.items() for word in pair])
    assert any(word in line for word in words)


def test_the_last_trials():
    """2^63-1 trials are taken: the stopping rule ends them, a shard far behind is a part."""
    words = ["run", "--measure", "fail", "--candidates", "2", "--bucket", "1", "--slots", "20",
             "--keys", "12"]
    few = row(*words, "--trials", "1e6", "--until-failures", "5")
    most = row(*words, "--trials", "9223372036854775807", "--until-failures", "5")
    assert few == most and int(few["failures"]) == 5


def test_many_slots_are_answered_or_refused_for_memory():
    line = refused("run", "--slots", "2^32", "--bucket", "4", "--trials", "1", "--memory", "2^20")
    assert "MiB" in line and "--memory" in line
    assert row("exact", "--keys", "2^31", "--slots", "2^33", "--stash", "0")["slots"] == \
        str(2 ** 33)


@pytest.mark.parametrize("measure", ["fill", "insert", "lookup", "primary"])
@pytest.mark.parametrize("trials", ["2^53", "2^61", "9223372036854775807"])
def test_values_a_trial_do_not_wrap(measure, trials):
    line = refused("run", "--measure", measure, "--slots", "64", "--trials", trials)
    assert "--trials" in line
