"""docs/COOKBOOK.md and docs/SCALING.md: every command runs as written, and prints the lines
that the document shows below it."""
import os
import re
import shutil
import subprocess

import pytest

import simulator

COOKBOOK = simulator.TOP / "docs" / "COOKBOOK.md"
BLOCK = re.compile(r"```sh\n(.*?)\n```\n```text\n(.*?)\n```", re.DOTALL)


def recipes():
    return [pytest.param(command, answer, id=command[:60])
            for command, answer in BLOCK.findall(COOKBOOK.read_text())]


def python_with(module):
    for python in ("/usr/bin/python3", "python3"):
        found = shutil.which(python)
        if found and subprocess.run([found, "-c", "import " + module], check=False,
                                    stderr=subprocess.DEVNULL).returncode == 0:
            return found
    return None


@pytest.mark.parametrize("command,answer", recipes())
def test_recipe(command, answer, tmp_path):
    (tmp_path / "cuckoo_sim").symlink_to(simulator.PROGRAM)
    environment = dict(os.environ)
    if "| jq" in command and not shutil.which("jq"):
        pytest.skip("jq is not installed")
    module = ("pandas" if "pandas" in command else
              "matplotlib" if "plot_results.py" in command else None)
    if module:
        python = python_with(module)
        if python is None:
            pytest.skip(module + " is not installed")
        (tmp_path / "python3").symlink_to(python)
        environment["PATH"] = "%s:%s" % (tmp_path, environment["PATH"])
        (tmp_path / "plot_results.py").symlink_to(simulator.TOP / "plot_results.py")
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=tmp_path, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          stdin=subprocess.DEVNULL, timeout=simulator.TIMEOUT)
    assert done.returncode == 0, done.stderr.decode()
    printed = [line.rstrip() for line in done.stdout.decode().splitlines()]
    for line in answer.splitlines():
        assert line in printed


def test_there_are_ten_questions():
    text = COOKBOOK.read_text()
    assert [int(n) for n in re.findall(r"^## (\d+)\. ", text, re.MULTILINE)] == list(range(1, 11))
    for part in re.split(r"^## \d+\. .*$", text.split("\n# Other programs")[0], flags=re.M)[1:]:
        assert BLOCK.search(part)
