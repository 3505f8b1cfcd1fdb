"""Write report.html: `python3 -m report.build`.

One page that needs nothing else: figures inline, no network, no framework.  It shows what
cuckoo hashing promises and what it costs, figure by figure, with the numbers, the command
that makes them and the published values with their verdicts, and then the whole ledger.
No date, no host: the same results give the same page.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from report import sections
from report.compare import FAMILY, STORED, VERDICTS, compare, multiplicity
from report.figures import write_if_changed
from report.inline_svg import inline
from report.ledger import LedgerError, read as read_ledger
from report.results import ResultsError, complain, read as read_results
from report.selector import Answers, Selector
from report.verdicts import LEVEL

HERE = Path(__file__).parent
TARGET_BITS, STASH_ASKED = 40, 12       # the table of stash sizes: failures below 2^-40
STASH_EXPONENTS = range(8, 25, 2)       # and its keys, 2^8 to 2^24, beside those published
MANY = 12                               # rows of one source in a section before they are summed up
PLURAL = {"agrees": "agree", "differs": "differ", "not comparable": "not comparable"}


def template():
    """The page's template, with the marks that Jinja2 escapes by itself."""
    try:
        import jinja2
    except ImportError as problem:
        raise ResultsError("Jinja2 is missing for this Python (Debian: apt install "
                           f"python3-jinja2): {problem}") from None
    loader = jinja2.FileSystemLoader(HERE)
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True,
                                     lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    return environment.get_template("report.html.j2")


def version(program):
    """What `./cuckoo_sim --version` says, in one line."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as problem:
        raise ResultsError(f"{program} --version: {problem} (build it: make)") from None
    return done.stdout.strip().splitlines()[0]


def ledger_row(row):
    """A compared entry as the template shows it."""
    entry, found = row.entry, row.judgement
    return {"id": entry.id, "source": entry.source, "short": entry.source.split(": ")[0],
            "locator": entry.locator,
            "quantity": entry.quantity, "setting": entry.setting, "value": entry.value,
            "trials": entry.trials, "confidence": entry.confidence,
            "ours": found.shown if found else "", "statistic": found.statistic if found else "",
            "p": "" if found is None or found.p is None else f"{found.p:.2g}",
            "verdict": row.verdict, "origin": row.origin,
            "explanation": entry.explanation, "evidence": entry.evidence,
            "seen": entry.seen, "section": sections.section_of(entry) or ""}


def published_in(key, compared):
    """A section's published values: rows one by one, sources with many rows summed up."""
    mine = [row for row in compared if sections.section_of(row.entry) == key
            and row.verdict != "lead"]
    many = {source for source, count in Counter(row.entry.source for row in mine).items()
            if count > MANY}
    sums = []
    for source in sorted(many):
        verdicts = Counter(row.verdict for row in mine if row.entry.source == source)
        sums.append({"source": source, "counts": ", ".join(
            f"{verdicts[verdict]} {word}" for verdict, word in PLURAL.items()
            if verdicts[verdict])})
    return {"rows": [ledger_row(row) for row in mine if row.entry.source not in many],
            "sums": sums}


def differences(rows):
    """The differing rows, those with one explanation together."""
    groups = {}
    for row in rows:
        if row["verdict"] == "differs":
            groups.setdefault((row["explanation"], row["evidence"]), []).append(row)
    return [{"explanation": explanation, "evidence": evidence, "rows": found}
            for (explanation, evidence), found in groups.items()]


def stash_sizes(compared, answers):
    """The least stash for failures below 2^-40, beside the two published lists."""
    lists = {}
    for row in compared:
        found = re.match(r"(PSZ-stash|CT-2h-const)-n(\d+)$", row.entry.id)
        if not found:
            continue
        origin, _, filters = Selector(row.entry.ours).references[0]
        line = lists.setdefault(int(found[2]), {"origin": origin})
        line[found[1]] = (filters["stash"], row.verdict)
    for exponent in STASH_EXPONENTS:
        keys = 2 ** exponent
        lists.setdefault(exponent, {"origin": f"exact --keys {keys} --slots {-(-12 * keys // 5)} "
                                              f"--layout one --stash {STASH_ASKED}"})
    answers.prepare([line["origin"] for line in lists.values()])
    rows = []
    for exponent, line in sorted(lists.items()):
        results = answers.outputs[line["origin"]]
        if isinstance(results, ResultsError):
            raise results
        law = next(iter(results.tables.values()))
        least = next((r for r in law.rows if r.number("pr_overflow") < 2.0 ** -TARGET_BITS), None)
        cells = [f"2^{exponent}", least.text("stash") if least else f"over {STASH_ASKED}"]
        for name in ("PSZ-stash", "CT-2h-const"):
            size, verdict = line.get(name, ("", ""))
            cells.append(f"{size}, too small" if verdict == "differs" else size)
        rows.append(cells)
    return sections.table(
        f"Least stash for failures below 2^-{TARGET_BITS}: two candidates in one table of 2.4 n "
        "slots", [("keys", 0), ("needed (exact)", 1),
                  ("Pinkas, Schneider, Segev and Zohner 2015", 1), ("cryptoTools", 1)], rows)


def context(options, compared, answers, results):
    """Everything the template needs."""
    built = [section(results) for section in sections.SECTIONS]
    for section in built:
        section["figures"] = [{"name": name, "svg": inline(name, options.figures),
                               "caption": section.get("captions", {}).get(name)}
                              for name in section["figures"]]
        section["published"] = published_in(section["key"], compared)
        if section["key"] == "stash":
            section["tables"].insert(0, stash_sizes(compared, answers))
    counts = Counter(row.verdict for row in compared)
    rows = [ledger_row(row) for row in compared]
    seeds = sorted({table.parameters["seed"] for table in results.tables.values()
                    if "seed" in table.parameters})
    return {"sections": built, "ledger": rows, "verdicts": VERDICTS, "stored": STORED,
            "counts": counts,
            "sources": sorted({row["source"] for row in rows}, key=str.lower),
            "differences": differences(rows),
            "chance": multiplicity(compared), "level": LEVEL, "family": FAMILY,
            "version": version(options.program), "seeds": " ".join(seeds),
            "table_rows": [[t.name, t.title, len(t.rows)]
                           for t in results.tables.values()],
            "css": (HERE / "report.css").read_text(encoding="utf-8"),
            "script": (HERE / "report.js").read_text(encoding="utf-8")}


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(prog="report.build", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="?", default="results.txt",
                        help="the program's text output (default: results.txt)")
    parser.add_argument("--published", default="published", metavar="FOLDER")
    parser.add_argument("--figures", default="figures", metavar="FOLDER")
    parser.add_argument("--program", default="./cuckoo_sim", metavar="FILE")
    parser.add_argument("--out", default="report.html", metavar="FILE")
    return parser.parse_args(arguments)


def main(arguments=None):
    options = parse_arguments(arguments)
    try:
        page = template()
        results = read_results(options.results)
        answers = Answers(results, options.program)
        compared = compare(read_ledger(options.published), answers)
        text = page.render(context(options, compared, answers, results))
        print(f"{options.out}: {write_if_changed(Path(options.out), text)}")
    except (LedgerError, ResultsError) as problem:
        return complain("report.build", problem)
    except OSError as problem:
        return complain("report.build", f"{problem.filename}: {problem.strerror}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
