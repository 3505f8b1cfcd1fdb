#!/bin/sh
# What threads and ranks gain: the same run on 1 ... N threads, and on 1 ... N ranks of one
# thread where ./cuckoo_sim_mpi is there (`make mpi`).  Prints seconds of the clock and of the
# processors (the least of REPEAT), and both efficiencies against one thread.  On a machine with
# other work only the second says something.
#
#   bench/scaling.sh [MOST]      default: 4
set -eu
cd "$(dirname "$0")/.."
MOST=${1:-4}
REPEAT=${REPEAT:-3}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
RUN='run --measure fail --candidates 2 --bucket 1 --layout split --slots 2000 --keys 900
    --search complete --quiet --trials'
TRIALS=${TRIALS:-400000}

# "CLOCK PROCESSORS", the least of each
least() {
    for _ in $(seq "$REPEAT"); do
        bash -c 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null' time "$@" 2>&1 | tail -n 1
    done | awk '{c = $2 + $3; if (NR == 1 || $1 < r) r = $1; if (NR == 1 || c < p) p = c}
        END {print r, p}'
}

row() { # KIND NUMBER COMMAND...
    kind=$1 number=$2
    shift 2
    # shellcheck disable=SC2046 # two numbers
    set -- $(least "$@")
    [ -n "${clock:-}" ] || { clock=$1 processors=$2; }
    awk -v k="$kind" -v n="$number" -v r="$1" -v p="$2" -v R="$clock" -v P="$processors" 'BEGIN {
        printf "%-8s %6d %8.2f %10.2f %17.2f %22.2f\n", k, n, r, p, R / (n * r), P / p}'
}

printf '%-8s %6s %8s %10s %17s %22s\n' kind number clock_s processor_s clock_efficiency \
    processor_efficiency
for n in $(seq "$MOST"); do
    # shellcheck disable=SC2086 # a list of words
    row threads "$n" ./cuckoo_sim $RUN "$TRIALS" --threads "$n"
done
[ -x ./cuckoo_sim_mpi ] && command -v mpirun >/dev/null || exit 0
for n in $(seq "$MOST"); do
    # shellcheck disable=SC2086 # a list of words
    row ranks "$n" mpirun -n "$n" ./cuckoo_sim_mpi $RUN "$TRIALS" --threads 1
done
