"""Every command line of README.md and docs/*.md that calls the program runs as written.

Taken are lines of ```sh blocks that begin with `./cuckoo_sim` or `$ ./cuckoo_sim`, and
`./cuckoo_sim ...` between single backticks; of a pipeline or a redirection its first
command.  An experiment with its own, large numbers would take minutes: --trials and --slots
are added behind the words as written, so that these are all read, and the run is small."""
import re
import shlex
import subprocess

import pytest

import simulator

FILES = [simulator.TOP / "README.md", *sorted((simulator.TOP / "docs").glob("*.md"))]


def first_command(line):
    """Words of the first simple command, comments and what follows an operator left out."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = []
    for word in lexer:
        if not set(word) - set("|<>&;()"):
            break
        words.append(word)
    return words


def commands_in(text):
    """(words) of every documented command."""
    found, block = [], None
    for line in text.splitlines():
        fence = re.match(r"\s*```(\w*)", line)
        if fence:
            block = fence.group(1) if block is None else None
            continue
        if block in ("sh", "console", "shell", "bash"):
            line = re.sub(r"^\s*\$ ", "", line.strip())
            if line.startswith("./cuckoo_sim"):
                found.append(first_command(line))
        elif block is None:
            for code in re.findall(r"`(\./cuckoo_sim[^`]*)`", line):
                found.append(first_command(code))
    return found


def documented():
    """One parameter for every different command, named by the file it stands in first."""
    seen, parameters = set(), []
    for path in FILES:
        for words in commands_in(path.read_text() if path.exists() else ""):
            if tuple(words) not in seen and "..." not in words and "EXPERIMENT" not in words:
                seen.add(tuple(words))
                parameters.append(pytest.param(words, id=path.name + ": " + " ".join(words[1:])))
    return parameters


def small(words):
    """Words that make the run small, behind those that are written."""
    name = words[1] if len(words) > 1 else ""
    if name not in simulator.subcommands():
        return []
    values = {"trials": "2"}
    if name == "all" or re.fullmatch(r"e\d+", name):
        values["slots"] = "4096"
    return [word for option in simulator.options_of(name) if option in values
            for word in ("--" + option, values[option])]


@pytest.mark.parametrize("words", documented())
def test_documented_command(words, tmp_path):
    (tmp_path / "cuckoo_sim").symlink_to(simulator.PROGRAM)
    (tmp_path / "build").mkdir()
    done = subprocess.run(words + small(words), cwd=tmp_path, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          timeout=simulator.TIMEOUT)
    if len(words) == 2 and b"must be given" in done.stderr:
        assert done.returncode == 2  # the name of a subcommand that needs more words
        return
    assert done.returncode == 0, done.stderr.decode()
    assert done.stderr == b""


def test_there_are_documented_commands():
    assert len(documented()) >= 7


def test_every_experiment_is_documented():
    named = {words[1] for path in FILES if path.exists()
             for words in commands_in(path.read_text()) if len(words) > 1}
    assert set(simulator.EXPERIMENTS) | {"all"} <= named


def test_reading_of_documents():
    """The reader itself: fences, prompts, pipes, comments."""
    text = """
`./cuckoo_sim e1` and `./cuckoo_sim e4 --trials 5`
```sh
$ ./cuckoo_sim e2 --seed 3 | head   # the first rows
./cuckoo_sim all > results.txt
./cuckoo_sim e6 --quiet && echo done
make check
```
```c
./cuckoo_sim e3
```
"""
    assert commands_in(text) == [
        ["./cuckoo_sim", "e1"],
        ["./cuckoo_sim", "e4", "--trials", "5"],
        ["./cuckoo_sim", "e2", "--seed", "3"],
        ["./cuckoo_sim", "all"],
        ["./cuckoo_sim", "e6", "--quiet"],
    ]
