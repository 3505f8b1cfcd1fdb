"""What is refused, how, and that nothing is written: one line on standard error that names
the option, the value and what is allowed; exit 2 for misuse, 1 for a run that failed."""
import os
import re
import subprocess

import pytest

import simulator

TRIALS = ["0", "-1", "1e3x", "2^70", "", "abc", "1.5", "0x10", "1e400", "2^63", "1,2", " 5"]


def assert_refused(done, status, *words):
    """One line, nothing on standard output."""
    line = done.stderr.decode()
    assert done.returncode == status, line
    assert done.stdout in (None, b"")
    assert line.startswith("cuckoo_sim: ") and line.endswith("\n") and line.count("\n") == 1, line
    for word in words:
        assert word in line, (word, line)


def test_no_subcommand():
    assert_refused(simulator.run(), 2, "subcommand is needed", "help")


@pytest.mark.parametrize("name", ["e0", "e8x", "E4", "", "results", "-x", "--trials", "e4 "])
def test_unknown_subcommand(name):
    assert_refused(simulator.run(name), 2, "is no subcommand", "e1", "e7", "all")
    assert_refused(simulator.run("help", name), 2, "is no subcommand", "e1", "e7", "all")


@pytest.mark.parametrize("value", TRIALS)
def test_trials(value):
    assert_refused(simulator.run("e4", "--trials", value), 2, "e4", "--trials " + value,
                   "from 1 to 2^63-1 is allowed", "1000, 1e6 or 2^20")
    assert_refused(simulator.run("e4", "--trials=" + value), 2, "--trials " + value)


@pytest.mark.parametrize("option, value, allowed", [
    ("--seed", "-1", "from 0 to 2^64-1"),
    ("--seed", "2^64", "from 0 to 2^64-1"),
    ("--slots", "0", "from 1 to 2^53"),
    ("--slots", "2^70", "from 1 to 2^53"),
    ("--slots", "x", "from 1 to 2^53"),
    ("--threads", "0", "from 1 to 1024"),
    ("--threads", "1025", "from 1 to 1024"),
    ("--threads", "-2", "from 1 to 1024"),
    ("--memory", "5", "from 1048576"),
    ("--format", "xml", "text, csv, jsonl"),
    ("--format", "", "text, csv, jsonl"),
    ("--format", "Text", "text, csv, jsonl"),
    ("--output", "", "file"),
])
@pytest.mark.parametrize("name", ["e2", "e3", "e4", "e5", "e6", "e7", "all"])
def test_values(name, option, value, allowed):
    assert_refused(simulator.run(name, option, value), 2, name + ": ", option + " " + value,
                   allowed)


@pytest.mark.parametrize("name", simulator.EXPERIMENTS + ["all"])
def test_options_that_mean_nothing(name):
    """Every option of any other subcommand, and the refusal lists those that are taken."""
    taken = simulator.options_of(name)
    for option in simulator.all_options():
        if option in taken:
            continue
        done = simulator.run(name, "--" + option, "3")
        assert_refused(done, 2, name + ": --" + option + " is not known here",
                       *("--" + other for other in taken))


@pytest.mark.parametrize("words, named", [
    (["--tirals", "5"], "--tirals"),
    (["stray"], "stray"),
    (["--quiet", "stray"], "stray"),
    (["-x"], "-x"),
    (["--seed", "5", "-xyz"], "-x"),
    (["--seed"], "--seed"),
    (["--quiet=yes"], "--quiet=yes"),
    (["--", "stray"], "stray"),
])
def test_words_that_are_no_options(words, named):
    assert_refused(simulator.run("e1", *words), 2, "e1: " + named)


def allowed_slots(name):
    """(kind, least, multiple, most) as `help` states them."""
    text = simulator.run("help", name).stdout.decode()
    found = re.search(r"--slots M .*, a (number|multiple of (\d+)) from (\S+) to (\S+) \[", text)
    if found is None:
        return None
    return (found[0].split(", ")[-1].split(" [")[0], int(found[3]), int(found[2] or 1), found[4])


SIZED = [name for name in simulator.subcommands() if allowed_slots(name) is not None]


def test_every_experiment_with_slots_says_which():
    taking = [name for name in simulator.subcommands() if name[0] == "e" and name[1:].isdigit()
              and "--slots M" in simulator.run("help", name).stdout.decode()]
    assert len(taking) >= 11 and set(taking) | {"all"} == set(SIZED)


@pytest.mark.parametrize("name", SIZED)
def test_slots_beyond_the_range_are_refused_before_any_table(name):
    """The range is one for all rows of an experiment, and of all parts of `all`."""
    text, least, multiple, most = allowed_slots(name)
    wrong = [least - multiple, 2**52, (eval(most.replace("^", "**")) + multiple)]
    if multiple > 1:
        wrong.append(least + 1)
    for slots in wrong:
        if slots > 0:
            assert_refused(simulator.run(name, "--slots", str(slots), "--trials", "2"), 2,
                           name + ": --slots ", text + " is allowed")


# e12 takes half a minute whatever its slots; test_later_experiments.py runs it at its least
@pytest.mark.parametrize("name", [name for name in SIZED if name != "e12"])
def test_the_least_slots_of_the_range_are_answered(name):
    least = allowed_slots(name)[1]
    done = simulator.run(name, "--slots", str(least), "--trials", "2", "--quiet")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"nan" not in done.stdout


@pytest.mark.parametrize("words", [["--tri", "2"], ["--tri=2"], ["--slot", "64"], ["--quie"]])
def test_the_beginning_of_a_name_is_not_the_name(words):
    assert_refused(simulator.run("e6", *words), 2, "e6: " + words[0], "is not known here")


@pytest.mark.parametrize("words, named", [
    (["--measure", "insert", "--load", "0.9,0.8"], "--load 0.9,0.8: loads that go up"),
    (["--measure", "fail", "--load", "0.8,0.9"], "--load 0.8,0.9: one is allowed"),
    (["--measure", "fail", "--until-width", "3/2"], "--until-width 3/2: a width below 1"),
    (["--checkpoint-every", "3"], "--checkpoint-every 3: --checkpoint FILE is needed"),
    (["--measure", "fail", "--candidates", "2", "--bucket", "1", "--keys", "2^31"],
     "--slots 64 with 2147483648 keys: "),
])
def test_refusals_of_run_name_the_value(words, named):
    assert_refused(simulator.run("run", "--slots", "64", *words), 2, named)


@pytest.mark.parametrize("words", [["--slots", "1001"], ["--slots", "3"],
                                   ["--slots", "2^22", "--memory", "2^20"]])
def test_all_stops_at_a_refusal(words):
    """The experiments before it have been printed, the one that refuses leaves nothing."""
    done = simulator.run("all", *words, "--trials", "1")
    assert done.stdout.decode() in ("", simulator.output("e1"))
    assert_refused(subprocess.CompletedProcess([], done.returncode, b"", done.stderr), 2,
                   "--slots")


@pytest.mark.parametrize("name", ["e2", "e3", "e4", "e5", "e6", "e7"])
def test_tables_beyond_the_memory(name):
    done = simulator.run(name, "--slots", "2^22", "--memory", "2^20", "--trials", "1")
    assert_refused(done, 2, name, "MiB", "--slots", "--memory", "allowed")


@pytest.mark.parametrize("name", ["e2", "e6", "e7"])
def test_trials_beyond_the_memory(name):
    """A value is kept for each trial: too many trials are refused like too large a table."""
    done = simulator.run(name, "--slots", "1024", "--trials", "2^50")
    assert_refused(done, 2, "MiB", "--trials", "allowed")


@pytest.mark.parametrize("name", simulator.EXPERIMENTS)
def test_files_that_cannot_be_written(name, tmp_path):
    (tmp_path / "file").write_text("before")
    for path in [tmp_path / "none" / "a", tmp_path, tmp_path / "file" / "a", tmp_path / ("x" * 300)]:
        done = simulator.run(name, *simulator.REDUCED[name], "--output", path)
        assert_refused(done, 1, "--output", str(path)[:40])
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "before"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folder_without_rights(tmp_path):
    tmp_path.chmod(0o500)
    done = simulator.run("e1", "--output", tmp_path / "a")
    tmp_path.chmod(0o700)
    assert_refused(done, 1, "--output", "Permission denied")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("form", ["text", "csv", "jsonl"])
@pytest.mark.parametrize("name", simulator.EXPERIMENTS)
def test_full_disk(name, form):
    words = [name, *simulator.REDUCED[name], "--format", form]
    assert_refused(simulator.run(*words, "--output", "/dev/full"), 1, "--output /dev/full",
                   "No space left")
    with open("/dev/full", "wb") as full:
        assert_refused(simulator.run(*words, stdout=full), 1, "standard output", "No space left")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("words", [["help"], ["help", "e4"], ["--version"], ["e4", "--help"]])
def test_full_disk_under_help(words):
    with open("/dev/full", "wb") as full:
        assert_refused(simulator.run(*words, stdout=full), 1, "standard output", "No space left")


@pytest.mark.parametrize("words", [["e1"], ["e4", *simulator.REDUCED["e4"]], ["help"],
                                   ["all", *simulator.REDUCED_ALL]])
def test_closed_pipe(words):
    read, write = os.pipe()
    os.close(read)
    try:
        assert_refused(simulator.run(*words, stdout=write), 1, "standard output", "Broken pipe")
    finally:
        os.close(write)


def test_closed_standard_output():
    done = subprocess.run(["sh", "-c", 'exec "$0" e1 >&-', simulator.PROGRAM], check=False,
                          stderr=subprocess.PIPE, timeout=simulator.TIMEOUT)
    assert_refused(done, 1, "standard output")


def test_refusal_leaves_the_file_alone(tmp_path):
    kept = tmp_path / "kept"
    kept.write_text("before")
    assert_refused(simulator.run("e4", "--output", kept, "--trials", "0"), 2, "--trials 0")
    assert_refused(simulator.run("e4", "--slots", "2^22", "--memory", "2^20", "--output", kept), 2,
                   "MiB")
    assert_refused(simulator.run("all", "--slots", "1001", "--output", kept, "--trials", "1"), 2,
                   "--slots")
    assert kept.read_text() == "before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["kept"]
