"""The one parser of the program's text output, format version 1 (docs/FORMAT.md).

Everything that reads results.txt goes through here, by table and column name, so that a
renamed column is one clear line and never a wrong picture.  Values stay text until they
are asked for as numbers: a digit that the program printed is never lost on the way.
"""

import re
import sys
from pathlib import Path

FORMAT_VERSION = 1
BEYOND = Path(__file__).resolve().parent.parent / "results"     # outputs of e8 and later
_FIRST_LINE = re.compile(r"# cuckoo_sim results, format (\d+)\s*$")
_TABLE_LINE = re.compile(r"# ([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*)  (\S.*)$")
_PARAMETER = re.compile(r"# ([A-Za-z][A-Za-z0-9_.-]*)=(.*)$")
_NOTHING = "-"
LONGEST_LINE = 600      # of what is said about a wrong input
# What a formula, a verdict or a picture meets in numbers that no run of the program prints.
SENSELESS = (ArithmeticError, LookupError, TypeError, ValueError, RecursionError, MemoryError)


class ResultsError(Exception):
    """What is wrong with a results file, in one line for the person who runs the script."""


def number(text):
    """The value as a float; `-` (no value there) is None and `inf` is infinity."""
    if text == _NOTHING:
        return None
    try:
        return float(text)
    except ValueError:
        raise ResultsError(f"'{text}' is not a number") from None


def same(text, wanted):
    """Whether a cell equals a filter's value: as text, or as numbers (0.9 finds 0.90)."""
    wanted = str(wanted)
    if text == wanted:
        return True
    try:
        return float(text) == float(wanted)
    except ValueError:
        return False


class Row(dict):
    """A line of a table: column name -> text, with the table's name for messages."""

    def __init__(self, table, cells):
        super().__init__(cells)
        self.table = table

    def text(self, column):
        if column not in self:
            raise ResultsError(f"table {self.table.name}: no column '{column}' (it has "
                               f"{' '.join(self.table.columns)})")
        return self[column]

    def number(self, column):
        try:
            return number(self.text(column))
        except ResultsError as problem:
            raise ResultsError(f"table {self.table.name}, column {column}: {problem}") from None

    def count(self, column):
        """An integer in full; a count of 2^60 would lose digits as a float."""
        try:
            return int(self.text(column))
        except ValueError:
            raise ResultsError(f"table {self.table.name}, column {column}: "
                               f"'{self[column]}' is not a count") from None


class Table:
    """One table: name, title, `parameters`, `notes`, `column_notes`, `columns`, `rows`."""

    def __init__(self, name, title):
        self.name, self.title = name, title
        self.parameters, self.notes, self.column_notes = {}, [], {}
        self.columns, self.rows = [], []

    def where(self, **filters):
        """The rows whose cells equal all filters, in the order of the file."""
        for column in filters:
            if column not in self.columns:
                raise ResultsError(f"table {self.name}: no column '{column}' (it has "
                                   f"{' '.join(self.columns)})")
        return [row for row in self.rows
                if all(same(row[column], value) for column, value in filters.items())]

    def one(self, **filters):
        """The single row that the filters leave; none or several is an error."""
        rows = self.where(**filters)
        if len(rows) != 1:
            asked = " ".join(f"{column}={value}" for column, value in filters.items())
            raise ResultsError(f"table {self.name}: {len(rows) or 'no'} rows with "
                               f"{asked or 'no filter'}, "
                               "one is needed")
        return rows[0]

    def distinct(self, column):
        """The different texts of a column, in the order of the file."""
        return list(dict.fromkeys(row.text(column) for row in self.rows))


class Results:
    """All tables of one file, by name."""

    def __init__(self, origin):
        self.origin, self.tables = origin, {}

    def __contains__(self, name):
        return name in self.tables

    def table(self, name):
        if name not in self.tables:
            raise ResultsError(f"{self.origin}: no table '{name}'")
        return self.tables[name]


def _split_head(table, comments):
    """Sort the `#` lines between title and header into parameters, columns and notes.

    Only now are the column names known, which tell `# column: note` from a note."""
    for line in comments:
        parameter = _PARAMETER.match(line)
        column, colon, note = line[2:].partition(": ")
        if colon and column in table.columns:
            table.column_notes[column] = note
        elif parameter:
            table.parameters[parameter.group(1)] = parameter.group(2)
        else:
            table.notes.append(line[2:])


def _parse_block(block, origin):
    """One table from its (line number, line) pairs."""
    first, line = block[0]
    title = _TABLE_LINE.match(line)
    if not title:
        raise ResultsError(f"{origin}:{first}: a table starts with '# name  title'")
    table = Table(title.group(1), title.group(2))
    head = [text for _, text in block[1:] if text.startswith("#")]
    body = [(place, text) for place, text in block[1:] if not text.startswith("#")]
    if not body:
        raise ResultsError(f"{origin}:{first}: table {table.name} has no header line")
    table.columns = body[0][1].split()
    if len(set(table.columns)) != len(table.columns):
        raise ResultsError(f"{origin}:{body[0][0]}: table {table.name} names a column twice")
    for place, text in body[1:]:
        cells = text.split()
        if len(cells) != len(table.columns):
            raise ResultsError(f"{origin}:{place}: table {table.name}: {len(cells)} values, "
                               f"{len(table.columns)} columns")
        table.rows.append(Row(table, zip(table.columns, cells)))
    _split_head(table, head)
    return table


def parse(text, origin="results"):
    """Results from the text that the program printed; `origin` names it in messages."""
    lines = text.split("\n")
    first = _FIRST_LINE.match(lines[0])
    if not first:
        raise ResultsError(f"{origin}: not a results file (the first line is not "
                           "'# cuckoo_sim results, format N')")
    if int(first.group(1)) != FORMAT_VERSION:
        raise ResultsError(f"{origin}: format {first.group(1)}, this reader knows only format "
                           f"{FORMAT_VERSION}")
    results = Results(origin)
    block = []
    for place, line in enumerate(lines[1:] + [""], start=2):
        if line.strip():
            block.append((place, line))
        elif block:
            table = _parse_block(block, origin)
            if table.name in results:
                raise ResultsError(f"{origin}: table {table.name} stands there twice")
            results.tables[table.name] = table
            block = []
    return results


def read(path):
    """Results from a file; what is wrong with it is one ResultsError."""
    try:
        return parse(Path(path).read_text(encoding="ascii"), str(path))
    except OSError as problem:
        raise ResultsError(f"{path}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise ResultsError(f"{path}: not a results file (it holds bytes that are not ASCII)") \
            from None


def read_beyond(experiment, folder=BEYOND):
    """Results of an experiment beyond the seven, from its file in results/."""
    return read(Path(folder) / f"{experiment}.txt")


def complain(program, problem):
    """One line on standard error, whatever the input held; returns the exit status of a
    failed run."""
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(problem))
    print(f"{program}: {text[:LONGEST_LINE]}", file=sys.stderr)
    return 1
