#!/bin/sh
# One set of bytes: the reduced run (tests/settings.sh) of many builds, a line each, closed by
# `N passed, N failed, N skipped`.
#
#   tests/everywhere.sh [--short] [GROUP...]      all groups if none is named
#
#   native     gcc and clang, levels, with and without OpenMP, 1 2 3 7 threads
#   narrow     the same with -m32: another word, other floating-point instructions
#   parts      shards merged in any order; 1 to 4 MPI ranks
#   machines   what setup/foreign.sh brings: other processors by emulation, another C library
#
# Of each build one row runs all experiments (`all`), the others the short list; --short
# leaves the long ones out everywhere.  What is not here is skipped, with the reason.
# The short list is compared with tests/golden/reduced.txt, the long one with what the
# first build of this run prints.  What make and the programs say: build/check/builds.log.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/builds.sh

logs=build/check
log=$logs/builds.log
printed=$logs/everywhere.printed
reference=$logs/everywhere.long
lists='short all'
passed=0
failed=0
skipped=0

line() { printf '%-8s  %-14s  %-17s  %-6s  %-11s  %-6s  %s\n' "$@"; }

reason() { # MACHINE COMPILER WHY
    skipped=$((skipped + 1))
    line "$1" "$2" - - - - "skipped: $3"
}

judge() { # FIELD*6 CODE
    if [ "$7" = 0 ]; then
        passed=$((passed + 1)) word=equal
    else
        failed=$((failed + 1)) word=DIFFERENT
    fi
    line "$1" "$2" "$3" "$4" "$5" "$6" "$word"
}

# Does the build print the bytes?  Differing lines go to the log.
agrees() { # LIST HOW PROGRAM...
    list=$1 how=$2
    shift 2
    # shellcheck disable=SC2086 # a list of words
    tests/reduced.sh $how "$@" >"$printed" 2>>"$log" || return 1
    if ! cmp tests/golden/reduced.txt "$printed" >>"$log" 2>&1; then
        diff tests/golden/reduced.txt "$printed" | head -n 40 >>"$log"
        return 1
    fi
    [ "$list" = all ] || return 0
    # shellcheck disable=SC2086 # a list of words
    tests/reduced.sh --long $how "$@" >"$printed" 2>>"$log" || return 1
    [ -e "$reference" ] || cp "$printed" "$reference"
    cmp "$reference" "$printed" >>"$log" 2>&1 && return
    diff "$reference" "$printed" | head -n 40 >>"$log"
    return 1
}

short_version() { $1 -dumpversion 2>/dev/null | cut -d. -f1; }

# A build and its rows: with the first number of threads all experiments, then the short list.
build_rows() { # MACHINE LABEL CC FLAGS OPENMP THREADS RUNNER [VARIABLE=VALUE...]
    machine=$1 label=$2 compiler=$3 level=$4 omp=$5 numbers=$6 runner=$7
    shift 7
    name=everywhere/$(echo "$machine-$compiler$level-openmp-$omp" | tr -dc 'A-Za-z0-9-')
    case $omp in probe) shown=yes ;; *) shown=$omp ;; esac
    echo "== $machine $compiler $level OpenMP $shown" >>"$log"
    if ! build_as "$name" "$compiler" "$level" "$omp" "$@" "build/$name/cuckoo_sim"; then
        judge "$machine" "$label" "$level" "$shown" - - 1
        return
    fi
    rows=$lists
    for threads in $numbers; do
        # shellcheck disable=SC2086 # a list of words, or none
        agrees "${rows##* }" "--threads $threads" $runner "build/$name/cuckoo_sim"
        judge "$machine" "$label" "$level" "$shown" "threads $threads" "${rows##* }" $?
        rows=short
    done
}

group_native() {
    for cc in gcc clang; do
        label="$cc $(short_version $cc)"
        machine=$(uname -m)
        if ! command -v $cc >/dev/null 2>&1; then
            reason "$machine" $cc "$cc is not here"
            continue
        fi
        build_rows "$machine" "$label" "$cc" -O2 probe "2 1 3 7" ""
        for level in -O0 -O1 -O3 '-O3 -march=native'; do
            build_rows "$machine" "$label" "$cc" "$level" probe 2 ""
        done
        build_rows "$machine" "$label" "$cc" -O2 no 1 ""
    done
}

group_narrow() {
    library=$(setup/foreign.sh --libs i386)
    for cc in gcc clang; do
        label="$cc $(short_version $cc) -m32"
        if ! echo '#include <errno.h>
int main(void){return 0;}' | $cc -m32 -x c - -o /dev/null 2>>"$log"; then
            reason i386 "$label" "$cc -m32 does not link"
        elif ! [ -e "${library%% *}" ]; then
            reason i386 "$label" "no library; setup/foreign.sh i386 brings it"
        else
            for level in -O0 -O2 '-O3 -msse2 -mfpmath=sse'; do
                build_rows i386 "$label" "$cc -m32" "$level" probe 2 "" \
                    GSL_CFLAGS="$(setup/foreign.sh --cflags i386)" GSL_LIBS="$library"
            done
        fi
    done
}

group_parts() {
    machine=$(uname -m)
    label="${CC:-cc} $(short_version "${CC:-cc}")"
    if build_as everywhere/parts "${CC:-cc}" -O2 probe build/everywhere/parts/cuckoo_sim; then
        for shards in 1 2 5 8; do
            agrees "${lists##* }" "--shards $shards" build/everywhere/parts/cuckoo_sim
            judge "$machine" "$label" -O2 yes "shards $shards" "${lists##* }" $?
        done
    else
        judge "$machine" "$label" -O2 yes shards - 1
    fi
    for program in mpicc mpirun; do
        if ! command -v $program >/dev/null 2>&1; then
            reason "$machine" mpicc "$program is not here (Debian: libopenmpi-dev)"
            return
        fi
    done
    label="mpicc $(short_version mpicc)"
    if ! build_as everywhere/mpi mpicc -O2 probe EXTRA=-DCUCKOO_MPI build/everywhere/mpi/cuckoo_sim; then
        judge "$machine" "$label" -O2 yes ranks - 1
        return
    fi
    # Open MPI wants to be told: root, and more ranks than cores; MPICH ignores it
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    rows=$lists
    for ranks in 2 1 3 4; do
        agrees "${rows##* }" "--threads 1" mpirun -n $ranks build/everywhere/mpi/cuckoo_sim
        judge "$machine" "$label" -O2 yes "ranks $ranks" "${rows##* }" $?
        rows=short
    done
}

group_machines() {
    for machine in $(setup/foreign.sh --list); do
        cc=$(setup/foreign.sh --cc "$machine")
        runner=$(setup/foreign.sh --run "$machine")
        library=$(setup/foreign.sh --libs "$machine")
        absent=
        for program in $cc $runner; do
            command -v "$program" >/dev/null 2>&1 || absent="$program is not here (setup/install.sh machines)"
        done
        [ -n "$absent" ] || [ -e "${library%% *}" ] ||
            absent="no library; setup/foreign.sh $machine brings it"
        if [ -n "$absent" ]; then
            reason "$machine" "$machine" "$absent"
            continue
        fi
        case $machine in musl) omp=no ;; *) omp=probe ;; esac # libgomp is of the GNU C library
        build_rows "$machine" "gcc $(short_version "$cc")" "$cc" -O2 $omp 2 "$runner" LDFLAGS=-static \
            GSL_CFLAGS="$(setup/foreign.sh --cflags "$machine")" GSL_LIBS="$library"
    done
}

groups=
for word in "$@"; do
    case $word in
    --short) lists=short ;;
    native | narrow | parts | machines) groups="$groups $word" ;;
    *)
        sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2
        exit 2
        ;;
    esac
done

mkdir -p "$logs"
rm -f "$reference"
: >"$log"
line machine compiler level OpenMP "run as" runs bytes
for group in ${groups:-native narrow parts machines}; do "group_$group"; done
printf '\n%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed = 0 ] && [ $passed -gt 0 ]
