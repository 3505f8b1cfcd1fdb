#!/usr/bin/env python3
"""Mutated published/*.tsv, results.txt and results/eN.txt, as the scripts read them: a table
of verdicts or figures, or one line that says what is wrong.  Never a traceback, a hang or
memory without bound.

    tests/fuzz/fuzz_readers.py [--seconds N] [--seed N] [--corpus FOLDER] [ledger|results|figures...]

An input that breaks the promise is kept in build/fuzz/crash/ and named; exit status 1.
--corpus: the inputs of a folder once, no mutation (what `make check` does).  A case is a
folder's file TARGET-NAME: of a ledger the rows without the header, of results the text."""
import argparse
import contextlib
import io
import pathlib
import random
import resource
import signal
import sys
import tempfile
import time
import traceback

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP))
sys.dont_write_bytecode = True

from report import compare, figures, results as reader, selector  # noqa: E402
from report.ledger import COLUMNS  # noqa: E402

MOST_SECONDS = 20
MOST_BYTES = 3 << 30
WORDS = ["", "-", "nan", "inf", "-inf", "1e999", "0", "-1", "1e-999", "9" * 5000, "2^999999999",
         "2^-99999", "9**9**9**9", "0/0", "..", "1..2..3", "%", "50%%", "<", "<=x", "sNaN",
         "1e999999999", "None", "true", "later", "none", "exact", "digits", "rounded", "count",
         "proportion", "odds", "bound", "range", "maximum", "99999999999999999999", "0 fills",
         "value=", "value=a.b.c", "value=b.mean", "sample=mean", "[", "]", "=", "[=]", "[a]",
         ": ", " & ", " | ", "stored /dev/null | ", "stored .. | ", "#", "# x=1", "# a  b",
         "(" * 300, "-" * 3000 + "1", "value=" + "-" * 3000 + "1", "\0", "\r", "\x85", "\u2028",
         "\x1b[31m", "\udcff", "\u00e9"]


class Hang(BaseException):
    """Longer than MOST_SECONDS."""


def on_alarm(_signal, _frame):
    raise Hang()


class StoredAnswers(selector.Answers):
    """Commands answered from what they printed before; others are refused: what a command
    line of the program can do is fuzz_words.c's business."""
    kept = {}

    def _run(self, command):
        if command not in self.kept:
            raise reader.ResultsError(f"{command}: not run here")
        return self.kept[command]


def token(chance, text):
    """Another word in place of one, or a number that is nearly the same."""
    parts = text.split(" ")
    at = chance.randrange(len(parts))
    parts[at] = chance.choice(WORDS)
    return " ".join(parts)


def scramble(chance, text):
    if not text:
        return chance.choice(WORDS)
    at = chance.randrange(len(text))
    return chance.choice([
        lambda: text[:at] + text[at + 1:],
        lambda: text[:at] + chr(chance.choice([32, 9, 35, 48, 45, 46, 58, 61, 91, 93, 127, 233]))
        + text[at:],
        lambda: text[:at] + chance.choice(WORDS) + text[at:],
        lambda: token(chance, text),
        lambda: text[:at],
        lambda: chance.choice(WORDS),
    ])()


def mutate_ledger(chance, rows):
    """A few rows, some cells changed."""
    picked = [list(row) for row in chance.sample(rows, chance.randint(1, 4))]
    for _ in range(chance.randint(1, 3)):
        row = chance.choice(picked)
        at = chance.randrange(len(row)) if row else 0
        kind = chance.random()
        if kind < 0.85 and row:
            row[at] = scramble(chance, row[at])
        elif kind < 0.9 and row:
            del row[at]
        elif kind < 0.95:
            row[at:at] = [chance.choice(WORDS)]
        else:
            picked.append(list(row))
    return "\n".join("\t".join(row) for row in picked) + "\n"


def mutate_results(chance, text):
    lines = text.split("\n")
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(lines))
        kind = chance.random()
        if kind < 0.6:
            lines[at] = scramble(chance, lines[at])
        elif kind < 0.7:
            del lines[at:at + chance.randint(1, 30)]
        elif kind < 0.8:
            lines[at:at] = [lines[at]] * chance.randint(1, 3)
        elif kind < 0.9:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        else:
            del lines[at:]
        lines = lines or [""]
    return "\n".join(lines)


class Fuzzer:
    """The targets, each a function from a text to an exit status."""

    def __init__(self, folder):
        self.folder = folder
        self.results = (TOP / "results.txt").read_text(encoding="ascii")
        self.rows = []
        for path in sorted((TOP / "published").glob("*.tsv")):
            for line in path.read_text(encoding="utf-8").split("\n")[1:]:
                if line:
                    self.rows.append(line.split("\t"))
        (folder / "published").mkdir()
        sys.path.insert(0, str(TOP))
        import plot_results  # pylint: disable=import-outside-toplevel
        self.figures, self.beyond = plot_results.FIGURES, plot_results.BEYOND
        self.small = None
        compare.Answers = StoredAnswers
        self.warm()

    def warm(self):
        """What the unchanged ledger asks the program, once."""
        answers = selector.Answers(reader.read(TOP / "results.txt"), str(TOP / "cuckoo_sim"), TOP)
        commands = []
        for row in self.rows:
            with contextlib.suppress(Exception):
                commands += selector.Selector(row[COLUMNS.index("ours")]).commands()
        cheap = [c for c in dict.fromkeys(commands) if c.split()[0] in ("threshold", "exact")]
        answers.prepare(cheap[:40])
        StoredAnswers.kept = {command: found for command, found in answers.outputs.items()
                              if isinstance(found, reader.Results)}

    def ledger(self, text):
        path = self.folder / "published" / "rows.tsv"
        path.write_text("\t".join(COLUMNS) + "\n" + text, encoding="utf-8",
                        errors="surrogateescape", newline="")
        return compare.main([str(TOP / "results.txt"), "--published", str(path.parent),
                             "--ledger", str(self.folder / "ledger.tsv"),
                             "--committed", str(self.folder / "ledger.tsv")])

    def results_text(self, text):
        path = self.folder / "results.txt"
        path.write_text(text, encoding="utf-8", errors="surrogateescape", newline="")
        if self.small is None:
            self.small = self.folder / "small"
            self.small.mkdir()
            rows = [row for row in self.rows if row[COLUMNS.index("ours")][:2] in
                    ("e2", "e3", "e4", "e5", "e6", "e7", "e1")]
            (self.small / "rows.tsv").write_text(
                "\t".join(COLUMNS) + "\n" + "".join("\t".join(row) + "\n" for row in rows[::2]),
                encoding="utf-8")
        return compare.main([str(path), "--published", str(self.small),
                             "--ledger", str(self.folder / "ledger.tsv"),
                             "--committed", str(self.folder / "ledger.tsv")])

    def figure(self, text):
        """`text`: the figure's name, then the results."""
        name, _, text = text.partition("\n")
        if name not in self.figures and name not in self.beyond:
            return 0
        experiment = self.beyond[name][0] if name in self.beyond else "results"
        path = self.folder / (experiment + ".txt")
        path.write_text(text, encoding="utf-8", errors="surrogateescape", newline="")
        first = path if experiment == "results" else TOP / "results.txt"
        return figures.main("plot_results.py", "", self.figures, self.beyond,
                            arguments=[str(first), "--only", name, "--out",
                                       str(self.folder / "out"), "--beyond", str(self.folder)])

    def target(self, name):
        return {"ledger": self.ledger, "results": self.results_text, "figures": self.figure}[name]

    def invent(self, name, chance):
        if name == "ledger":
            return mutate_ledger(chance, self.rows)
        if name == "results":
            return mutate_results(chance, self.results)
        figure = chance.choice([*self.figures, *self.beyond])
        text = self.results if figure in self.figures else \
            (TOP / "results" / (self.beyond[figure][0] + ".txt")).read_text(encoding="ascii")
        return figure + "\n" + mutate_results(chance, text)

    def broken(self, name, text):
        """What is wrong with how the scripts take this text; None if nothing."""
        out, err = io.StringIO(), io.StringIO()
        signal.alarm(MOST_SECONDS)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = self.target(name)(text)
        except Hang:
            return "it hangs"
        except BaseException:  # pylint: disable=broad-except
            return traceback.format_exc()
        finally:
            signal.alarm(0)
        said = err.getvalue()
        if status not in (0, 1) or (status == 1) != bool(said):
            return f"exit status {status}, standard error: {said!r}"
        if said and (not said.endswith("\n") or not said[:-1].isprintable()):
            return f"not one line: {said!r}"
        return None


def main():
    parser = argparse.ArgumentParser(description="fuzzes the Python readers")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=pathlib.Path)
    parser.add_argument("targets", nargs="*", default=[])
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, on_alarm)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    bad = count = 0
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(pathlib.Path(folder))

        def attempt(name, text, label):
            problem = fuzzer.broken(name, text)
            if problem:
                print(f"{label}: {problem}", flush=True)
            return problem

        if options.corpus:
            for path in sorted(options.corpus.iterdir()):
                data = path.read_bytes().decode("utf-8", errors="surrogateescape")
                count += 1
                bad += bool(attempt(path.name.split("-")[0], data, path.name))
        seen = set()
        for name in options.targets or ([] if options.corpus else ["ledger", "results", "figures"]):
            chance, ends = random.Random(f"{name} {options.seed}"), time.monotonic() + options.seconds
            while time.monotonic() < ends:
                text = fuzzer.invent(name, chance)
                count += 1
                problem = fuzzer.broken(name, text)
                kind = problem and problem.strip().split("\n")[-3:]
                if not problem or str(kind)[:90] in seen:
                    bad += bool(problem)
                    continue
                seen.add(str(kind)[:90])
                bad += 1
                kept = TOP / "build" / "fuzz" / "crash" / f"{name}-{count}"
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_bytes(text.encode("utf-8", errors="surrogateescape"))
                print(f"{kept}: {problem}", flush=True)
    print(f"{count} inputs, {bad} broke the promise")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main())
