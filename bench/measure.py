"""Runs a program and says what it took."""
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def measure(build, command):
    """Run a program of ours: (standard output, processor seconds, wall seconds, peak bytes)."""
    program = ROOT / "cuckoo_sim" if command[0] == "cuckoo_sim" else build / "bench" / command[0]
    words = [str(build / "bench" / "launch"), str(program)] + command[1:]
    done = subprocess.run(words, capture_output=True, text=True)
    took = done.stderr.splitlines()[-1:]
    if done.returncode != 0 or not took or not took[0].startswith("took "):
        sys.exit(f"bench: {' '.join(words[1:])}: exit status {done.returncode}\n{done.stderr}")
    cpu, wall, peak = took[0].split()[1:]
    return done.stdout, float(cpu), float(wall), int(peak)


def threaded(command, threads):
    return command + ["--threads", str(threads)] if command[0] == "cuckoo_sim" else command


def limit_of(build, part, slots, cache={}):
    """Nanoseconds of one operation of bench/limits.c, median of three."""
    if (part, slots) not in cache:
        cache[part, slots] = statistics.median(
            float(measure(build, ["limits", part, "20000000", str(slots)])[0].split()[1])
            for _ in range(3))
    return cache[part, slots]


def mebibytes(peak):
    return f"{peak / 2**20:8.1f}"
