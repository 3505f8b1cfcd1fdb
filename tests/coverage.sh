#!/bin/sh
# Lines of src/, experiments/ and commands/ that the tests run: builds with --coverage, runs
# the unit, oracle and cli tests and the reduced run, and prints the lines by file
# (tests/coverage.py).  Fails below 95 in 100.
#
#   tests/coverage.sh [--lines] [PART...]   --lines names those that did not run; the parts
#                                           of tests/check.sh to run (unit oracle cli)
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/builds.sh

lines='' parts=''
for word in "$@"; do
    case $word in --lines) lines=--lines ;; *) parts="$parts $word" ;; esac
done
mkdir -p build/check
log=build/check/coverage.log
: >"$log"
if ! build_as coverage "${CC:-gcc}" '-O0 -g --coverage' probe build/coverage/cuckoo_sim test-programs; then
    tail -n 20 "$log"
    exit 1
fi
find build/coverage -name '*.gcda' -exec rm {} +
CUCKOO_SIM=$PWD/build/coverage/cuckoo_sim BUILD=build/coverage
export CUCKOO_SIM BUILD
# a failing test is the business of `make check`
# shellcheck disable=SC2086 # a list of words
tests/check.sh ${parts:-unit oracle cli} 2>&1 | tee -a "$log" | grep -E '^==|passed'
tests/reduced.sh "$CUCKOO_SIM" >>"$log" 2>&1
tests/reduced.sh --long "$CUCKOO_SIM" >>"$log" 2>&1
python=$(tests/find_python.sh sys)
# shellcheck disable=SC2086 # PYTHON may carry options
$python tests/coverage.py build/coverage --least 95 $lines
