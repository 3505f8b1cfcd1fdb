"""The three formats carry the same values, in any locale, and as they are documented."""
import os
import re
import subprocess

import pytest

import simulator


def plain(value):
    """As jsonl would hold a value of the text format."""
    return None if value in ("-", "inf", "-inf") else value


@pytest.mark.parametrize("name", simulator.EXPERIMENTS)
def test_formats_agree_value_by_value(name):
    text = simulator.read_text(simulator.reduced(name))
    csv = simulator.read_csv(simulator.reduced(name, "--format", "csv"))
    jsonl = simulator.read_jsonl(simulator.reduced(name, "--format", "jsonl"))
    assert list(text) == list(csv) == list(jsonl)
    for table in text:
        assert text[table].rows
        assert text[table].columns == csv[table].columns == jsonl[table].columns
        assert text[table].rows == csv[table].rows
        assert [{k: plain(v) for k, v in row.items()} for row in text[table].rows] == \
            jsonl[table].rows


@pytest.mark.parametrize("name", simulator.EXPERIMENTS)
def test_numbers_are_numbers(name):
    """A column of the jsonl output holds numbers or words, never both."""
    for table in simulator.read_jsonl(simulator.reduced(name, "--format", "jsonl")).values():
        raw = [line for line in simulator.reduced(name, "--format", "jsonl").splitlines()
               if '"table":"%s"' % table.name in line]
        for column in table.columns:
            quoted = {'"%s":"' % column in line for line in raw
                      if '"%s":null' % column not in line}
            assert len(quoted) <= 1, (table.name, column)


@pytest.mark.parametrize("name", simulator.EXPERIMENTS)
def test_text_says_what_it_holds(name):
    for table in simulator.read_text(simulator.reduced(name)).values():
        assert table.name.split(".")[0] == name
        assert set(table.notes) == set(table.columns)
        assert all(re.fullmatch(r"[a-z][a-z0-9_]*", column) for column in table.columns)


@pytest.mark.parametrize("name", [name for name in simulator.EXPERIMENTS if name != "e1"])
def test_first_table_names_the_seed(name):
    tables = simulator.read_text(simulator.reduced(name))
    assert next(iter(tables.values())).parameters["seed"] == "1"
    tables = simulator.read_text(simulator.reduced(name, "--seed", "2^40"))
    assert next(iter(tables.values())).parameters["seed"] == str(2**40)


@pytest.mark.parametrize("name", simulator.EXPERIMENTS)
@pytest.mark.parametrize("form", ["text", "csv", "jsonl"])
def test_output_file_has_the_same_bytes(name, form, tmp_path):
    path = tmp_path / "out"
    done = simulator.run(name, *simulator.REDUCED[name], "--format", form, "--output", path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert path.read_bytes().decode() == simulator.reduced(name, "--format", form)
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]


def test_output_through_a_link(tmp_path):
    (tmp_path / "link").symlink_to("target")
    for _ in range(2):  # the target does not exist, then it does
        assert simulator.run("e1", "--output", tmp_path / "link").returncode == 0
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "target").read_text() == simulator.output("e1")


def test_output_to_a_device_and_a_pipe(tmp_path):
    done = simulator.run("e1", "--output", "/dev/stdout")
    assert done.stdout.decode() == simulator.output("e1")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        assert simulator.run("e1", "--output", pipe).returncode == 0
        assert reader.communicate()[0].decode() == simulator.output("e1")
    assert pipe.is_fifo()


def locales():
    """Locales that write a decimal comma, as far as they are installed."""
    try:
        listed = subprocess.run(["locale", "-a"], stdout=subprocess.PIPE, check=False).stdout
    except FileNotFoundError:
        return []
    return [name for name in listed.decode(errors="replace").split()
            if name.lower().startswith(("de_", "fr_", "nl_"))][:2]


@pytest.mark.parametrize("locale", locales() or ["de_DE.UTF-8"])
@pytest.mark.parametrize("name", ["e4", "e6"])
def test_locale_changes_nothing(name, locale):
    """Where de_DE is not installed this only shows that asking for it does no harm; that
    the program never asks for a locale is tested below."""
    done = simulator.run(name, *simulator.REDUCED[name], env={**os.environ, "LC_ALL": locale})
    assert done.stdout.decode() == simulator.reduced(name)


def test_program_never_sets_a_locale():
    for folder in ["src", "commands", "experiments"]:
        for path in (simulator.TOP / folder).glob("*.[ch]"):
            assert "setlocale" not in path.read_text(), path


def test_all_is_the_experiments_one_after_the_other():
    whole = simulator.output("all", *simulator.REDUCED_ALL)
    parts = []
    for name in simulator.EXPERIMENTS:
        words = simulator.REDUCED_ALL if name != "e1" else []
        parts.append(simulator.output(name, *words))
    version = parts[0].split("\n")[0] + "\n\n"
    assert whole == version + "".join(part[len(version):] for part in parts)


def test_text_is_what_awk_reads():
    """`awk '!/^#/ && NF'` leaves header and rows, nothing else."""
    lines = [line for line in simulator.reduced("e4").splitlines()
             if line and not line.startswith("#")]
    tables = simulator.read_text(simulator.reduced("e4"))
    assert len(lines) == sum(1 + len(table.rows) for table in tables.values())
