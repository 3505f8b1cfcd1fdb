"""Makes the package `report` importable, and reads the committed results once."""
import sys

import pytest

from simulator import TOP

sys.path.insert(0, str(TOP))


@pytest.fixture(scope="session")
def results_text():
    return (TOP / "results.txt").read_text(encoding="ascii")


@pytest.fixture(scope="session")
def results(results_text):
    from report.results import parse
    return parse(results_text, "results.txt")
