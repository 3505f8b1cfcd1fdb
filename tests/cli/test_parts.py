"""A run in parts: shards and `merge`, and the ranks of an MPI job, give the whole run's bytes."""
import os
import re
import shutil
import signal
import subprocess
import time

import pytest

import simulator

FAIL = ["run", "--measure", "fail", "--candidates", "2", "--bucket", "1", "--layout", "split",
        "--slots", "600", "--keys", "280", "--search", "original:100", "--stash", "2"]
WHOLES = {
    "fail": FAIL + ["--trials", "500"],
    "fail-by-placing": ["run", "--measure", "fail", "--slots", "256", "--load", "0.95",
                        "--trials", "37"],
    "fill": ["run", "--slots", "512", "--trials", "10"],
    "insert": ["run", "--measure", "insert", "--slots", "512", "--trials", "5"],
    "lookup": ["run", "--measure", "lookup", "--slots", "512", "--trials", "2"],
    "sweep": ["sweep", "--bucket", "1:3", "--slots", "480", "--trials", "3"],
    "seed": ["run", "--slots", "512", "--trials", "3", "--seed", "12345"],
    "all": ["all"] + simulator.REDUCED_ALL,
}


def shards(words, count, folder):
    paths = [folder / ("part%d" % i) for i in range(1, count + 1)]
    for i, path in enumerate(paths, 1):
        assert simulator.output(*words, "--shard", "%d/%d" % (i, count), "--output", path) == ""
    return paths


@pytest.mark.parametrize("count", [1, 2, 3, 7])
@pytest.mark.parametrize("name", sorted(WHOLES))
def test_merge_gives_the_whole(name, count, tmp_path):
    words = WHOLES[name]
    paths = shards(words, count, tmp_path)
    for form in ("text", "csv", "jsonl"):
        assert simulator.output("merge", *reversed(paths), "--format", form) == \
            simulator.output(*words, "--format", form)


@pytest.mark.parametrize("words", [["e8", "--slots", 64, "--trials", 4], ["e13", "--trials", 3]])
def test_later_experiments_in_shards(words, tmp_path):
    paths = shards(words, 3, tmp_path)
    assert simulator.output("merge", *reversed(paths)) == simulator.output(*words)


def test_what_depends_on_all_trials_takes_no_shards():
    """e11 builds Bloom filters as large as the median of the cuckoo filters' items."""
    done = simulator.run("e11", "--shard", "1/2", "--output", "part")
    assert done.returncode == 2 and b"e11: --shard is not known here" in done.stderr


def test_merge_into_a_file(tmp_path):
    paths = shards(WHOLES["fill"], 2, tmp_path)
    assert simulator.output("merge", *paths, "--output", tmp_path / "out") == ""
    assert (tmp_path / "out").read_text() == simulator.output(*WHOLES["fill"])


def test_shards_of_a_key_file(tmp_path):
    keys = tmp_path / "keys"
    keys.write_text("".join("%d\n" % (i * i) for i in range(200)))
    words = ["run", "--measure", "fail", "--keyset", keys, "--slots", 220, "--trials", 40]
    paths = shards(words, 3, tmp_path)
    assert simulator.output("merge", *paths) == simulator.output(*words)
    keys.write_text("".join("%d\n" % (i * i + 1) for i in range(200)))
    done = simulator.run("merge", *paths)
    assert done.returncode == 2 and b"--keyset" in done.stderr


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    return shards(WHOLES["fail"], 3, tmp_path_factory.mktemp("three"))


def refused(*paths):
    done = simulator.run("merge", *paths)
    assert done.returncode in (1, 2) and done.stdout == b""
    assert done.stderr.count(b"\n") == 1
    return done.stderr.decode()


def test_missing_and_doubled_shards(three):
    one, two, last = three
    assert "shard 2 of 3 is missing" in refused(one, last)
    assert "shard 1 of 3 is missing" in refused(two, last)
    assert "shard 2 of 3 is missing" in refused(one)
    assert "shard 1 of 3 is there twice" in refused(one, two, last, one)
    assert "shard 1 of 3 is there twice" in refused(one, one, two)


def test_foreign_shards(three, tmp_path):
    one, two, last = three
    for change, named in ((["--seed", "2"], "--seed"), (["--trials", "499"], "--trials"),
                          (["--slots", "602"], "--slots"), (["--stash", "1"], "--stash")):
        path = tmp_path / "foreign"
        simulator.output(*WHOLES["fail"], *change, "--shard", "2/3", "--output", path)
        assert named in refused(one, path, last)
    simulator.output(*WHOLES["fill"], "--shard", "2/3", "--output", tmp_path / "other")
    assert "other: it was made with --" in refused(one, tmp_path / "other", last)
    simulator.output("e4", "--slots", 400, "--trials", 9, "--shard", "2/3",
                     "--output", tmp_path / "e4")
    assert "`e4`" in refused(one, tmp_path / "e4", last)
    simulator.output(*WHOLES["fail"], "--shard", "2/4", "--output", tmp_path / "four")
    assert "one of 4 shards" in refused(one, tmp_path / "four", last)


def test_damaged_shards(three, tmp_path):
    one, two, last = three
    bad = tmp_path / "bad"
    bad.write_bytes(two.read_bytes()[:-30])
    assert "damaged" in refused(one, bad, last)
    bad.write_bytes(two.read_bytes().replace(b"cells 0 ", b"cells 0 1", 1))
    assert "damaged" in refused(one, bad, last)
    bad.write_text("# cuckoo_sim results, format 1\n")
    assert "no cuckoo_sim shard" in refused(one, bad, last)


def test_an_escape_cut_short(three, tmp_path):
    """A %A without its second digit is no escape, and does not lead into the next line."""
    _, two, _ = three
    body = two.read_bytes()[:two.read_bytes().rindex(b"end ")]
    value = re.search(rb"^setting keyset (.*)$", body, re.M).group(0)
    body = body.replace(value, b"setting keyset /no%A")
    check = 0xcbf29ce484222325
    for byte in body:
        check = (check ^ byte) * 0x100000001b3 % 2 ** 64
    bad = tmp_path / "bad"
    end = two.read_bytes()[len(two.read_bytes()[:two.read_bytes().rindex(b"end ")]):]
    width = len(end.split()[1])
    bad.write_bytes(body + b"end %0*x\n" % (width, check))
    assert "/no%A" in refused(bad)


def test_a_shard_with_a_checkpoint(tmp_path):
    """A shard that is killed goes on where it was; an interrupted one writes nothing."""
    words = FAIL + ["--trials", "1e9", "--shard", "1/1000", "--checkpoint", tmp_path / "c",
                    "--output", tmp_path / "part"]
    process = subprocess.Popen([simulator.PROGRAM, *map(str, words)], stderr=subprocess.PIPE)
    time.sleep(0.4)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130 and b"goes on from --checkpoint" in stderr
    assert (tmp_path / "c").exists() and not (tmp_path / "part").exists()
    done = simulator.run(*[w if w != "1/1000" else "2/1000" for w in words])
    assert done.returncode == 2 and b"--shard 1/1000, here it is 2/1000" in done.stderr


@pytest.mark.skipif(not shutil.which("parallel"), reason="GNU parallel is not installed")
def test_gnu_parallel(tmp_path):
    line = " ".join(WHOLES["fail"])
    subprocess.run(["parallel", "--will-cite", "-j", "2",
                    "%s %s --shard {}/8 --output part{}" % (simulator.PROGRAM, line),
                    ":::", *map(str, range(1, 9))], cwd=tmp_path, check=True,
                   stdin=subprocess.DEVNULL, timeout=simulator.TIMEOUT)
    assert simulator.output("merge", *sorted(tmp_path.glob("part*"))) == \
        simulator.output(*WHOLES["fail"])


# --- ranks --------------------------------------------------------------------------------

MPI_PROGRAM = os.environ.get("CUCKOO_SIM_MPI") or str(simulator.TOP / "cuckoo_sim_mpi")
needs_mpi = pytest.mark.skipif(
    not (shutil.which("mpirun") and os.path.exists(MPI_PROGRAM)),
    reason="`make mpi` has not built cuckoo_sim_mpi, or there is no mpirun")


def mpirun(ranks, *words):
    """As root and with more ranks than cores Open MPI wants to be told; MPICH ignores it."""
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMPI_MCA_rmaps_base_oversubscribe="1",
                       OMPI_MCA_odls_base_sigkill_timeout="20")
    return subprocess.Popen(["mpirun", "-n", str(ranks), MPI_PROGRAM, *map(str, words)],
                            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)


def mpi_output(ranks, *words):
    process = mpirun(ranks, *words)
    stdout, stderr = process.communicate(timeout=simulator.TIMEOUT)
    assert process.returncode == 0, stderr.decode()
    return stdout.decode()


@needs_mpi
@pytest.mark.parametrize("name,ranks", [(name, 2) for name in sorted(WHOLES)] +
                         [("fail", 1), ("fail", 4), ("all", 3)])
def test_ranks_give_the_whole(name, ranks):
    assert mpi_output(ranks, *WHOLES[name], "--threads", 1) == simulator.output(*WHOLES[name])


@needs_mpi
@pytest.mark.parametrize("ranks", [3])
def test_ranks_stop_at_the_same_trial(ranks):
    words = FAIL + ["--until-failures", 25]
    assert mpi_output(ranks, *words, "--threads", 2) == simulator.output(*words)
    words = FAIL + ["--until-width", "0.01"]
    assert mpi_output(ranks, *words, "--threads", 1) == simulator.output(*words)


@needs_mpi
def test_ranks_and_a_checkpoint(tmp_path):
    """Ctrl-C under mpirun prints the prefix, and the checkpoint holds as much."""
    words = FAIL + ["--trials", "1e9", "--checkpoint", tmp_path / "c", "--checkpoint-every", 0]
    process = mpirun(2, *words, "--threads", 1)
    time.sleep(1.8)
    process.send_signal(signal.SIGINT)  # what Ctrl-C sends
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode != 0
    found = re.search(rb"stopped after (\d+) of", stdout)
    assert found, stderr
    trials = int(found.group(1))
    assert trials > 0
    rows = [line for line in stdout.decode().splitlines() if line and line[0] != "#"]
    plain = simulator.output(*FAIL, "--trials", trials)
    assert rows == [line for line in plain.splitlines() if line and line[0] != "#"]
    kept = int(re.search(r"^section 0 (\d+)", (tmp_path / "c").read_text(), re.M).group(1))
    assert kept == trials


@needs_mpi
def test_ranks_refuse_once():
    process = mpirun(3, "run", "--bucket", 99)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode != 0 and stdout == b""
    assert stderr.count(b"--bucket 99") == 1


@needs_mpi
def test_ranks_and_a_file(tmp_path):
    assert mpi_output(3, *WHOLES["fill"], "--output", tmp_path / "out") == ""
    assert (tmp_path / "out").read_text() == simulator.output(*WHOLES["fill"])
    process = mpirun(3, *WHOLES["fill"], "--output", "/does/not/exist")
    _, stderr = process.communicate(timeout=60)
    assert process.returncode != 0 and stderr.count(b"/does/not/exist") == 1


# --- job scripts --------------------------------------------------------------------------

JOBS = simulator.TOP / "docs" / "jobs"
JOB_RUN = ["run", "--measure", "fail", "--candidates", 2, "--bucket", 1, "--layout", "split",
           "--slots", 2000, "--keys", 900, "--search", "complete", "--trials", 300]


@pytest.fixture
def job_folder(tmp_path):
    (tmp_path / "cuckoo_sim").symlink_to(simulator.PROGRAM)
    return tmp_path


@pytest.mark.skipif(not shutil.which("parallel"), reason="GNU parallel is not installed")
def test_job_of_parallel(job_folder):
    subprocess.run([JOBS / "parallel.sh"], cwd=job_folder, check=True, stdin=subprocess.DEVNULL,
                   env=dict(os.environ, SHARDS="4", TRIALS="300"), timeout=simulator.TIMEOUT)
    assert (job_folder / "result.txt").read_text() == simulator.output(*JOB_RUN)


def test_job_of_slurm(job_folder):
    """The script as Slurm would run it, task by task."""
    for task in range(1, 4):
        subprocess.run(["sh", JOBS / "array.slurm"], cwd=job_folder, check=True,
                       stdin=subprocess.DEVNULL, timeout=simulator.TIMEOUT,
                       env=dict(os.environ, SHARDS="3", TRIALS="300",
                                SLURM_ARRAY_TASK_ID=str(task)))
    assert simulator.output("merge", *sorted((job_folder / "parts").glob("part.*"))) == \
        simulator.output(*JOB_RUN)
    subprocess.run(["sh", "-n", JOBS / "mpi.slurm"], check=True)


def test_job_of_slurm_when_the_time_is_up(job_folder):
    """USR1 before the limit: the task is requeued and goes on from its checkpoint."""
    (job_folder / "scontrol").write_text("#!/bin/sh\necho \"$@\" >> requeued\n")
    (job_folder / "scontrol").chmod(0o755)
    process = subprocess.Popen(
        ["sh", JOBS / "array.slurm"], cwd=job_folder, stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=dict(os.environ, SHARDS="2", TRIALS="1e9", SLURM_ARRAY_TASK_ID="1", SLURM_JOB_ID="77",
                 PATH="%s:%s" % (job_folder, os.environ["PATH"])))
    time.sleep(1)
    process.send_signal(signal.SIGUSR1)
    process.communicate(timeout=60)
    assert process.returncode == 138
    assert (job_folder / "requeued").read_text() == "requeue 77\n"
    assert (job_folder / "parts" / "checkpoint.1").exists()
    assert not (job_folder / "parts" / "part.1").exists()


@pytest.mark.skipif(not shutil.which("snakemake"), reason="snakemake is not installed")
def test_job_of_snakemake(job_folder):
    subprocess.run(["snakemake", "--snakefile", JOBS / "Snakefile", "--cores", "2", "--config",
                    "shards=3", "trials=300"], cwd=job_folder, check=True,
                   stdin=subprocess.DEVNULL, timeout=simulator.TIMEOUT)
    assert (job_folder / "result.txt").read_text() == simulator.output(*JOB_RUN)
