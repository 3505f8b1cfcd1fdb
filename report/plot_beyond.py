"""Plots of e11, e12 and e13: cuckoo filters, readers beside a writer, growth and stashes."""

from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from report.colours import BLUE, FAINT, GREEN, GREY, INK, ORANGE, PAPER, PURPLE, RED
from report.plotting import Plot, decades, log_axis

FILTERS = {"4": ("buckets of 4", BLUE, "o"), "8": ("buckets of 8", GREEN, "^")}
SORTED = ("4, sorted", RED, "s")


def _rates_by_bits(ax, space, rates):
    """Rate against bits an item: exact lines, sampled points, Bloom beside them."""
    for bucket, (_, colour, marker) in FILTERS.items():
        rows = space.where(b=bucket)
        ax.plot([row.number("bits") for row in rows], [row.number("rate") for row in rows],
                color=colour, linewidth=1.6)
        fullest = max((row for row in rates.where(b=bucket)), key=lambda row: row.number("load"))
        for row in rates.where(b=bucket, load=fullest.text("load")):
            rate, low, high = (row.number(column) for column in ("rate", "low", "high"))
            ax.errorbar([row.number("f") / row.number("load")], [rate],
                        [[rate - low], [high - rate]], color=colour, marker=marker,
                        markersize=5, elinewidth=1.2, capsize=2.5, linestyle="none")
    rows = space.where(b="4")
    ax.plot([row.number("bits_semisorted") for row in rows], [row.number("rate") for row in rows],
            color=SORTED[1], linestyle=(0, (1, 1.2)), linewidth=2)
    ax.plot([row.number("bloom_bits") for row in rows], [row.number("rate") for row in rows],
            color=INK, linestyle=(0, (4, 2)), linewidth=1.6)
    for row in rows:
        rate, low, high = (row.number(column) for column in
                           ("bloom_rate", "bloom_low", "bloom_high"))
        ax.errorbar([row.number("bloom_bits")], [rate], [[rate - low], [high - rate]], color=INK,
                    marker="x", markersize=5, markeredgewidth=1.4, elinewidth=1.2, capsize=2.5,
                    linestyle="none")
    log_axis(ax.yaxis, 10, *decades([row.number("rate") for row in space.rows]))
    ax.set_xlabel("bits an item")
    ax.set_ylabel("false-positive rate")


def _savings(ax, space, crossing):
    """How many times more bits Bloom takes, against the rate; 1 is where the two cross."""
    ends = []
    for bucket, column, (label, colour, marker) in (
            ("4", "smaller_semisorted", SORTED), ("4", "smaller", FILTERS["4"]),
            ("8", "smaller", FILTERS["8"])):
        rows = space.where(b=bucket)
        ax.plot([row.number("rate") for row in rows], [row.number(column) for row in rows],
                color=colour, marker=marker, markersize=4, linewidth=1.6)
        ends.append((rows[-1].number("rate"), rows[-1].number(column), label, colour))
    low, high = decades([row.number("rate") for row in space.rows])
    log_axis(ax.xaxis, 10, low, high)
    ax.set_xlim(10.0 ** high, 10.0 ** low / 30)
    for rate, value, label, colour in ends:
        ax.text(rate / 1.5, value, label.replace("buckets of ", ""), color=colour, va="center",
                fontsize=9.5)
    ax.axhline(1, color=INK, linestyle=(0, (4, 2)), linewidth=1.4)
    for row, colour in zip(crossing.rows, (FILTERS["4"][1], SORTED[1]), strict=True):
        ax.plot([row.number("rate")], [1], marker="D", markersize=8, color=colour,
                markerfacecolor="none", markeredgewidth=1.8, zorder=5)
    ax.set_xlabel("false-positive rate")
    ax.set_ylabel("Bloom's bits / cuckoo's bits")


def filter_rates(results):
    """e11: rates and bits of cuckoo filters beside Bloom filters, and where they cross."""
    space, rates = results.table("e11.space"), results.table("e11.rates")
    plot = Plot("filter-rates", 336, "A cuckoo filter beside a Bloom filter",
                "Left: false-positive rate against bits an item, on a log axis; sampled points "
                "lie on the lines calculated for full cuckoo filters. Right: how many times "
                "more bits a Bloom filter of the same rate takes. At high rates the Bloom filter is "
                "smaller; the cuckoo filter is smaller below the crossing, which a bit saved by "
                "sorting moves to higher rates.")
    left = plot.axes(56, 46, 190, 216)
    _rates_by_bits(left, space, rates)
    left.set_title("Rate and space")
    right = plot.axes(304, 46, 188, 216)
    _savings(right, space, results.table("e11.crossing"))
    right.set_title("Space at the same rate")
    handles = [Line2D([], [], color=colour, marker=marker, markersize=5, linewidth=1.6,
                      label=label) for label, colour, marker in FILTERS.values()]
    handles += [Line2D([], [], color=SORTED[1], linestyle=(0, (1, 1.2)), linewidth=2,
                       label="of 4, sorted"),
                Line2D([], [], color=INK, marker="x", markersize=5, linewidth=1.6,
                       linestyle=(0, (4, 2)), label="Bloom"),
                Line2D([], [], color=GREY, linestyle="none", marker="D", markersize=7,
                       markerfacecolor="none", markeredgewidth=1.8, label="crossing by formula")]
    plot.legend(handles, 14, 310, ncol=5, columnspacing=1.1, handletextpad=0.4)
    plot.text(14, 294, "Lines: calculated. Points on the left: sampled, with 95% intervals.",
              fontsize=9.5, color=GREY)
    return plot.render()


WRONGS = {"false_misses": ("false miss: the key was there", RED, "o"),
          "wrong_hits": ("wrong hit: another key's value", PURPLE, "s")}
LADDER = 0.17                 # between the lines of 1, 2, 3, 4 moves of one protocol


def _wrong_orders(ax, table, protocols, slots_hold, decades_shown):
    """A ladder of shares for each protocol, 1 move at the top; `safe` where all are 0."""
    low, high = decades_shown
    for place, protocol in enumerate(protocols):
        rows = sorted(table.where(protocol=protocol, slots_hold=slots_hold, lookup="moving"),
                      key=lambda row: row.count("moves"))
        for column, (_, colour, marker) in WRONGS.items():
            points = [(row.count(column) / row.count("interleavings"),
                       place + (step - (len(rows) - 1) / 2) * LADDER)
                      for step, row in enumerate(rows) if row.count(column) > 0]
            if points:
                ax.plot(*zip(*points), color=colour, marker=marker, markersize=3.6,
                        linewidth=0.9)
        if all(row.text("verdict") == "safe" for row in rows):
            ax.text(10.0 ** low * 2, place, "safe in every order", color=GREEN, fontsize=9.5,
                    va="center")
        ax.axhline(place + 0.5, color=FAINT, linewidth=0.6, zorder=0)
    log_axis(ax.xaxis, 10, low, high, 2)
    ax.set_ylim(len(protocols) - 0.5, -0.5)
    ax.set_yticks(range(len(protocols)))
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel("share of all orders")


def races(results):
    """e12: share of the orders of a lookup and a path that end in a wrong answer."""
    table = results.table("e12.interleavings")
    protocols = table.distinct("protocol")
    moves = sorted({row.count("moves") for row in table.rows})
    low, high = decades([row.count(column) / row.count("interleavings")
                         for row in table.rows for column in WRONGS])
    low -= low % 2
    plot = Plot("races", 446, "A lookup beside a writer that moves keys",
                "For each protocol the share of all orders of one lookup and one path that end "
                "in a false miss or in a wrong hit, for paths of one to four moves. MemC3, "
                "libcuckoo, DPDK and Open vSwitch are safe while slots hold a pointer; with "
                "values inside the slots DPDK returns wrong values, and most variants that "
                "leave out a step are unsafe.")
    panels = ((124, "pointer", "Slots hold a pointer"), (318, "inline", "Slots hold the value"))
    for left, slots_hold, title in panels:
        ax = plot.axes(left, 44, 174, 322)
        _wrong_orders(ax, table, protocols, slots_hold, (low, high))
        ax.set_title(title)
        ax.set_yticklabels(protocols if slots_hold == "pointer" else [], fontsize=9.5)
    handles = [Line2D([], [], color=colour, marker=marker, markersize=5, linewidth=1,
                      label=label) for label, colour, marker in WRONGS.values()]
    plot.legend(handles, 14, 424, ncol=2, columnspacing=1.6)
    plot.text(14, 406, f"From top to bottom: paths of {moves[0]} to {moves[-1]} moves. "
              "Each order counts once; shares are no probabilities.", fontsize=9.5, color=GREY)
    return plot.render()


LINES = ((BLUE, "o"), (RED, "s"), (GREEN, "^"), (ORANGE, "v"), (PURPLE, "D"),
         (INK, "P"))


def _costs(ax, rows, column, colour, marker, dash="solid"):
    """Writes a key against a column; hollow where some trial ended without a table."""
    places = [row.count(column) for row in rows]
    costs = [row.number("writes_a_key") for row in rows]
    ax.plot(places, costs, color=colour, linestyle=dash, linewidth=1.6)
    for row, place, cost in zip(rows, places, costs):
        ax.plot([place], [cost], marker, color=colour, markersize=5, markeredgewidth=1.4,
                markerfacecolor=PAPER if row.count("given_up") else colour)


def _cost_axis(ax, table, ticks):
    ax.set_yscale("log")
    costs = [row.number("writes_a_key") for row in table.rows]
    ax.set_ylim(1, max(costs) * 1.4)
    ax.yaxis.set_major_locator(FixedLocator([1, 2, 5, 10, 20, 50, 100, 200]))
    ax.yaxis.set_minor_locator(NullLocator())
    ax.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))


def growth(results):
    """e13: writes a key against MaxLoop without a stash, and against the stash."""
    table = results.table("e13.policies")
    plain = table.where(stash=0)
    loads = list(dict.fromkeys(row.text("load") for row in plain))
    loops = sorted({row.count("max_loop") for row in plain})
    plot = Plot("growth", 352, "What a limit and a stash save",
                "Slots written a key, rebuilds included, on a log axis. Left: against MaxLoop, "
                "without a stash; a limit of a few rounds rebuilds again and again, one of some "
                "tens costs no more than the longest. Right: against the stash, for "
                "short limits; a stash that takes keys before a rebuild is tried makes limits "
                "of eight rounds cheap, one that is asked only after a rebuild does not.")
    left = plot.axes(52, 46, 190, 228)
    for (colour, marker), load in zip(LINES, loads):
        rows = [row for row in plain if row.text("load") == load]
        _costs(left, rows, "max_loop", colour, marker)
    left.set_xscale("log")
    _cost_axis(left, table, loops[::2] if len(loops) > 6 else loops)
    left.set_xlim(loops[0] / 1.3, loops[-1] * 1.3)
    left.set_xlabel("MaxLoop, rounds; no stash")
    left.set_ylabel("slots written a key")
    left.set_title("By MaxLoop")
    middle = loads[len(loads) // 2]
    stashed = [row for row in table.rows if row.text("load") == middle]
    shown = [loop for loop in loops
             if any(row.count("max_loop") == loop and row.count("stash") for row in stashed)][:3]
    right = plot.axes(284, 46, 208, 228)
    for (colour, marker), loop in zip(LINES[::-1], shown):
        mine = [row for row in stashed if row.count("max_loop") == loop]
        for first, dash in (("stash", "solid"), ("rebuild", (0, (4, 2)))):
            rows = [row for row in mine if row.text("first") == first or row.count("stash") == 0]
            rows.sort(key=lambda row: row.count("stash"))
            _costs(right, rows, "stash", colour, marker, dash)
    stashes = sorted({row.count("stash") for row in stashed})
    _cost_axis(right, table, stashes)
    right.set_xlim(stashes[0] - 0.4, stashes[-1] + 0.4)
    right.set_xlabel(f"stash, keys; load {float(middle):g}")
    right.set_title("By the stash")
    handles = [Line2D([], [], color=colour, marker=marker, markersize=5, linewidth=1.6,
                      label=f"load {float(load):g}")
               for (colour, marker), load in zip(LINES, loads)]
    handles += [Line2D([], [], color=GREY, marker="o", markerfacecolor=PAPER, markersize=5,
                       markeredgewidth=1.4, linestyle="none", label="some trials gave up")]
    plot.legend(handles, 14, 332, ncol=4, columnspacing=1.4)
    handles = [Line2D([], [], color=colour, marker=marker, markersize=5, linewidth=1.6,
                      label=f"MaxLoop {loop}")
               for (colour, marker), loop in zip(LINES[::-1], shown)]
    handles += [Line2D([], [], color=GREY, linewidth=1.6, linestyle=dash, label=label)
                for dash, label in (("solid", "stash first"), ((0, (4, 2)), "rebuild first"))]
    plot.legend(handles, 14, 312, ncol=5, columnspacing=1.2)
    return plot.render()
