"""The picture of a trace: a line a step, both tables beside each other.

Drawn from the tables that `./cuckoo_sim trace` prints; only places and words are decided
here.
"""

from pathlib import Path

from report.colours import BLUE, GREY, INK, PAPER, RED, TINT_BLUE, TINT_GREEN, TINT_RED
from report.diagrams import words
from report.figures import write_if_changed
from report.results import ResultsError, complain, read
from report.svg import Drawing

FREE = "."
ROW_H, TOP = 26, 96
GAP = 34
LETTER = 8  # width of a digit in the labels
MARGIN = 18
LINE_LETTERS = 104  # of the text below the tables


def _cells(row, table):
    """The keys in a table's slots; none where there is no second table."""
    text = row.text(f"table_{table}")
    return [] if text == "-" else text.split("+")


def _cell_width(keys):
    return max(26, 9 * max(len(key) for key in keys) + 8)


class _Page:
    """Places on the picture: columns of slots, rows of steps."""

    def __init__(self, results):
        self.steps = results.table("trace.steps").rows
        self.insertions = {row.text("inserting"): row
                           for row in results.table("trace.insertions").rows}
        self.sizes = [row.count("slots") for row in results.table("trace.tables").rows]
        keys = [row.text("key") for row in results.table("trace.keys").rows]
        self.cell = _cell_width(keys)
        longest = max(len(key) for key in keys)
        self.out = 44 + LETTER * (longest + 10)  # where a label says who has to go
        self.label = self.out + LETTER * (longest + 5)
        components = results.table("trace.components").rows
        last = max(row.count("keys_inserted") for row in components)
        self.components = [row for row in components if row.count("keys_inserted") == last]
        self.stops = [row for row in self.insertions.values() if row.text("outcome") == "stopped"]
        self.remarks = [line for row in self.components for line in _remark(row)]
        tables = sum(self.sizes) * self.cell + GAP * (len(self.sizes) - 1)
        self.width = max(MARGIN * 2 + self.label + tables, MARGIN * 2 + 7.2 * LINE_LETTERS)
        lines = len(self.steps) + len(self.insertions) + len(self.stops)
        self.end = TOP + ROW_H * lines
        self.height = self.end + 44 + 20 * len(self.remarks)

    def slot_x(self, table, slot):
        """Left edge of a slot; tables from 1."""
        before = sum(self.sizes[:table - 1]) * self.cell + GAP * (table - 1)
        return MARGIN + self.label + before + slot * self.cell


def _wrap(text):
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > LINE_LETTERS:
            lines.append(line)
            line = "    " + word
        else:
            line = f"{line} {word}" if line else word
    return lines + [line]


def _remark(row):
    """A component of the cuckoo graph, in words."""
    over = row.count("excess")
    shape = {"tree": "a slot stays free", "one-cycle": "just full"}.get(
        row.text("shape"), f"{over} too many")
    keys = row.text("keys").replace("+", " ")
    slots = row.text("slots").replace("+", " ")
    return [(line, over > 0) for line in _wrap(
        f"{words(row.count('vertices'), 'slot')}, {words(row.count('edges'), 'key')}, {shape}: "
        f"keys {keys} in slots {slots}")]


def _step(draw, page, row, y):
    evicted = row.text("evicted")
    told = f"{row.text('placed')} to T{row.text('into_table')}[{row.text('slot')}]"
    draw.text(MARGIN + 14, y + 18, f"{row.text('step')}.", 13, GREY, "start")
    draw.text(MARGIN + 44, y + 18, told, 13, INK, "start")
    if evicted != FREE and evicted != "-":
        draw.text(MARGIN + page.out, y + 18, f"{evicted} out", 13, RED, "start")
    for table in range(1, len(page.sizes) + 1):
        for slot, key in enumerate(_cells(row, table)):
            placed = (table, slot) == (row.count("into_table"), row.count("slot"))
            tint = PAPER if not placed else TINT_GREEN if evicted == "-" else TINT_BLUE
            x = page.slot_x(table, slot)
            draw.rect(x, y + 2, page.cell, ROW_H - 4, tint, line=2 if placed else 1)
            if key != FREE:
                draw.text(x + page.cell / 2, y + 18, key, 13, INK,
                          weight="bold" if placed else None)


def _heads(draw, page):
    for table, size in enumerate(page.sizes, start=1):
        draw.text(page.slot_x(table, size / 2), TOP - 26, f"T{table}", 14, GREY)
        for slot in range(size):
            draw.text(page.slot_x(table, slot) + page.cell / 2, TOP - 8, str(slot), 11, GREY)


def _rows(draw, page):
    y, inserting = TOP, None
    for place, row in enumerate(page.steps):
        if row.text("inserting") != inserting:
            inserting = row.text("inserting")
            draw.text(MARGIN, y + 18, f"insert {inserting}", 14, BLUE, "start", "bold")
            y += ROW_H
        _step(draw, page, row, y)
        y += ROW_H
        last = place + 1 == len(page.steps) or \
            page.steps[place + 1].text("inserting") != inserting
        told = page.insertions[inserting]
        if last and told.text("outcome") == "stopped":
            why = {"limit": "a placement exists, the limit was too small"}.get(
                told.text("why"), "a component has more keys than slots")
            draw.rect(MARGIN, y + 2, page.width - 2 * MARGIN, ROW_H - 4, TINT_RED, RED, 4)
            draw.text(MARGIN + 14, y + 18, f"stopped: {told.text('nestless')} is left over; {why}",
                      13, INK, "start")
            y += ROW_H


def trace(results):
    """Every step of every insertion, and the components of the cuckoo graph below."""
    page = _Page(results)
    names = ", ".join(page.insertions)
    draw = Drawing("trace", page.width, page.height, f"Inserting {names}",
                   " ".join(f"{row.text('placed')} takes slot {row.text('slot')} of table "
                            f"{row.text('into_table')}." for row in page.steps))
    draw.text(MARGIN, 30, "The original insertion, step by step", 17, anchor="start",
              weight="bold")
    draw.text(MARGIN, 52, "green: a free slot is taken; blue: its resident has to go", 13, GREY,
              "start")
    _heads(draw, page)
    _rows(draw, page)
    draw.text(MARGIN, page.end + 28, "Components of the cuckoo graph", 14, INK, "start", "bold")
    for i, (line, over) in enumerate(page.remarks):
        draw.text(MARGIN, page.end + 50 + 20 * i, line, 13, RED if over else INK, "start")
    return draw


def main(arguments):
    """`STEPS.txt PICTURE.svg`; the exit status."""
    if len(arguments) != 2:
        return complain("draw_diagrams.py", "--trace STEPS.txt PICTURE.svg: two files are needed")
    try:
        write_if_changed(Path(arguments[1]), trace(read(arguments[0])).render())
    except ResultsError as problem:
        return complain("draw_diagrams.py", problem)
    except OSError as problem:
        return complain("draw_diagrams.py", f"{problem.filename}: {problem.strerror}")
    return 0
