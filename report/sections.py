"""The report's sections: what each figure shows, its numbers, its commands.

Prose is written here; every number in it and in the tables is taken from the results.
A section is a dictionary for the template: key, title, text (paragraphs), figures, tables,
commands.  `key` is also what ledger rows are sorted by (section_of);
`captions`, if there, gives figures a sentence and a command.
"""

from report.plot_text import segments_of, size_name
from report.results import read_beyond
from report.selector import Selector

SEARCH_NAMES = {"complete": "complete search", "walk": "random walk",
                "breadth-first": "breadth-first", "original": "original insertion"}


def table(caption, columns, rows):
    """A table for the template; a column is (heading, is it a number)."""
    return {"caption": caption, "columns": columns, "rows": rows}


def shape(row):
    return f"({row.text('candidates')},{row.text('bucket')})"


def short(value):
    """A mean for prose: one decimal above ten, two above one."""
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def percent(value, digits=3):
    """A probability as a percentage with so many significant digits."""
    return f"{100 * value:.{digits}g}%"


def _lookup_tables(e2, e3):
    """The costs of e2 row by row, and the longest hits of e3."""
    names = {"linear-probing": "linear probing", "robin-hood": "Robin Hood"}
    rows = []
    for row in e2.rows:
        method = names.get(row.text("method"), f"cuckoo {shape(row)}")
        if row.text("fill") == "walk":
            method += ", filled by random walk"
        rows.append([method, row.text("load"), row.text("lookup"), row.text("mean"),
                     row.text("p99"), row.text("p999"),
                     f"{row.text('max_median')} ({row.text('max_least')} to "
                     f"{row.text('max_greatest')})", row.text("lines_mean"),
                     row.text("lines_max")])
    longest = [[names.get(row.text("method"), "cuckoo (2,4)"), size_name(row.count("slots")),
                row.text("fills"), row.text("longest_median"),
                f"{row.text('longest_least')} to {row.text('longest_greatest')}"]
               for row in e3.rows]
    slots, last = size_name(e2.rows[0].count("slots")), e3.rows[-1]
    return [
        table(f"Slots compared and cache lines touched by a lookup, {slots} slots of 8 bytes",
              [("table", 0), ("load", 1), ("lookup", 0), ("mean slots", 1), ("99%", 1),
               ("99.9%", 1), ("most: median of fills (spread)", 1), ("mean lines", 1),
               ("most lines", 1)], rows),
        table(f"Slots compared by the longest hit, load "
              f"{last.count('keys') / last.count('slots'):.2f}",
              [("table", 0), ("slots", 1), ("fills", 1), ("median", 1), ("spread", 1)], longest)]


def lookups(results):
    """e2 and e3: the promise, and what it costs on average."""
    e2, e3 = results.table("e2.lookups"), results.table("e3.longest")
    probing = e2.one(method="linear-probing", load="0.90", lookup="miss")
    cuckoo = e2.one(method="cuckoo", candidates=2, bucket=4, fill="breadth-first", load="0.90",
                    lookup="miss")
    hit = e2.one(method="linear-probing", load="0.90", lookup="hit")
    return {
        "key": "lookups", "title": "What a lookup costs",
        "text": [
            "Cuckoo hashing's promise is about the worst case: a key can be in d buckets only, so "
            "a lookup reads at most d buckets of k slots, at every load and every table size. "
            f"With two buckets of four that is {cuckoo.text('max_greatest')} slots. Linear "
            f"probing at load 0.90 compares {short(probing.number('mean'))} slots for a miss on "
            f"average, and its longest miss took between {probing.text('max_least')} and "
            f"{probing.text('max_greatest')} slots in {probing.text('fills')} fills.",
            "The promise is not a better average. At the same load linear probing finds a stored "
            f"key after {short(hit.number('mean'))} slots and "
            f"{short(hit.number('lines_mean'))} cache lines; a cuckoo lookup compares whole "
            "buckets and may have to read a second line somewhere else in memory. Robin Hood "
            "hashing has linear probing's mean for hits, and a much shorter tail."],
        "figures": ["lookup-worst-case"],
        "tables": _lookup_tables(e2, e3),
        "commands": ["./cuckoo_sim e2", "./cuckoo_sim e3"], "notes": []}


def example(results):
    """e1: how an insertion works, and when it cannot."""
    insertions = results.table("e1.insertions").rows
    stopped = next(row for row in insertions if row.text("outcome") == "stopped")
    over = next(row for row in results.table("e1.components").rows if row.count("excess") > 0)
    rows = [[row.text("inserting"), row.text("steps"), row.text("kicks"), row.text("outcome"),
             row.text("nestless").replace("-", "none")] for row in insertions]
    return {
        "key": "example", "title": "How an insertion works, and when it cannot",
        "text": [
            "A new key takes its slot; whoever was there goes to its other slot, and so on, until "
            "a slot was free. In this example of two tables of four slots the chain comes back "
            "and evicts the very key that started it, and still ends well.",
            f"The last key, {stopped.text('inserting')}, cannot be placed: its component of the "
            f"cuckoo graph has {over.text('vertices')} slots for {over.text('edges')} keys. All "
            "keys can be placed if and only if no component has more keys than slots; a limit on "
            f"the rounds ends the insertion after {stopped.text('kicks')} kicks."],
        "figures": ["kickout-steps", "cuckoo-graph"],
        "tables": [table("What each insertion of the example took",
                         [("key", 0), ("steps", 1), ("kicks", 1), ("outcome", 0),
                          ("left without a nest", 0)], rows)],
        "commands": ["./cuckoo_sim e1",
                     "./cuckoo_sim trace --slots 22 20 50 53 75 100 67 105 3 36 39"],
        "notes": []}


def failures(results):
    """e4: how often no placement exists."""
    e4 = results.table("e4.failures")
    small = min(e4.where(layout="split", eps="0.10"), key=lambda row: row.count("m"))
    critical = results.table("e4.critical").where(layout="split")[-1]
    rows = [[{"split": "two", "one": "one"}[row.text("layout")], row.text("eps"), row.text("m"),
             row.text("keys"), row.text("trials"), row.text("failures"), row.text("proportion"),
             f"{row.text('low')} to {row.text('high')}", row.text("exact"), row.text("leading")]
            for row in e4.rows]
    return {
        "key": "failures", "title": "How often no placement exists",
        "text": [
            "With two tables of m slots and (1 - ε) m keys the failure probability falls like "
            "1/m. It is known exactly here, from generating functions, and the sampled graphs "
            "agree with it. The leading term c(ε)/m that the literature prints is right for large "
            "tables and far too large for small ones with little slack: at ε = "
            f"{small.number('eps'):g} and m = {small.text('m')} the probability is "
            f"{percent(small.number('exact'), 4)}, the leading term "
            f"{percent(small.number('leading'), 2)}.",
            f"At n = m the success probability tends to √(2/3) = {critical.text('limit')}; at "
            f"m = {critical.count('m'):,} it is {critical.text('exact')} exactly, "
            f"{critical.text('proportion')} sampled."],
        "figures": ["failure-probability"],
        "tables": [table("Random cuckoo graphs without a placement",
                         [("tables", 0), ("ε", 1), ("m", 1), ("keys", 1), ("graphs", 1),
                          ("failures", 1), ("share", 1), ("95% interval", 1), ("exact", 1),
                          ("leading term", 1)], rows)],
        "commands": ["./cuckoo_sim e4", "./cuckoo_sim exact --keys 18000 --slots 40000 "
                     "--layout split"], "notes": []}


def stash(results):
    """e5: the stash.  build.py adds the table of stash sizes for 2^-40."""
    e5 = results.table("e5.stash")
    row = e5.one(keys=10000, s=1)
    rows = [[r.text("keys"), r.text("s"), r.text("trials"), r.text("at_least"),
             f"{r.text('low')} to {r.text('high')}", r.text("exact"), r.text("original_at_least")]
            for r in e5.rows]
    return {
        "key": "stash", "title": "A small stash for the few that find no place",
        "text": [
            "A stash of s keys beside the table lowers the failure probability by a factor of "
            "about n for every slot of it. For 10,000 keys in two tables of 12,000 slots the "
            f"exact probability that a stash is needed is {percent(row.number('exact'), 4)}; "
            f"{row.text('at_least')} of {row.count('trials'):,} graphs needed one here.",
            "The original insertion with a cap of 100 kicks, as Kirsch, Mitzenmacher and Wieder "
            f"measured it, stashes nearly as rarely: {row.text('original_at_least')} of the same "
            "graphs."],
        "figures": ["stash-tail"],
        "tables": [table("Graphs that need a stash of s or more; two tables of 1.2 n slots",
                         [("keys n", 1), ("s", 1), ("graphs", 1), ("S ≥ s", 1),
                          ("95% interval of the share", 1), ("exact", 1),
                          ("original insertion", 1)], rows)],
        "commands": ["./cuckoo_sim e5",
                     "./cuckoo_sim exact --keys 10000 --slots 24000 --layout split",
                     "./cuckoo_sim exact --keys 4096 --slots 9831 --layout one --stash 12"],
        "notes": []}


def thresholds(results):
    """e6: thresholds and what searches reach."""
    e6 = results.table("e6.thresholds")
    four = e6.one(candidates=2, bucket=4, search="walk")
    rows, shapes = [], list(dict.fromkeys(shape(row) for row in e6.rows))
    for name in shapes:
        mine = {row.text("search"): row for row in e6.rows if shape(row) == name}
        first = next(iter(mine.values()))
        rows.append([name, first.text("threshold")]
                    + [f"{mine[s].number('median'):.4f} ({mine[s].number('least'):.4f} to "
                       f"{mine[s].number('greatest'):.4f})" if s in mine else "not run"
                       for s in SEARCH_NAMES])
    return {
        "key": "thresholds", "title": "How full a table can get",
        "text": [
            "Above the threshold of its (d,k) a large table has no placement for its keys; below "
            "it there is one. A complete search gets within a thousandth of it. A search with a "
            f"limit gives up before: with two buckets of four the threshold is "
            f"{four.number('threshold'):.5f}, and a random walk of at most 500 kicks first fails "
            f"at a median load of {four.number('median'):.4f} in {size_name(four.count('slots'))} "
            "slots.",
            "For one candidate pair and one slot, (2,1), the transition is wide: at this size "
            "single fills end up to two hundredths on either side of 1/2."],
        "figures": ["load-thresholds"],
        "tables": [table("Threshold, and load at the first failure: median of "
                         f"{four.text('seeds')} fills (least to greatest)",
                         [("(d,k)", 0), ("threshold", 1)]
                         + [(name, 1) for name in SEARCH_NAMES.values()], rows)],
        "commands": ["./cuckoo_sim e6", "./cuckoo_sim threshold --candidates 2:4 --bucket 1:8"],
        "notes": []}


def insertions(results):
    """e7: random walk against breadth-first."""
    e7, bound = results.table("e7.insertions"), results.table("e7.bound").rows[0]
    low, high = segments_of(e7.rows)[-1]
    cell = {(search, q): e7.one(search=search, load_from=low, load_to=high, quantity=q)
            for search, q in (("walk", "kicks"), ("breadth-first", "moves"),
                              ("walk", "slots_read"), ("breadth-first", "slots_read"))}
    kicks, moves = cell["walk", "kicks"], cell["breadth-first", "moves"]
    rows = [[SEARCH_NAMES[r.text("search")], f"{r.text('load_from')} to {r.text('load_to')}",
             r.text("quantity").replace("_", " "), r.text("mean"), r.text("p99"),
             f"{r.text('max_median')} ({r.text('max_least')} to {r.text('max_greatest')})"]
            for r in e7.rows]
    return {
        "key": "insertions", "title": "Random walk or breadth-first search",
        "text": [
            f"Between load {low:g} and {high:g} a random walk kicks out "
            f"{short(kicks.number('mean'))} keys an insertion on average and up to "
            f"{kicks.text('max_greatest')}; a breadth-first "
            f"search moves {short(moves.number('mean'))} and at most {moves.text('max_greatest')}. "
            "Both read about the same number of slots on average: "
            f"{short(cell['walk', 'slots_read'].number('mean'))} and "
            f"{short(cell['breadth-first', 'slots_read'].number('mean'))}.",
            "The breadth-first search finds a free slot first and then moves the hole backward, "
            "so that no key is ever missing. Its longest path within "
            f"{bound.text('slots_limit')} slots is bounded by {bound.text('bound_buckets')} "
            f"buckets, {bound.text('bound_moves')} moves; the longest seen is "
            f"{bound.text('longest_moves')} moves."],
        "figures": ["insert-cost", "bfs-backward-move", "path-length"],
        "tables": [table("What an insertion costs, by load",
                         [("search", 0), ("load", 0), ("quantity", 0), ("mean", 1), ("99%", 1),
                          ("most: median of fills (spread)", 1)], rows)],
        "commands": ["./cuckoo_sim e7"], "notes": []}


def _library_rules(e10):
    """e10 in a sentence."""
    fills = e10.table("e10.fills").where(rule="redisbloom-4")
    small, large = fills[0], fills[-1]
    promise = e10.table("e10.rules").one(rule="redisbloom-4")
    return ("A rule with a fixed budget reaches less in larger tables: RedisBloom's "
            f"{promise.text('budget').replace('-', ' ')} fill buckets of four to "
            f"{small.number('median'):.3f} in {size_name(small.count('slots'))} slots and to "
            f"{large.number('median'):.3f} in {size_name(large.count('slots'))}, where "
            f"{promise.number('promise'):g} is promised.")


def _filter_rates(e11):
    """e11 in a sentence."""
    space = e11.table("e11.space").where(b=4)
    plain = next(row for row in space if row.number("smaller") > 1)
    return ("With buckets of four a full cuckoo filter is smaller than a Bloom filter from tags "
            f"of {plain.text('f')} bits on, a false-positive rate of "
            f"{percent(plain.number('rate'), 2)}; Bloom's bits tend to "
            f"{e11.table('e11.crossing').rows[0].text('most_smaller')} times the cuckoo filter's.")


def _hash_families(e8):
    """e8 in a sentence."""
    rows = [row for row in e8.table("e8.families").rows if row.text("keyset") == "dense"]
    worst = max(rows, key=lambda row: row.number("share"))
    never = [row for row in e8.table("e8.families").rows if row.text("family") == "poly4"]
    return (f"On dense keys weak functions fail for up to {percent(worst.number('share'))} of the "
            f"draws ({worst.text('family')}, random functions: "
            f"{percent(worst.number('random'), 2)}); polynomials of degree 4 fail in "
            f"{sum(row.count('no_placement') for row in never)} of "
            f"{sum(row.count('draws') for row in never):,}.")


def _races(e12):
    """e12 in a sentence."""
    table = e12.table("e12.interleavings")
    kick = table.one(protocol="kick-first", slots_hold="pointer", lookup="moving", moves=1)
    back = table.one(protocol="backwards", slots_hold="pointer", lookup="moving", moves=1)
    inline = table.one(protocol="dpdk", slots_hold="inline", lookup="moving", moves=1)
    return (f"Of all orders of a lookup and one move {kick.text('false_misses')} of "
            f"{kick.text('interleavings')} miss the key when it is kicked out first, "
            f"{back.text('false_misses')} of {back.text('interleavings')} when the hole moves "
            "backwards; DPDK's counter makes that safe for slots that hold a pointer, not for "
            f"values inside the slots ({inline.text('wrong_hits')} of "
            f"{inline.text('interleavings')} are wrong hits).")


def _growth(e13):
    """e13 in a sentence."""
    table = e13.table("e13.policies")
    without = table.one(load="0.45", max_loop=8, stash=0)
    stashed = table.one(load="0.45", max_loop=8, stash=8, first="stash")
    return (f"With MaxLoop {without.text('max_loop')} at load {without.number('load'):g} an "
            f"insertion writes {short(without.number('writes_a_key'))} slots on average, rebuilds "
            f"included, and {short(stashed.number('writes_a_key'))} with a stash of "
            f"{stashed.text('stash')} keys that is filled before a rebuild is tried.")


def _derived_buckets(e9):
    """e9 in a sentence."""
    loads = e9.table("e9.loads")
    hashed, plain = (loads.one(derivation=name, tag_bits=8, bucket=4, buckets=16384,
                               search="complete") for name in ("xor-hash", "xor-tag"))
    row = e9.table("e9.split").one(derivation="dpdk", bucket=8, buckets_log2=24)
    return (f"A hashed tag of {hashed.text('tag_bits')} bits reaches load "
            f"{hashed.number('median'):.3f} (threshold of independent buckets: "
            f"{hashed.number('threshold'):.3f}), an unhashed one "
            f"{plain.number('median'):.3f}; in {size_name(1 << 24)} buckets a hash of "
            f"32 bits leaves DPDK no placement beyond load {row.number('breaks_at'):.3f}.")


BEYOND = {          # figure -> experiment, its sentence
    "hash-families": ("e8", _hash_families),
    "derived-buckets": ("e9", _derived_buckets),
    "library-rules": ("e10", _library_rules),
    "filter-rates": ("e11", _filter_rates),
    "races": ("e12", _races),
    "growth": ("e13", _growth),
}


def beyond(_results):
    """e8 to e13: a figure, a sentence and a command each, from results/."""
    return {
        "key": "beyond", "title": "Beyond the seven",
        "text": ["Further experiments have outputs of their own, in results/; what they ask, and "
                 "all that their tables say, stands in docs/EXPERIMENTS-production.md and "
                 "docs/EXPERIMENTS-beyond.md."],
        "figures": list(BEYOND),
        "captions": {name: (sentence(read_beyond(experiment)), f"./cuckoo_sim {experiment}")
                     for name, (experiment, sentence) in BEYOND.items()},
        "tables": [], "commands": [], "notes": []}


SECTIONS = (lookups, example, failures, stash, thresholds, insertions, beyond)
_BY_TABLE = {"e1": "example", "trace": "example", "e2": "lookups", "e3": "lookups",
             "e4": "failures", "bound": "failures", "e5": "stash", "exact": "stash",
             "e6": "thresholds", "threshold": "thresholds", "e7": "insertions"}


def section_of(entry):
    """The section a ledger row belongs to; None for rows that nothing answers yet."""
    if entry.ours in ("later", "none"):
        return None
    if entry.id.startswith(("a1-e4", "KUTZ")):
        return "failures"
    _, name, _ = Selector(entry.ours).references[0]
    return _BY_TABLE.get(name.split(".")[0])
