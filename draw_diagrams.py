#!/usr/bin/env python3
"""Draw the diagrams of the worked example: results.txt -> figures/*.svg.

kickout-steps.svg, cuckoo-graph.svg and bfs-backward-move.svg are drawn from the steps that
`./cuckoo_sim e1` prints; nothing of them is typed into a script.
"""

import sys

from report.diagrams import DIAGRAMS
from report.figures import main

if __name__ == "__main__":
    sys.exit(main("draw_diagrams.py", __doc__, {
        name: lambda results, draw=draw: draw(results).render()
        for name, draw in DIAGRAMS.items()}))
