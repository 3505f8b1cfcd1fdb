#!/usr/bin/env python3
"""Plants the faults of faults.py one at a time in a copy of the program, rebuilds, and runs
the quick tests until one fails.  A fault that no test notices survives: that is a failure.

    tests/mutants/mutants.py [--quick] [--jobs N] [--keep] [NAME...]
    tests/mutants/mutants.py --list

--list   names and files, STALE where the code has moved on
--quick  the few of faults.QUICK, as `make check` does, and of the tests only those named
         after the file at fault, or tests/oracle for an experiment
--jobs   copies that work at the same time (default 1)

The tests: the programs of tests/unit and tests/oracle (those named after the file at fault
first), then tests/oracle/*.py, tests/cli and tests/statistics.  Standard library only; CC
and what setup/find_gsl.sh says are used as in the Makefile."""
import argparse
import concurrent.futures
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import faults  # noqa: E402

TOP = pathlib.Path(__file__).resolve().parents[2]
CC = os.environ.get("CC", "cc").split()
FLAGS = ["-O1", "-std=c11", "-D_GNU_SOURCE", "-ffp-contract=off", "-fopenmp", "-w"]
TIMEOUT = 120  # seconds a test program may take; a fault that makes it hang is noticed too
TIMEOUT_PYTEST = 900  # for a folder of them, on a machine with other work
NOT_COPIED = shutil.ignore_patterns(".git", "build", "cuckoo_sim", "__pycache__", "*.html")


def gsl(what):
    words = subprocess.run([TOP / "setup/find_gsl.sh", what], stdout=subprocess.PIPE, check=True)
    return words.stdout.decode().split()


def python_with_pytest():
    found = subprocess.run([TOP / "tests/find_python.sh", "pytest"], stdout=subprocess.PIPE,
                           check=False).stdout.decode().split()
    return found or None


class Copy:
    """A copy of the project with its object files, for one fault after the other."""

    def __init__(self, folder, quick):
        self.folder, self.quick = pathlib.Path(folder), quick
        shutil.copytree(TOP, self.folder, ignore=NOT_COPIED, dirs_exist_ok=True)
        self.cflags, self.libs = FLAGS + gsl("--cflags"), gsl("--libs")
        self.python = python_with_pytest()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            list(pool.map(self.compile, self.sources()))

    def sources(self):
        patterns = ["cuckoo_sim.c", "src/*.c", "experiments/*.c", "commands/*.c",
                    "tests/unit/test_*.c", "tests/oracle/test_*.c"]
        return [path for pattern in patterns for path in sorted(self.folder.glob(pattern))]

    def object(self, source):
        return self.folder / "obj" / source.relative_to(self.folder).with_suffix(".o")

    def compile(self, source):
        """Returns whether it compiles."""
        target = self.object(source)
        target.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([*CC, *self.cflags, "-I" + str(self.folder / "src"), "-MMD", "-c",
                               "-o", target, source], stderr=subprocess.PIPE, check=False)
        return done.returncode == 0

    def depends(self, source, changed):
        """Does `source` include the file that was changed?"""
        listed = self.object(source).with_suffix(".d")
        return source == changed or str(changed.name) in re.split(r"[\s/]", listed.read_text())

    def library(self):
        return [self.object(path) for path in sorted((self.folder / "src").glob("*.c"))]

    def link(self, target, objects, *more):
        subprocess.run([*CC, *FLAGS, "-o", target, *objects, *more, *self.libs, "-lm"], check=True)

    def fails(self, command, timeout=TIMEOUT, **keywords):
        try:
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  stdin=subprocess.DEVNULL, timeout=timeout, check=False,
                                  cwd=self.folder, **keywords)
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0

    def test_programs(self, fault_file):
        """Those named after the file at fault first, then the small ones, the oracles last."""
        parts = set(pathlib.Path(fault_file).stem.split("_")) - {"kernel"}
        tests = [path for path in self.sources() if "tests" in path.relative_to(self.folder).parts]

        def named(path):
            return len(parts & set(path.stem.split("_")))

        if self.quick:
            return [path for path in tests if named(path)]
        return sorted(tests, key=lambda path: (-named(path), "oracle" not in path.name, path.name))

    def program_fails(self, fault_file):
        """Name of the first test program that notices; None if none does."""
        for source in self.test_programs(fault_file):
            program = self.folder / "obj" / source.stem
            self.link(program, [self.object(source), *self.library()], "-lcmocka")
            if self.fails([program]):
                return source.name
        return None

    def pytest_fails(self, parts):
        """The first folder of tests in Python that notices; None if none does."""
        if not self.python:
            return None
        program = self.folder / "cuckoo_sim"
        tops = ("experiments", "commands", "cuckoo_sim.c")
        rest = [self.object(path) for path in self.sources()
                if path.relative_to(self.folder).parts[0] in tops]
        self.link(program, [*rest, *self.library()])
        environment = {**os.environ, "CUCKOO_SIM": str(program), "PYTHONDONTWRITEBYTECODE": "1"}
        words = [*self.python, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        for part in parts:
            if any((self.folder / part).glob("test_*.py")) and \
                    self.fails([*words, part], TIMEOUT_PYTEST, env=environment):
                return part
        return None

    def first_failure(self, fault_file):
        """Name of the first test that notices; None if none does."""
        library = fault_file.startswith("src/")
        noticed = self.program_fails(fault_file) if library else None
        if noticed is None and not (self.quick and library):
            parts = ["tests/oracle", "tests/cli", "tests/statistics"]
            noticed = self.pytest_fails(parts[:1] if self.quick else parts)
        return noticed

    def try_fault(self, name):
        """(name, test that noticed or None, problem or None)."""
        file, old, new = faults.FAULTS[name]
        path = self.folder / file
        text = path.read_text()
        if text.count(old) != 1:
            return name, None, "%s: the text occurs %d times" % (file, text.count(old))
        touched = [source for source in self.sources() if self.depends(source, path)]
        path.write_text(text.replace(old, new))
        try:
            for source in touched:
                if not self.compile(source):
                    return name, None, "%s: does not compile" % file
            return name, self.first_failure(file), None
        finally:
            path.write_text(text)
            for source in touched:
                self.compile(source)


def main():
    parser = argparse.ArgumentParser(description="plants small faults; the tests must notice")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    names = options.names or (faults.QUICK if options.quick else list(faults.FAULTS))
    unknown = [name for name in names if name not in faults.FAULTS]
    if unknown:
        parser.error("no fault is named %s" % " ".join(unknown))
    if options.list:
        return list_faults(names)
    with tempfile.TemporaryDirectory(prefix="mutants.") as folder:
        copies = queue.Queue()
        for i in range(max(1, options.jobs)):
            (pathlib.Path(folder) / str(i)).mkdir()
            copies.put(Copy(pathlib.Path(folder) / str(i), options.quick))
        return run(copies, names, options.jobs)


def list_faults(names):
    """Names and files; 1 if a fault's text is no longer there exactly once."""
    stale = 0
    for name in names:
        file, old, _ = faults.FAULTS[name]
        count = (TOP / file).read_text().count(old) if (TOP / file).exists() else 0
        stale += count != 1
        print("%-26s %s%s" % (name, file, "" if count == 1 else "  STALE"))
    return 1 if stale else 0


def run(copies, names, jobs):
    bad = 0
    first = copies.get()
    files = {faults.FAULTS[name][0] for name in names}
    if not first.quick:
        files = {max(files)}  # src/ where there is one: then all tests
    noticed = next(filter(None, map(first.first_failure, sorted(files))), None)
    copies.put(first)
    if noticed:
        print("FAILED: %s fails without a fault" % noticed)
        return 1

    def one(name):
        copy = copies.get()
        try:
            return copy.try_fault(name)
        finally:
            copies.put(copy)

    with concurrent.futures.ThreadPoolExecutor(max(1, jobs)) as pool:
        for name, noticed, problem in pool.map(one, names):
            bad += noticed is None
            print("%-8s %-26s %s" % ("noticed" if noticed else "FAILED", name,
                                     noticed or problem or "no test noticed it"), flush=True)
    print("%d faults, %d noticed, %d not" % (len(names), len(names) - bad, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
