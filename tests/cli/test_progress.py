"""Progress: on standard error, only where that is a terminal or where it is asked for, and
from 0 to 100%.  When it is shown depends on a clock; what is shown, where, does not."""
import json
import os
import pty
import re
import subprocess

import pytest

import simulator

# long enough that something is shown on any machine, in a second or two
LONG = {"e4": ["--slots", "2000", "--trials", "30000"], "e6": ["--slots", "2^17", "--trials", "4"]}
LINE = re.compile(r"\r\x1b\[K(?:e\d\S*.*?: (\d+) of (\d+) trials \((\d+)%\), [0-9.e+]+/s"
                  r"(?:, \d+:[0-5]\d left)?(?:, \d+ failures)?)?")


def on_a_terminal(*words):
    """(stdout, what the terminal on standard error showed)."""
    master, slave = pty.openpty()
    with subprocess.Popen([simulator.PROGRAM, *words], stdout=subprocess.PIPE, stderr=slave,
                          stdin=subprocess.DEVNULL) as process:
        os.close(slave)
        shown = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:  # Linux: the other end is closed
                break
            if not piece:
                break
            shown += piece
        stdout = process.stdout.read()
    os.close(master)
    assert process.returncode == 0
    return stdout.decode(), shown.decode()


@pytest.mark.parametrize("name", sorted(LONG))
def test_progress(name):
    stdout, shown = on_a_terminal(name, *LONG[name])
    assert stdout == simulator.output(name, *LONG[name])
    rest = LINE.sub("", shown)
    assert rest == "", rest  # nothing else is shown
    for found in LINE.finditer(shown):
        if found.group(1):
            done, trials, percent = map(int, found.groups())
            assert 0 < done <= trials and percent == 100 * done // trials
    assert shown == "" or shown.endswith("\r\x1b[K")  # nothing stays on the line


@pytest.mark.parametrize("name", ["e1", "e4"])
def test_quiet(name):
    stdout, shown = on_a_terminal(name, *simulator.REDUCED[name], "--quiet")
    assert (stdout, shown) == (simulator.reduced(name), "")


def test_objects():
    """--progress json: an object a line, also where standard error is no terminal."""
    done = simulator.run("e4", *LONG["e4"], "--progress", "json")
    assert done.returncode == 0
    assert done.stdout.decode() == simulator.output("e4", *LONG["e4"])
    for line in done.stderr.decode().splitlines():
        shown = json.loads(line)
        assert 0 <= shown["done"] <= shown["total"]
    silent = simulator.run("e4", *simulator.REDUCED["e4"], "--progress", "json", "--quiet")
    assert silent.stderr == b""
