#!/bin/sh
# Writes what the golden tests compare with: results.txt and tests/golden/.  Only `make
# bless` runs this; CHANGELOG.md says under "Output changes" what changed and why.
set -eu
cd "$(dirname "$0")/.."
. tests/settings.sh

mkdir -p tests/golden
# shellcheck disable=SC2086 # a list of words
./cuckoo_sim $reduced_run --output tests/golden/reduced.txt
./cuckoo_sim all --output results.txt
git --no-pager diff --stat -- results.txt tests/golden 2>/dev/null || true
echo "Written: results.txt, tests/golden/reduced.txt.  CHANGELOG.md: Output changes."
