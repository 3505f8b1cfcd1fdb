#!/usr/bin/env python3
"""Lines of the program that ran, by file and in all.

    tests/coverage.py FOLDER [--least PERCENT] [--lines]

FOLDER is a build with --coverage (make coverage) whose programs have run; gcov reads it.
A line of a header counts as run if it ran in any file that includes it.  --lines lists the
lines that did not run.  Exit status 1 if the share of all lines is below --least."""
import argparse
import collections
import json
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("src", "experiments", "commands")


def read(folder):
    """{file: {line: times}} of the program's own files."""
    lines = collections.defaultdict(lambda: collections.defaultdict(int))
    for notes in sorted(folder.rglob("*.gcno")):
        if "tests" in notes.relative_to(folder).parts:
            continue
        done = subprocess.run(["gcov", "--json-format", "--stdout", str(notes)], cwd=TOP,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        for text in done.stdout.splitlines():
            for each in json.loads(text)["files"]:
                path = pathlib.Path(each["file"])
                path = path.relative_to(TOP) if path.is_absolute() and TOP in path.parents else path
                if path.parts[0] in FOLDERS:
                    for line in each["lines"]:
                        lines[path.as_posix()][line["line_number"]] += line["count"]
    return lines


def spans(numbers):
    """[3, 4, 5, 9] as 3-5 9."""
    parts = []
    for number in sorted(numbers):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return " ".join("%d" % a if a == b else "%d-%d" % (a, b) for a, b in parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--least", type=float, default=0.0)
    parser.add_argument("--lines", action="store_true")
    options = parser.parse_args()
    lines = read(options.folder.resolve())
    groups = collections.defaultdict(lambda: [0, 0])
    print("%7s %7s %8s  file" % ("lines", "run", "percent"))
    for path, counts in sorted(lines.items()):
        missed = [number for number, count in counts.items() if count == 0]
        for name in (path.split("/")[0] + "/", "all"):
            groups[name][0] += len(counts)
            groups[name][1] += len(counts) - len(missed)
        if missed:
            print("%7d %7d %8.1f  %s%s" % (len(counts), len(counts) - len(missed),
                                          100.0 * (len(counts) - len(missed)) / len(counts), path,
                                          "  not run: " + spans(missed) if options.lines else ""))
    for name, (total, run) in sorted(groups.items(), key=lambda item: (item[0] == "all", item[0])):
        print("%7d %7d %8.1f  %s" % (total, run, 100.0 * run / total, name))
    total, run = groups["all"]
    return 0 if total and 100.0 * run / total >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
