#!/usr/bin/env python3
"""Draw the diagrams of the worked example: results.txt -> figures/*.svg.

kickout-steps.svg, cuckoo-graph.svg and bfs-backward-move.svg are drawn from the steps that
`./cuckoo_sim e1` prints; nothing of them is typed into a script.

    draw_diagrams.py --trace STEPS.txt PICTURE.svg

draws what `./cuckoo_sim trace` printed instead; `trace --svg PICTURE.svg` calls it.
"""

import sys

from report.diagrams import DIAGRAMS
from report.figures import main
from report.trace_diagram import main as draw_trace

if __name__ == "__main__":
    if sys.argv[1:2] == ["--trace"]:
        sys.exit(draw_trace(sys.argv[2:]))
    sys.exit(main("draw_diagrams.py", __doc__, {
        name: lambda results, draw=draw: draw(results).render()
        for name, draw in DIAGRAMS.items()}))
