"""The report's table of stash sizes for 2^-40, held against the one in docs/EXACT.md."""
import re

from report import compare, ledger
from report.build import STASH_EXPONENTS, stash_sizes
from report.selector import Answers
from simulator import PROGRAM, TOP


def test_stash_sizes_are_those_of_the_document(results):
    document = dict(re.findall(r"^\| (2\^\d+) \| \d+ \| (\d+) \|",
                               (TOP / "docs/EXACT.md").read_text(encoding="utf-8"), re.M))
    answers = Answers(results, PROGRAM, TOP)
    wanted = [entry for entry in ledger.read(TOP / "published")
              if entry.id.startswith(("PSZ-stash-n", "CT-2h-const-n"))]
    rows = stash_sizes(compare.compare(wanted, answers), answers)["rows"]
    ours = {row[0]: row[1] for row in rows}
    assert list(document) == [f"2^{exponent}" for exponent in STASH_EXPONENTS]
    assert {keys: ours[keys] for keys in document} == document
