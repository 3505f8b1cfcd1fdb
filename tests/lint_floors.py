#!/usr/bin/env python3
"""Holds the house of docs/DESIGN.md: which file may use which.

    tests/lint_floors.py RULE...     floors gsl length quiet

floors  a file includes nothing from a floor above its own, and every file has a floor
gsl     only statistics and the exact answers include the GNU Scientific Library
length  no source file is longer than 500 lines
quiet   experiments and measures neither print nor start threads
"""
import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Lowest first.  A file may include its own floor and those below.
FLOORS = [
    ("numbers, errors, files", ["src/error", "src/compiler", "src/whole_file", "src/hash*",
                                 "src/rng*", "src/stats*", "src/version", "src/count128",
                                 "src/family", "src/derive*", "src/keyset", "src/ratio"]),
    ("slots", ["src/table*", "src/scheme*"]),
    ("algorithms", ["src/insert*", "src/complete*", "src/graph*", "src/openaddr*", "src/lookup*",
                    "src/trace*", "src/exact*", "src/threshold*", "src/bound*", "src/race*",
                    "src/live*", "src/filter*", "src/bloom*", "src/growth*", "src/compare*",
                    "src/rules"]),
    ("trials and tables of results", ["src/trials*", "src/out*", "src/options*", "src/parse*",
                                      "src/pool", "src/tally", "src/section", "src/record*",
                                      "src/session", "src/stop", "src/ranks", "src/progress",
                                      "src/search", "src/keyfile"]),
    ("measures", ["src/measure*"]),
    ("questions", ["experiments/*", "commands/*"]),
    ("contents", ["cuckoo_sim"]),
]
GSL = ["src/stats*", "src/exact*", "src/threshold*", "src/bound*"]
LONGEST = 500

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
LOUD = re.compile(r"\b(printf|fprintf|puts|fputs|putchar|omp_\w+|pthread_\w+)\s*\(|#\s*pragma\s+omp")


def program_files():
    for pattern in ("*.[ch]", "src/*.[ch]", "experiments/*.[ch]", "commands/*.[ch]"):
        yield from sorted(ROOT.glob(pattern))


def matches(path, patterns):
    name = path.relative_to(ROOT).with_suffix("").as_posix()
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def floor_of(path):
    for number, (_, patterns) in enumerate(FLOORS):
        if matches(path, patterns):
            return number
    return None


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found.group(1), found.group(2)


def rule_floors():
    for path in program_files():
        own = floor_of(path)
        if own is None:
            yield path, 1, "has no floor: name it in tests/lint_floors.py and docs/DESIGN.md"
            continue
        for line, local, _ in includes(path):
            target = (path.parent / local).resolve() if local else None
            if target is None or ROOT not in target.parents:
                continue
            other = floor_of(target)
            if other is not None and other > own:
                yield path, line, (f"floor '{FLOORS[own][0]}' includes {local} "
                                   f"from '{FLOORS[other][0]}' above it")


def rule_gsl():
    for path in program_files():
        for line, _, system in includes(path):
            if system and system.startswith("gsl/") and not matches(path, GSL):
                yield path, line, f"includes <{system}>; only {', '.join(GSL)} may"


def rule_length():
    sources = [*program_files(), *ROOT.glob("*.py"), *ROOT.glob("report/*.py"),
               *ROOT.glob("tests/**/*.[ch]"), *ROOT.glob("tests/**/*.py"),
               *ROOT.glob("tests/*.sh"), *ROOT.glob("setup/*.sh"), *ROOT.glob("bench/*")]
    for path in sources:
        if path.is_file():
            lines = len(path.read_text().splitlines())
            if lines > LONGEST:
                yield path, lines, f"has {lines} lines; {LONGEST} is the most: split it by concept"


def rule_quiet():
    for path in program_files():
        if matches(path, ["experiments/*", "src/measure*"]):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                found = LOUD.search(line)
                if found and not line.lstrip().startswith(("*", "/*", "//")):
                    yield path, number, f"`{found.group(0)}`: the floors below print and run threads"


RULES = {"floors": rule_floors, "gsl": rule_gsl, "length": rule_length, "quiet": rule_quiet}


def main():
    names = sys.argv[1:] or list(RULES)
    unknown = [name for name in names if name not in RULES]
    if unknown:
        print(f"lint_floors: no rule {' '.join(unknown)}; rules: {' '.join(RULES)}", file=sys.stderr)
        return 2
    bad = 0
    for name in names:
        for path, line, what in RULES[name]():
            print(f"{path.relative_to(ROOT)}:{line}: {what}")
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
