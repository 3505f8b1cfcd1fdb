"""Help is asked for and goes to standard output; it names every option and column."""
import re

import pytest

import simulator


def test_list_of_subcommands():
    assert simulator.subcommands()[:8] == simulator.EXPERIMENTS + ["all"]
    assert simulator.output("help") == simulator.output("--help") == simulator.output("-h")


@pytest.mark.parametrize("name", simulator.EXPERIMENTS + ["all"])
def test_help_of_a_subcommand(name):
    text = simulator.output("help", name)
    assert text.startswith("cuckoo_sim %s -- " % name)
    assert text == simulator.output(name, "--help") == simulator.output(name, "-h")
    for option in simulator.options_of(name):
        assert re.search(r"^  --%s .*\S" % option, text, re.MULTILINE)


@pytest.mark.parametrize("name", simulator.EXPERIMENTS)
def test_dictionary_of_columns(name):
    """Each table with its title, each column with the note that the output carries."""
    text = simulator.output("help", name)
    for table in simulator.read_text(simulator.reduced(name)).values():
        assert "%s  %s\n" % (table.name, table.title) in text
        for column in table.columns:
            pattern = r"^  %s +%s$" % (re.escape(column), re.escape(table.notes[column]))
            assert re.search(pattern, text, re.MULTILINE), column


@pytest.mark.parametrize("name", simulator.EXPERIMENTS + ["all"])
def test_every_option_of_the_help_is_taken(name, tmp_path):
    base = [] if name == "e1" else ["--slots", "1024", "--trials", "1"]
    values = {"format": ["csv"], "output": ["/dev/null"], "slots": ["1024"], "quiet": [],
              "threads": ["1"], "memory": ["2^28"], "progress": ["auto"], "dry-run": [],
              "checkpoint": [tmp_path / "checkpoint"],
              "checkpoint-every": ["2", "--checkpoint", tmp_path / "other"],
              "shard": ["1/2", "--output", tmp_path / "shard"]}
    for option in simulator.options_of(name):
        done = simulator.run(name, *base, "--" + option, *values.get(option, ["2"]))
        assert done.returncode == 0, done.stderr


def test_version():
    assert re.fullmatch(r"cuckoo_sim \d+\.\d+\.\d+\n", simulator.output("--version"))
