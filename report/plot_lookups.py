"""Plots of e2, e3 and e7: what a lookup and an insertion cost."""

from matplotlib.lines import Line2D

from report.colours import BLUE, GREEN, GREY, INK, PURPLE, RED
from report.plot_text import segments_of, size_name
from report.plotting import Plot, decades, log_axis
from report.results import ResultsError

METHODS = {"linear-probing": ("linear probing", RED, "s"),
           "robin-hood": ("Robin Hood", PURPLE, "D")}
CUCKOO = {(2, 8): (GREEN, "^"), (2, 4): (BLUE, "o"), (4, 1): (INK, "v")}


def _error_bars(ax, xs, rows, columns, colour, marker):
    """Medians with a bar from the least to the greatest value; `columns` names the three."""
    middle, least, greatest = ([row.number(column) for row in rows] for column in columns)
    ax.errorbar(xs, middle, [[m - low for m, low in zip(middle, least)],
                             [high - m for m, high in zip(middle, greatest)]],
                color=colour, marker=marker, capsize=3, elinewidth=1.2, linewidth=1.8)
    return middle[-1]


def _miss_panel(ax, table):
    """Most slots compared by a miss against load."""
    columns = ("max_median", "max_least", "max_greatest")
    misses = table.where(lookup="miss")
    for method, (name, colour, marker) in METHODS.items():
        rows = [row for row in misses if row.text("method") == method]
        _error_bars(ax, [row.number("load") for row in rows], rows, columns, colour, marker)
        ax.text(rows[1].number("load") - 0.04, rows[1].number("max_greatest") * 2, name,
                color=colour, ha="center", fontsize=10)
    for (d, k), (colour, marker) in CUCKOO.items():
        rows = [row for row in misses if row.text("method") == "cuckoo"
                and (row.count("candidates"), row.count("bucket")) == (d, k)
                and row.text("fill") == "breadth-first"]
        end = _error_bars(ax, [row.number("load") for row in rows], rows, columns, colour, marker)
        ax.text(rows[-1].number("load") + 0.018, end, f"({d},{k})", color=colour, va="center",
                fontsize=10)
    ax.set_xlim(0.47, 1.03)
    ax.set_xticks([0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
    ax.set_xlabel("load")
    ax.set_ylabel("slots compared by the longest miss")
    log_axis(ax.yaxis, 10, 0, 4)


def _hit_panel(ax, table):
    """The longest hit against the size of the table."""
    names = {**METHODS, "cuckoo": ("cuckoo (2,4)", BLUE, "o")}
    sizes = []
    for method, (name, colour, marker) in names.items():
        rows = table.where(method=method)
        xs = [row.count("slots") for row in rows]
        sizes += xs
        _error_bars(ax, xs, rows, ("longest_median", "longest_least", "longest_greatest"), colour,
                    marker)
        place = len(rows) // 2
        near = max(row.number("longest_greatest") for row in rows[:place + 2])
        ax.text(rows[place].count("slots") / 2, near * 1.5, name, color=colour, ha="center",
                fontsize=10)
    low, high = min(sizes).bit_length() - 1, max(sizes).bit_length() - 1
    log_axis(ax.xaxis, 2, low - 1, high + 1, 1)
    ax.set_xticks([2 ** e for e in range(low, high + 1, 4)])
    ax.set_xlabel("slots of the table")
    ax.set_ylabel("slots compared by the longest hit")
    log_axis(ax.yaxis, 10, 0, 4)


def lookup_worst_case(results):
    """Left: the longest miss by load (e2).  Right: the longest hit by size (e3)."""
    misses, hits = results.table("e2.lookups"), results.table("e3.longest")
    slots = max(row.count("slots") for row in misses.rows)
    plot = Plot("lookup-worst-case", 292, "The longest lookup, by load and by table size",
                "Left: linear probing's longest miss grows from tens of slots at load 0.5 to "
                "thousands at 0.95, Robin Hood's to about a hundred; a cuckoo lookup compares "
                "d times k slots at any load. Right: at a fixed load the longest hit of linear "
                "probing and Robin Hood grows with the table, cuckoo's does not.")
    left = plot.axes(54, 44, 196, 208)
    _miss_panel(left, misses)
    left.set_title(f"Longest miss, {size_name(slots)} slots")
    right = plot.axes(312, 44, 180, 208)
    _hit_panel(right, hits)
    share = hits.rows[-1].count("keys") / hits.rows[-1].count("slots")
    right.set_title(f"Longest hit, load {share:.2f}")
    plot.text(54, 278, "median of the fills, bars from the least to the greatest",
              fontsize=9.5, color=GREY)
    return plot.render()


SEARCHES = {"walk": ("random walk", RED, "kicks"),
            "breadth-first": ("breadth-first", BLUE, "moves")}


def _cost_panel(ax, table, segments, quantity_of):
    """Mean, 99th percentile and maximum by segment, the two searches side by side."""
    seen = []
    for shift, (search, (_, colour, displaced)) in zip((-0.14, 0.14), SEARCHES.items()):
        for place, (low, high) in enumerate(segments):
            row = table.one(search=search, load_from=low, load_to=high,
                            quantity=quantity_of or displaced)
            values = [row.number(column) for column in ("mean", "p99", "max_greatest")]
            seen += values
            ax.plot([place + shift] * 2, [min(v for v in values if v > 0), values[2]],
                    color=colour, linewidth=1.1, zorder=1)
            for value, marker in zip(values, ("o", "_", "^")):
                if value > 0:
                    ax.plot(place + shift, value, marker, color=colour, markeredgewidth=2,
                            markersize=10 if marker == "_" else 6)
    ax.set_xticks(range(len(segments)))
    ax.set_xticklabels([f"{low:g}–{high:g}" for low, high in segments], fontsize=9.5)
    ax.set_xlim(-0.6, len(segments) - 0.4)
    ax.set_xlabel("load while inserting")
    low, high = decades(seen)
    log_axis(ax.yaxis, 10, low, high)


def insert_cost(results):
    """Kicks of the random walk and moves of the breadth-first search, and what both read."""
    table = results.table("e7.insertions")
    segments = segments_of(table.rows)
    plot = Plot("insert-cost", 312, "What an insertion costs, random walk against breadth-first",
                "For each load segment mean, 99th percentile and maximum. Breadth-first moves "
                "few keys even at load 0.95, the random walk kicks out many; both read about "
                "the same number of slots on average.")
    left = plot.axes(50, 46, 194, 210)
    _cost_panel(left, table, segments, None)
    left.set_ylabel("keys displaced by an insertion")
    left.set_title("Kicks or moves")
    right = plot.axes(306, 46, 186, 210)
    _cost_panel(right, table, segments, "slots_read")
    right.set_ylabel("slots read by an insertion")
    right.set_title("Slots read")
    handles = [Line2D([], [], color=colour, marker="s", linestyle="none", label=name)
               for name, colour, _ in SEARCHES.values()]
    handles += [Line2D([], [], color=GREY, marker=marker, linestyle="none", markeredgewidth=2,
                       markersize=size, label=label)
                for marker, size, label in (("o", 6, "mean"), ("_", 10, "99th percentile"),
                                            ("^", 6, "most"))]
    plot.legend(handles, 34, 290, ncol=5, columnspacing=1.3, handletextpad=0.3)
    return plot.render()


def _tail(rows):
    """(length, share of insertions with at least that length) from a histogram."""
    counts = sorted((row.count("length"), row.count("insertions")) for row in rows)
    total = sum(count for _, count in counts)
    points, left = [], total
    for length, count in counts:
        points.append((length, left / total))
        left -= count
    return points


def path_length(results):
    """Share of insertions whose path is at least so long, by search and segment."""
    table, bound = results.table("e7.paths"), results.table("e7.bound").rows[0]
    limits = results.table("e7.insertions").parameters
    segments = segments_of(table.rows)[-2:]
    plot = Plot("path-length", 330, "How long insertion paths get",
                "Share of insertions that displace at least x keys, on log axes. The random "
                "walk's tail falls slowly towards its cap of kicks; breadth-first paths end "
                "after a handful of moves.")
    ax = plot.axes(62, 48, 412, 236)
    lowest = 1.0
    for search, (name, colour, _) in SEARCHES.items():
        for segment, dash in zip(segments, ((0, (4, 2)), "solid")):
            points = [point for point in _tail(table.where(
                search=search, load_from=segment[0], load_to=segment[1])) if point[0] > 0]
            if not points:
                raise ResultsError(f"table e7.paths: no path of one step for {search}")
            lowest = min(lowest, points[-1][1])
            ax.plot(*zip(*points), color=colour, linestyle=dash, linewidth=2,
                    marker="o" if search == "breadth-first" else None, markersize=5)
    low, _ = decades([lowest])
    log_axis(ax.xaxis, 10, 0, 3)
    log_axis(ax.yaxis, 10, low, 0)
    cap = int(limits["walk_kicks_limit"])
    for place, label, colour in ((cap, f"walk's cap, {cap} kicks", RED),
                                 (bound.number("bound_moves"),
                                  f"bound for breadth-first, {bound.text('bound_moves')} moves",
                                  BLUE)):
        ax.axvline(place, color=colour, linewidth=1.2, linestyle=(0, (1, 2)))
        ax.text(place * 1.06, 10 ** (low + 0.25), label, color=colour, rotation=90, va="bottom",
                ha="left", fontsize=9.5)
    ax.set_xlabel("keys displaced: kicks of the walk, moves of breadth-first")
    ax.set_ylabel("share of insertions with at least so many")
    handles = [Line2D([], [], color=colour, label=name) for name, colour, _ in SEARCHES.values()]
    handles += [Line2D([], [], color=GREY, linestyle=dash, label=f"load {s[0]:g}–{s[1]:g}")
                for s, dash in zip(segments, ((0, (4, 2)), "solid"))]
    plot.legend(handles, 62, 300, ncol=4, columnspacing=1.4)
    return plot.render()
