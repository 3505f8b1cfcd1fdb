#!/bin/sh
# Prints the reduced run (tests/settings.sh) of one build.
#
#   tests/reduced.sh [--long] [--threads N | --shards K] PROGRAM...
#
# PROGRAM... is the command in front of the subcommand: ./cuckoo_sim, or
# `mpirun -n 3 ./cuckoo_sim_mpi`, or `qemu-s390x-static build/s390x/cuckoo_sim`.
#   --threads N   for what has trials
#   --shards K    what has trials is run in K shards, merged backwards and from the middle
#   --long        the experiments of reduced_long, and nothing else
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/settings.sh

long=no threads='' shards=''
while :; do
    case ${1-} in
    --long) long=yes ;;
    --threads) threads="--threads $2" && shift ;;
    --shards) shards=$2 && shift ;;
    *) break ;;
    esac
    shift
done
if [ $# = 0 ]; then
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2
    exit 2
fi

parts=$(mktemp -d) || exit 1
trap 'rm -rf "$parts"' EXIT
trap 'exit 1' HUP INT TERM

in_shards() { # LINE PROGRAM...
    line=$1
    shift
    files='' shard=0
    while [ $shard -lt "$shards" ]; do
        shard=$((shard + 1))
        # shellcheck disable=SC2086 # lists of words
        "$@" $line --shard "$shard/$shards" --output "$parts/$shard" || return
        # the middle first, then outwards on alternating sides
        if [ $((shard % 2)) = 0 ]; then files="$files $parts/$shard"; else files="$parts/$shard $files"; fi
    done
    # shellcheck disable=SC2086 # a list of files
    "$@" merge $files >"$parts/one" || return
    # shellcheck disable=SC2046,SC2086 # a list of files
    "$@" merge $(printf '%s\n' $files | sort -r) >"$parts/other" || return
    cmp "$parts/one" "$parts/other" >&2 || return
    cat "$parts/one"
}

# The lines come in by descriptor 3: a program may read standard input (mpirun does).
each_of() { # LINES SHARDED WORDS PROGRAM...
    lines=$1 sharded=$2 words=$3
    shift 3
    while read -r line <&3; do
        # a command without --shard has a half that needs all trials of the other
        if [ -n "$sharded" ] && ! "$@" help "${line%% *}" </dev/null | grep -e '--shard ' >/dev/null; then
            continue
        fi
        printf '$ cuckoo_sim %s\n' "$line"
        if [ -n "$sharded" ]; then
            in_shards "$line" "$@" </dev/null || exit 1
        else
            # shellcheck disable=SC2086 # lists of words
            "$@" $line $words </dev/null || exit 1
        fi
    done 3<<END
$lines
END
}

if [ $long = yes ]; then
    each_of "$reduced_long" "$shards" "$threads" "$@"
else
    each_of "$reduced_trials" "$shards" "$threads" "$@"
    each_of "$reduced_stopping" "" "$threads" "$@"
    each_of "$reduced_plain" "" "" "$@"
fi
