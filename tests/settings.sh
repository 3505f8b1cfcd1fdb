# shellcheck shell=sh disable=SC2034 # read by check.sh and bless.sh
# The reduced run: all seven experiments with few trials and small tables, a few seconds.
# tests/golden/reduced.txt holds its output.
reduced_run='all --trials 24 --slots 2^12 --seed 1'
# The same still smaller, for valgrind.
tiny_run='all --trials 2 --slots 2^9 --seed 1'
