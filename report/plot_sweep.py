"""One picture of what `./cuckoo_sim sweep` printed: a measure against an option that was
given a list or a range, a line for each value of the others.

The option on the x axis is the first of X_OPTIONS that was swept, or the one asked for;
words (a search, a rule) are placed side by side.
"""

from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from report.colours import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, RED
from report.plotting import Plot, decades, log_axis
from report.results import ResultsError

# Option -> the column that says its value in a row.
X_OPTIONS = {"load": "load", "expansion": "slots", "slots": "slots", "keys": "keys",
             "stash": "stash", "candidates": "candidates", "bucket": "bucket",
             "search": "search", "rule": "search", "hash": "hash", "derive": "derive",
             "layout": "layout", "positions": "positions"}
# What may tell two lines apart; the first three follow from one another.
LINE_COLUMNS = ("candidates", "bucket", "layout", "positions", "hash", "derive", "search", "stash",
                "lookup")
# Table -> (column, lower end, upper end or half width, label of the axis, on a log axis).
MEASURES = {
    "run.fail": ("proportion", "low", "high", "share of key sets without a place", True),
    "run.fill": ("median", "median_low", "median_high", "load at the first failure", False),
    "run.insert": ("mean", "mean_ci", None, "{quantity} an insertion, mean of the segment", False),
    "run.lookup": ("mean", "mean_ci", None, "slots compared, mean", False),
    "run.primary": ("share", "share_ci", None, "share of keys in their first candidate", False),
}
LOOKS = ((BLUE, "o"), (RED, "s"), (GREEN, "^"), (PURPLE, "D"), (ORANGE, "v"), (INK, "P"))
LINES_MOST = len(LOOKS)


def _table(results):
    found = [name for name in MEASURES if name in results]
    if not found:
        raise ResultsError(f"{results.origin}: no table of `sweep` (one of {' '.join(MEASURES)})")
    return results.table(found[0])


def _is_list(option, text):
    """Whether an option's text names several values; walk:500 and bfs:2000,4 are one word."""
    if option in ("search", "derive", "hash"):
        return any(word and not word[0].isdigit() for word in text.split(",")[1:])
    return "," in text or ":" in text


def _x_option(table, asked):
    swept = [option for option in X_OPTIONS if option in table.parameters
             and _is_list(option, table.parameters[option])]
    if asked is not None and asked not in swept:
        raise ResultsError(f"table {table.name}: --x {asked}: the options that were swept are "
                           f"{' '.join(swept) or 'none'}")
    if not swept:
        raise ResultsError(f"table {table.name}: no option was given a list or a range")
    return asked or swept[0]


def _x_column(table, option):
    column = X_OPTIONS[option]
    if column == "load" and "load_to" in table.columns:
        return "load_to"
    return column


def _lines(table, rows, x_column, option):
    """Rows by what tells the lines apart: a list of (label, rows)."""
    named = [column for column in LINE_COLUMNS if column in table.columns and column != x_column]
    for column, options in (("load", ("load",)), ("slots", ("slots", "expansion")),
                            ("keys", ("keys",))):
        if column in table.columns and option not in options and any(
                _is_list(name, table.parameters.get(name, "")) for name in options):
            named.append(column)
    named = [column for column in named if len({row.text(column) for row in rows}) > 1]
    groups = {}
    for row in rows:
        mine = groups.setdefault(tuple(row.text(column) for column in named), {})
        mine[row.text(x_column)] = row      # --stash 0,1 prints the row of 0 twice
    if len(groups) > LINES_MOST:
        raise ResultsError(f"table {table.name}: {len(groups)} lines ({' '.join(named)} differ); "
                           f"at most {LINES_MOST} are drawn")
    return [(", ".join(f"{column} {value}" for column, value in zip(named, key)),
             list(mine.values())) for key, mine in groups.items()]


def _interval(row, measure):
    value, low, high, _label, _log = measure
    middle = row.number(value)
    if high is None:
        half = row.number(low)
        return middle, middle - half, middle + half
    return middle, row.number(low), row.number(high)


def _draw_line(ax, places, rows, measure, look, size, joined):
    """`size` of the sign of an upper limit: those of several lines lie on one another."""
    colour, marker = look
    drawn, middles = [], []
    for x, row in zip(places, rows):
        middle, low, high = _interval(row, measure)
        if middle is None:      # nothing failed: an upper limit, and nothing else
            ax.plot([x], [high], marker=7, color=colour, linestyle="none", markersize=size)
            ax.plot([x, x], [high, high / 2], color=colour, linewidth=1.2)
            continue
        ax.errorbar([x], [middle], [[middle - low], [high - middle]], capsize=3, elinewidth=1.2,
                    color=colour, marker=marker, linestyle="none")
        drawn.append(x)
        middles.append(middle)
    if joined:
        ax.plot(drawn, middles, color=colour, linewidth=1.2)
    if "exact" in rows[0]:
        known = [(x, row.number("exact")) for x, row in zip(places, rows)
                 if row.number("exact") is not None]
        ax.plot([x for x, _ in known], [y for _, y in known], color=colour,
                linestyle=(0, (4, 2)), linewidth=1.4)


def _scale(ax, rows, measure, words, whole):
    if measure[4]:
        values = [value for row in rows for value in _interval(row, measure)[1:]]
        values += [row.number("exact") for row in rows if row.number("exact") is not None]
        log_axis(ax.yaxis, 10, *decades(values, -12))
    if words:
        ax.set_xticks(range(len(words)))
        ax.set_xticklabels(words, fontsize=9.5)
        ax.set_xlim(-0.5, len(words) - 0.5)
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=whole, steps=[1, 2, 2.5, 5, 10]))


def sweep(results, x=None, quantity="slots_read"):
    """The SVG's text.  `x`: an option that was swept; `quantity`: of run.insert."""
    table = _table(results)
    measure = MEASURES[table.name]
    option = _x_option(table, x)
    column = _x_column(table, option)
    rows = table.where(quantity=quantity) if "quantity" in table.columns else table.rows
    if not rows:
        raise ResultsError(f"table {table.name}: no rows with quantity {quantity}")
    lines = _lines(table, rows, column, option)
    texts = list(dict.fromkeys(row.text(column) for row in rows))
    words = texts if option in ("search", "rule", "hash", "derive", "layout", "positions") else []
    label = measure[3].format(quantity=quantity.replace("_", " "))
    head = 20 * len(lines) if len(lines) > 1 else 0
    exact = "exact" in table.columns and any(row.number("exact") is not None for row in rows)
    plot = Plot("sweep", 300 + head + 20 * exact, table.title,
                f"{label} against {option}, as `sweep` measured it; bars are 95% intervals.")
    ax = plot.axes(64, 46, 424, 230)
    _scale(ax, rows, measure, words, not column.startswith("load"))
    handles = []
    for i, ((colour, marker), (name, mine)) in enumerate(zip(LOOKS, lines)):
        mine.sort(key=lambda row: texts.index(row.text(column)) if words else row.number(column))
        places = [texts.index(row.text(column)) if words else row.number(column) for row in mine]
        _draw_line(ax, places, mine, measure, (colour, marker), 14 - 2 * i, not words)
        handles.append(Line2D([], [], color=colour, marker=marker, label=name))
    if exact:
        handles.append(Line2D([], [], color=GREY, linestyle=(0, (4, 2)), linewidth=1.4,
                              label="exact"))
    ax.set_xlabel({"load_to": "load, upper end of the segment"}.get(column, column))
    ax.set_ylabel(label)
    if len(lines) > 1 or exact:
        plot.legend(handles[0 if len(lines) > 1 else -1:], 64, 286)
    return plot.render()
