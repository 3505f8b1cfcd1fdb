"""Every allocation and every write of small runs fails once (tests/faults/faulty.c): the run
ends with status 1 and one line, or it did not need what failed and its bytes are the right
ones.  Never a crash, a leak (the program is built with the address sanitizer), a wrong number,
a damaged file or one that nobody asked for.

FAULTS=all tries each call (`make faults`); else the first call from each place in the program,
for each run, once alone and once with all that follow."""
import os
import subprocess

import pytest

import simulator

FAULTY = simulator.TOP / "build" / "faults" / "faulty"
ALL = os.environ.get("FAULTS") == "all"
FAIL = ["run", "--measure", "fail", "--bucket", 1, "--slots", 64, "--keys", 28, "--search",
        "original:20", "--stash", 2, "--trials", 40]
RUNS = {
    "e1": ["e1"],
    "e2": ["e2", "--slots", 1024, "--trials", 2],
    "e3": ["e3", "--slots", 4096, "--trials", 2],
    "e4": ["e4", "--slots", 64, "--trials", 3],
    "e5": ["e5", "--slots", 240, "--trials", 3],
    "e6": ["e6", "--slots", 1024, "--trials", 2],
    "e7": ["e7", "--slots", 1024, "--trials", 2],
    "e8": ["e8", "--slots", 64, "--trials", 1],
    "e9": ["e9", "--slots", 64, "--trials", 1],
    "e10": ["e10", "--slots", 1024, "--trials", 1],
    "e11": ["e11", "--slots", 256, "--trials", 1],
    "e12": ["e12", "--trials", 1],
    "e13": ["e13", "--trials", 1],
    "threads": [*FAIL, "--threads", 2],
    "fail": [*FAIL, "--threads", 1, "--format", "csv"],
    "until": [*FAIL[:-2], "--until-failures", 5],
    "hyper": ["run", "--measure", "fail", "--candidates", 3, "--slots", 96, "--load", "0.9",
              "--trials", 4, "--search", "bfs"],
    "fill": ["run", "--slots", 256, "--trials", 3, "--format", "jsonl"],
    "fill-bfs": ["run", "--slots", 256, "--trials", 3, "--search", "bfs"],
    "fill-complete": ["run", "--slots", 256, "--trials", 3, "--search", "complete"],
    "insert": ["run", "--measure", "insert", "--slots", 256, "--trials", 2],
    "lookup": ["run", "--measure", "lookup", "--slots", 256, "--trials", 2],
    "rule": ["run", "--rule", "memc3-1", "--slots", 256, "--trials", 2],
    "keyset": ["run", "--measure", "fail", "--keyset", "{folder}/keys", "--load", "0.5",
               "--trials", 3],
    "sweep": ["sweep", "--measure", "fail", "--slots", 64, "--load", "0.5,0.6", "--trials", 3],
    "merge": ["merge", "{folder}/shard1", "{folder}/shard2"],
    "exact": ["exact", "--keys", 100, "--slots", 240, "--layout", "split", "--stash", 2],
    "bound": ["bound", "--keys", 16, "--slots", 24, "--candidates", 3],
    "plan": ["plan", "--keys", 64, "--fail", "2^-10"],
    "threshold": ["threshold", "--candidates", "2:3", "--bucket", "1,2"],
    "trace": ["trace", "--svg", "{folder}/file", 3, 1, 4, 15, 9, 26],
    "output": [*FAIL, "--output", "{folder}/file"],
    "checkpoint": [*FAIL, "--checkpoint", "{folder}/file", "--checkpoint-every", 0],
    "resumed": [*FAIL, "--checkpoint", "{folder}/old", "--checkpoint-every", 0],
    "shard": [*FAIL, "--shard", "1/2", "--output", "{folder}/file"],
    "help": ["help", "run"],
}
ONE_THREAD = ("e1", "fail", "merge", "exact", "bound", "plan", "threshold", "trace", "help")
RUNS_WITH_A_FAULT = [0]  # printed at the end, see conftest.py
OLD = b"what stood there before\n"
SLOW = ("e8", "e11", "e12", "e13")  # their later calls only by `make faults`, a call a place
EARLY = 400

pytestmark = pytest.mark.skipif(not FAULTY.exists(), reason="`make faulty-program` builds it")


def prepare(folder, name):
    """The files that the run reads, and an old one where it writes."""
    for file in folder.iterdir():
        file.unlink()
    if name == "keyset":
        (folder / "keys").write_text("".join("key %d\n" % i for i in range(30)))
    if name == "merge":
        for i in (1, 2):
            simulator.output(*FAIL, "--shard", "%d/2" % i, "--output", folder / ("shard%d" % i))
    if name == "resumed":
        half = simulator.output(*FAIL, "--checkpoint", folder / "old")
        assert half
    if name in ("trace", "output", "shard"):
        (folder / "file").write_bytes(OLD)


def start(folder, name, fault, stdout=subprocess.PIPE):
    RUNS_WITH_A_FAULT[0] += fault != ""
    words = [str(word).replace("{folder}", str(folder)) for word in RUNS[name]]
    if name != "threads":
        words += ["--threads", "1"] * (name not in ONE_THREAD)
    environment = {**os.environ, "FAULT": fault, "FAULT_COUNTS": str(folder / "counts"),
                   "OMP_NUM_THREADS": "2"}
    return subprocess.run([FAULTY, *words], stdout=stdout, stderr=subprocess.PIPE, check=False,
                          stdin=subprocess.DEVNULL, env=environment, timeout=120)


def files(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "counts"}


def is_checkpoint(data):
    """A whole one, whatever trials it holds: the last line is FNV-1a of all before it."""
    at = data.rfind(b"end ")
    value = 0xcbf29ce484222325
    for byte in data[:at]:
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return data.startswith(b"cuckoo_sim checkpoint") and data[at:] == b"end %016x\n" % value


def check(done, before, whole, folder, label):
    """`whole`: standard output and files of the run without a fault."""
    text = done.stderr.decode()
    assert done.returncode in (0, 1), (label, done.returncode, text)
    assert whole[0].startswith(done.stdout), (label, done.stdout[-300:])
    if done.returncode == 0:
        assert (done.stdout, files(folder), text) == (*whole, ""), label
    else:
        assert text.startswith("cuckoo_sim: ") and text.index("\n") == len(text) - 1, (label, text)
        for file, data in files(folder).items():
            assert data in (before.get(file), whole[1].get(file)) or is_checkpoint(data), \
                (label, file, data[:300])
        for file in before:
            assert (folder / file).exists(), (label, file)


def calls_of(folder, name):
    """(kind, call) to try, from what the run without a fault counted."""
    counted = [line.split() for line in (folder / "counts").read_text().splitlines()]
    if ALL and name not in SLOW:
        return [(kind, call) for kind, what, number in counted if what == "calls"
                for call in range(1, int(number) + 1)]
    return [(kind, int(number)) for kind, what, number in counted if what == "site"
            and (ALL or name not in SLOW or int(number) <= EARLY)]


@pytest.mark.parametrize("name", RUNS)
def test_each_call_fails_once(name, tmp_path):
    prepare(tmp_path, name)
    kept = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    done = start(tmp_path, name, "")
    assert done.returncode == 0 and done.stderr == b"", done.stderr.decode()
    whole = (done.stdout, files(tmp_path))
    for kind, call in calls_of(tmp_path, name):
        for more in ("",) if ALL and name not in SLOW else ("", "+"):
            for file in tmp_path.iterdir():
                file.unlink()
            for file, data in kept.items():
                (tmp_path / file).write_bytes(data)
            fault = "%s:%d%s" % (kind, call, more)
            check(start(tmp_path, name, fault), kept, whole, tmp_path, (name, fault))


@pytest.mark.parametrize("name", ["e1", "e4", "run", "help"])
def test_a_full_device(name):
    words = {"run": ["run", "--slots", 256, "--trials", 2], "help": ["help", "e4"],
             "e4": RUNS["e4"]}.get(name, [name])
    with open("/dev/full", "w") as full:
        done = simulator.run(*words, stdout=full)
    assert done.returncode == 1 and done.stderr.count(b"\n") == 1
    assert b"standard output: No space left" in done.stderr
