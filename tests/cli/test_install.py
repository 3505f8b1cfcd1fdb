"""`make install` into a folder: what is there, and that it works away from the source."""
import os
import re
import shutil
import subprocess

import pytest

import simulator

NEEDED = [
    "bin/cuckoo_sim", "share/man/man1/cuckoo_sim.1", "share/doc/cuckoo_sim/README.md",
    "share/doc/cuckoo_sim/LICENSE", "share/doc/cuckoo_sim/results.txt",
    "share/bash-completion/completions/cuckoo_sim", "share/zsh/site-functions/_cuckoo_sim",
    "share/cuckoo_sim/draw_diagrams.py", "share/cuckoo_sim/report/results.py",
]


def bare_environment():
    """Without what an outer make or a build of its own (BUILD: coverage, sanitizers) passes on:
    an install must not build over that."""
    return {name: value for name, value in os.environ.items() if not name.startswith("MAKE")
            and name not in ("MFLAGS", "CUCKOO_SIM", "BUILD", "EXTRA", "CFLAGS", "OPENMP")}


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    if not shutil.which("make"):
        pytest.skip("make is not installed")
    root = tmp_path_factory.mktemp("root")
    done = subprocess.run(["make", "install", "DESTDIR=%s" % root, "PREFIX=/opt/cuckoo"],
                          cwd=simulator.TOP, env=bare_environment(), capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
    return root


def test_everything_is_below_destdir_and_prefix(installed):
    assert [path.name for path in installed.iterdir()] == ["opt"]
    for name in NEEDED:
        assert (installed / "opt/cuckoo" / name).is_file(), name


def test_no_file_names_the_place_it_was_made_in(installed):
    for path in installed.rglob("*"):
        if path.is_file():
            assert str(simulator.TOP).encode() not in path.read_bytes(), path


def test_the_program_answers_from_any_folder(installed, tmp_path):
    program = installed / "opt/cuckoo/bin/cuckoo_sim"
    done = subprocess.run([program, "e1"], cwd=tmp_path, capture_output=True, text=True,
                          check=False)
    assert (done.returncode, done.stdout) == (0, simulator.output("e1"))


def test_a_trace_is_drawn_by_the_installed_scripts(installed, tmp_path):
    program = installed / "opt/cuckoo/bin/cuckoo_sim"
    done = subprocess.run([program, "trace", "--svg", "steps.svg", "1", "2", "13"], cwd=tmp_path,
                          capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    picture = (tmp_path / "steps.svg").read_text(encoding="utf-8")
    assert re.search(r"<svg[^>]*>", picture) and ">13<" in picture
