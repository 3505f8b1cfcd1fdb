#!/bin/sh
# Prints how to compile (--cflags) or link (--libs) with the GNU Scientific Library.
#
# Asked in this order: pkg-config, gsl-config, the compiler itself (a library in one of
# its own folders, with no config program).  -lgslcblas is always there: libgsl does not
# always name it itself.  Fails, printing nothing on standard output, where there is none;
# `setup/install.sh build` says what to install.
set -u

case ${1-} in
--cflags | --libs) ;;
*)
    echo "usage: setup/find_gsl.sh --cflags|--libs" >&2
    exit 2
    ;;
esac

compiler_finds_it() {
    # shellcheck disable=SC2086 # CFLAGS and LDFLAGS are lists
    printf '#include <gsl/gsl_version.h>\nint main(void){return 0;}\n' |
        ${CC:-cc} ${CFLAGS-} ${LDFLAGS-} -x c - -lgsl -lgslcblas -lm -o /dev/null 2>/dev/null
}

if command -v pkg-config >/dev/null 2>&1 && pkg-config --exists gsl 2>/dev/null; then
    pkg-config "$1" gsl
elif command -v gsl-config >/dev/null 2>&1; then
    gsl-config "$1"
elif compiler_finds_it; then
    if [ "$1" = --libs ]; then echo "-lgsl -lgslcblas -lm"; fi
else
    exit 1
fi
