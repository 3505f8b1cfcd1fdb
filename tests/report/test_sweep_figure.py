"""`plot_results.py --sweep`: what `sweep` printed as one picture, or one line that says why not."""
import re
import subprocess
import sys

import pytest

import simulator
from simulator import TOP

pytest.importorskip("matplotlib", reason="matplotlib is not here for this Python")

SMALL = ["--slots", "2^10", "--trials", "20", "--quiet"]
SWEEPS = {
    "fail": (["--measure", "fail", "--load", "0.94:0.98:0.01", "--search", "complete,walk:100"],
             ["load", "share of key sets without a place", "search complete", "search walk:100"]),
    "fill": (["--candidates", "2,3", "--search", "walk:100,bfs:2000,4"],
             ["candidates", "load at the first failure", "search bfs:2000/4"]),
    "insert": (["--measure", "insert", "--load", "0.5,0.8", "--bucket", "2,4"],
               ["load, upper end of the segment", "bucket 2", "bucket 4",
                "slots read an insertion, mean of the segment"]),
    "lookup": (["--measure", "lookup", "--load", "0.5,0.8"],
               ["slots compared, mean", "lookup hit", "lookup miss"]),
    "primary": (["--measure", "primary", "--load", "0.5,0.8"],
                ["share of keys in their first candidate"]),
}


def draw(folder, text, *more):
    path = folder / "sweep.txt"
    path.write_text(text, encoding="ascii")
    done = subprocess.run([sys.executable, "plot_results.py", "--sweep", str(path), "--out",
                           str(folder), *more], cwd=TOP, capture_output=True, text=True,
                          check=False)
    svg = folder / "sweep.svg"
    return done, svg.read_text(encoding="utf-8") if svg.is_file() else None


def sweep(*words):
    head = [word for word in words if word != "--quiet"]
    return simulator.output("sweep", *head)


@pytest.mark.parametrize("measure", SWEEPS)
def test_every_measure_is_drawn(measure, tmp_path):
    words, expected = SWEEPS[measure]
    done, svg = draw(tmp_path, sweep(*words, *SMALL))
    assert (done.returncode, done.stderr) == (0, "")
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    for word in expected:
        assert word in texts, (word, texts)
    again, same = draw(tmp_path, sweep(*words, *SMALL))
    assert "unchanged" in again.stdout and same == svg


def test_a_value_stands_where_the_axis_says(tmp_path):
    """Of the medians of `fill`: equal steps of the value are equal steps in the picture."""
    text = sweep("--candidates", "2:4", *SMALL)
    rows = simulator.read_text(text)["run.fill"].rows
    medians = [float(row["median"]) for row in rows]
    _done, svg = draw(tmp_path, text)
    places = [float(y) for y in re.findall(r'<use [^>]*y="([0-9.]+)"[^>]*fill: #0072b2', svg)]
    places = places[-3:] if len(places) > 3 else places
    assert len(places) == 3
    slope = (places[1] - places[0]) / (medians[1] - medians[0])
    assert slope < 0
    assert places[2] - places[0] == pytest.approx(slope * (medians[2] - medians[0]), abs=0.01)


@pytest.mark.parametrize("more, line", [
    (["--x", "bucket"], "table run.fill: --x bucket: the options that were swept are candidates"),
    ([], None),
])
def test_refusals(more, line, tmp_path):
    text = sweep("--candidates", "2,3", *SMALL) if line else sweep(*SMALL)
    done, _svg = draw(tmp_path, text, *more)
    wanted = line or "table run.fill: no option was given a list or a range"
    assert (done.returncode, done.stderr) == (1, "plot_results.py: " + wanted + "\n")


def test_results_of_another_command_are_refused(tmp_path):
    done, _svg = draw(tmp_path, simulator.output("threshold"))
    assert done.returncode == 1 and "no table of `sweep`" in done.stderr
    assert done.stderr.count("\n") == 1
