"""The manual page and the completion of shells name every subcommand and option."""
import shutil
import subprocess

import pytest

import simulator

SUBCOMMANDS = [name for name in simulator.subcommands()]


def test_manual_page():
    text = simulator.output("help", "--man")
    assert text.startswith(".\\\"") and "\n.TH CUCKOO_SIM 1 " in text
    for name in SUBCOMMANDS:
        section = text.split("\n.SS %s" % name)[1].split("\n.SS ")[0]
        for option in simulator.options_of(name):
            assert "\\fB\\-\\-%s\\fR" % option.replace("-", "\\-") in section, (name, option)


@pytest.mark.skipif(not shutil.which("man"), reason="man is not installed")
def test_manual_page_is_read_without_warning(tmp_path):
    path = tmp_path / "cuckoo_sim.1"
    path.write_text(simulator.output("help", "--man"))
    done = subprocess.run(["man", "-l", "--warnings", path], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=True, timeout=60)
    assert done.stderr == b"" and b"--measure WHAT" in done.stdout


def complete(*words):
    """What bash offers for the last word."""
    script = simulator.output("help", "--bash")
    line = " ".join("'%s'" % word for word in words)
    script += "COMP_WORDS=(%s); COMP_CWORD=%d; _cuckoo_sim; printf '%%s\\n' \"${COMPREPLY[@]}\"\n" % (
        line, len(words) - 1)
    done = subprocess.run(["bash"], input=script.encode(), stdout=subprocess.PIPE, check=True,
                          timeout=60)
    return done.stdout.decode().split()


needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")


@needs_bash
def test_bash_completion(tmp_path):
    assert set(SUBCOMMANDS) <= set(complete("cuckoo_sim", ""))
    assert complete("cuckoo_sim", "swe") == ["sweep"]
    for name in SUBCOMMANDS:
        offered = {word[2:] for word in complete("cuckoo_sim", name, "--")}
        assert offered == set(simulator.options_of(name)), name
    assert complete("cuckoo_sim", "run", "--measure", "f") == ["fill", "fail"]
    assert complete("cuckoo_sim", "e4", "--format", "j") == ["jsonl"]
    assert complete("cuckoo_sim", "e4", "--seed", "") == []
    (tmp_path / "part1").touch()
    assert complete("cuckoo_sim", "merge", str(tmp_path / "par")) == [str(tmp_path / "part1")]


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
def test_zsh_completion_is_read(tmp_path):
    path = tmp_path / "_cuckoo_sim"
    path.write_text(simulator.output("help", "--zsh"))
    subprocess.run(["zsh", "-n", path], check=True, timeout=60)
    text = path.read_text()
    for name in SUBCOMMANDS:
        section = text.split("\n    %s)\n" % name)[1].split(";;")[0]
        for option in simulator.options_of(name):
            assert "'--%s" % option in section
