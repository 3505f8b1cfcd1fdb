#!/bin/sh
# Writes what the golden tests compare with: results.txt, tests/golden/, and what follows
# from results.txt: figures/ and results/ledger.tsv.  Only `make bless` runs this;
# CHANGELOG.md says under "Output changes" what changed and why.
set -eu
cd "$(dirname "$0")/.."
. tests/settings.sh

mkdir -p tests/golden
# shellcheck disable=SC2086 # a list of words
./cuckoo_sim $reduced_run --output tests/golden/reduced.txt
./cuckoo_sim all --output results.txt
python=$(tests/find_python.sh matplotlib)
$python plot_results.py
$python draw_diagrams.py
$python -m report.compare --bless
git --no-pager diff --stat -- results.txt tests/golden figures results 2>/dev/null || true
echo "Written: results.txt, tests/golden/reduced.txt, figures/, results/ledger.tsv."
echo "CHANGELOG.md: Output changes."
