"""Plots of e4, e5 and e6: when no placement exists, how large a stash must be, and how
near to the threshold the searches come."""

from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from report.colours import BLUE, FAINT, GREEN, GREY, INK, ORANGE, PURPLE, RED
from report.plotting import Plot, decades, log_axis

SERIES = ((BLUE, "o"), (RED, "s"), (GREEN, "^"), (PURPLE, "D"), (ORANGE, "v"), (INK, "P"),
          (GREY, "X"))


def _interval(ax, x, row, columns, **style):
    """A sampled proportion with its interval; nothing where no trial failed."""
    value, low, high = (row.number(column) for column in columns)
    if value > 0:
        ax.errorbar([x], [value], [[value - low], [high - value]], capsize=3, elinewidth=1.2,
                    linestyle="none", **style)


def failure_probability(results):
    """e4: exact curve, sampled points and Drmota and Kutzelnigg's leading term, by m."""
    table = results.table("e4.failures")
    rows = table.where(layout="split")
    plot = Plot("failure-probability", 322, "How often no placement exists",
                "Failure probability of two tables against their size, for three amounts of "
                "slack. The sampled points lie on the exact curve; the leading term overstates "
                "small tables with little slack and meets the curve as tables grow.")
    ax = plot.axes(58, 46, 372, 232)
    slacks = sorted({row.text("eps") for row in rows})
    for (colour, marker), eps in zip(SERIES, slacks):
        mine = [row for row in rows if row.text("eps") == eps]
        sizes = [row.count("m") for row in mine]
        ax.plot(sizes, [row.number("exact") for row in mine], color=colour)
        ax.plot(sizes, [row.number("leading") for row in mine], color=colour,
                linestyle=(0, (4, 2)), linewidth=1.4)
        for row in mine:
            _interval(ax, row.count("m"), row, ("proportion", "low", "high"), color=colour,
                      marker=marker)
        ax.text(sizes[-1] * 1.1, mine[-1].number("exact"), f"ε = {float(eps):g}", color=colour,
                va="center")
    values = [row.number(column) for row in rows for column in ("exact", "leading", "low")]
    log_axis(ax.yaxis, 10, *decades(values))
    ax.set_xscale("log")
    sizes = sorted({row.count("m") for row in rows})
    ax.set_xlim(sizes[0] / 1.15, sizes[-1] * 1.15)
    ax.set_xticks(sizes)
    ax.set_xticklabels([f"{m:,}" for m in sizes], fontsize=9.5)
    ax.set_xticks([], minor=True)
    ax.set_xlabel("slots m of each of the two tables; (1 − ε) m keys")
    ax.set_ylabel("probability that no placement exists")
    handles = [Line2D([], [], color=GREY, label="exact"),
               Line2D([], [], color=GREY, marker="o", linestyle="none",
                      label="sampled, 95% interval"),
               Line2D([], [], color=GREY, linestyle=(0, (4, 2)), linewidth=1.4,
                      label="leading term c(ε)/m")]
    plot.legend(handles, 58, 298, ncol=3, columnspacing=1.6)
    return plot.render()


def _stash_by_size(ax, table, sizes):
    """Pr[S >= s] against s: a line and points for each number of keys."""
    for (colour, marker), keys in zip(SERIES, sizes):
        rows = table.where(keys=keys)
        steps = [row.count("s") for row in rows]
        ax.plot(steps, [row.number("exact") for row in rows], color=colour, linewidth=1.6)
        for row in rows:
            _interval(ax, row.count("s") - 0.07, row, ("proportion", "low", "high"),
                      color=colour, marker=marker, markersize=5)
            _interval(ax, row.count("s") + 0.07, row,
                      ("original_proportion", "original_low", "original_high"), color=colour, marker=marker,
                      markersize=5, markerfacecolor="white")
        ax.text(steps[-1] + 0.34, rows[-1].number("exact"), f"{keys:,}", color=colour,
                va="center", fontsize=9.5)
    ax.set_xlim(0.7, steps[-1] + 1.55)
    ax.set_xticks(steps)
    ax.set_xlabel("stash size s")
    ax.set_ylabel("probability that a stash of s is needed")


def _stash_by_keys(ax, table, stashes):
    """Pr[S >= s] against the number of keys: a line for each s, with its slope."""
    for (colour, marker), s in zip(SERIES, stashes):
        rows = table.where(s=s)
        keys = [row.count("keys") for row in rows]
        ax.plot(keys, [row.number("exact") for row in rows], color=colour, linewidth=1.6)
        for row in rows:
            _interval(ax, row.count("keys"), row, ("proportion", "low", "high"), color=colour,
                      marker=marker, markersize=5)
        ax.text(keys[-1] * 1.25, rows[-1].number("exact"), f"s = {s}", color=colour, va="center",
                fontsize=9.5)
    log_axis(ax.xaxis, 10, 2, 5)
    ax.set_xlim(keys[0] / 1.6, keys[-1] * 4.6)
    ax.set_xlabel("keys n; two tables of 1.2 n slots")


def stash_tail(results):
    """e5: Pr[S >= s] against s (left) and against the number of keys (right)."""
    table = results.table("e5.stash")
    sizes = [int(text) for text in table.distinct("keys")]
    stashes = [int(text) for text in table.distinct("s")]
    shown = sizes[::2] if len(sizes) > 4 else sizes
    plot = Plot("stash-tail", 330, "How large a stash has to be",
                "Probability that s keys or more find no place, on a log axis. Each further "
                "slot of the stash divides it by a number that grows with the table; on the "
                "right the curves fall like n to the power of minus s. Kirsch, Mitzenmacher and "
                "Wieder's insertion gives nearly the same values.")
    low, high = decades([row.number(column) for row in table.rows
                         for column in ("exact", "low", "original_low")])
    left = plot.axes(56, 46, 200, 226)
    _stash_by_size(left, table, shown)
    left.set_title("By stash size, for n keys")
    right = plot.axes(300, 46, 192, 226)
    _stash_by_keys(right, table, stashes)
    right.set_title("By number of keys")
    for ax in (left, right):
        log_axis(ax.yaxis, 10, low, high, 2 if high - low > 7 else 1)
    handles = [Line2D([], [], color=GREY, label="exact"),
               Line2D([], [], color=GREY, marker="o", linestyle="none", label="sampled"),
               Line2D([], [], color=GREY, marker="o", linestyle="none", markerfacecolor="white",
                      label="original insertion, 100 kicks at most")]
    plot.legend(handles, 56, 308, ncol=3, columnspacing=1.6)
    return plot.render()


SEARCHES = {"complete": ("complete", INK), "walk": ("random walk", RED),
            "breadth-first": ("breadth-first", BLUE), "original": ("original", GREEN)}
FURTHEST = -0.106        # loads further below the threshold are drawn at the edge, with a note


def _fill_strip(ax, y, rows, threshold, colour):
    """One search: a dot a fill, a bar at the median; far ones as an arrow with their load."""
    loads = sorted(row.number("load") for row in rows)
    middle = loads[(len(loads) - 1) // 2]
    if middle - threshold < FURTHEST:
        ax.plot([FURTHEST + 0.001], [y], marker="<", color=colour, markersize=5)
        ax.text(FURTHEST + 0.004, y, f"median load {middle:.3f}", color=colour, va="center",
                fontsize=9)
        return
    ax.plot([load - threshold for load in loads], [y] * len(loads), "o", color=colour,
            markersize=3.2, markeredgewidth=0, alpha=0.45)
    ax.plot([middle - threshold], [y], "|", color=colour, markersize=9, markeredgewidth=2.2)


def load_thresholds(results):
    """e6: where each fill first fails, against the threshold of its (d,k)."""
    fills, table = results.table("e6.fills"), results.table("e6.thresholds")
    shapes = list(dict.fromkeys((row.text("candidates"), row.text("bucket"))
                                for row in table.rows))
    plot = Plot("load-thresholds", 500, "Load at the first failure against the threshold",
                "For each number of candidates d and bucket size k: the loads at which the "
                "complete search, the random walk, the breadth-first search and the original "
                "insertion first fail, less the threshold. The complete search stops within a "
                "thousandth of it, except for (2,1); searches with limits stop one to two "
                "hundredths below, or further where buckets hold one key.")
    ax = plot.axes(112, 46, 368, 406)
    for place, (d, k) in enumerate(shapes):
        mine = table.where(candidates=d, bucket=k)
        threshold = mine[0].number("threshold")
        for search, (_, colour) in SEARCHES.items():
            rows = fills.where(candidates=d, bucket=k, search=search)
            if rows:
                shift = (list(SEARCHES).index(search) - 1.5) * 0.19
                _fill_strip(ax, place + shift, rows, threshold, colour)
        ax.axhline(place + 0.5, color=FAINT, linewidth=0.8)
    ax.axvline(0, color=INK, linewidth=1.2)
    ax.set_ylim(len(shapes) - 0.5, -0.5)
    ax.set_yticks(range(len(shapes)))
    ax.set_yticklabels([
        f"({d},{k})  {table.where(candidates=d, bucket=k)[0].number('threshold'):.4f}"
        for d, k in shapes])
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.set_xlim(FURTHEST, 0.021)
    ax.xaxis.set_major_formatter(FuncFormatter(
        lambda x, _: "0" if abs(x) < 1e-9 else f"{x:+.2f}".replace("-", "−")))
    ax.set_xlabel("load at the first failure − threshold")
    plot.text(8, 466, "(d,k)  threshold", fontsize=10, color=GREY)
    handles = [Line2D([], [], color=colour, marker="o", linestyle="none", label=name)
               for name, colour in SEARCHES.values()]
    plot.legend(handles, 112, 476, ncol=4, columnspacing=1.2, handletextpad=0.2)
    return plot.render()
