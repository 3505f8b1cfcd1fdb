"""What can go wrong outside the program: readers that leave, disks that fill up, folders that
may not be written, files without an end, names that no line can hold."""
import contextlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time

import pytest

import simulator
from test_long_runs import SMALL, fnv, interrupt, resealed, start


def one_line(done, status=2):
    text = done.stderr.decode()
    assert done.returncode == status, text
    assert text.startswith("cuckoo_sim: ") and text.count("\n") == 1 and text[:-1].isprintable()
    return text


def test_a_closed_pipe_ends_the_run():
    """The reader leaves after the first line; the rest of `all` takes much longer than this."""
    process = start("all")
    began = time.monotonic()
    process.stdout.readline()
    process.stdout.close()
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 1
    assert stderr == b"cuckoo_sim: standard output: Broken pipe\n"
    full = simulator.TIMEOUT  # only a hang is an error: no test depends on a clock
    assert time.monotonic() - began < full


def test_a_closed_pipe_leaves_a_checkpoint(tmp_path):
    path = tmp_path / "checkpoint"
    words = ["all", *simulator.REDUCED_ALL, "--checkpoint", path, "--checkpoint-every", 1000]
    reading, writing = os.pipe()
    os.close(reading)
    done = simulator.run(*words, stdout=writing)
    os.close(writing)
    assert "Broken pipe" in one_line(done, 1)
    data = path.read_bytes()
    assert data.endswith(b"end %016x\n" % fnv(data[:data.rindex(b"end ")]))
    assert simulator.output(*words) == simulator.output("all", *simulator.REDUCED_ALL)


@pytest.mark.parametrize("measure", ["fill", "insert", "lookup"])
def test_a_signal_inside_a_long_trial(measure):
    """One trial of 2^26 slots takes many seconds; the signal is heeded inside it."""
    words = ["run", "--measure", measure, "--slots", "2^26", "--trials", 1, "--threads", 1,
             "--search", "walk:100"]
    words += ["--load", "0.9"] if measure != "fill" else []
    code, stdout, stderr = interrupt(start(*words), 1.0, signal.SIGTERM)
    assert code == 143 and stderr.count("\n") == 1 and "partial: stopped" in stdout


@pytest.mark.parametrize("measure", ["insert", "lookup", "primary"])
def test_loads_far_above_one(measure):
    for load in ("2", "67108863", "0.5,1.9,2"):
        done = simulator.run("run", "--measure", measure, "--slots", 64, "--load", load)
        assert "--load %s: loads below 2 are allowed" % load in one_line(done)
    simulator.output("run", "--measure", measure, "--slots", 64, "--load", "1.5", "--trials", 1)


def test_a_full_disk(tmp_path):
    """Where this user may mount: a file system of 64 kB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], check=False,
                      stderr=subprocess.DEVNULL).returncode != 0:
        pytest.skip("mounting is not allowed here")
    try:
        (disk / "old").write_bytes(b"as before\n" * 5000)
        for words in (["e6", "--slots", 1024, "--trials", 9, "--output", disk / "old"],
                      [*SMALL, "--trials", 10, "--checkpoint", disk / "new"]):
            if "--checkpoint" in words:
                (disk / "filler").write_bytes(b"x" * 12000)
            done = simulator.run(*words)
            assert "No space left on device" in one_line(done, 1)
            assert (disk / "old").read_bytes() == b"as before\n" * 5000
            assert sorted(file.name for file in disk.iterdir()) in (["old"], ["filler", "old"])
    finally:
        subprocess.run(["umount", disk], check=True)


@contextlib.contextmanager
def open_folder():
    """A folder that another user may enter (pytest's may not be)."""
    folder = pathlib.Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def as_nobody():
    return {"user": 65534, "group": 65534, "extra_groups": []} if os.getuid() == 0 else {}


@pytest.mark.parametrize("option", ["--output", "--checkpoint"])
def test_a_folder_that_may_not_be_written(option):
    with open_folder() as folder:
        program = shutil.copy(simulator.PROGRAM, folder / "program")
        old = folder / "old"
        simulator.output(*SMALL, "--trials", 10, option, old)
        before = old.read_bytes()
        folder.chmod(0o555)
        for path in (old, folder / "new"):
            done = subprocess.run([program, *map(str, SMALL), "--trials", "10", option, path],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                                  **as_nobody())
            assert "%s %s: Permission denied" % (option, path) in one_line(done, 1)
        assert sorted(file.name for file in folder.iterdir()) == ["old", "program"]
        assert old.read_bytes() == before
        folder.chmod(0o755)


def test_what_a_kill_left_is_used_up(tmp_path):
    """A temporary file of an earlier run, also one that may not be written by now."""
    path = tmp_path / "out"
    left = tmp_path / (".cuckoo_sim.%016x" % fnv(b"out"))
    for mode in (0o600, 0o644):
        left.write_text("half of an earlier file that is longer than the new one" * 1000)
        left.chmod(mode)
        simulator.output("e1", "--output", path)
        assert [file.name for file in tmp_path.iterdir()] == ["out"]
        assert path.read_text() == simulator.output("e1")
    left.symlink_to(tmp_path / "elsewhere")  # planted by somebody else: not followed
    assert "--output" in one_line(simulator.run("e1", "--output", path), 1)
    assert path.read_text() == simulator.output("e1") and not (tmp_path / "elsewhere").exists()


def test_two_runs_write_one_file(tmp_path):
    path = tmp_path / "out"
    one, other = simulator.output("e1"), simulator.output("e4", *simulator.REDUCED["e4"])
    for _ in range(20):
        both = [start("e1", "--output", path),
                start("e4", *simulator.REDUCED["e4"], "--output", path)]
        for process in both:
            _, stderr = process.communicate(timeout=60)
            assert process.returncode == 0, stderr
        assert path.read_text() in (one, other)
        assert [file.name for file in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("words", [
    ["a\nb"], ["help", "a\x1b[31m"], ["e4", "--seed", "\r1"], ["e4", "x\ny"], ["--version", "\n"],
    ["run", "--search", "walk:\t"], ["merge", "no\nfile"], ["e4", "--output", "no/such\n/file"]])
def test_a_refusal_is_one_line_whatever_the_value(words):
    done = simulator.run(*words)
    assert "\\x" in one_line(done, done.returncode or 2)


def test_a_name_that_no_line_can_hold(tmp_path):
    """The head of a table prints the file's name: as one line of ASCII."""
    keys = tmp_path / "a\nb\u00e9"
    keys.write_text("1\n2\n")
    text = simulator.output("run", "--measure", "fail", "--load", "0.5", "--trials", 2, "--keyset",
                            keys)
    text.encode("ascii")
    assert simulator.read_text(text)["run.fail"].parameters["keyset"].endswith("a?b??")


@pytest.mark.parametrize("content,said", [
    (b"x" * (2**20 + 1), "a line is too long; 1048576 bytes are allowed"),
    (b"1\n" * 40000, "the keys do not fit; the memory budget is 1 MiB"),
    (b"12345678\n" * 130000, "the keys do not fit"),
], ids=["line", "lines", "bytes"])
def test_keys_without_bound(content, said, tmp_path):
    path = tmp_path / "keys"
    path.write_bytes(content)
    done = simulator.run("run", "--measure", "fail", "--load", "0.5", "--keyset", path,
                         "--memory", "2^20")
    assert said in one_line(done)


def test_files_without_an_end():
    done = simulator.run("run", "--measure", "fail", "--load", "0.5", "--keyset", "/dev/zero")
    assert "a line is too long" in one_line(done)
    assert "no cuckoo_sim shard" in one_line(simulator.run("merge", "/dev/zero"))


@pytest.fixture(scope="module", name="shard")
def a_shard(tmp_path_factory):
    path = tmp_path_factory.mktemp("shard") / "shard"
    simulator.output(*SMALL, "--trials", 20, "--shard", "1/1", "--output", path)
    return path


@pytest.mark.parametrize("old,new", [
    # what the fuzzer found: an item without a name was freed twice
    ("argument trials 20", "argument"), ("setting trials 20", "setting"),
    ("argument keys 900", "argument"), ("setting keys 900", "setting"),
    # and what reading the code found: % at the end of a line, commands that write no shard,
    # numbers that ask for memory which the file does not fill
    ("argument trials 20", "argument trials 20%A"), ("command run", "command merge"),
    ("command run", "command e1"), ("section 0 20 20 20", "section 0 20 20 1000000000000"),
    ("section 0 20 20 20", "section 0 1000000000000 1000000000000 1000000000000"),
    ("section 0 20 20 20", "section 0 20 1000000000000 20"),
    ("section 0 20 20 20 0 ", "section 0 20 20 20 18446744073709551615 "),
])
def test_a_shard_with_a_right_checksum_and_wrong_words(old, new, shard, tmp_path):
    text = shard.read_text()
    assert text.count(old) == 1
    resealed(tmp_path / "shard", text.replace(old, new))
    one_line(simulator.run("merge", tmp_path / "shard"))


@pytest.mark.parametrize("field", [6, 7, 8])
def test_a_shard_that_asks_for_memory(field, shard, tmp_path):
    """Sums, maxima and rows that would take terabytes."""
    lines = shard.read_text().split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith("section "))
    words = lines[at].split(" ")
    for value in (2**63, 2**40, 2**32, 2**24):
        words[field + 1] = str(value)
        lines[at] = " ".join(words)
        resealed(tmp_path / "shard", "\n".join(lines))
        one_line(simulator.run("merge", tmp_path / "shard"))


def test_stops_at_random_moments_leave_the_output(tmp_path):
    """--output: the old file or the whole new one, whatever the signal and the moment."""
    path, chance = tmp_path / "out", random.Random(5)
    whole = simulator.output(*SMALL, "--trials", 2000).encode()
    for _ in range(40):
        path.write_bytes(b"as before\n")
        process = start(*SMALL, "--trials", 2000, "--output", path)
        time.sleep(chance.uniform(0, 0.05))
        process.send_signal(chance.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL]))
        process.communicate(timeout=60)
        assert path.read_bytes() in (b"as before\n", whole)


def test_long_trials_are_still_whole(tmp_path):
    """A run that is stopped inside trials goes on to the same bytes."""
    words = ["run", "--slots", "2^16", "--trials", 60, "--checkpoint", tmp_path / "checkpoint",
             "--threads", 2]
    for _ in range(3):
        interrupt(start(*words), 0.1)
    assert simulator.output(*words) == simulator.output("run", "--slots", "2^16", "--trials", 60)
