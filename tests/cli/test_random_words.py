"""Random command lines of known and unknown words: whatever they are, the program ends with
status 0, 1 or 2, and where it refuses there is one line on standard error and nothing else.
The words are drawn from a fixed seed."""
import random

import pytest

import simulator

VALUES = ["0", "1", "2", "3", "7", "16", "64", "100", "999", "2^10", "1e3", "1.5e1", "-1", "", "x",
          "1e3x", "2^70", "2^-40", "0.5", "1+1", "7+4", "2:4", "2,3", "4:2", "1:3:2", "text",
          "csv", "jsonl", "one", "split", "repeat", "distinct", "1/2", "2/2", "3/2", "0/0",
          "mix", "divmod", "auto", "json", "nan", "1e-12", "%s%n", "\u00fc", "--", "-"]
LINES = 60  # for each subcommand


def small(name):
    """Words that keep a run small, in front: what follows may replace them."""
    taken = simulator.options_of(name)
    return [word for option, value in (("trials", "2"), ("slots", "64"), ("threads", "2"))
            if option in taken for word in ("--" + option, value)]


def line(name, rng, folder):
    words = []
    for _ in range(rng.randrange(1, 5)):
        option = rng.choice(simulator.options_of(name) if rng.random() < 0.85 else
                            simulator.all_options())
        value = str(folder / "file") if option in ("output", "checkpoint") else rng.choice(VALUES)
        if option in ("quiet", "dry-run", "full"):
            words.append("--" + option)
        elif rng.random() < 0.3:
            words.append("--%s=%s" % (option, value))
        else:
            words += ["--" + option, value]
        if rng.random() < 0.05:
            words.append(rng.choice(VALUES))
    return small(name) + words


@pytest.mark.parametrize("name", [name for name in simulator.subcommands()
                                  if name in simulator.EXPERIMENTS + ["threshold", "exact", "bound",
                                                                      "plan", "trace"]])
def test_random_words(name, tmp_path):
    rng = random.Random("words of " + name)
    statuses = set()
    for _ in range(LINES):
        words = line(name, rng, tmp_path)
        done = simulator.run(name, *words)
        statuses.add(done.returncode)
        assert done.returncode in (0, 1, 2), (words, done)
        if done.returncode != 0:
            text = done.stderr.decode()
            assert done.stdout == b"", (words, done.stdout)
            assert text.startswith("cuckoo_sim: ") and text.count("\n") == 1, (words, text)
            assert text.endswith("\n")
        leftovers = [path.name for path in tmp_path.iterdir() if path.name != "file"]
        assert not leftovers, (words, leftovers)
        (tmp_path / "file").unlink(missing_ok=True)
    assert 2 in statuses
