#!/bin/sh
# Writes what the golden tests compare with: results.txt, tests/golden/, and what is made
# from results.txt.  Only `make bless` runs this.
set -eu
cd "$(dirname "$0")/.."

mkdir -p tests/golden
tests/reduced.sh ./cuckoo_sim >tests/golden/reduced.txt
./cuckoo_sim all --output results.txt
for beyond in results/e*.txt; do # the experiments beyond the seven
    ./cuckoo_sim "$(basename "$beyond" .txt)" --output "$beyond"
done
python=$(tests/find_python.sh matplotlib)
# shellcheck disable=SC2086 # PYTHON may carry options
for script in plot_results.py draw_diagrams.py "-m report.compare --bless"; do $python $script; done
git --no-pager diff --stat -- results.txt results tests/golden figures 2>/dev/null || true
echo "Written: results.txt, tests/golden/reduced.txt, figures/, results/ledger.tsv."
echo "Say in CHANGELOG.md, under Output changes, what changed and why."
