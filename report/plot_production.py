"""Plots of e8, e9 and e10: weak hash functions, derived buckets, the rules of libraries."""

from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from report.colours import BLUE, FAINT, GREEN, GREY, INK, ORANGE, PAPER, PURPLE, RED, SKY
from report.plot_text import size_name
from report.plotting import Plot, decades, log_axis

FREE = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 1e-3, 2e-4)     # ticks of a load axis


def _load_axis(ax, free):
    """A load axis on which the free share is logarithmic: 0.98 and 0.99 stand far apart."""
    ax.set_xscale("log")
    ax.set_xlim(max(free) * 1.2, min(free) / 1.2)
    ticks = [tick for tick in FREE if min(free) / 1.2 <= tick <= max(free) * 1.2]
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{1 - x:.4g}"))


def _shape(rule):
    """Of a row of e10.rules: candidates and the slots of a bucket or of a window."""
    window = rule.text("window")
    return f"{rule.text('candidates')},{rule.text('bucket') if window == '0' else 'w' + window}"


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
    ax.set_yticklabels([f"{name}  ({_shape(rules.one(rule=name))})" for name in names], fontsize=9)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel("load at the first failure, median (free slots on a log axis)")
    plot.text(22, 434, "rule  (d,k), w: window", fontsize=10, color=GREY)
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


KEYSETS = {"interval": (BLUE, "o"), "progression": (ORANGE, "v"), "dense": (RED, "s"),
           "cube": (PURPLE, "D"), "random": (INK, "P")}


def _family_row(ax, place, rows, edge):
    """A family's failing draws: a point and interval for each key set with a failure."""
    failing = [row for row in rows if row.count("no_placement") > 0]
    for row in failing:
        colour, marker = KEYSETS[row.text("keyset")]
        shift = (list(KEYSETS).index(row.text("keyset")) - 2) * 0.17
        share, low, high = (row.number(column) for column in ("share", "low", "high"))
        ax.errorbar([share], [place + shift], xerr=[[share - low], [high - share]], color=colour,
                    marker=marker, markersize=4.5, elinewidth=1, linestyle="none")
    if not failing:
        draws = sum(row.count("draws") for row in rows)
        ax.text(edge, place, f"none of {draws:,}", color=GREY, fontsize=9, va="center")


def _families(ax, table):
    order = table.distinct("family")
    names = sorted({(row.text("family"), row.text("fitted")) for row in table.rows},
                   key=lambda name: (order.index(name[0]), name[1]))
    low, high = decades([row.number("share") for row in table.rows])
    for place, (family, fitted) in enumerate(names):
        rows = table.where(family=family, fitted=fitted)
        _family_row(ax, place, rows, 10.0 ** low / 1.6)
        ax.axhline(place + 0.5, color=FAINT, linewidth=0.6, zorder=0)
    log_axis(ax.xaxis, 10, low, high)
    ax.set_xlim(10.0 ** low / 2, 10.0 ** high / 2)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_yticks(range(len(names)))
    ax.set_yticklabels([family + (", fitted" if fitted == "1" else "")
                        for family, fitted in names], fontsize=9.5)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel("share of draws that fail; no mark: none")


def _cube(ax, table):
    """Simple tabulation on cubes, with the slope of n^(-1/3)."""
    rows = table.rows
    drawn = [row for row in rows if row.number("share")]
    for columns, colour, marker in ((("share", "low", "high"), BLUE, "o"),
                                    (("clean_share", "clean_low", "clean_high"), GREEN, "^")):
        values = [[row.number(column) for column in columns] for row in drawn]
        ax.errorbar([row.count("side") for row in drawn], [value for value, _, _ in values],
                    [[value - low for value, low, _ in values],
                     [high - value for value, _, high in values]], color=colour, marker=marker,
                    markersize=5, elinewidth=1.2, capsize=2.5, linewidth=1.6)
    sides = [row.count("side") for row in rows]
    last = drawn[-1]
    ax.plot(sides, [last.number("share") * last.count("side") / side for side in sides],
            color=GREY, linestyle=(0, (4, 2)), linewidth=1.4)
    ax.plot(sides, [row.number("random") for row in rows], color=INK, linestyle=(0, (1, 1.5)),
            linewidth=1.6)
    ax.set_xscale("log")
    ax.set_xlim(sides[0] / 1.3, sides[-1] * 1.3)
    ax.xaxis.set_major_locator(FixedLocator(sides))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    log_axis(ax.yaxis, 10, *decades([row.number(column) for row in rows
                                     for column in ("share", "random")]))
    ax.set_xlabel("side of the cube; n = side³")


def hash_families(results):
    """e8: draws of weak functions that fail on structured keys; simple tabulation on cubes."""
    plot = Plot("hash-families", 402, "Which hash functions fail, and on which keys",
                "Left: share of the draws of each family of hash functions that leave no "
                "placement, by key set, with 95% intervals. Multiply-shift and linear functions "
                "fail in a twentieth to a fifth of the draws on structured keys, the mixer and "
                "polynomials of degree 4 and 5 do not. Right: simple tabulation on cubes fails "
                "far more often than random functions, and flattens to the slope of n to the "
                "power of minus one third.")
    left = plot.axes(112, 44, 184, 288)
    _families(left, results.table("e8.families"))
    left.set_title("Families and key sets")
    right = plot.axes(344, 44, 148, 288)
    _cube(right, results.table("e8.cube"))
    right.set_title("Tabulation, cubes")
    keys = [Line2D([], [], color=colour, marker=marker, markersize=5, linestyle="none",
                   label=name) for name, (colour, marker) in KEYSETS.items()]
    plot.legend(keys, 14, 384, ncol=5, columnspacing=1.2, handletextpad=0.2)
    lines = [Line2D([], [], color=BLUE, marker="o", markersize=5, linewidth=1.6, label="cubes"),
             Line2D([], [], color=GREEN, marker="^", markersize=5, linewidth=1.6,
                    label="no characters collided"),
             Line2D([], [], color=GREY, linestyle=(0, (4, 2)), linewidth=1.4,
                    label="slope n^(−1/3)"),
             Line2D([], [], color=INK, linestyle=(0, (1, 1.5)), linewidth=1.6,
                    label="random functions")]
    plot.legend(lines, 14, 362, ncol=4, columnspacing=1.2, handletextpad=0.5)
    return plot.render()


DERIVED = {"xor-mix": ("hashed by the mixer", GREEN, "^"),
           "xor-hash": ("multiplied", BLUE, "o"),
           "xor-tag": ("not hashed", RED, "s")}
SPLIT = {"rotate": ("Open vSwitch", PURPLE), "dpdk": ("DPDK", ORANGE)}


def _by_tag_bits(ax, table, bucket, buckets):
    """Load of a complete search against the bits of the tag, by derivation."""
    for name, (_, colour, marker) in DERIVED.items():
        rows = sorted(table.where(derivation=name, bucket=bucket, buckets=buckets,
                                  search="complete"), key=lambda row: row.count("tag_bits"))
        values = [[row.number(column) for column in ("median", "least", "greatest")]
                  for row in rows]
        ax.errorbar([row.count("tag_bits") for row in rows], [value for value, _, _ in values],
                    [[value - low for value, low, _ in values],
                     [high - value for value, _, high in values]], color=colour, marker=marker,
                    markersize=5.5, elinewidth=1.2, capsize=3, linewidth=1.6)
    bits = sorted({row.count("tag_bits") for row in table.rows
                   if row.text("derivation") in DERIVED})
    ax.axhline(table.where(bucket=bucket)[0].number("threshold"), color=INK,
               linestyle=(0, (4, 2)), linewidth=1.3)
    ax.xaxis.set_major_locator(FixedLocator(bits))
    ax.set_ylim(0.25, 1.02)
    ax.set_xlabel("bits of the tag")
    ax.set_ylabel("load at the first failure")


def _by_buckets(ax, table):
    """The load beyond which no placement exists, by number of buckets, for a 32-bit hash."""
    shapes = list(dict.fromkeys((row.text("derivation"), row.text("bucket"))
                                for row in table.rows))
    for (derivation, bucket), dash in zip(shapes, ("solid", "solid", (0, (4, 2))), strict=True):
        rows = table.where(derivation=derivation, bucket=bucket)
        colour = SPLIT[derivation][1]
        places = [row.count("buckets_log2") for row in rows]
        ax.plot(places, [row.number("breaks_at") for row in rows], color=colour, linestyle=dash,
                linewidth=1.8, marker="o", markersize=3.5)
        ax.text(places[-1] + 0.5, rows[-1].number("breaks_at"), f"k = {bucket}", color=colour,
                va="center", fontsize=9.5)
    ax.set_xlim(places[0] - 0.6, places[-1] + 3.2)
    ax.xaxis.set_major_locator(FixedLocator(places[1::4]))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: size_name(2 ** round(x))))
    ax.set_ylim(0.25, 1.02)
    ax.set_xlabel("buckets")
    ax.set_ylabel("load at which placement fails")


def derived_buckets(results):
    """e9: what it costs when the second bucket follows from the first and a tag."""
    loads, bucket = results.table("e9.loads"), "4"
    buckets = max(loads.where(derivation="xor-tag", bucket=bucket),
                  key=lambda row: row.count("buckets")).count("buckets")
    plot = Plot("derived-buckets", 342, "A second bucket derived from the first",
                "Left: load at the first failure of a complete search against the bits of the "
                "tag that the second bucket depends on; a hashed tag of 8 bits reaches the "
                "threshold of independent buckets, unhashed tags of 12 bits do not yet. Right: "
                "with a hash of 32 bits the table falls into parts beyond 2 to the power of 16 "
                "buckets, and the load beyond which no placement exists falls with the number "
                "of buckets.")
    left = plot.axes(56, 46, 190, 224)
    _by_tag_bits(left, loads, bucket, buckets)
    left.set_title(f"Tags: {size_name(buckets)} buckets of {bucket}")
    right = plot.axes(306, 46, 190, 224)
    _by_buckets(right, results.table("e9.split"))
    right.set_title("Hashes of 32 bits, calculated")
    handles = [Line2D([], [], color=colour, marker=marker, markersize=5.5, linewidth=1.6,
                      label=label) for label, colour, marker in DERIVED.values()]
    handles += [Line2D([], [], color=INK, linestyle=(0, (4, 2)), linewidth=1.3,
                       label="independent: threshold")]
    plot.legend(handles, 14, 323, ncol=4, columnspacing=1.2)
    handles = [Line2D([], [], color=colour, marker="o", markersize=3.5, linewidth=1.8, label=name)
               for name, colour in SPLIT.values()]
    plot.legend(handles, 306, 303, ncol=2, columnspacing=1.2)
    plot.text(14, 305, "Tag xor bucket; median, least and greatest fill", fontsize=9.5, color=GREY)
    return plot.render()
