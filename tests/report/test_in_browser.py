"""The figures and the report as a reader sees them, in headless Chromium."""
import datetime
import socket
import subprocess
import sys

import pytest

from browser import chromium
from simulator import PROGRAM, TOP

FIGURES = sorted(path.stem for path in (TOP / "figures").glob("*.svg"))

# Boxes of all texts, in CSS pixels.  A box is taller than its letters: a fifth of it at
# either end is air.
TEXTS = """(() => {
  const whole = document.querySelector('svg').getBoundingClientRect();
  return {whole: [whole.left, whole.top, whole.right, whole.bottom],
    texts: [...document.querySelectorAll('svg text')].filter(t => t.textContent.trim())
      .map(t => { const b = t.getBoundingClientRect();
                  const upright = b.height <= b.width || t.textContent.trim().length < 3;
                  const x = upright ? 0 : b.width / 5, y = upright ? b.height / 5 : 0;
                  return {text: t.textContent.trim(), size: Math.min(b.width, b.height),
                    box: [b.left + x, b.top + y, b.right - x, b.bottom - y]}; })};
})()"""


@pytest.fixture(scope="module")
def page():
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    pytest.importorskip("jinja2", reason="Jinja2 is not here for this Python")
    path = tmp_path_factory.mktemp("report") / "report.html"
    done = subprocess.run([sys.executable, "-m", "report.build", "--program", PROGRAM, "--out",
                           str(path)], cwd=TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return path


def overlap(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) > 0.5 and min(a[3], b[3]) - max(a[1], b[1]) > 0.5


def faults(page, tmp_path, svg, width):
    """Texts of a picture that are cut off or lie on each other, at a width in pixels."""
    holder = tmp_path / "figure.html"
    holder.write_text("<!DOCTYPE html><meta charset='utf-8'><style>body{margin:0}"
                      "svg{width:100%;height:auto}</style>" + svg[svg.index("<svg"):],
                      encoding="utf-8")
    page.open(holder, width)
    seen = page.evaluate(TEXTS)
    left, top, right, bottom = seen["whole"]
    assert right - left == pytest.approx(width, abs=1)
    texts = seen["texts"]
    assert texts
    for i, one in enumerate(texts):
        box = one["box"]
        if box[0] < left - 0.5 or box[1] < top - 0.5 or box[2] > right + 0.5 \
                or box[3] > bottom + 0.5:
            yield f"clipped: {one['text']}"
        for other in texts[i + 1:]:
            if overlap(box, other["box"]):
                yield f"overlap: {one['text']} / {other['text']}"


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("width", [700, 400])
def test_no_text_is_clipped_or_overlaps(page, tmp_path, name, width):
    svg = (TOP / "figures" / f"{name}.svg").read_text(encoding="utf-8")
    assert list(faults(page, tmp_path, svg, width)) == []


@pytest.mark.parametrize("second, fault", [
    ('<text x="12" y="44">beta</text>', "overlap: alpha / beta"),
    ('<text x="190" y="80">beta</text>', "clipped: beta"),
    ('<text x="10" y="4">beta</text>', "clipped: beta"),
    ('<text transform="translate(30 60) rotate(-90)">beta</text>', "overlap: alpha / beta"),
    ('<text x="10" y="70">beta</text>', None),
])
def test_the_test_of_texts_sees_faults(page, tmp_path, second, fault):
    svg = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100" font-size="16">'
           f'<text x="10" y="40">alpha</text>{second}</svg>')
    found = list(faults(page, tmp_path, svg, 400))
    assert found == ([fault] if fault else [])


def test_the_test_of_the_report_sees_faults(page, tmp_path):
    path = tmp_path / "bad.html"
    path.write_text("<!DOCTYPE html><meta charset='utf-8'><p style='width:2000px'>wide</p>"
                    "<img src='http://127.0.0.1:9/x.png'><script>console.error('no')</script>",
                    encoding="utf-8")
    page.open(path, 400)
    assert page.problems and any("127.0.0.1" in url for url in page.requests)
    assert page.evaluate("document.documentElement.scrollWidth") > 400


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("dark", [False, True])
def test_the_report_opens_quietly_and_nothing_overflows(page, report, width, dark):
    page.open(report, width, dark=dark)
    assert page.problems == []
    assert [url for url in page.requests if not url.startswith(("file:", "data:"))] == []
    assert len([url for url in page.requests if url.startswith("file:")]) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    outside = page.evaluate(
        "[...document.querySelectorAll('h1,h2,h3,p,figure,pre,.scroll,form,li')]"
        f".filter(e => e.getBoundingClientRect().right > {width} + 0.5)"
        ".map(e => e.textContent.slice(0, 60))")
    assert outside == []


def test_dark_mode_changes_the_page_and_not_the_figures(page, report):
    colours = {}
    for dark in (False, True):
        page.open(report, 800, dark=dark)
        colours[dark] = [page.evaluate(f"getComputedStyle(document.querySelector('{what}'))"
                                       ".backgroundColor") for what in ("body", ".picture")]
    assert colours[False][0] != colours[True][0]
    assert colours[False][1] == colours[True][1]


COUNT = "[...document.querySelectorAll('#ledger-table tbody tr')].filter(r => !r.hidden)"


def choose(page, name, value):
    page.evaluate("(() => {"
                  f"const f = document.getElementById('filter').elements.{name};"
                  f"f.value = {value!r}; f.dispatchEvent(new Event('input', {{bubbles: true}}));"
                  "})()")


def test_the_filter(page, report):
    page.open(report, 1280)
    everything = page.evaluate(COUNT + ".length")
    assert everything > 300
    choose(page, "verdict", "differs")
    shown = page.evaluate(COUNT + ".map(r => r.dataset.verdict)")
    assert shown and set(shown) == {"differs"}
    assert page.evaluate("document.getElementById('ledger-count').textContent").startswith(
        f"{len(shown)} of {everything} ")
    choose(page, "verdict", "stored")
    origins = page.evaluate(COUNT + ".map(r => r.dataset.origin)")
    assert origins and set(origins) == {"stored"}
    choose(page, "verdict", "differs")
    source = page.evaluate(COUNT + "[0].dataset.source")
    choose(page, "source", source)
    both = page.evaluate(COUNT + ".map(r => [r.dataset.source, r.dataset.verdict])")
    assert both and all(pair == [source, "differs"] for pair in both)
    choose(page, "words", "no such words anywhere")
    assert page.evaluate(COUNT + ".length") == 0
    page.evaluate("document.querySelector('#filter button').click()")
    page.evaluate("new Promise(done => setTimeout(done, 50))")
    assert page.evaluate(COUNT + ".length") == everything


def test_a_card_leads_to_its_rows(page, report):
    page.open(report, 1280)
    page.evaluate("document.querySelector('a[href=\"#verdict=differs\"]').click()")
    page.evaluate("window.dispatchEvent(new HashChangeEvent('hashchange'))")
    assert set(page.evaluate(COUNT + ".map(r => r.dataset.verdict)")) == {"differs"}


def test_tables_and_figures_for_those_who_do_not_see_them(page, report):
    page.open(report, 1280)
    assert page.evaluate("[...document.querySelectorAll('table')].every(t => "
                         "t.querySelector('thead th[scope=col]'))")
    assert page.evaluate("[...document.querySelectorAll('.picture svg')].every(s => "
                         "s.getAttribute('role') === 'img' && s.getAttribute('aria-labelledby')"
                         ".split(' ').every(i => document.getElementById(i)))")
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    assert page.evaluate("document.documentElement.lang") == "en"
    assert page.evaluate("[...document.querySelectorAll('.scroll')].every(e => "
                         "e.tabIndex === 0 && e.getAttribute('aria-label'))")


def test_the_report_names_neither_host_nor_date(report):
    text = report.read_text(encoding="utf-8")
    assert socket.gethostname() not in text
    assert datetime.date.today().isoformat() not in text
    assert "<link rel=\"stylesheet\"" not in text and "<script src" not in text
