# shellcheck shell=sh disable=SC2154 # $log is the caller's
# Builds beside the usual one, each in a folder of its own; read by check.sh and everywhere.sh.
# What make says goes to $log.

jobs_here() { nproc 2>/dev/null || echo 2; }

# A build of its own in build/NAME, free of what this make was called with.  A TARGET may be a
# VARIABLE=VALUE of the Makefile.
build_as() { # NAME CC CFLAGS OPENMP TARGET...
    folder=build/$1 cc=$2 flags=$3 openmp=$4
    shift 4
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u CFLAGS -u CC -u EXTRA \
        make -j"$(jobs_here)" BUILD="$folder" CC="$cc" CFLAGS="$flags" OPENMP="$openmp" "$@" >>"$log" 2>&1
}
