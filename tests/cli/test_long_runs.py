"""Long runs: checkpoints that survive a kill at any moment, signals, progress for programs."""
import json
import random
import re
import shutil
import signal
import subprocess
import time

import pytest

import simulator

SMALL = ["run", "--measure", "fail", "--candidates", 2, "--bucket", 1, "--layout", "split",
         "--slots", 2000, "--keys", 900, "--search", "original:100", "--stash", 2]
LONG = SMALL + ["--trials", "1e9"]


def start(*arguments, **keywords):
    words = [simulator.PROGRAM] + [str(word) for word in arguments]
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, **keywords)


def interrupt(process, after=0.3, how=signal.SIGINT):
    time.sleep(after)
    process.send_signal(how)
    stdout, stderr = process.communicate(timeout=60)
    return process.returncode, stdout.decode(), stderr.decode()


def assert_whole(path):
    """The checkpoint, where there is one: the checksum at its end is that of the rest."""
    if path.exists():
        data = path.read_bytes()
        assert data.endswith(b"end %016x\n" % fnv(data[:data.rindex(b"end ")])), data[-200:]


def fnv(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return value


def kill_and_resume(words, rounds, longest, path, seed, signals=(signal.SIGKILL,)):
    """Kills until it ends by itself, at most `rounds` times, then lets it end.  The checkpoint
    is whole after each, and the last run leaves nothing beside it."""
    chance, kills = random.Random(seed), 0
    for _ in range(rounds):
        process = start(*words, "--checkpoint", path, "--checkpoint-every", 0,
                        "--threads", chance.choice([1, 2, 3]))
        try:
            stdout, stderr = process.communicate(timeout=chance.uniform(0, longest))
            assert process.returncode == 0, stderr
            path.unlink()  # done: the next round begins anew
            assert stdout.decode() == expected(tuple(words))
        except subprocess.TimeoutExpired:
            how = chance.choice(signals)
            process.send_signal(how)
            process.communicate(timeout=60)
            # 0: it was over; -how: the signal came before the program asked for it
            assert process.returncode in (0, -how, 128 + how)
            kills += 1
        assert_whole(path)
        assert len(list(path.parent.iterdir())) <= 2
    stdout = simulator.output(*words, "--checkpoint", path)
    assert stdout == expected(tuple(words))
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    return kills


_expected = {}


def expected(words):
    if words not in _expected:
        _expected[words] = simulator.output(*words)
    return _expected[words]


@pytest.mark.parametrize("signals", [[signal.SIGKILL], [signal.SIGINT, signal.SIGTERM],
                                     [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]],
                         ids=["kill", "stop", "any"])
def test_200_kills(signals, tmp_path):
    words = SMALL + ["--trials", 3000]
    assert kill_and_resume(words, 200, 0.06, tmp_path / "checkpoint", len(signals), signals) > 20


@pytest.mark.parametrize("name", ["e2", "e3", "e4", "e5", "e6", "e7", "all"])
def test_kills_of_presets(name, tmp_path):
    words = [name, *simulator.REDUCED.get(name, simulator.REDUCED_ALL)]
    kill_and_resume(words, 15, 0.1, tmp_path / "checkpoint", 2)


def test_what_a_kill_leaves_is_used(tmp_path):
    path = tmp_path / "checkpoint"
    process = start(*LONG, "--checkpoint", path, "--checkpoint-every", 0)
    time.sleep(0.5)
    process.kill()
    process.communicate()
    done = int(re.search(r"^section 0 (\d+)", path.read_text(), re.MULTILINE).group(1))
    assert done > 0
    process = start(*LONG, "--checkpoint", path, "--progress", "json")
    code, stdout, stderr = interrupt(process, 1.5)
    assert code == 130
    first = json.loads(stderr.splitlines()[0])
    assert first["done"] >= done


def test_resumed_by_another_number_of_threads(tmp_path):
    path = tmp_path / "checkpoint"
    code, _, _ = interrupt(start(*LONG, "--checkpoint", path, "--threads", 3), 0.4)
    assert code == 130
    code, stdout, stderr = interrupt(start(*LONG, "--checkpoint", path, "--threads", 1), 0.4)
    assert code == 130
    trials = int(re.search(r"stopped after (\d+) of 1000000000 trials of run", stderr).group(1))
    assert only_rows(stdout) == only_rows(simulator.output(*SMALL, "--trials", trials))


def only_rows(text):
    return [line for line in text.splitlines() if line and line[0] != "#"]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGUSR1])
def test_a_signal_prints_the_prefix(how):
    code, stdout, stderr = interrupt(start(*LONG), how=how)
    assert code == 128 + how
    assert stderr.count("\n") == 1
    trials = int(re.search(r"partial: stopped after (\d+) of 1000000000 trials", stdout).group(1))
    assert trials > 0
    assert only_rows(stdout) == only_rows(simulator.output(*SMALL, "--trials", trials))


def test_a_signal_leaves_the_file_untouched(tmp_path):
    path = tmp_path / "out"
    path.write_text("as before\n")
    code, stdout, stderr = interrupt(start(*LONG, "--output", path))
    assert code == 130 and stdout == "" and "out.partial" in stderr
    assert path.read_text() == "as before\n"
    assert "# partial: stopped after" in (tmp_path / "out.partial").read_text()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out", "out.partial"]


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_signal_in_the_other_formats(form):
    code, stdout, _ = interrupt(start(*LONG, "--format", form))
    read = simulator.read_csv if form == "csv" else simulator.read_jsonl
    assert code == 130 and len(read(stdout)["run.fail"].rows) == 3


@pytest.mark.parametrize("words", [["e4"], ["e6"], ["e7", "--trials", "400"], ["all"]], ids=" ".join)
def test_a_signal_in_a_preset(words):
    """Complete tables and rows stay; the last may have fewer trials, and the row says so."""
    code, stdout, _ = interrupt(start(*words), 1.0)
    assert code == 130
    assert "# partial: stopped" in stdout


def test_a_second_signal_quits_at_once():
    process = start("e3", "--slots", "2^25", "--trials", 4, "--threads", 1)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert time.monotonic() - began < 5  # a fill of this size takes longer


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    path = tmp_path_factory.mktemp("checkpoint") / "file"
    simulator.output(*SMALL, "--trials", 200, "--checkpoint", path)
    return path


@pytest.mark.parametrize("change,named", [
    (["--seed", 2], "--seed 1, here it is 2"),
    (["--keys", 901], "--keys 900, here it is 901"),
    (["--stash", 1], "--stash 2, here it is 1"),
    (["--search", "walk:100"], "--search original:100, here it is walk:100"),
    (["--layout", "one"], "--layout split, here it is one"),
    (["--trials", 201], "--trials 200, here it is 201"),
    (["--until-failures", 5], "--until-failures (none), here it is 5"),
])
def test_a_checkpoint_of_another_setting(checkpoint, change, named, tmp_path):
    path = shutil.copy(checkpoint, tmp_path / "copy")
    before = open(path, "rb").read()
    done = simulator.run(*SMALL, "--trials", 200, *change, "--checkpoint", path)
    assert done.returncode == 2 and named in done.stderr.decode()
    assert open(path, "rb").read() == before


def test_a_checkpoint_in_another_spelling(checkpoint, tmp_path):
    path = shutil.copy(checkpoint, tmp_path / "copy")
    done = simulator.run(*SMALL, "--trials", "2e2", "--keys", "0900", "--seed", 1,
                         "--checkpoint", path)
    assert done.returncode == 0, done.stderr


def test_a_checkpoint_of_another_command_or_version(checkpoint, tmp_path):
    path = shutil.copy(checkpoint, tmp_path / "copy")
    done = simulator.run("e4", "--trials", 200, "--slots", 2000, "--checkpoint", path)
    assert done.returncode == 2 and b"made by `run`, this is `e4`" in done.stderr
    text = checkpoint.read_text().replace("version ", "version 9.")
    resealed(tmp_path / "version", text)
    done = simulator.run(*SMALL, "--trials", 200, "--checkpoint", tmp_path / "version")
    assert done.returncode == 2 and b"made by version 9." in done.stderr


def resealed(path, text):
    """With the checksum that belongs to it: FNV-1a."""
    body = text[:text.rindex("end ")]
    path.write_text(body + "end %016x\n" % fnv(body.encode()))


def test_a_damaged_checkpoint(checkpoint, tmp_path):
    data = checkpoint.read_bytes()
    chance = random.Random(3)
    path = tmp_path / "bad"
    for _ in range(40):
        at = chance.randrange(len(data))
        path.write_bytes(chance.choice([
            data[:at], data[:at] + bytes([data[at] ^ 1]) + data[at + 1:], b"", data + data,
            data[:at] + data[at + 1:]]))
        done = simulator.run(*SMALL, "--trials", 200, "--checkpoint", path)
        assert done.returncode == 2 and done.stderr.count(b"\n") == 1, done.stderr
    hostile = data.decode().replace("section 0 200 200", "section 0 %d 200" % 2**63)
    resealed(path, hostile)
    assert simulator.run(*SMALL, "--trials", 200, "--checkpoint", path).returncode == 2


def test_checkpoint_does_not_depend_on_threads(tmp_path):
    texts = set()
    for threads in (1, 2, 5):
        path = tmp_path / str(threads)
        simulator.output(*SMALL, "--trials", 500, "--checkpoint", path, "--threads", threads)
        texts.add(path.read_text())
    assert len(texts) == 1


def test_a_checkpoint_that_cannot_be_written(tmp_path):
    for path in (tmp_path / "no" / "folder", tmp_path, "/dev/null"):
        done = simulator.run(*SMALL, "--trials", 10, "--checkpoint", path)
        assert done.returncode in (1, 2) and b"--checkpoint" in done.stderr


def test_progress_for_programs():
    done = simulator.run(*SMALL, "--trials", 5000, "--progress", "json")
    lines = [json.loads(line) for line in done.stderr.decode().splitlines()]
    assert lines[-1]["done"] == lines[-1]["total"] == 5000
    for line in lines:  # case C74
        assert 0 <= line["done"] <= line["total"]
        assert set(line) == {"label", "done", "total", "per_second", "seconds_left", "failures"}
    assert lines[-1]["failures"] == int(simulator.rows(*SMALL, "--trials", 5000)[2]["failures"])
    quiet = simulator.run(*SMALL, "--trials", 100, "--progress", "json", "--quiet")
    assert quiet.stderr == b""


def test_dry_run():
    done = simulator.run("run", "--measure", "fail", "--slots", "2^16", "--trials", "1e9",
                         "--dry-run", "--threads", 2)
    assert done.returncode == 0 and done.stdout == b""
    text = done.stderr.decode()
    assert re.search(r"run: 1000000000 trials, about \S+ s on 2 threads, \d+ MiB\n", text)
