"""The command line that plot_results.py and draw_diagrams.py share: read, draw, write.

A figure is a name and a function from results to the text of an SVG file; one of an
experiment beyond the seven also names the experiment, whose file in results/ it is drawn
from, whatever results file the others come from.  Files are written whole and only when
they change, so that `make` does not redraw for nothing.
"""

import argparse
from pathlib import Path

from report.results import BEYOND, SENSELESS, ResultsError, complain, read, read_beyond


def write_if_changed(path, text):
    """Write the file unless it already holds exactly this; says which it was."""
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return "unchanged"
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(text, encoding="utf-8", newline="\n")
    temporary.replace(path)
    return "written"


def parse_arguments(program, about, names, sweeps, arguments):
    parser = argparse.ArgumentParser(
        prog=program, description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="?", default="results.txt",
                        help="the program's text output (default: results.txt)")
    parser.add_argument("--out", default="figures", metavar="FOLDER",
                        help="where the SVG files go (default: figures)")
    parser.add_argument("--beyond", default=BEYOND, metavar="FOLDER",
                        help="where the outputs of e8 and later are (default: results/ beside "
                             "the script)")
    parser.add_argument("--only", choices=list(names), metavar="FIGURE",
                        help="draw one figure: " + ", ".join(names))
    if sweeps:
        parser.add_argument("--sweep", metavar="FILE",
                            help="draw the output of `cuckoo_sim sweep` to FOLDER/sweep.svg")
        parser.add_argument("--x", metavar="OPTION",
                            help="with --sweep: the swept option on the x axis")
        parser.add_argument("--quantity", default="slots_read", metavar="WORD",
                            help="with --sweep of --measure insert (default: slots_read)")
    return parser.parse_args(arguments)


def draw(name, function, results):
    """The figure's text; tables that no picture can be made of are a ResultsError."""
    try:
        return function(results)
    except SENSELESS as problem:
        raise ResultsError(f"{results.origin}: {name} cannot be drawn from its tables: "
                           f"{problem!r}") from None


def draw_sweep(program, options, sweep):
    """FOLDER/sweep.svg from the sweep's output; the exit status."""
    try:
        text = draw("sweep", lambda results: sweep(results, options.x, options.quantity),
                    read(options.sweep))
        folder = Path(options.out)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "sweep.svg"
        print(f"{path}: {write_if_changed(path, text)}")
    except ResultsError as problem:
        return complain(program, problem)
    except OSError as problem:
        return complain(program, f"{problem.filename}: {problem.strerror}")
    return 0


def main(program, about, figures, beyond=None, sweep=None, arguments=None):
    """Draw all figures of a script; the exit status.  `sweep` draws what `sweep` printed."""
    beyond = beyond or {}
    options = parse_arguments(program, about, [*figures, *beyond], sweep is not None, arguments)
    if getattr(options, "sweep", None) is not None:
        return draw_sweep(program, options, sweep)
    names = [options.only] if options.only else [*figures, *beyond]
    try:
        results = read(options.results)
        folder = Path(options.out)
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            path = folder / f"{name}.svg"
            if name in beyond:
                experiment, function = beyond[name]
                text = draw(name, function, read_beyond(experiment, options.beyond))
            else:
                text = draw(name, figures[name], results)
            print(f"{path}: {write_if_changed(path, text)}")
    except ResultsError as problem:
        return complain(program, problem)
    except OSError as problem:
        return complain(program, f"{problem.filename}: {problem.strerror}")
    return 0
