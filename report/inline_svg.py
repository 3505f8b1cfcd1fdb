"""Figures as parts of one HTML page: ids that do not clash, styles that stay inside."""

import re
from pathlib import Path

from report.results import ResultsError


def inline(name, folder):
    """The SVG of a figure, ready to stand in a page beside others.

    matplotlib gives every figure the ids figure_1, axes_1 ... and a style for `*`; on one
    page the first would be doubled and the second would reach all other elements."""
    path = Path(folder) / f"{name}.svg"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise ResultsError(f"{path}: {problem.strerror} (draw it: make plots)") from None
    text = text[text.index("<svg"):]
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text, flags=re.DOTALL)
    for found in sorted(set(re.findall(r'\bid="([^"]+)"', text)), key=len, reverse=True):
        if found.startswith(name):
            continue
        own = f"{name}-{found}"
        text = text.replace(f'id="{found}"', f'id="{own}"')
        text = text.replace(f"url(#{found})", f"url(#{own})").replace(f'"#{found}"', f'"#{own}"')
    text = re.sub(r'(<svg [^>]*?)\s*width="[^"]*"\s*height="[^"]*"', r"\1", text, count=1)
    text = text.replace("<svg ", f'<svg id="fig-{name}" ', 1)
    return text.replace('<style type="text/css">*{', f'<style type="text/css">#fig-{name} *{{')
