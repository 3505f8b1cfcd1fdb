"""What all plots share: the style, axes placed by numbers, and an SVG with stable bytes.

matplotlib draws the same bytes only under the same version and settings.  So the user's
own settings are dropped, ids are salted with the figure's name (two figures on one page
never share one), no date and no creator is written, no layout is left to text metrics, and
a comment names the version, which the test of the bytes looks for.
"""

import io
import math
import re
from pathlib import Path
from xml.sax.saxutils import escape

from report.plot_text import SUPERSCRIPT
from report.results import ResultsError

try:
    import matplotlib
    matplotlib.use("svg")
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
except ImportError as problem:
    raise SystemExit("plot_results.py: matplotlib is missing for this Python (Debian: apt install "
                     "python3-matplotlib; another interpreter: make PYTHON=/usr/bin/python3): "
                     f"{problem}") from None

STYLE = Path(__file__).with_name("cuckoo.mplstyle")
WIDTH = 504          # points: 672 pixels in a browser


class Plot:
    """A figure of fixed size whose axes are given in points from the lower left corner."""

    def __init__(self, name, height, title, description):
        matplotlib.rcdefaults()
        matplotlib.style.use(STYLE)
        matplotlib.rcParams["svg.hashsalt"] = name
        self.name, self.height, self.title, self.description = name, height, title, description
        self.figure = Figure(figsize=(WIDTH / 72, height / 72))

    def axes(self, left, bottom, width, height, **options):
        return self.figure.add_axes((left / WIDTH, bottom / self.height, width / WIDTH,
                                     height / self.height), **options)

    def text(self, x, y, body, **options):
        """Text at a place in points, outside all axes."""
        self.figure.text(x / WIDTH, y / self.height, body, **options)

    def legend(self, handles, x, y, **options):
        """A legend whose lower left corner is at (x, y) points: it never covers data."""
        self.figure.legend(handles=handles, loc="lower left", borderaxespad=0, borderpad=0,
                           bbox_to_anchor=(x / WIDTH, y / self.height), **options)

    def render(self):
        """The SVG file's text."""
        stream = io.StringIO()
        self.figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None,
                                                            "Format": None, "Type": None})
        text = stream.getvalue()
        head = (f'<svg role="img" aria-labelledby="{self.name}-title {self.name}-desc" ')
        label = (f'<title id="{self.name}-title">{escape(self.title)}</title>\n'
                 f'<desc id="{self.name}-desc">{escape(self.description)}</desc>\n')
        text = re.sub(r"<svg ", head, text, count=1)
        start = text.index(">", text.index("<svg ")) + 1
        text = text[:start] + "\n" + label + text[start:].lstrip("\n")
        text = text.replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, sans-serif")
        version = f"<!-- drawn with matplotlib {matplotlib.__version__} -->\n"
        return text.replace("<svg ", version + "<svg ", 1)


def power_label(base):
    """A tick formatter: 0.001 as 10⁻³ (base 10), 1048576 as 2²⁰ (base 2)."""
    def label(value, _position):
        exponent = round(math.log(value, base))
        if base == 10 and exponent in (0, 1, 2):
            return str(10 ** exponent)
        return f"{base}{str(exponent).translate(SUPERSCRIPT)}"
    return FuncFormatter(label)


def log_axis(axis, base, low, high, step=1):
    """A logarithmic axis from base^low to base^high with a tick every `step` powers."""
    ax = axis.axes
    (ax.set_xscale if axis is ax.xaxis else ax.set_yscale)("log", base=base)
    axis.set_major_locator(FixedLocator([float(base) ** e for e in range(low, high + 1, step)]))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(power_label(base))
    (ax.set_xlim if axis is ax.xaxis else ax.set_ylim)(float(base) ** low, float(base) ** high)


def decades(values, low_most=None):
    """Powers of ten that enclose the positive values: (low, high)."""
    positive = [value for value in values if value and value > 0 and math.isfinite(value)]
    if not positive:
        raise ResultsError("nothing to plot on a logarithmic axis: no value above 0")
    low = math.floor(math.log10(min(positive)) + 1e-9)
    high = math.ceil(math.log10(max(positive)) - 1e-9)
    return (low if low_most is None else max(low, low_most)), max(high, low + 1)
