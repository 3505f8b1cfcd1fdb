"""The bytes depend on the seed and the options, and on nothing else."""
import os

import pytest

import simulator

THREADED = [name for name in simulator.EXPERIMENTS if name != "e1"]


@pytest.mark.parametrize("threads", ["1", "2", "3", "7", "64"])
@pytest.mark.parametrize("name", THREADED)
def test_threads(name, threads):
    assert simulator.output(name, *simulator.REDUCED[name], "--threads", threads) == \
        simulator.reduced(name)


@pytest.mark.parametrize("threads", ["1", "3"])
def test_threads_of_all(threads):
    assert simulator.output("all", *simulator.REDUCED_ALL, "--threads", threads) == \
        simulator.output("all", *simulator.REDUCED_ALL)


@pytest.mark.parametrize("name", THREADED)
def test_surroundings(name, tmp_path):
    """Another folder, environment, memory budget, and an address space laid out anew."""
    surroundings = {"OMP_NUM_THREADS": "1", "OMP_DYNAMIC": "true", "MALLOC_PERTURB_": "165",
                    "TZ": "Asia/Tokyo", "HOME": "/nonexistent", "PATH": os.environ["PATH"]}
    done = simulator.run(name, *simulator.REDUCED[name], "--memory", "2^26", "--quiet",
                         env=surroundings, cwd=tmp_path)
    assert done.stdout.decode() == simulator.reduced(name)
    assert done.stderr == b""
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", THREADED)
def test_defaults_may_be_written_out(name):
    assert simulator.output(name, *simulator.REDUCED[name], "--seed", "1", "--format", "text") == \
        simulator.reduced(name)


@pytest.mark.parametrize("name", THREADED)
def test_seeds_differ(name):
    """Another seed changes values: all of them, with the same shape."""
    texts = {simulator.reduced(name)}
    for seed in ["0", "2", "3", "18446744073709551615"]:
        texts.add(simulator.reduced(name, "--seed", seed))
    assert len(texts) == 5


def test_seed_plus_index_is_not_the_seed():
    """Fill t of seed 1 is no fill of seed 2: the loads at the first failure, (2,4), complete
    search, as ordered lists, share no run of three."""
    def loads(seed):
        rows = simulator.read_text(simulator.output("e6", "--slots", "2^12", "--trials", "30",
                                                    "--seed", seed))["e6.fills"].rows
        return [row["keys"] for row in rows
                if (row["candidates"], row["bucket"], row["search"]) == ("2", "1", "complete")]

    first, second = loads("1"), loads("2")
    assert len(first) == len(second) == 30
    runs = {tuple(first[i:i + 3]) for i in range(28)}
    assert not any(tuple(second[i:i + 3]) in runs for i in range(28))


def test_more_trials_go_on_where_fewer_ended():
    """A trial depends on its number, not on how many there are."""
    def fills(trials):
        rows = simulator.read_text(simulator.output("e6", "--slots", "1024", "--trials",
                                                    trials))["e6.fills"].rows
        return {tuple(row.items()) for row in rows}

    assert fills("4") < fills("9")


def test_nothing_on_standard_error_where_it_is_no_terminal():
    for name in simulator.EXPERIMENTS:
        assert simulator.run(name, *simulator.REDUCED[name]).stderr == b""
