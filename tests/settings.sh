# shellcheck shell=sh disable=SC2034 # read by check.sh, everywhere.sh, reduced.sh and bless.sh
# The reduced run: every subcommand that computes, with few trials and small tables, a second
# or two.  tests/golden/reduced.txt holds what tests/reduced.sh prints of it.
# A command a line.  These have trials, so threads, ranks and shards:
reduced_trials='all --trials 24 --slots 2^12 --seed 1
e9 --slots 64 --trials 2
e10 --slots 512 --trials 2
e13 --trials 1
run --measure fail --candidates 2 --bucket 1 --layout split --slots 600 --keys 280 --search original:100 --stash 2 --trials 500
run --measure fail --bucket 2 --slots 300 --load 0.87 --trials 300 --seed 18446744073709551615
run --measure insert --slots 512 --trials 5 --seed 7
run --measure lookup --candidates 3 --bucket 1 --slots 500 --trials 3
run --measure primary --slots 512 --trials 5
run --measure lookup --layout window:2/8 --slots 512 --trials 3
sweep --bucket 1:3 --slots 480 --trials 3'
# a stopping rule: threads and ranks, no shards
reduced_stopping='run --measure fail --candidates 3 --bucket 1 --slots 300 --load 0.9 --until-failures 20
run --measure fail --candidates 2 --bucket 1 --slots 300 --keys 90 --until-width 0.05'
# computed, not sampled
reduced_plain='exact --keys 1000 --slots 2400 --layout split --stash 8
exact --keys 1000 --slots 1200+1000 --layout split --stash 4
exact --keys 2^20 --slots 2^21 --positions distinct --stash 12
exact --keys 2^30 --slots 2^31 --stash 4
exact --keys 60 --slots 40 --stash 30
exact --keys 0 --slots 1
bound --keys 2^8 --slots 384 --candidates 3 --positions distinct
bound --keys 2^20 --slots 1.1e6 --candidates 2 --bucket 4
bound --keys 900 --slots 1200 --candidates 3 --layout split
plan --keys 2^20 --fail 2^-40
plan --keys 1000 --slots 2400 --stash 2
plan --keys 2^12 --candidates 3 --fail 2^-20
plan --keys 2^16 --candidates 2 --bucket 4 --slots 70000
threshold --candidates 2:8 --bucket 1,2,3,4,8,16
threshold --candidates 50,64 --bucket 1,100
threshold --candidates 2:4 --layout window:2,window:5,window:2/8,window:12
trace --random 5 --slots 12 --keys 5'
# The rest of the experiments, ten seconds more: only `make check-everywhere` runs them, and
# takes what the first build prints as their reference.
reduced_long='e8 --slots 512 --trials 2
e11 --slots 1024 --trials 2
e12 --slots 256 --trials 2'
# Small enough for valgrind.
tiny_run='all --trials 2 --slots 2^9 --seed 1'
