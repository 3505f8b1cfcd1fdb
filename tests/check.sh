#!/bin/sh
# Runs parts of the test suite and closes with `N passed, N failed`; exit status 0 only if
# nothing failed and something ran.
#
#   tests/check.sh PART...      parts: lint unit oracle cli statistics report mutants
#                               reduced golden sanitize valgrind fuzz faults static
#                               tsan everywhere
#
# The programs must have been built (`make check` and its like see to that).  A part's full
# output is in build/check/PART.log and is shown where it fails.  Nothing here writes a
# golden file: `make bless` does.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/settings.sh
. tests/builds.sh

BUILD=${BUILD:-build}
logs=build/check
mkdir -p "$logs"
export PYTHONDONTWRITEBYTECODE=1
total_passed=0
total_failed=0
total_skipped=0
failed_parts=

# --- counting -------------------------------------------------------------------------

begin() { # PART
    part=$1
    log=$logs/$part.log
    : >"$log"
    passed=0
    failed=0
    skipped=0
    printf '== %s\n' "$part"
}

end() {
    if [ $((passed + failed)) = 0 ]; then
        echo "no test ran" >>"$log"
        failed=1
    fi
    if [ "$failed" -gt 0 ]; then
        tail -n 40 "$log"
        failed_parts="$failed_parts $part"
    fi
    printf '   %s: %d passed, %d failed%s\n' "$part" "$passed" "$failed" \
        "$([ "$skipped" = 0 ] || echo ", $skipped skipped")"
    total_passed=$((total_passed + passed))
    total_failed=$((total_failed + failed))
    total_skipped=$((total_skipped + skipped))
}

# One test that is a command: `test_that NAME COMMAND...`; its output goes to the log.
test_that() {
    name=$1
    shift
    if "$@" >>"$log" 2>&1; then
        passed=$((passed + 1))
        printf '   ok      %s\n' "$name"
    else
        failed=$((failed + 1))
        printf '   FAILED  %s\n' "$name"
    fi
}

skip() { # REASON
    skipped=$((skipped + 1))
    printf '   skipped %s\n' "$1"
}

number() { # PATTERN FILE: the number that sed's pattern captures, 0 if none
    found=$(sed -n "s/$1/\\1/p" "$2" | tail -n 1)
    echo "${found:-0}"
}

# Add a runner's counts; a runner that failed without counting a failure died.
add() { # NAME STATUS PASSED FAILED SKIPPED
    bad=$4
    if [ "$2" != 0 ] && [ "$bad" = 0 ]; then
        echo "$1: exit status $2" >>"$log"
        bad=1
    fi
    if [ "$bad" -gt 0 ]; then word=FAILED; else word='ok    '; fi
    printf '   %s  %s: %d passed, %d failed\n' "$word" "$1" "$3" "$bad"
    passed=$((passed + $3))
    failed=$((failed + bad))
    skipped=$((skipped + $5))
}

# --- kinds of tests -------------------------------------------------------------------

run_cmocka() { # PROGRAM
    one=$logs/$part.one
    "$1" >"$one" 2>&1
    status=$?
    cat "$one" >>"$log"
    add "${1#"$BUILD"/}" "$status" \
        "$(number '^\[  PASSED  \] \([0-9]*\) test.*' "$one")" \
        "$(number '^\[  FAILED  \] \([0-9]*\) test.*' "$one")" \
        "$(number '^\[  SKIPPED \] \([0-9]*\) test.*' "$one")"
}

run_pytest() { # FOLDER
    one=$logs/$part.one
    # the tests of pictures need more than pytest
    python=$(tests/find_python.sh pytest matplotlib jinja2 2>>"$log" ||
        tests/find_python.sh pytest 2>>"$log") || {
        test_that "pytest for $1" false
        return
    }
    # shellcheck disable=SC2086 # PYTHON may carry options
    $python -m pytest -q -p no:cacheprovider "$1" >"$one" 2>&1
    status=$?
    cat "$one" >>"$log"
    tail -n 1 "$one" | tr ',' '\n' | sed 's/^ */ /' >"$one.counts"
    add "$1" "$status" \
        "$(number '^ \([0-9]*\) passed.*' "$one.counts")" \
        "$(($(number '^ \([0-9]*\) failed.*' "$one.counts") + $(number '^ \([0-9]*\) error.*' "$one.counts")))" \
        "$(number '^ \([0-9]*\) skipped.*' "$one.counts")"
    rm -f "$one.counts"
}

# Every test of a folder tests/NAME: programs and Python files.
run_folder() { # NAME
    for source in tests/"$1"/test_*.c; do
        [ -e "$source" ] || continue
        run_cmocka "$BUILD/${source%.c}"
    done
    for source in tests/"$1"/test_*.py; do
        [ -e "$source" ] || continue
        run_pytest "tests/$1"
        break
    done
}

# --- parts ----------------------------------------------------------------------------

same_bytes() { # FILE COMMAND...: does the command print the file?
    golden=$1
    shift
    "$@" >"$logs/$part.printed" || return 1
    cmp "$golden" "$logs/$part.printed" && return
    diff "$golden" "$logs/$part.printed" | head -n 20
    return 1
}

reduced_agrees() { # PROGRAM THREADS
    same_bytes tests/golden/reduced.txt tests/reduced.sh --threads "$2" "$1"
}

part_golden() {
    test_that "./cuckoo_sim all equals results.txt" same_bytes results.txt ./cuckoo_sim all
    for beyond in results/e*.txt; do # the experiments beyond the seven
        name=$(basename "$beyond" .txt)
        test_that "./cuckoo_sim $name equals $beyond" same_bytes "$beyond" ./cuckoo_sim "$name"
    done
    line=$(tests/compare_figures.sh results.txt "$logs/figures" 2>>"$log")
    case $? in
    0) test_that "$line" true ;;
    3) skip "$line" ;;
    *) test_that "${line:-figures were not drawn}" false ;;
    esac
    test_that "published numbers: results/ledger.tsv" ledger_agrees
}

ledger_agrees() {
    # shellcheck disable=SC2086 # PYTHON may carry options
    $(tests/find_python.sh matplotlib) -m report.compare --ledger "$logs/ledger.tsv"
}

matrix_row() { # CC CFLAGS OPENMP THREADS...
    cc=$1 flags=$2 openmp=$3
    shift 3
    name=matrix/$(echo "$cc$flags-openmp-$openmp" | tr -dc 'A-Za-z0-9-')
    folder=build/$name
    label=$(printf '%-6s %-18s openmp=%-5s' "$cc" "$flags" "$openmp")
    if ! build_as "$name" "$cc" "$flags" "$openmp" "$folder/cuckoo_sim"; then
        test_that "$label does not build" false
        return
    fi
    for threads in "$@"; do
        test_that "$label --threads $threads" reduced_agrees "$folder/cuckoo_sim" "$threads"
    done
}

part_reduced() {
    for cc in gcc clang; do
        if ! command -v $cc >/dev/null 2>&1; then
            skip "$cc is not here"
            continue
        fi
        matrix_row "$cc" -O0 probe 2
        matrix_row "$cc" -O1 probe 2
        matrix_row "$cc" -O2 probe 1 2 3 7
        matrix_row "$cc" -O3 probe 2
        matrix_row "$cc" '-O3 -march=native' probe 2
        matrix_row "$cc" -O2 no 1
    done
}

part_sanitize() {
    options='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer'
    BUILD=build/sanitize
    if build_as sanitize "${CC:-cc}" "$options" probe build/sanitize/cuckoo_sim test-programs; then
        run_folder unit
        run_folder oracle
        test_that "reduced run" reduced_agrees build/sanitize/cuckoo_sim 2
    else
        test_that "build with sanitizers" false
    fi
}

part_valgrind() {
    if ! command -v valgrind >/dev/null 2>&1; then
        echo "valgrind is needed: apt-get install valgrind" >>"$log"
        test_that "valgrind is here" false
        return
    fi
    # without OpenMP: its runtime keeps memory on purpose
    if build_as valgrind "${CC:-cc}" '-O1 -g' no build/valgrind/cuckoo_sim; then
        # shellcheck disable=SC2086 # a list of words
        test_that "tiny run" valgrind --quiet --error-exitcode=9 --leak-check=full \
            --show-leak-kinds=all --errors-for-leak-kinds=all \
            build/valgrind/cuckoo_sim $tiny_run --output /dev/null
    else
        test_that "build for valgrind" false
    fi
}

# What the fuzzers kept, once more; `make fuzz` looks for more.
part_fuzz() {
    for name in words records keys; do
        test_that "corpus of $name" "$BUILD/fuzz_$name" "tests/fuzz/corpus/$name"
    done
    python=$(tests/find_python.sh matplotlib 2>>"$log") || {
        skip "matplotlib is not here"
        return
    }
    # shellcheck disable=SC2086 # PYTHON may carry options
    test_that "corpus of the readers" $python tests/fuzz/fuzz_readers.py --corpus tests/fuzz/corpus/readers
}

no_warnings() { # CC
    # shellcheck disable=SC2046,SC2086 # lists of flags
    $1 -std=c11 -D_GNU_SOURCE -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
        -Wstrict-prototypes -Wmissing-prototypes -Wno-unknown-pragmas -Werror \
        $(CC=$1 setup/find_gsl.sh --cflags) cuckoo_sim.c src/*.c experiments/*.c commands/*.c
}

# -fanalyzer of gcc 12 without two of its questions: it takes arrays filled by loops and by
# fread for uninitialised (valgrind and clang-tidy ask that too), and the list of blocks in
# src/pool.c for lost, since it does not follow a pointer to a pointer.
analyzed() { # FILE
    leaks=
    [ "$1" != src/pool.c ] || leaks=-Wno-analyzer-malloc-leak
    # shellcheck disable=SC2046,SC2086 # lists of flags
    gcc -std=c11 -D_GNU_SOURCE -O2 -fopenmp -fanalyzer -Wno-analyzer-use-of-uninitialized-value $leaks \
        -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror \
        $(setup/find_gsl.sh --cflags) -c -o /dev/null "$1"
}

tidy() { # FILE
    # shellcheck disable=SC2046 # a list of flags
    clang-tidy --quiet "$1" -- -std=c11 -D_GNU_SOURCE -fopenmp $(setup/find_gsl.sh --cflags)
}

checked() {
    cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr -D__GNUC__ \
        --error-exitcode=1 cuckoo_sim.c src experiments commands
}

every_file() { # COMMAND: how many of its files does it find fault with?
    faults=0
    for source in cuckoo_sim.c src/*.c experiments/*.c commands/*.c; do
        "$1" "$source" || faults=$((faults + 1))
    done
    [ $faults = 0 ]
}

static_with() { # PROGRAM NAME COMMAND...
    if command -v "$1" >/dev/null 2>&1; then
        shift
        test_that "$@"
    else
        skip "$1 is not here (setup/install.sh analysis)"
    fi
}

part_static() {
    static_with gcc "gcc -fanalyzer and all warnings" every_file analyzed
    static_with clang-tidy "clang-tidy" every_file tidy
    static_with cppcheck "cppcheck" checked
}

# Shards, ranks, and the machines that are set up: what check-reduced leaves out.
part_everywhere() {
    one=$logs/$part.one
    tests/everywhere.sh --short narrow parts machines >"$one" 2>>"$log"
    status=$?
    cat "$one" >>"$log"
    add "tests/everywhere.sh" "$status" "$(number '^\([0-9]*\) passed.*' "$one")" \
        "$(number '^.* passed, \([0-9]*\) failed.*' "$one")" \
        "$(number '^.* failed, \([0-9]*\) skipped.*' "$one")"
}

# Data races.  ThreadSanitizer does not know the locks of an OpenMP runtime that was built
# without it: archer, a part of LLVM's libomp, tells it what they order.  gcc's libgomp has no
# such helper and would report every parallel region, so this is clang's alone.  Nothing of
# the program is suppressed; ignore_noninstrumented_modules leaves out the runtime itself.
part_tsan() {
    if ! echo 'int main(void){return 0;}' | clang -fopenmp -fsanitize=thread -x c - -o "$logs/tsan.probe" \
        2>>"$log" || ! ls /usr/lib/llvm-*/lib/libarcher.so >>"$log" 2>&1; then
        skip "clang with ThreadSanitizer, libomp and archer is not here (setup/install.sh analysis)"
        return
    fi
    BUILD=build/tsan
    export TSAN_OPTIONS='ignore_noninstrumented_modules=1 halt_on_error=1 exitcode=66'
    if build_as tsan clang '-O1 -g -fsanitize=thread' probe build/tsan/cuckoo_sim \
        build/tsan/tests/unit/test_trials build/tsan/tests/unit/test_limits; then
        run_cmocka build/tsan/tests/unit/test_trials
        run_cmocka build/tsan/tests/unit/test_limits
        for threads in 2 4; do
            test_that "reduced run, $threads threads" reduced_agrees build/tsan/cuckoo_sim $threads
        done
        test_that "a race is noticed" races_are_noticed
    else
        test_that "build with ThreadSanitizer" false
    fi
}

# A test of the test: two threads and a counter without protection.
races_are_noticed() {
    printf '%s\n' '#include <stdio.h>' 'int main(void){int n = 0;' '#pragma omp parallel num_threads(2)' \
        'for (int i = 0; i < 1000; i++) n++;' 'printf("%d\n", n); return 0;}' >"$logs/race.c"
    clang -g -O1 -fopenmp -fsanitize=thread "$logs/race.c" -o "$logs/race" || return
    "$logs/race"
    [ $? = 66 ]
}

# A test of the tests: faults planted one at a time, each of which some test must notice.
part_mutants() {
    python=$(tests/find_python.sh pytest 2>>"$log") || {
        test_that "pytest for the mutants" false
        return
    }
    # shellcheck disable=SC2086 # PYTHON may carry options
    test_that "planted faults are noticed" $python tests/mutants/mutants.py --quick --jobs 1
}

part_lint() {
    for cc in gcc clang; do
        if command -v $cc >/dev/null 2>&1; then
            test_that "no warning from $cc" no_warnings $cc
        else
            skip "$cc is not here"
        fi
    done
    python=$(tests/find_python.sh sys) || python=python3
    for rule in floors gsl length quiet; do
        # shellcheck disable=SC2086 # PYTHON may carry options
        test_that "$rule" $python tests/lint_floors.py $rule
    done
    if command -v clang-format >/dev/null 2>&1; then
        # shellcheck disable=SC2046 # no name here holds a space
        test_that "clang-format" clang-format --dry-run --Werror \
            $(find . -path ./build -prune -o -name '*.[ch]' -print)
    else
        skip "clang-format is not here"
    fi
    if command -v shellcheck >/dev/null 2>&1; then
        test_that "shellcheck" shellcheck -x reproduce .ci/run setup/*.sh tests/*.sh
    else
        skip "shellcheck is not here"
    fi
}

# --- main -----------------------------------------------------------------------------

for part in "$@"; do
    begin "$part"
    case $part in
    lint | mutants | golden | reduced | sanitize | valgrind | static | tsan | everywhere | fuzz)
        "part_$part"
        ;;
    unit | oracle | cli | statistics | report | faults) run_folder "$part" ;;
    *)
        echo "tests/check.sh: no part is named $part" >&2
        exit 2
        ;;
    esac
    end
done

if [ -n "$failed_parts" ]; then
    printf '\nfailed:%s (build/check/PART.log has it all)\n' "$failed_parts"
fi
printf '\n%d passed, %d failed' "$total_passed" "$total_failed"
if [ "$total_skipped" -gt 0 ]; then printf ', %d skipped' "$total_skipped"; fi
printf '\n'
[ "$total_failed" = 0 ] && [ "$total_passed" -gt 0 ]
