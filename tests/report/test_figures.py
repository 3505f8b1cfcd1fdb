"""The committed figures are what the scripts draw from results.txt and results/,
to the byte."""
import os
import re
import subprocess
import sys

import pytest

from report import sections
from report.results import read_beyond
from simulator import TOP

SCRIPTS = {"draw_diagrams.py": ["kickout-steps", "cuckoo-graph", "bfs-backward-move"],
           "plot_results.py": ["lookup-worst-case", "insert-cost", "failure-probability",
                               "stash-tail", "load-thresholds", "path-length",
                               "hash-families", "derived-buckets", "library-rules", "filter-rates",
                               "races", "growth"]}
DRAWN_WITH = re.compile(r"<!-- drawn with matplotlib (\S+) -->")


def draw(script, folder, results=TOP / "results.txt", **environment):
    return subprocess.run([sys.executable, script, str(results), "--out", str(folder)], cwd=TOP,
                          capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    pytest.importorskip("matplotlib", reason="matplotlib is not here for this Python")
    folder = tmp_path_factory.mktemp("figures")
    for script in SCRIPTS:
        done = draw(script, folder)
        assert done.returncode == 0, done.stderr
    return folder


def numbers(svg):
    """Texts, and marker places to a tenth: what must agree whatever matplotlib's version."""
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    marks = [(round(float(x), 1), round(float(y), 1))
             for x, y in re.findall(r'<use [^>]*x="([-\d.]+)" y="([-\d.]+)"', svg)]
    return sorted(texts), sorted(marks)


@pytest.mark.parametrize("name", SCRIPTS["draw_diagrams.py"])
def test_diagrams_to_the_byte(drawn, name):
    assert (drawn / f"{name}.svg").read_bytes() == (TOP / "figures" / f"{name}.svg").read_bytes()


@pytest.mark.parametrize("name", SCRIPTS["plot_results.py"])
def test_plots_to_the_byte_under_the_same_matplotlib(drawn, name):
    fresh = (drawn / f"{name}.svg").read_text(encoding="utf-8")
    committed = (TOP / "figures" / f"{name}.svg").read_text(encoding="utf-8")
    if DRAWN_WITH.search(fresh)[1] == DRAWN_WITH.search(committed)[1]:
        assert fresh == committed
    else:
        assert numbers(fresh) == numbers(committed)


def test_no_other_figure_is_committed():
    expected = {f"{name}.svg" for names in SCRIPTS.values() for name in names}
    assert {path.name for path in (TOP / "figures").glob("*.svg")} == expected


def test_nobodys_settings_change_a_byte(drawn, tmp_path):
    (tmp_path / "matplotlibrc").write_text("font.size: 14\nsvg.hashsalt: mine\n")
    done = draw("plot_results.py", tmp_path / "out", MPLCONFIGDIR=str(tmp_path), TZ="Asia/Tokyo",
                LC_ALL="C", PYTHONHASHSEED="7", SOURCE_DATE_EPOCH="1")
    assert done.returncode == 0, done.stderr
    for name in SCRIPTS["plot_results.py"]:
        svg = f"{name}.svg"
        assert (tmp_path / "out" / svg).read_bytes() == (drawn / svg).read_bytes()


def test_every_figure_says_what_it_shows(drawn):
    for path in drawn.glob("*.svg"):
        svg = path.read_text(encoding="utf-8")
        assert f'aria-labelledby="{path.stem}-title {path.stem}-desc"' in svg
        assert len(re.search(r"<desc[^>]*>([^<]*)", svg)[1]) > 60
        assert "<text" in svg and "dc:date" not in svg


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("change, words", [
    (lambda text: text.replace("format 1", "format 2", 1), "format 2"),
    (lambda text: text.replace("# e1.steps", "# e1.stairs").replace("# e2.lookups", "# e2.looks"),
     "no table"),
    (lambda text: text.replace("  evicted", "  removed").replace("max_median", "max_middle"),
     "no column"),
])
def test_another_file_is_refused_in_one_line(tmp_path, results_text, script, change, words):
    path = tmp_path / "results.txt"
    path.write_text(change(results_text), encoding="ascii")
    done = draw(script, tmp_path / "out", path)
    assert done.returncode == 1
    assert words in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize("change, words", [
    (None, "No such file"), (lambda text: text.replace("# e10.fills", "# e10.filled"), "no table"),
    (lambda text: text.replace("median_low", "median_least"), "no column")])
def test_another_output_beyond_the_seven_is_refused_in_one_line(tmp_path, change, words):
    if change:
        text = (TOP / "results" / "e10.txt").read_text(encoding="ascii")
        (tmp_path / "e10.txt").write_text(change(text), encoding="ascii")
    done = subprocess.run([sys.executable, "plot_results.py", "--only", "library-rules",
                           "--beyond", str(tmp_path), "--out", str(tmp_path / "out")], cwd=TOP,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert words in done.stderr and done.stderr.count("\n") == 1


def test_each_figure_beyond_the_seven_has_its_sentence_in_the_report():
    pytest.importorskip("matplotlib", reason="matplotlib is not here for this Python")
    from plot_results import BEYOND
    captions = sections.beyond(None)["captions"]
    assert list(captions) == list(BEYOND)
    for name, (sentence, command) in captions.items():
        assert sentence.endswith(".") and command == f"./cuckoo_sim {BEYOND[name][0]}"


def test_nothing_of_the_results_is_typed_into_a_script(results):
    """Loads, sizes and measured numbers with three digits or more appear in no plot script."""
    allowed = {"0.90", "500", "2000"}       # the load that prose names; sizes in points
    typed = set()
    for path in [TOP / "plot_results.py", TOP / "draw_diagrams.py", TOP / "report" / "diagrams.py",
                 *(TOP / "report").glob("plot_*.py")]:
        typed |= set(re.findall(r"(?<![\w.])\d+\.\d{3,}(?![\w.])", path.read_text("utf-8")))
    everything = [results, *(read_beyond(path.stem) for path in (TOP / "results").glob("e*.txt"))]
    values = {cell for one in everything for table in one.tables.values() for row in table.rows
              for cell in row.values()}
    assert not (typed & values) - allowed
