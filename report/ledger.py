"""The ledger's source rows: published/*.tsv, one published number a row.

What others published, where it was seen and how sure that is stands there; what we get and
whether it agrees is computed by report.compare and never typed.  published/README.md
explains the columns.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

COLUMNS = ("id source locator quantity setting value kind trials seen confidence ours comparable "
           "explanation evidence").split()
KINDS = {"exact", "digits", "rounded", "count", "proportion", "odds", "bound", "range", "maximum",
         "claim", "context"}
ASSUMED = "assumed"     # in `trials`: the source does not say how many
RECALLED = "recalled, not seen in print"
CONFIDENCES = {"seen", "second-hand", "not peer reviewed", RECALLED}


class LedgerError(Exception):
    """What is wrong with a source row, in one line that names it."""


@dataclass(frozen=True)
class Entry:
    """One published number; the fields are the columns of published/*.tsv."""

    id: str
    source: str
    locator: str
    quantity: str
    setting: str
    value: str
    kind: str
    trials: str
    seen: str
    confidence: str
    ours: str
    comparable: str
    explanation: str
    evidence: str
    file: str = ""


def check(entry):
    """Refuse what no verdict could be computed for, or what would read as a fact without one."""
    if entry.kind not in KINDS:
        raise LedgerError(f"{entry.file}: {entry.id}: kind '{entry.kind}' is not one of "
                          f"{' '.join(sorted(KINDS))}")
    if entry.confidence not in CONFIDENCES:
        raise LedgerError(f"{entry.file}: {entry.id}: confidence '{entry.confidence}' is unknown")
    if entry.comparable not in ("yes", "no"):
        raise LedgerError(f"{entry.file}: {entry.id}: comparable is yes or no")
    if entry.ours in ("later", "none") or entry.comparable == "no":
        if not entry.explanation:
            raise LedgerError(f"{entry.file}: {entry.id}: an explanation must say what it needs, "
                              "or what differs in the setting")
    if not all((entry.id, entry.source, entry.quantity, entry.value, entry.ours)):
        raise LedgerError(f"{entry.file}: {entry.id or '?'}: an empty column")


def read_file(path):
    """The entries of one file, in order."""
    with open(path, encoding="utf-8", newline="") as stream:
        rows = csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        header = next(rows, [])
        if header != COLUMNS:
            raise LedgerError(f"{path}: the first line must name the columns {' '.join(COLUMNS)}")
        entries = []
        for line, cells in enumerate(rows, start=2):
            if len(cells) != len(COLUMNS):
                raise LedgerError(f"{path}:{line}: {len(cells)} cells, {len(COLUMNS)} columns")
            entries.append(Entry(*cells, file=Path(path).stem))
    return entries


def read(folder):
    """All entries of published/*.tsv, file by file in the order of their names."""
    paths = sorted(Path(folder).glob("*.tsv"))
    if not paths:
        raise LedgerError(f"{folder}: no *.tsv file there")
    entries = []
    for path in paths:
        try:
            entries += read_file(path)
        except (UnicodeDecodeError, csv.Error) as problem:
            raise LedgerError(f"{path}: not tab-separated UTF-8 text: {problem}") from None
    seen = set()
    for entry in entries:
        check(entry)
        if entry.id in seen:
            raise LedgerError(f"{entry.file}: {entry.id}: the id stands there twice")
        seen.add(entry.id)
    return entries
