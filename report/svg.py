"""A small SVG writer for the diagrams: a few shapes, the same bytes everywhere.

The diagrams show a handful of boxes and arrows whose places follow from data.  Written
directly they depend on no plotting library and its versions, their text stays text, and
the test that redraws them can compare bytes on every machine.
"""

from xml.sax.saxutils import escape, quoteattr

from report.colours import FONTS, INK, PAPER


def _number(value):
    """A coordinate with two places at most, without trailing zeros: stable and short."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Drawing:
    """An SVG picture that grows by calls; `name` keeps its ids apart on a shared page."""

    def __init__(self, name, width, height, title, description):
        self.name, self.width, self.height = name, width, height
        self.title, self.description = title, description
        self.parts, self.markers = [], {}

    def _add(self, element, body=None, **attributes):
        written = []
        for key, value in attributes.items():
            if value is None:
                continue
            value = _number(value) if isinstance(value, (int, float)) else value
            written.append(f" {key.replace('_', '-')}={quoteattr(value)}")
        tail = "/>" if body is None else f">{escape(body)}</{element}>"
        self.parts.append(f"<{element}{''.join(written)}{tail}")

    def rect(self, x, y, width, height, fill="none", stroke=INK, radius=0, dash=None, line=1.5):
        self._add("rect", x=x, y=y, width=width, height=height, rx=radius or None, fill=fill,
                  stroke=stroke, stroke_width=line, stroke_dasharray=dash)

    def circle(self, x, y, radius, fill=PAPER, stroke=INK, line=1.5):
        self._add("circle", cx=x, cy=y, r=radius, fill=fill, stroke=stroke, stroke_width=line)

    def text(self, x, y, body, size=14, fill=INK, anchor="middle", weight=None, style=None):
        """Text whose baseline is at y; `anchor` is start, middle or end."""
        self._add("text", body, x=x, y=y, font_size=size, fill=fill, text_anchor=anchor,
                  font_weight=weight, font_style=style)

    def path(self, commands, stroke=INK, line=1.8, dash=None, arrow=False):
        """A line along `commands`: strings and coordinates, e.g. ("M", 0, 0, "L", 9, 9)."""
        data = " ".join(c if isinstance(c, str) else _number(c) for c in commands)
        end = None
        if arrow:
            marker = self.markers.setdefault(stroke, f"{self.name}-arrow-{len(self.markers)}")
            end = f"url(#{marker})"
        self._add("path", d=data, fill="none", stroke=stroke, stroke_width=line,
                  stroke_dasharray=dash, marker_end=end)

    def line(self, x1, y1, x2, y2, **style):
        self.path(("M", x1, y1, "L", x2, y2), **style)

    def _definitions(self):
        for colour, marker in self.markers.items():
            yield (f'<marker id="{marker}" viewBox="0 0 10 10" refX="8.5" refY="5" '
                   'markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" '
                   f'orient="auto"><path d="M0 0.8 L10 5 L0 9.2 z" fill="{colour}"/></marker>')

    def render(self):
        """The whole picture as text."""
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_number(self.width)}" '
            f'height="{_number(self.height)}" '
            f'viewBox="0 0 {_number(self.width)} {_number(self.height)}" role="img" '
            f'aria-labelledby="{self.name}-title {self.name}-desc" '
            f'font-family="{FONTS}">',
            f'<title id="{self.name}-title">{escape(self.title)}</title>',
            f'<desc id="{self.name}-desc">{escape(self.description)}</desc>',
            "<defs>", *self._definitions(), "</defs>",
            f'<rect width="100%" height="100%" fill="{PAPER}"/>',
            *self.parts, "</svg>"]
        return "\n".join(lines) + "\n"
