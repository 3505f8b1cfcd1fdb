"""Hold our numbers against the published ones: `python3 -m report.compare`.

Reads published/*.tsv, takes our values from results.txt, from the program's exact commands
and from stored runs, and computes every verdict:

  agrees          within both sides' error
  differs         outside it; then an explanation and a command that shows the evidence
                  must stand in the row, or the run fails
  not comparable  another setting, said which; or outside the error of trials that were only
                  assumed, where a sixteenth of them would explain it
  later           needs an experiment that is not there yet, said which
  lead            recalled and not seen in print: computed, never cited

The whole ledger goes to build/ledger.tsv and must equal the committed results/ledger.tsv
(`--bless` writes that one); a summary goes to standard output, its verdicts last.
"""

import argparse
import contextlib
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from report.figures import write_if_changed
from report.ledger import ASSUMED, COLUMNS, RECALLED, Entry, LedgerError, read as read_ledger
from report.results import SENSELESS, ResultsError, complain, read as read_results
from report.selector import Answers, Selector
from report.significance import holm
from report.verdicts import LEVEL, Judgement, chance_level, judge, whole

COMPUTED = ["our_value", "statistic", "p_value", "holm", "verdict", "from"]
FAMILY = 0.05           # chance of any false difference that survives Holm's correction
FEWER = 16              # assumed trials may have been so many times fewer
STORED = "stored"       # where a value is from, beside its verdict (docs/DESIGN.md)
VERDICTS = ("agrees", "differs", "not comparable", "later", "lead")


@dataclass
class Compared:
    """An entry with what was computed for it."""

    entry: Entry
    verdict: str
    judgement: Judgement = None
    level: float = 0.0
    holm: float = None
    origin: str = ""

    def cells(self):
        """The computed columns as text."""
        found = self.judgement
        return [found.shown if found else "", found.statistic if found else "",
                "" if found is None or found.p is None else f"{found.p:.3g}",
                "" if self.holm is None else f"{self.holm:.3g}", self.verdict, self.origin]


def _origin(selector):
    """Where our value stands: results.txt, a golden output of e8 to e13, what a command prints
    now, or a run too long for ./reproduce (results/full)."""
    if selector.stored():
        return STORED if any(path.startswith("results/full/") for path in selector.stored()) \
            else "beyond"
    return "command" if selector.commands() else "results"


def _explained_by_fewer_trials(entry, answer):
    """Whether a distance is within the error of a small part of the trials that were assumed."""
    if ASSUMED not in entry.trials:
        return False
    fewer = replace(entry, trials=f"{whole(entry.trials) // FEWER} {ASSUMED}")
    return judge(fewer, answer).agrees


def _verdict(entry, found, answer):
    if entry.confidence == RECALLED:
        return "lead"
    if entry.comparable == "no" or found.agrees is None:
        return "not comparable"
    if found.agrees:
        return "agrees"
    return "not comparable" if _explained_by_fewer_trials(entry, answer) else "differs"


def compare_entry(entry, answers):
    """The verdict of one entry."""
    if entry.ours in ("later", "none"):
        return Compared(entry, "later" if entry.ours == "later" else "not comparable")
    selector = Selector(entry.ours)
    answer = answers.answer(selector)
    found = judge(entry, answer)
    verdict = _verdict(entry, found, answer)
    if verdict == "not comparable" and not entry.explanation:
        raise LedgerError(f"an explanation must say what differs ({found.statistic})")
    level = chance_level(entry, found, answer) if verdict in ("agrees", "differs") else 0.0
    return Compared(entry, verdict, found, level, None, _origin(selector))


def parse_selector(entry):
    """The column `ours`; what is wrong with it names the row."""
    try:
        return Selector(entry.ours)
    except (LedgerError, *SENSELESS) as problem:
        raise LedgerError(f"{entry.file}: {entry.id}: ours: {problem}") from None


def compare(entries, answers):
    """All verdicts, with Holm's adjusted p-values over the rows that were tested."""
    selectors = [parse_selector(entry) for entry in entries
                 if entry.ours not in ("later", "none")]
    answers.prepare([command for selector in selectors for command in selector.commands()])
    compared = []
    for entry in entries:
        try:
            compared.append(compare_entry(entry, answers))
        except (LedgerError, ResultsError) as problem:
            raise LedgerError(f"{entry.file}: {entry.id}: {problem}") from None
        except SENSELESS as problem:
            raise LedgerError(f"{entry.file}: {entry.id}: cannot compare: {problem!r}") from None
    tested = [row for row in compared if row.verdict in ("agrees", "differs")
              and row.judgement.p is not None]
    for row, adjusted in zip(tested, holm([row.judgement.p for row in tested])):
        row.holm = adjusted
    return compared


def unexplained(compared):
    """The differences that nobody has explained with a command that shows the evidence."""
    return [row for row in compared if row.verdict == "differs"
            and not (row.entry.explanation and row.entry.evidence)]


def table(compared):
    """The full ledger as tab-separated text."""
    lines = ["\t".join(COLUMNS + COMPUTED)]
    for row in compared:
        source = [getattr(row.entry, column) for column in COLUMNS]
        lines.append("\t".join(source + row.cells()))
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Multiplicity:
    """What chance alone would do to so many comparisons."""

    tested: int
    below: int          # rows with a p-value below LEVEL
    expected: float     # differences to be expected by chance at most
    surviving: int      # rows whose Holm p-value is below FAMILY


def multiplicity(compared):
    tested = [row for row in compared if row.holm is not None]
    return Multiplicity(len(tested), sum(row.judgement.p < LEVEL for row in tested),
                        sum(row.level for row in compared),
                        sum(row.holm < FAMILY for row in tested))


def summary(compared):
    """The lines for standard output: the differences, then what they mean in number."""
    for row in compared:
        if row.verdict == "differs":
            p = "" if row.judgement.p is None else f", p = {row.judgement.p:.2g}"
            yield (f"differs: {row.entry.id}: published {row.entry.value}, ours "
                   f"{row.judgement.shown} ({row.judgement.statistic}{p})")
            yield "    " + (row.entry.explanation or "NO EXPLANATION")
            yield "    evidence: " + (row.entry.evidence or "NONE")
    chance = multiplicity(compared)
    yield (f"{chance.tested} tested at a level of {LEVEL:g} each: {chance.below} below it; at most "
           f"{chance.expected:.1f} differences are to be expected by chance (maxima of fills "
           f"included); {chance.surviving} survive Holm's correction at {FAMILY:g}")
    counts = Counter(row.verdict for row in compared)
    yield (f"{len(compared)} published numbers: "
           + ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS)
           + f"; {sum(row.origin == STORED for row in compared)} of them held against stored runs")


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="report.compare", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="?", default="results.txt",
                        help="the program's text output (default: results.txt)")
    parser.add_argument("--published", default="published", metavar="FOLDER")
    parser.add_argument("--program", default="./cuckoo_sim", metavar="FILE",
                        help="answers the exact and threshold rows (default: ./cuckoo_sim)")
    parser.add_argument("--ledger", default="build/ledger.tsv", metavar="FILE",
                        help="where the full ledger goes (default: build/ledger.tsv)")
    parser.add_argument("--committed", default="results/ledger.tsv", metavar="FILE",
                        help="what it must equal (default: results/ledger.tsv)")
    parser.add_argument("--bless", action="store_true", help="write the committed one")
    return parser.parse_args(arguments)


def write_ledgers(options, text):
    """Write the ledger; a message if the committed one is not the same."""
    committed = Path(options.committed)
    for path in [Path(options.ledger)] + ([committed] if options.bless else []):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_if_changed(path, text)
    if not committed.is_file():
        return f"{committed} is missing (make bless writes it)"
    if committed.read_text(encoding="utf-8") != text:
        return f"{committed} differs from {options.ledger} (make bless writes it)"
    return None


def main(arguments=None):
    """0 if every difference is explained and the committed ledger is up to date."""
    options = parse_arguments(arguments)
    try:
        answers = Answers(read_results(options.results), options.program)
        compared = compare(read_ledger(options.published), answers)
        stale = write_ledgers(options, table(compared))
    except (LedgerError, ResultsError) as problem:
        return complain("report.compare", problem)
    except OSError as problem:
        return complain("report.compare", f"{problem.filename}: {problem.strerror}")
    with contextlib.suppress(BrokenPipeError):      # `| head` has seen enough
        print("\n".join(summary(compared)), flush=True)
    missing = unexplained(compared)
    if missing:
        return complain("report.compare", f"{len(missing)} differences have no explanation with "
                        "evidence: " + " ".join(row.entry.id for row in missing))
    return complain("report.compare", stale) if stale else 0


if __name__ == "__main__":
    sys.exit(main())
