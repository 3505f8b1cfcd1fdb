"""The command line that plot_results.py and draw_diagrams.py share: read, draw, write.

A figure is a name and a function from results to the text of an SVG file.  Files are
written whole and only when they change, so that `make` does not redraw for nothing.
"""

import argparse
from pathlib import Path

from report.results import ResultsError, complain, read


def write_if_changed(path, text):
    """Write the file unless it already holds exactly this; says which it was."""
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return "unchanged"
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(text, encoding="utf-8", newline="\n")
    temporary.replace(path)
    return "written"


def parse_arguments(program, about, figures, arguments):
    parser = argparse.ArgumentParser(
        prog=program, description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="?", default="results.txt",
                        help="the program's text output (default: results.txt)")
    parser.add_argument("--out", default="figures", metavar="FOLDER",
                        help="where the SVG files go (default: figures)")
    parser.add_argument("--only", choices=list(figures), metavar="FIGURE",
                        help="draw one figure: " + ", ".join(figures))
    return parser.parse_args(arguments)


def main(program, about, figures, arguments=None):
    """Draw all figures of a script; the exit status."""
    options = parse_arguments(program, about, figures, arguments)
    names = [options.only] if options.only else list(figures)
    try:
        results = read(options.results)
        folder = Path(options.out)
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            path = folder / f"{name}.svg"
            print(f"{path}: {write_if_changed(path, figures[name](results))}")
    except ResultsError as problem:
        return complain(program, problem)
    except OSError as problem:
        return complain(program, f"{problem.filename}: {problem.strerror}")
    return 0
