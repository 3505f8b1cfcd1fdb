"""Plots of e8, e9 and e10: weak hash functions, derived buckets, the rules of libraries."""

from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from report.colours import BLUE, FAINT, GREY, INK, ORANGE, PAPER, RED, SKY
from report.plot_text import size_name
from report.plotting import Plot

FREE = (0.7, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002)     # ticks of a load axis


def _load_axis(ax, free, shown=FREE):
    """A load axis on which the free share is logarithmic: 0.98 and 0.99 stand far apart."""
    ax.set_xscale("log")
    ax.set_xlim(max(free) * 1.2, min(free) / 1.2)
    ticks = [tick for tick in shown if min(free) / 1.2 <= tick <= max(free) * 1.2]
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{1 - x:.4g}"))


SIZES = ((SKY, "o", 5), (BLUE, "s", 5), (INK, "D", 5))      # of tables, small to large


def library_rules(results):
    """e10: load at the first failure by rule, for three table sizes, and what was promised."""
    fills, rules = results.table("e10.fills"), results.table("e10.rules")
    by_rule = {name: sorted(fills.where(rule=name), key=lambda row: row.count("slots"))
               for name in fills.distinct("rule")}
    names = sorted(by_rule, key=lambda name: -by_rule[name][-1].number("median"))
    plot = Plot("library-rules", 470, "What the insertion rules of libraries reach",
                "For each rule the median load at the first failure, in tables of three sizes, "
                "beside the threshold of its (d,k) and the load that the library promises. "
                "Rules with a fixed budget reach less in larger tables; RedisBloom's 20 kicks "
                "fall furthest below the threshold and below their promise.")
    ax = plot.axes(112, 44, 380, 382)
    free = []
    for place, name in enumerate(names):
        rows = by_rule[name]
        promise = rules.one(rule=name).number("promise")
        threshold = 1 - rows[0].number("threshold")
        if threshold > 0:
            ax.plot([threshold], [place], "|", color=RED, markersize=12, markeredgewidth=1.8,
                    zorder=1)
        low, high = (1 - rows[-1].number(column) for column in ("median_low", "median_high"))
        ax.plot([low, high], [place] * 2, color=INK, linewidth=1.2)
        for (colour, marker, size), row in zip(SIZES, rows, strict=True):
            free.append(1 - row.number("median"))
            ax.plot([free[-1]], [place], marker, color=colour, markersize=size,
                    markeredgecolor=PAPER, markeredgewidth=0.6)
        free.append(low)
        if promise is not None:
            free.append(1 - promise)
            ax.plot([1 - promise], [place], "v", color=ORANGE, markersize=7, zorder=1.5,
                    markerfacecolor="none", markeredgewidth=1.6)
        ax.axhline(place, color=FAINT, linewidth=0.6, zorder=0)
    _load_axis(ax, free)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.set_yticks(range(len(names)))
    ax.set_yticklabels([f"{name}  ({by_rule[name][0].text('candidates')},"
                        f"{by_rule[name][0].text('bucket')})" for name in names], fontsize=9)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel("load at the first failure, median (free slots on a log axis)")
    plot.text(22, 434, "rule  (d,k)", fontsize=10, color=GREY)
    largest = next(rows for rows in by_rule.values()
                   if all(size.bit_count() == 1 for size in (row.count("slots") for row in rows)))
    handles = [Line2D([], [], color=colour, marker=marker, linestyle="none", markersize=size,
                      label=f"{size_name(row.count('slots'))} slots")
               for (colour, marker, size), row in zip(SIZES, largest)]
    handles += [Line2D([], [], color=RED, marker="|", linestyle="none", markersize=11,
                       markeredgewidth=1.8, label="threshold"),
                Line2D([], [], color=ORANGE, marker="v", linestyle="none", markersize=7,
                       markerfacecolor="none", markeredgewidth=1.6, label="promised")]
    plot.legend(handles, 22, 449, ncol=5, columnspacing=1.2, handletextpad=0.1)
    return plot.render()
