"""The verdicts: each kind on both sides of its limit, and broken numbers that must show."""
import csv
import dataclasses
import math
import re
import subprocess
import sys

import pytest

from report import compare, ledger
from report.ledger import Entry, LedgerError
from report.results import parse
from report.selector import Answers, Selector
from report.verdicts import judge, published
from simulator import PROGRAM, TOP


def entry(kind, value, trials="", **more):
    fields = {name: "x" for name in ledger.COLUMNS}
    fields.update(kind=kind, value=value, trials=trials, confidence="seen", comparable="yes",
                  explanation="", evidence="", ours="none", **more)
    return Entry(**fields)


@pytest.mark.parametrize("kind, value, trials, answer, agrees", [
    ("exact", "3", "", {"value": "3"}, True),
    ("exact", "C", "", {"value": "C"}, True),
    ("exact", "0", "", {"value": 0.0}, True),
    ("exact", "- 100 - 36", "", {"value": ".+100+.+36"}, True),
    ("exact", "- 100 36 -", "", {"value": ".+100+.+36"}, False),
    ("exact", "3", "", {"value": "4"}, False),
    ("digits", "0.9179352767", "", {"value": "0.9179352767"}, True),
    ("digits", "0.97677", "", {"value": "0.9767701649"}, True),
    ("digits", "0.97678", "", {"value": "0.9767701649"}, False),
    ("rounded", "89.7%", "", {"value": "0.8970118682"}, True),
    ("rounded", "89.8%", "", {"value": "0.8970118682"}, False),
    ("rounded", "50", "1 fill", {"value": "50.6", "ci": "0.3", "fills": "16"}, True),
    ("rounded", "40", "1 fill", {"value": "50.6", "ci": "0.3", "fills": "16"}, False),
    ("rounded", "0.10", "", {"value": "0.1", "count": "100", "trials": "1000"}, True),
    ("rounded", "0.20", "", {"value": "0.1", "count": "100", "trials": "1000"}, False),
    ("rounded", "0.500", "5 seeds", {"sample": [0.49 + i / 1000 for i in range(25)]}, True),
    ("rounded", "0.600", "5 seeds", {"sample": [0.49 + i / 1000 for i in range(25)]}, False),
    ("rounded", "40", "", {"low": "39.28", "high": "40.38"}, True),
    ("rounded", "41", "", {"low": "39.28", "high": "40.38"}, False),
    ("rounded", "38", "", {"low": "39.28", "high": "40.38"}, False),
    ("count", "16", "50000", {"value": "3.28e-4"}, True),
    ("count", "36", "50000", {"value": "3.28e-4"}, False),
    ("count", "16", "50000", {"count": "30", "trials": "100000"}, True),
    ("count", "36", "50000", {"count": "30", "trials": "100000"}, False),
    ("proportion", "0.718%", "100000", {"value": "7.14524e-3"}, True),
    ("proportion", "0.073%", "100000", {"value": "1.02621e-3"}, False),
    ("odds", "6.957", "16777216", {"value": "7.9845e-3"}, True),
    ("odds", "6.857", "16777216", {"value": "7.9845e-3"}, False),
    ("odds", "24.000", "16777216", {"value": "6e-8"}, True),
    ("odds", "3.00", "16777216", {"count": "111", "trials": "1000"}, True),
    ("odds", "4.00", "16777216", {"count": "111", "trials": "1000"}, False),
    ("bound", "<=0.001", "", {"value": "0.0009"}, True),
    ("bound", "<=0.001", "", {"value": "0.0011"}, False),
    ("bound", ">=0.99", "", {"value": "0.98037"}, False),
    ("bound", "<=2^-40", "", {"value": "9.6e-12"}, False),
    ("range", "0.008..0.020", "", {"value": "0.0077"}, True),
    ("range", "0.008..0.020", "", {"value": "0.0074"}, False),
    ("maximum", "982", "1 fill", {"least": "900", "greatest": "1400", "fills": "16"}, True),
    ("maximum", "1500", "1 fill", {"least": "900", "greatest": "1400", "fills": "16"}, False),
])
def test_each_kind_on_both_sides(kind, value, trials, answer, agrees):
    assert judge(entry(kind, value, trials), answer).agrees is agrees


def test_what_was_printed_is_an_interval():
    number = published("89.7%")
    assert (float(number.value), float(number.half), number.percent) == (0.897, 0.0005, True)
    assert float(published("50").half) == 0.5
    with pytest.raises(LedgerError):
        published("about 7")


@pytest.mark.parametrize("text", ["e2.lookups value=mean", "e2.lookups[a=1]: mean=mean",
                                  "e2.lookups: value=mean"])
def test_a_selector_that_says_nothing(text):
    with pytest.raises(LedgerError):
        Selector(text)


def test_a_formula_can_only_compute():
    results = parse("# cuckoo_sim results, format 1\n\n# e9.t  T\n# a: a\na\n4\n\n")
    answers = Answers(results)
    assert answers.answer(Selector("e9.t[]: value=sqrt(a)*2-log2(a)"))["value"] == 2
    for formula in ("__import__('os')", "a.b.c", "max(a,a)", "a/0"):
        with pytest.raises(LedgerError):
            answers.answer(Selector(f"e9.t[]: value={formula}"))


def test_a_stored_run_is_compared_from_its_file(tmp_path):
    """From results/full it is a stored run; results/eN.txt is made again by `make check`."""
    (tmp_path / "results" / "full").mkdir(parents=True)
    for name, origin in (("results/full/big.txt", "stored"), ("results/e9.txt", "beyond")):
        (tmp_path / name).write_text("# cuckoo_sim results, format 1\n\n# e9.t  T\n# a: a\n"
                                     "a\n0.95\n\n", encoding="ascii")
        row = entry("rounded", "0.95")
        row = dataclasses.replace(row, ours=f"stored {name} | e9.t[]: value=a")
        answers = Answers(parse("# cuckoo_sim results, format 1\n\n"), root=tmp_path)
        found = compare.compare([row], answers)[0]
        assert (found.verdict, found.origin) == ("agrees", origin)


TABLE = "# cuckoo_sim results, format 1\n\n# e9.t  T\n# a: a\na b\n"


def compared(row, lines):
    return compare.compare([row], Answers(parse(TABLE + lines + "\n\n")))[0]


def test_trials_that_are_assumed():
    """A distance that a sixteenth of the assumed trials explains is none; a larger one is."""
    row = dataclasses.replace(entry("odds", "3.000", "16000 assumed"), explanation="not stated",
                              ours="e9.t[]: value=a")
    found = {q: compared(row, f"{q} 0") for q in ("0.1111", "0.1200", "0.2000")}
    assert [found[q].verdict for q in found] == ["agrees", "not comparable", "differs"]
    assert found["0.1200"].judgement.p < 0.001 and found["0.1200"].holm is None
    assert found["0.1111"].holm is not None
    stated = dataclasses.replace(row, trials="16000")
    assert compared(stated, "0.1200 0").verdict == "differs"
    with pytest.raises(LedgerError, match="explanation"):
        compared(dataclasses.replace(row, explanation=""), "0.1200 0")


@pytest.mark.parametrize("kind", ["context", "claim"])
def test_a_parameter_is_shown_beside_ours(kind):
    row = dataclasses.replace(entry(kind, "1.27"), comparable="no", explanation="a parameter",
                              ours="e9.t[]: low=a high=b")
    found = compared(row, "12.5 13")
    assert (found.verdict, found.judgement.shown) == ("not comparable", "12.5 to 13")
    with pytest.raises(LedgerError, match="by number"):
        compared(dataclasses.replace(row, comparable="yes"), "12.5 13")


def test_a_mean_over_four_tables():
    row = dataclasses.replace(entry("rounded", "2.5"), ours=" & ".join(
        f"e9.t[a={a}]" for a in (1, 2, 3, 4)) + ": value=(a.a+b.a+c.a+d.a)/4")
    assert compared(row, "1 0\n2 0\n3 0\n4 0").verdict == "agrees"


def verdict_of(entries, text, name, outputs=None):
    answers = Answers(parse(text))
    answers.outputs.update(outputs or {})
    chosen = [row for row in entries if row.id == name]
    return compare.compare(chosen, answers)[0].verdict


@pytest.fixture(scope="module")
def entries():
    return ledger.read(TOP / "published")


def test_a_broken_number_of_ours_shows(entries, results_text, results):
    name = "a1-e2-lp-miss"
    mean = results.table("e2.lookups").one(method="linear-probing", load="0.90",
                                           lookup="miss").text("mean")
    assert verdict_of(entries, results_text, name) == "agrees"
    broken = re.sub(rf"\b{re.escape(mean)}\b", "42.0000", results_text)
    assert broken != results_text
    assert verdict_of(entries, broken, name) == "differs"


def test_a_broken_published_number_shows(entries, results_text):
    name = "a1-e6-c32"
    row = next(row for row in entries if row.id == name)
    command = Selector(row.ours).commands()[0]
    outputs = {command: parse(f"# cuckoo_sim results, format 1\n\n"
                              f"# {Selector(row.ours).references[0][1]}  T\n# candidates: d\n"
                              "candidates bucket orientability\n3 1 0.9179352767\n\n")}
    assert verdict_of(entries, results_text, name, outputs) == "agrees"
    broken = [dataclasses.replace(row, value="0.9179352768")]
    assert verdict_of(broken, results_text, name, outputs) == "differs"


def test_recalled_numbers_are_leads_and_never_verdicts(entries):
    recalled = [row for row in entries if row.confidence == ledger.RECALLED]
    assert recalled
    for row in recalled:
        assert row.ours == "later" or "lead" in row.explanation.lower()


def broken_folder(tmp_path, name, column, value):
    """published/ with one cell of one row changed."""
    folder = tmp_path / "published"
    folder.mkdir()
    for path in (TOP / "published").glob("*.tsv"):
        lines = path.read_text(encoding="utf-8").split("\n")
        for i, line in enumerate(lines):
            if line.startswith(name + "\t"):
                cells = line.split("\t")
                cells[ledger.COLUMNS.index(column)] = value
                lines[i] = "\t".join(cells)
        (folder / path.name).write_text("\n".join(lines), encoding="utf-8")
    return folder


def run_compare(tmp_path, folder):
    return compare.main([str(TOP / "results.txt"), "--published", str(folder), "--program",
                         PROGRAM, "--ledger", str(tmp_path / "ledger.tsv"), "--committed",
                         str(tmp_path / "committed.tsv"), "--bless"])


def test_the_whole_ledger_agrees_or_is_explained(tmp_path, capsys):
    assert run_compare(tmp_path, TOP / "published") == 0, capsys.readouterr().err
    committed = (TOP / "results" / "ledger.tsv").read_text(encoding="utf-8")
    assert (tmp_path / "ledger.tsv").read_text(encoding="utf-8") == committed


def test_an_unexplained_difference_makes_the_run_fail(tmp_path, capsys):
    folder = broken_folder(tmp_path, "a1-e6-24", "value", "0.990")
    assert run_compare(tmp_path, folder) == 1
    assert "a1-e6-24" in capsys.readouterr().err


def test_an_explanation_without_evidence_does_not_count(tmp_path, capsys):
    folder = broken_folder(tmp_path, "a2-b4", "evidence", "")
    assert run_compare(tmp_path, folder) == 1
    assert "a2-b4" in capsys.readouterr().err


def test_a_stale_committed_ledger_is_noticed(tmp_path, capsys):
    (tmp_path / "committed.tsv").write_text("old\n", encoding="utf-8")
    assert compare.main([str(TOP / "results.txt"), "--published", str(TOP / "published"),
                         "--program", PROGRAM, "--ledger", str(tmp_path / "ledger.tsv"),
                         "--committed", str(tmp_path / "committed.tsv")]) == 1
    assert "make bless" in capsys.readouterr().err


def test_every_evidence_is_a_command_that_runs(entries):
    for command in sorted({row.evidence for row in entries if row.evidence}):
        words = command.split()
        if words[0] == "./cuckoo_sim":
            words[0] = PROGRAM
            if re.fullmatch(r"e\d+", words[1]):     # an experiment: the same with few trials
                words += ["--trials", "1"]
        else:
            assert command.startswith("python3 published/evidence/"), command
            words = [sys.executable, *words[1:], "--trials", "5"]
        done = subprocess.run(words, cwd=TOP, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and done.stdout, (command, done.stderr)


def test_numbers_in_explanations_are_those_that_were_computed():
    """An explanation may say 2^-36.6 only where that is what the row's own value is."""
    ledger_rows = csv.DictReader((TOP / "results" / "ledger.tsv").open(encoding="utf-8"),
                                 delimiter="\t", quoting=csv.QUOTE_NONE)
    checked = 0
    for row in ledger_rows:
        said = re.search(r"probability 2\^-([\d.]+)", row["explanation"])
        if row["verdict"] != "differs" or not said:
            continue
        ours = float(row["our_value"])
        bits = ours if ours > 1 else -math.log2(ours)
        assert float(said[1]) == pytest.approx(bits, abs=0.051), row["id"]
        checked += 1
    assert checked >= 4


DOCUMENTED = re.compile(r"^\| ([A-Za-z][^|]*?) \|", re.MULTILINE)


def documented_ids(entries):
    """(document, id) of every row named in a table of docs/EXPERIMENTS*.md.  `X-b1, -b2` stands
    for X-b1 and X-b2, `X-50 ... -94.5` for all between them, and `CT21` for all that begin so."""
    for path in sorted((TOP / "docs").glob("EXPERIMENTS*.md")):
        for table in re.findall(r"^\| id \|(?:.*\n)((?:\|.*\n)+)", path.read_text(encoding="utf-8"),
                                re.MULTILINE):
            for cell in DOCUMENTED.findall(table):
                stem = re.match(r"[^,. ]+", cell)[0]
                stem = stem[:stem.rfind("-")]
                named = [stem + word if word.startswith("-") else word
                         for word in re.split(r", | \.\.\. | ", cell) if word]
                for row in entries:
                    if any(row.id == name or row.id.startswith(name + "-") for name in named) \
                            or ("..." in cell and row.id.startswith(stem + "-")):
                        yield path.name, row.id


def test_what_the_documents_answer_is_not_later(entries):
    with (TOP / "results" / "ledger.tsv").open(encoding="utf-8") as stream:
        verdicts = {row["id"]: row["verdict"]
                    for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)}
    found = set(documented_ids(entries))
    assert len(found) > 50 and len({document for document, _ in found}) >= 2
    late = sorted(name for _, name in found if verdicts[name] == "later")
    assert not late, f"a document answers them: {' '.join(late)}"


def test_every_stored_run_has_its_command(entries):
    """results/full/README.md names the command of each file, and it is a command; --dry-run
    says what it would take without running it."""
    folder = TOP / "results" / "full"
    lines = dict(re.findall(r"^\| (\S+\.txt) \| `\./cuckoo_sim ([^`]+)` \|",
                            (folder / "README.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert sorted(lines) == sorted(path.name for path in folder.glob("*.txt"))
    used = {path for row in entries if row.ours not in ("later", "none")
            for path in Selector(row.ours).stored() if path.startswith("results/full/")}
    assert used <= {f"results/full/{name}" for name in lines}
    for name, command in lines.items():
        words = command.split()
        if words[0] in ("run", "sweep"):
            done = subprocess.run([PROGRAM, *words, "--dry-run"], cwd=TOP, capture_output=True,
                                  text=True, check=False)
            assert done.returncode == 0, (name, done.stderr)
