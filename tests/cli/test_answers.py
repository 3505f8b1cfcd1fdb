"""Every number in an answer of docs/EXPERIMENTS*.md is one that the experiment prints.

A number is looked for in the experiment's part of results.txt, or in results/eN.txt: as it stands, or rounded to
the digits that the answer gives; 2^10 is 1024.  An answer that a change of the output has
overtaken fails here."""
import math
import re

import pytest

import simulator

NUMBER = r"\d+(?:\.\d+)?(?:e[-+]?\d+)?"
IDENTITIES = re.compile(r"sqrt\(2/3\)|1/n(\^2)?")  # no measurements


def answers():
    """(experiment, text of its answer)."""
    documents = sorted((simulator.TOP / "docs").glob("EXPERIMENTS*.md"))
    text = "\n".join(document.read_text() for document in documents)
    found = []
    for name, section in re.findall(r"^## (e\d+): (.*?)(?=^## |\Z)", text, re.M | re.S):
        answer = re.search(r"^- Answer: (.*?)(?=^- |^$|\Z)", section, re.M | re.S)
        assert answer, f"{name} has no answer"
        found.append((name, answer.group(1)))
    return found


def printed(name, results):
    """All numbers in the tables of an experiment, notes and parameters included."""
    tables = [part for part in results.split("\n\n") if part.startswith(f"# {name}.")]
    return {float(number) for number in re.findall(NUMBER, "\n".join(tables))}


def is_printed(text, numbers):
    """Whether a number, as the answer writes it, is one of `numbers` rounded."""
    wanted = float(text)
    if wanted in numbers:
        return True
    if "." not in text:
        return False
    half = 0.5 * 10.0 ** -len(text.split(".")[1]) * (1 + 1e-9)
    return any(math.isclose(number, wanted, rel_tol=0, abs_tol=half) for number in numbers)


def numbers_in(answer):
    """The numbers of an answer as written; a power is its value."""
    text = IDENTITIES.sub("", answer)
    powers = [str(int(base) ** int(exponent))
              for base, exponent in re.findall(r"(\d+)\^(\d+)", text)]
    return powers + re.findall(NUMBER, re.sub(r"\d+\^\d+", "", text))


@pytest.mark.parametrize("name, answer", answers(), ids=[name for name, _ in answers()])
def test_answer_is_printed(name, answer):
    own = simulator.TOP / "results" / f"{name}.txt"  # of an experiment beyond the seven
    golden = own if own.exists() else simulator.TOP / "results.txt"
    numbers = printed(name, golden.read_text())
    assert numbers, f"{golden} has no table of {name}"
    missing = [text for text in numbers_in(answer) if not is_printed(text, numbers)]
    assert not missing


def test_all_seven_have_an_answer():
    named = [name for name, _ in answers()]
    assert len(named) == len(set(named)) and set(simulator.EXPERIMENTS) <= set(named)


def test_the_reader_itself():
    assert numbers_in("From 2^10 slots 5.50 for (2,4), sqrt(2/3) = 0.8165") == \
        ["1024", "5.50", "2", "4", "0.8165"]
    assert is_printed("5.50", {5.5018}) and not is_printed("5.51", {5.5018})
    assert is_printed("8", {8.0}) and not is_printed("7", {7.5})
