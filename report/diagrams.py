"""The diagrams of the worked example, drawn from the steps that e1 prints.

Each function takes the results and returns a Drawing.  Every key, slot, step and count in
a picture comes from a table of e1; only places and words are decided here.
"""

from report.colours import (BLUE, FAINT, GREEN, GREY, INK, PAPER, RED, TINT_BLUE, TINT_GREEN,
                            TINT_GREY, TINT_RED)
from report.svg import Drawing

FREE = "."  # a free slot in the columns table_1 and table_2


def words(count, one, many=None):
    """'1 kick', '3 kicks'."""
    return f"{count} {one if count == 1 else many or one + 's'}"


# -- kickout-steps ------------------------------------------------------------------------

SLOT_W, SLOT_H = 56, 38
PANEL_W, PANEL_H = 228, 246


def _slot_place(left, top, table, slot):
    """Upper left corner of a slot in a panel: table 1 on the left, table 2 on the right."""
    return left + 40 + (table - 1) * (SLOT_W + 46), top + 66 + slot * SLOT_H


def _two_tables(draw, left, top, cells, placed=None):
    """Both tables of a panel; the slot that was just taken is tinted."""
    for table, keys in enumerate(cells, start=1):
        x, y = _slot_place(left, top, table, 0)
        draw.text(x + SLOT_W / 2, y - 9, f"T{table}", 14, GREY)
        for slot, key in enumerate(keys):
            x, y = _slot_place(left, top, table, slot)
            taken = placed == (table, slot)
            draw.rect(x, y, SLOT_W, SLOT_H, TINT_BLUE if taken else PAPER,
                      line=2.4 if taken else 1.4)
            if table == 1:
                draw.text(x - 10, y + 25, str(slot), 13, GREY, "end")
            if key != FREE:
                draw.text(x + SLOT_W / 2, y + 26, key, 19, INK, weight="bold" if taken else None)


def _step_panel(draw, left, top, row, before):
    """One step: the tables after it, an arrow for the key that moved in."""
    table, slot = row.count("into_table"), row.count("slot")
    evicted = row.text("evicted")
    draw.text(left + 8, top + 22, f"step {row.text('step')}", 15, BLUE, "start", "bold")
    told = f"{row.text('placed')} to T{table}[{slot}]"
    draw.text(left + 72, top + 22, told + (", free" if evicted == "-" else f", {evicted} out"),
              14, INK, "start")
    _two_tables(draw, left, top, (row.text("table_1"), row.text("table_2")), (table, slot))
    x, y = _slot_place(left, top, table, slot)
    if before is None:                      # the new key comes from outside, left of table 1
        draw.line(x - 36, y - 14, x - 2, y + 7, stroke=BLUE, arrow=True)
        return
    from_table, from_slot = before
    fx, fy = _slot_place(left, top, from_table, from_slot)
    forward = from_table < table
    draw.line(fx + (SLOT_W if forward else 0), fy + SLOT_H / 2,
              x - 2 if forward else x + SLOT_W + 2, y + SLOT_H / 2, stroke=BLUE, arrow=True)


def _step_legend(draw, left, top, rows):
    """What tint and arrow mean, and which keys the chain moved more than once."""
    moved = [row.text("placed") for row in rows]
    twice = sorted({key for key in moved if moved.count(key) > 1})
    told = ["tinted: taken in this step", "arrow: where its key was"]
    told += [f"{key} takes a slot {words(moved.count(key), 'time')}:" for key in twice[:1]]
    told += ["the chain comes back to it"] if twice else []
    draw.rect(left + 8, top + 66, PANEL_W - 24, 30 + 24 * len(told), TINT_GREY, FAINT, 8)
    for i, line in enumerate(told):
        draw.text(left + 20, top + 94 + 24 * i, line, 13, INK, "start")


def kickout_steps(results):
    """The tables after each step of the last insertion that succeeds."""
    told = [row for row in results.table("e1.insertions").rows if row.text("outcome") == "placed"]
    key = told[-1]
    name = key.text("inserting")
    all_steps = results.table("e1.steps").rows
    rows = [row for row in all_steps if row.text("inserting") == name]
    previous = all_steps[all_steps.index(rows[0]) - 1]
    columns = 3
    lines = -(-(len(rows) + 1) // columns)
    summary = (f"{words(key.count('kicks'), 'kick')} in "
               f"{words(key.count('steps'), 'step')}")
    draw = Drawing("kickout-steps", columns * PANEL_W + 16, lines * PANEL_H + 40,
                   f"Inserting {name}, step by step: {summary}",
                   "Two tables of slots after each step. " + " ".join(
                       f"Step {r.text('step')}: {r.text('placed')} takes slot {r.text('slot')} "
                       f"of table {r.text('into_table')}" + (
                           "." if r.text("evicted") == "-" else f" and evicts {r.text('evicted')}.")
                       for r in rows))
    draw.text(16, 28, f"Inserting {name}: {summary}", 17, anchor="start", weight="bold")
    top = 38
    draw.text(16, top + 22, "before", 15, GREY, "start", "bold")
    _two_tables(draw, 8, top, (previous.text("table_1"), previous.text("table_2")))
    before = None
    for place, row in enumerate(rows, start=1):
        _step_panel(draw, 8 + place % columns * PANEL_W, top + place // columns * PANEL_H, row,
                    before)
        before = (row.count("into_table"), row.count("slot"))
    if (len(rows) + 1) % columns:           # a place is left over
        place = len(rows) + 1
        _step_legend(draw, 8 + place % columns * PANEL_W, top + place // columns * PANEL_H, rows)
    return draw


# -- cuckoo-graph -------------------------------------------------------------------------

STEP_X, REST_X, GAP_X = 146, 80, 26     # columns of a component, of unused slots, between
TOP_Y, LOW_Y, RADIUS = 132, 338, 22


def _layout(components, slots):
    """x of every slot: component by component, slots without a key at the end."""
    places, left, boxes = {}, 24, []
    for row in components:
        named = row.text("slots").split("+")
        lines = [[slot for slot in named if slot.startswith(f"{table}:")] for table in (1, 2)]
        width = STEP_X * max(len(line) for line in lines)
        for line in lines:
            for i, slot in enumerate(line):
                places[slot] = left + width / 2 + STEP_X * (i - (len(line) - 1) / 2)
        boxes.append((row, left, width))
        left += width + GAP_X
    end = left
    for table in (1, 2):
        rest = [f"{table}:{slot}" for slot in range(slots) if f"{table}:{slot}" not in places]
        for i, slot in enumerate(rest):
            places[slot] = left + REST_X * (i + 0.5)
        end = max(end, left + REST_X * len(rest))
    return places, boxes, end + 8


def _edges(draw, keys, place, newest):
    """The keys as curves.  Parallel ones bend apart and carry their names half-way; edges
    from the same slot to another one carry them further down."""
    groups, seen = {}, {}
    for row in keys:
        groups.setdefault((f"1:{row.text('slot_1')}", f"2:{row.text('slot_2')}"), []).append(
            row.text("key"))
    for (upper, lower), names in groups.items():
        seen[upper] = seen.get(upper, 0) + 1
        t = (0.5, 0.66, 0.34)[(seen[upper] - 1) % 3]
        y1, y2 = TOP_Y + RADIUS, LOW_Y - RADIUS
        names.sort(key=lambda name: (name != newest, name))     # the newest bends outside
        for i, name in enumerate(names):
            bend = (i - (len(names) - 1) / 2) * 46
            colour = RED if name == newest else BLUE
            control = (place[upper] + place[lower]) / 2 + 2 * bend
            draw.path(("M", place[upper], y1, "Q", control, (y1 + y2) / 2, place[lower], y2),
                      stroke=colour, line=3 if colour == RED else 2.2,
                      dash="8 5" if colour == RED else None)
            x = (1 - t) ** 2 * place[upper] + 2 * t * (1 - t) * control + t ** 2 * place[lower]
            y = y1 + t * (y2 - y1)
            draw.circle(x, y, 14, PAPER, colour, 2)
            draw.text(x, y + 6, name, 17, weight="bold")


def _component_box(draw, row, x, width, before):
    """The background of a component, with its count of slots and keys."""
    over = row.count("excess") > 0
    draw.rect(x, TOP_Y - 52, width, LOW_Y - TOP_Y + 104, TINT_RED if over else TINT_GREEN,
              RED if over else GREEN, 14, "7 5" if over else None)
    counts = f"{words(row.count('vertices'), 'slot')}, {words(row.count('edges'), 'key')}"
    draw.text(x + width / 2, LOW_Y + 78, counts, 15, weight="bold")
    shape = {"tree": "tree: a slot stays free", "one-cycle": "one cycle: just full",
             "overfull": f"{row.count('excess')} too many"}[row.text("shape")]
    draw.text(x + width / 2, LOW_Y + 99, shape, 14, RED if over else GREY)
    if over and before is not None:
        draw.text(x + width / 2, LOW_Y + 120, before, 14, GREY)


def cuckoo_graph(results):
    """All keys as edges between the slots of both tables; the overfull component marked."""
    table = results.table("e1.components")
    keys = results.table("e1.keys").rows
    slots = int(results.table("e1.keys").parameters["slots_a_table"])
    counts = sorted({row.count("keys_inserted") for row in table.rows})
    components = table.where(keys_inserted=counts[-1])
    newest = keys[counts[-1] - 1].text("key")
    over = next(row for row in components if row.count("excess") > 0)
    earlier = next(row for row in table.where(keys_inserted=counts[0])
                   if row.text("slots") == over.text("slots"))
    before = f"without {newest}: {words(earlier.count('edges'), 'key')}, just full"
    place, boxes, width = _layout(components, slots)
    draw = Drawing("cuckoo-graph", width, LOW_Y + 140,
                   f"The cuckoo graph of {len(keys)} keys",
                   f"Slots are vertices, keys are edges. With {newest} the component of "
                   f"{over.text('slots')} has {over.text('edges')} keys for "
                   f"{over.text('vertices')} slots, so one key cannot be placed.")
    draw.text(16, 30, f"{words(len(keys), 'key')} as edges between the slots of two tables", 17,
              anchor="start", weight="bold")
    draw.text(16, 55, f"{newest} (dashed) closes a second cycle: its component has more keys "
              "than slots", 14, GREY, "start")
    for row, x, box_width in boxes:
        _component_box(draw, row, x, box_width, before)
    _edges(draw, keys, place, newest)
    named = {slot for row in components for slot in row.text("slots").split("+")}
    for slot, x in place.items():
        y = TOP_Y if slot.startswith("1:") else LOW_Y
        used = slot in named
        draw.circle(x, y, RADIUS, PAPER if used else TINT_GREY, INK if used else FAINT)
        label_y = y - 31 if y == TOP_Y else y + 43
        draw.text(x, label_y, f"T{slot[0]}[{slot[2:]}]", 14, INK if used else GREY)
    return draw


# -- bfs-backward-move --------------------------------------------------------------------

CELL_W, CELL_H = 46, 34


def _bucket(draw, x, y, keys, marked=(), tint=TINT_BLUE):
    """A bucket with its slots side by side, its upper left corner at (x, y)."""
    for slot, key in enumerate(keys):
        draw.rect(x + slot * CELL_W, y, CELL_W, CELL_H, tint if slot in marked else PAPER,
                  line=1.6)
        if key != "-" or slot in marked:
            draw.text(x + (slot + 0.5) * CELL_W, y + 23, "free" if key == "-" else key, 15,
                      GREEN if key == "-" else INK)


def _tree_places(nodes, width):
    """Centre of every node: rows by moves, spread over the width in reading order."""
    levels = {}
    for row in nodes:
        levels.setdefault(row.count("moves"), []).append(row)
    return {row.text("node"): (width * (i + 0.5) / len(rows), 118 + level * 118)
            for level, rows in levels.items() for i, row in enumerate(rows)}, len(levels)


def _search_tree(draw, nodes, contents, path, size):
    """The buckets in the order in which they are read, edges from the residents."""
    place, levels = _tree_places(nodes, draw.width)
    half = size * CELL_W / 2
    bucket_of = {row.text("node"): row.text("bucket") for row in nodes}
    for row in nodes:
        if row.text("parent") == "-":
            continue
        (px, py), (x, y) = place[row.text("parent")], place[row.text("node")]
        start = px - half + (row.count("slot") + 0.5) * CELL_W
        on_path = row.text("node") in path
        draw.line(start, py + CELL_H, x, y - 26, stroke=BLUE if on_path else FAINT,
                  line=3 if on_path else 1.6, arrow=True)
    for row in nodes:
        x, y = place[row.text("node")]
        name = row.text("node")
        keys = contents[bucket_of[name]]
        onward = {child.count("slot") for child in nodes
                  if child.text("parent") == name and child.text("node") in path}
        free = {slot for slot, key in enumerate(keys) if key == "-"}
        _bucket(draw, x - half, y, keys, onward | free, TINT_GREEN if free else TINT_BLUE)
        draw.text(x, y - 8, f"bucket {bucket_of[name]}", 13, GREY)
    return 118 + levels * 118


def _backward_moves(draw, moves, contents, size, top):
    """The path's buckets from the new key's to the free slot; copies numbered as written."""
    order = list(reversed(moves))
    gap = draw.width / len(order)
    half = size * CELL_W / 2
    centre = {row.text("to_bucket"): gap * (i + 0.5) for i, row in enumerate(order)}
    for row in order:
        x = centre[row.text("to_bucket")]
        _bucket(draw, x - half, top, contents[row.text("to_bucket")], {row.count("to_slot")},
                TINT_GREEN if contents[row.text("to_bucket")][row.count("to_slot")] == "-"
                else TINT_BLUE)
        draw.text(x, top + CELL_H + 18, f"bucket {row.text('to_bucket')}", 13, GREY)
    for row in moves:
        end = centre[row.text("to_bucket")] - half + (row.count("to_slot") + 0.5) * CELL_W
        if row.text("from_bucket") == "-":
            start = end - 62
            draw.path(("M", start, top - 34, "Q", end - 8, top - 34, end - 8, top - 3),
                      stroke=RED, line=2.2, arrow=True)
            draw.text(start - 6, top - 29, f"{row.text('step')}. {row.text('key')}", 15, RED,
                      "end", "bold")
            continue
        start = (centre[row.text("from_bucket")] - half
                 + (row.count("from_slot") + 0.5) * CELL_W)
        draw.path(("M", start + 8, top, "C", start + 8, top - 46, end - 8, top - 46, end - 8,
                   top - 3), stroke=RED, line=2.2, arrow=True)
        draw.text((start + end) / 2, top - 42, f"{row.text('step')}. {row.text('key')}", 15, RED,
                  weight="bold")


def bfs_backward_move(results):
    """One breadth-first insertion: the search tree forward, the hole moving backward."""
    nodes = results.table("e1.search").rows
    moves = results.table("e1.moves").rows
    buckets = results.table("e1.buckets")
    size = int(buckets.parameters["bucket"])
    contents = {}
    for row in buckets.rows:
        contents.setdefault(row.text("bucket"), []).append(row.text("before"))
    by_name = {row.text("node"): row for row in nodes}
    path, node = [], nodes[-1]
    while node is not None:
        path.append(node.text("node"))
        node = by_name.get(node.text("parent"))
    levels = max(row.count("moves") for row in nodes) + 1
    key = nodes[0].text("key")
    draw = Drawing("bfs-backward-move", 700, 118 + levels * 118 + 158,
                   f"Breadth-first insertion of {key}: search forward, move the hole backward",
                   f"{words(len(nodes), 'bucket')} are read, level by level, until one has a free "
                   "slot. Then " + ", ".join(
                       f"{row.text('key')} goes to bucket {row.text('to_bucket')}"
                       for row in moves) + ".")
    draw.text(16, 30, f"1. Search forward for a free slot, level by level, for {key}", 17,
              anchor="start", weight="bold")
    draw.text(16, 54, f"{words(len(nodes), 'bucket')} read; each full one leads to the other "
              "buckets of its residents", 14, GREY, "start")
    bottom = _search_tree(draw, nodes, contents, path, size)
    draw.line(16, bottom - 40, draw.width - 16, bottom - 40, stroke=FAINT, line=1)
    draw.text(16, bottom - 8, "2. Move the hole backward: the key next to the hole is copied "
              "first", 17, anchor="start", weight="bold")
    _backward_moves(draw, moves, contents, size, bottom + 78)
    return draw


DIAGRAMS = {"kickout-steps": kickout_steps, "cuckoo-graph": cuckoo_graph,
            "bfs-backward-move": bfs_backward_move}
