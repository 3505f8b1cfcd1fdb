"""How the Python tests call the program and read its tables.  Standard library only.

CUCKOO_SIM names the binary; without it, ./cuckoo_sim at the top of the project."""
import csv
import functools
import json
import os
import pathlib
import re
import subprocess

TOP = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.path.abspath(os.environ.get("CUCKOO_SIM") or TOP / "cuckoo_sim")
TIMEOUT = 300  # seconds; a test that needs it hangs

# A run of each experiment that takes well under a second and still fills every column.
REDUCED = {
    "e1": [],
    "e2": ["--slots", "1024", "--trials", "3"],
    "e3": ["--slots", "4096", "--trials", "3"],
    "e4": ["--slots", "400", "--trials", "2000"],
    "e5": ["--slots", "240", "--trials", "2000"],
    "e6": ["--slots", "1024", "--trials", "7"],
    "e7": ["--slots", "4096", "--trials", "3"],
}
REDUCED_ALL = ["--slots", "1024", "--trials", "3"]
EXPERIMENTS = sorted(REDUCED)


def run(*arguments, **keywords):
    """The finished process; stdout and stderr as bytes."""
    keywords.setdefault("stdout", subprocess.PIPE)
    keywords.setdefault("stderr", subprocess.PIPE)
    keywords.setdefault("stdin", subprocess.DEVNULL)
    words = [PROGRAM] + [str(word) for word in arguments]
    return subprocess.run(words, timeout=TIMEOUT, check=False, **keywords)


def output(*arguments):
    """Standard output of a run that must succeed, as text."""
    done = run(*arguments)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode("ascii")


@functools.lru_cache(maxsize=None)
def reduced(name, *more):
    """Output of an experiment's reduced run, kept for the whole session."""
    return output(name, *REDUCED[name], *more)


@functools.lru_cache(maxsize=None)
def subcommands():
    """Names of all subcommands, from `help`."""
    text = output("help")
    listed = text.split("subcommands:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in listed.splitlines()]


@functools.lru_cache(maxsize=None)
def options_of(name):
    """Long options that a subcommand takes, from its help."""
    return re.findall(r"^  --([a-z-]+) ", output("help", name), re.MULTILINE)


@functools.lru_cache(maxsize=None)
def all_options():
    """Long options of any subcommand."""
    return sorted({option for name in subcommands() for option in options_of(name)})


class Table:
    """Name, title, parameters, notes of the columns, header and rows (dicts of text)."""

    def __init__(self, name, title=None):
        self.name, self.title = name, title
        self.head, self.parameters, self.notes = [], {}, {}
        self.columns, self.rows = None, []

    def __iter__(self):
        return iter(self.rows)


def read_text(text):
    """Tables of the text format, by name.  Strict: what is not as documented raises."""
    lines = text.split("\n")
    assert re.fullmatch(r"# cuckoo_sim results, format \d+", lines[0])
    assert text.endswith("\n\n") and not text.endswith("\n\n\n")
    assert "\r" not in text and "\t" not in text
    tables = {}
    for block in text.rstrip("\n").split("\n\n")[1:]:
        table = None
        for line in block.split("\n"):
            assert line == line.rstrip()
            if table is None:
                name, title = re.fullmatch(r"# (\S+)  (.*\S)", line).groups()
                table = Table(name, title)
            elif line.startswith("# "):
                assert table.columns is None
                table.head.append(line[2:])
            elif table.columns is None:
                table.columns = line.split()
            else:
                values = line.split()
                assert len(values) == len(table.columns), line
                table.rows.append(dict(zip(table.columns, values)))
        for line in table.head:
            match = re.match(r"([a-z_]+)=(.*)", line)
            if match:
                table.parameters[match.group(1)] = match.group(2)
        for column, line in zip(table.columns, table.head[-len(table.columns):]):
            assert line.startswith(column + ": "), (table.name, line)
            table.notes[column] = line.split(": ", 1)[1]
        assert table.name not in tables
        tables[table.name] = table
    return tables


def read_csv(text):
    """Tables of the csv format, by name; values as the text format writes them."""
    tables, columns = {}, None
    for row in csv.reader(text.splitlines()):
        if row[0] == "table":
            columns = row[1:]
            continue
        table = tables.setdefault(row[0], Table(row[0]))
        assert table.columns in (None, columns)
        table.columns = columns
        assert len(row) == len(columns) + 1
        table.rows.append(dict(zip(columns, (value if value else "-" for value in row[1:]))))
    return tables


def read_jsonl(text):
    """Tables of the jsonl format, by name; numbers as written, null as None."""
    tables = {}
    for line in text.splitlines():
        row = json.loads(line, parse_int=str, parse_float=str)
        name = row.pop("table")
        table = tables.setdefault(name, Table(name))
        table.columns = table.columns or list(row)
        assert list(row) == table.columns
        table.rows.append(row)
    return tables


def rows(*arguments, table=None):
    """Rows of one table of a run (the only one, or the one named)."""
    tables = read_text(output(*arguments))
    return tables[table].rows if table else next(iter(tables.values())).rows
