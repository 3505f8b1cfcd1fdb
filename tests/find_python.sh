#!/bin/sh
# Prints the first Python 3 that can import every module named (default: matplotlib).
#
#   tests/find_python.sh [MODULE...]
#
# PYTHON= in the environment overrides: then that one is taken or the search fails.
# Otherwise: every python3 on PATH in its order, the distribution's, and a few usual
# places; a python3 without the module (pyenv, a virtual environment) in front of one
# that has it is a usual case.
set -u

[ $# -gt 0 ] || set -- matplotlib
script='import sys
assert sys.version_info >= (3, 8)
for name in sys.argv[1:]:
    __import__(name)'

if [ -n "${PYTHON-}" ]; then
    # unquoted: PYTHON may carry options
    if $PYTHON -c "$script" "$@" >/dev/null 2>&1; then
        echo "$PYTHON"
        exit 0
    fi
    echo "find_python: PYTHON=$PYTHON cannot import: $*" >&2
    exit 1
fi

old_ifs=$IFS
IFS=:
for folder in ${PATH-} /usr/bin /usr/local/bin /opt/homebrew/bin; do
    for python in "$folder/python3" "$folder/python"; do
        if [ -x "$python" ] && "$python" -c "$script" "$@" >/dev/null 2>&1; then
            IFS=$old_ifs
            echo "$python"
            exit 0
        fi
    done
done
IFS=$old_ifs
echo "find_python: no Python 3.8 or newer here can import: $*" >&2
echo "find_python: see \`setup/install.sh --no-install figures tests\`, or set PYTHON=" >&2
exit 1
