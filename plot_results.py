#!/usr/bin/env python3
"""Plot the measurements: results.txt and results/eN.txt -> figures/*.svg.

Reads the tables that `./cuckoo_sim all` and `./cuckoo_sim eN` print, by name, and draws one
figure a question.  --sweep FILE draws what `./cuckoo_sim sweep` printed instead.
No number of a figure is typed into a script.
"""

import sys

from report.figures import main
from report.plot_beyond import filter_rates, growth, races
from report.plot_failures import failure_probability, load_thresholds, stash_tail
from report.plot_lookups import insert_cost, lookup_worst_case, path_length
from report.plot_production import derived_buckets, hash_families, library_rules
from report.plot_sweep import sweep

FIGURES = {
    "lookup-worst-case": lookup_worst_case,         # e2, e3
    "insert-cost": insert_cost,                     # e7
    "failure-probability": failure_probability,     # e4
    "stash-tail": stash_tail,                       # e5
    "load-thresholds": load_thresholds,             # e6
    "path-length": path_length,                     # e7
}

BEYOND = {
    "hash-families": ("e8", hash_families),
    "derived-buckets": ("e9", derived_buckets),
    "library-rules": ("e10", library_rules),
    "filter-rates": ("e11", filter_rates),
    "races": ("e12", races),
    "growth": ("e13", growth),
}

if __name__ == "__main__":
    sys.exit(main("plot_results.py", __doc__, FIGURES, BEYOND, sweep))
