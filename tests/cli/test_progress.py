"""Progress: on standard error, only where that is a terminal, and from 0 to 100%."""
import os
import pty
import re
import subprocess

import pytest

import simulator


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


@pytest.mark.parametrize("name", ["e2", "e4", "e6", "e7"])
def test_progress(name):
    stdout, shown = on_a_terminal(name, *simulator.REDUCED[name])
    assert stdout == simulator.reduced(name)
    steps = [tuple(map(int, found)) for found in
             re.findall(r"(\d+) of (\d+) trials \((\d+)%\)", shown)]
    assert steps
    for done, trials, percent in steps:
        assert 0 < done <= trials and percent == 100 * done // trials
    assert shown.endswith("\r\033[K")  # nothing stays on the line


@pytest.mark.parametrize("name", ["e1", "e4"])
def test_quiet(name):
    stdout, shown = on_a_terminal(name, *simulator.REDUCED[name], "--quiet")
    assert (stdout, shown) == (simulator.reduced(name), "")
