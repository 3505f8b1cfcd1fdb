"""`trace --svg` draws what the trace prints: every step, every key, and why it stopped."""
import xml.etree.ElementTree as ElementTree

import pytest

import simulator

SVG = "{http://www.w3.org/2000/svg}"
TEN = "20 50 53 75 100 67 105 3 36 39".split()


def texts(path):
    """All text of a picture, in the order of drawing."""
    return [element.text for element in ElementTree.parse(path).iter(f"{SVG}text")]


def test_a_stop_is_explained(tmp_path):
    picture = tmp_path / "steps.svg"
    printed = simulator.output("trace", "--max-placements", 11, "--svg", picture, *TEN, "6")
    told = texts(picture)
    assert "stopped: 105 is left over; a component has more keys than slots" in told
    assert [line for line in told if line.startswith("insert ")] == \
        [f"insert {key}" for key in TEN + ["6"]]
    steps = printed.split("# trace.steps")[1].split("\n\n")[0].splitlines()
    rows = [line.split() for line in steps if not line.startswith("#")][2:]
    moves = [f"{row[3]} to T{row[4]}[{row[5]}]" for row in rows]
    assert [line for line in told if " to T" in line] == moves
    assert any("10 slots, 11 keys, 1 too many" in line for line in told)


@pytest.mark.parametrize("words", [["--layout", "one", "--slots", "7", "--random", "3"],
                                   ["--slots", "64+3", "--hash", "mix", "--random", "1"],
                                   ["18446744073709551615", "1"]])
def test_other_shapes(tmp_path, words):
    picture = tmp_path / "steps.svg"
    with_picture = simulator.output("trace", "--svg", picture, *words)
    assert with_picture == simulator.output("trace", *words)
    first = picture.read_bytes()
    simulator.output("trace", "--svg", picture, *words)
    assert picture.read_bytes() == first
    assert texts(picture)[0] == "The original insertion, step by step"


def test_a_picture_that_cannot_be_written(tmp_path):
    done = simulator.run("trace", "--svg", tmp_path / "no" / "x.svg", "1", "2")
    assert done.returncode == 1
    assert b"draw_diagrams.py failed" in done.stderr
    assert done.stdout == b""


def test_steps_go_through_the_temporary_folder(tmp_path, monkeypatch):
    """TMPDIR holds the steps while the picture is drawn, and nothing afterwards."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    simulator.output("trace", "--svg", tmp_path / "steps.svg", "1", "2")
    assert not list(folder.iterdir())
    monkeypatch.setenv("TMPDIR", str(tmp_path / "missing"))
    done = simulator.run("trace", "--svg", tmp_path / "other.svg", "1", "2")
    line = done.stderr.decode()
    assert done.returncode == 1 and line.count("\n") == 1
    assert "--svg: %s/cuckoo_trace_" % (tmp_path / "missing") in line
