"""Experiments beyond e1 to e7: formats and numbers of threads agree, help names columns.  A
new experiment is asked here for a reduced run of its own."""
import functools
import re

import pytest

import simulator

REDUCED = {
    "e8": ["--slots", "512", "--trials", "2"],
    "e9": ["--slots", "64", "--trials", "2"],
    "e10": ["--slots", "512", "--trials", "2"],
    "e11": ["--slots", "1024", "--trials", "2"],
    "e12": ["--slots", "256", "--trials", "2"],
    "e13": ["--trials", "1"],
}
LATER = [name for name in simulator.subcommands()
         if re.fullmatch(r"e\d+", name) and name not in simulator.EXPERIMENTS]


@functools.lru_cache(maxsize=None)
def text(name):
    return simulator.read_text(simulator.output(name, *REDUCED[name], "--threads", "1"))


@pytest.mark.parametrize("name", LATER)
def test_formats_and_threads_agree(name):
    assert name in REDUCED, "give %s a reduced run in this file" % name
    csv = simulator.read_csv(simulator.output(name, *REDUCED[name], "--threads", "3", "--format",
                                              "csv"))
    assert {table: rows.rows for table, rows in text(name).items() if rows.rows} == \
        {table: rows.rows for table, rows in csv.items()}


@pytest.mark.parametrize("name", LATER)
def test_help_names_every_column(name):
    help_text = simulator.output("help", name)
    for table in text(name).values():
        assert "%s  %s\n" % (table.name, table.title) in help_text
        for column in table.columns:
            pattern = r"^  %s +%s$" % (re.escape(column), re.escape(table.notes[column]))
            assert re.search(pattern, help_text, re.MULTILINE), column


@pytest.mark.parametrize("name", LATER)
@pytest.mark.parametrize("words", [["--trials", "0"], ["--trials", "1e3x"], ["--slots", "2^70"],
                                   ["--threads", "-1"], ["--keys", "5"], ["--tirals", "5"]])
def test_refusals(name, words):
    done = simulator.run(name, *words)
    line = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert line.startswith("cuckoo_sim: %s: %s" % (name, words[0])) and line.count("\n") == 1
    assert "allowed" in line
