#!/bin/sh
# Brings what the project needs and this machine lacks.  See usage() below.
#
# What is there is found by trying it (compiling, linking, importing), not by asking a
# package manager.  Installing is done on Debian and its relatives only, where it is tried;
# for the other systems the command is printed, labelled untested, and nothing is run.
set -u
cd "$(dirname "$0")/.." || exit 1

usage() {
    cat <<'END'
usage: setup/install.sh [--no-install] [--yes] GROUP...

groups:
  build     a C compiler, make, the GNU Scientific Library
  figures   Python 3 with matplotlib, and with jinja2 for the report
  tests     cmocka, Python 3 with pytest, matplotlib and jinja2
  analysis  for lint, check-static, check-tsan, check-valgrind: clang with OpenMP, clang-tidy,
            clang-format, cppcheck, shellcheck, valgrind
  machines  for check-everywhere: clang, MPI, compilers for other processors, qemu, musl;
            then setup/foreign.sh brings the library.  Debian's cross compilers take the
            place of gcc-multilib: i386 has its own compiler here

  --no-install  print what is missing and the command for it, run nothing
  --yes         do not ask, even on a terminal

Exit status 0 if everything is there, perhaps after installing it; 1 if something is
missing; 2 for misuse.  CC=, CFLAGS=, LDFLAGS= and PYTHON= are taken into account.
END
}

install=yes
ask=yes
groups=
for word in "$@"; do
    case $word in
    --no-install) install=no ;;
    --yes) ask=no ;;
    --help | -h)
        usage
        exit 0
        ;;
    build | figures | tests | analysis | machines) groups="$groups $word" ;;
    *)
        echo "setup/install.sh: $word is not known; groups: build figures tests analysis machines" >&2
        exit 2
        ;;
    esac
done
if [ -z "$groups" ]; then
    usage >&2
    exit 2
fi

# --- is it there? ---------------------------------------------------------------------

links() { # PROGRAM-TEXT FLAG...: does it compile and link?
    text=$1
    shift
    # shellcheck disable=SC2086 # CFLAGS and LDFLAGS are lists
    printf '%b' "$text" | ${CC:-cc} ${CFLAGS-} -x c - ${LDFLAGS-} "$@" -o /dev/null 2>/dev/null
}
has_compiler() { links '#include <stdio.h>\nint main(void){return puts("") < 0;}\n'; }
has_make() { make --version 2>/dev/null | grep -q '^GNU Make'; }
has_gsl() {
    cflags=$(setup/find_gsl.sh --cflags) && libs=$(setup/find_gsl.sh --libs) || return 1
    # shellcheck disable=SC2086 # lists of flags
    links '#include <gsl/gsl_sf_gamma.h>\nint main(void){return gsl_sf_lngamma(2.0) > 0;}\n' \
        $cflags $libs
}
has_cmocka() {
    links '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <cmocka.h>\nint main(void){return 0;}\n' -lcmocka
}
has_matplotlib() { tests/find_python.sh matplotlib >/dev/null 2>&1; }
has_jinja2() { tests/find_python.sh jinja2 >/dev/null 2>&1; }
has_clang() { CC=clang CFLAGS='' LDFLAGS='' links '#include <omp.h>\nint main(void){return omp_get_num_procs() < 1;}\n' -fopenmp; }
has_tidy() { clang-tidy --version >/dev/null 2>&1 && clang-format --version >/dev/null 2>&1; }
has_checkers() { cppcheck --version >/dev/null 2>&1 && shellcheck --version >/dev/null 2>&1; }
has_valgrind() { valgrind --version >/dev/null 2>&1; }
has_mpi() { command -v mpicc >/dev/null 2>&1 && command -v mpirun >/dev/null 2>&1; }
has_foreign() { # compilers, what runs their programs, and what builds the library from source
    for machine in $(setup/foreign.sh --list); do
        for program in $(setup/foreign.sh --cc "$machine") $(setup/foreign.sh --run "$machine"); do
            command -v "$program" >/dev/null 2>&1 || return 1
        done
    done
    command -v dpkg-source >/dev/null 2>&1 && [ -e /usr/share/misc/config.sub ]
}
has_pytest() { tests/find_python.sh pytest >/dev/null 2>&1; }

needs_of() {
    case $1 in
    build) echo compiler make gsl ;;
    figures) echo matplotlib jinja2 ;;
    tests) echo cmocka pytest matplotlib jinja2 ;;
    analysis) echo clang tidy checkers valgrind ;;
    machines) echo clang mpi foreign ;;
    esac
}

find_missing() { # sets $missing to the needs that are not there
    missing=
    for group in $groups; do
        for need in $(needs_of "$group"); do
            case " $missing " in *" $need "*) continue ;; esac
            "has_$need" || missing="$missing $need"
        done
    done
    missing=${missing# }
}

# --- how to get it --------------------------------------------------------------------

manager() {
    for program in apt-get dnf pacman apk brew; do
        if command -v "$program" >/dev/null 2>&1; then
            echo "$program"
            return
        fi
    done
    echo none
}

package() { # MANAGER NEED: the packages' names
    case $1/$2 in
    apt-get/compiler) echo gcc libc6-dev ;;
    apt-get/gsl) echo libgsl-dev pkg-config ;;
    apt-get/matplotlib) echo python3 python3-matplotlib ;;
    apt-get/jinja2) echo python3 python3-jinja2 ;;
    apt-get/cmocka) echo libcmocka-dev ;;
    apt-get/pytest) echo python3 python3-pytest ;;
    apt-get/clang) echo clang libomp-dev ;;
    apt-get/tidy) echo clang-tidy clang-format ;;
    apt-get/checkers) echo cppcheck shellcheck ;;
    */valgrind) echo valgrind ;;
    apt-get/mpi) echo libopenmpi-dev openmpi-bin ;;
    apt-get/foreign) echo gcc-i686-linux-gnu gcc-aarch64-linux-gnu gcc-arm-linux-gnueabihf \
        gcc-s390x-linux-gnu gcc-riscv64-linux-gnu libc6-dev-i386-cross libc6-dev-arm64-cross \
        libc6-dev-armhf-cross libc6-dev-s390x-cross libc6-dev-riscv64-cross qemu-user-static \
        musl-tools dpkg-dev autotools-dev ;;
    dnf/clang) echo clang libomp-devel ;;
    dnf/tidy) echo clang-tools-extra ;;
    dnf/checkers) echo cppcheck ShellCheck ;;
    dnf/mpi) echo openmpi-devel ;;
    pacman/clang) echo clang openmp ;;
    pacman/tidy) ;; # parts of clang
    pacman/checkers | brew/checkers) echo cppcheck shellcheck ;;
    pacman/mpi) echo openmpi ;;
    apk/clang) echo clang openmp-dev ;;
    apk/tidy) echo clang-extra-tools ;;
    apk/checkers) echo cppcheck shellcheck ;;
    apk/mpi) echo openmpi-dev ;;
    brew/clang | brew/tidy) echo llvm ;;
    brew/mpi) echo open-mpi ;;
    */foreign) ;; # Debian only: setup/foreign.sh
    dnf/compiler) echo gcc glibc-devel ;;
    dnf/gsl) echo gsl-devel pkgconf-pkg-config ;;
    dnf/matplotlib) echo python3-matplotlib ;;
    dnf/jinja2) echo python3-jinja2 ;;
    dnf/cmocka) echo libcmocka-devel ;;
    dnf/pytest) echo python3-pytest ;;
    pacman/compiler) echo gcc ;;
    pacman/gsl) echo gsl pkgconf ;;
    pacman/matplotlib) echo python-matplotlib ;;
    pacman/jinja2) echo python-jinja ;;
    pacman/cmocka) echo cmocka ;;
    pacman/pytest) echo python-pytest ;;
    apk/compiler) echo gcc musl-dev ;;
    apk/gsl) echo gsl-dev pkgconf ;;
    apk/matplotlib) echo py3-matplotlib ;;
    apk/jinja2) echo py3-jinja2 ;;
    apk/cmocka) echo cmocka-dev ;;
    apk/pytest) echo py3-pytest ;;
    brew/compiler) echo gcc ;;
    brew/gsl) echo gsl pkg-config ;;
    brew/matplotlib) echo python-matplotlib ;;
    brew/jinja2) ;; # no formula: pip, see command_of
    brew/cmocka) echo cmocka ;;
    brew/pytest) echo pytest ;;
    */make) echo make ;;
    esac
}

packages() { # MANAGER: for everything missing, each once
    list=
    for need in $missing; do
        for name in $(package "$1" "$need"); do
            case " $list " in *" $name "*) ;; *) list="$list $name" ;; esac
        done
    done
    echo "${list# }"
}

command_of() { # MANAGER: the line that installs everything missing
    case $1 in
    apt-get) echo "apt-get install --yes --no-install-recommends $(packages "$1")" ;;
    dnf) echo "dnf install $(packages "$1")" ;;
    pacman) echo "pacman -S --needed $(packages "$1")" ;;
    apk) echo "apk add $(packages "$1")" ;;
    brew) case $missing in
        *jinja2*) echo "brew install $(packages "$1") && python3 -m pip install jinja2" ;;
        *) echo "brew install $(packages "$1")" ;;
        esac ;;
    esac
}

print_commands() { # what a person would type
    case $(manager) in
    none)
        echo "With one of these, as root (all but the first untested):" >&2
        for name in apt-get dnf pacman apk brew; do
            echo "  $(command_of "$name")" >&2
        done
        ;;
    apt-get) printf 'This installs it, as root:\n  apt-get update\n  %s\n' \
        "$(command_of apt-get)" >&2 ;;
    *) printf 'This should install it (untested here):\n  %s\n' \
        "$(command_of "$(manager)")" >&2 ;;
    esac
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        echo env
    elif command -v sudo >/dev/null 2>&1; then
        # without a terminal nobody can type a password
        if [ -t 0 ]; then echo sudo env; else echo sudo -n env; fi
    fi
}

# --- do it ----------------------------------------------------------------------------

find_missing
if [ -z "$missing" ]; then
    exit 0
fi
echo "Missing here: $missing" >&2
case "${PYTHON:+set} $missing" in
set*matplotlib* | set*jinja2* | set*pytest*)
    # PYTHON= chose an interpreter; packages of the distribution would not reach it
    echo "PYTHON=$PYTHON lacks it: install it there, or leave PYTHON unset to let" >&2
    echo "tests/find_python.sh look for another." >&2
    exit 1
    ;;
esac
if [ "$install" = no ] || [ "$(manager)" != apt-get ]; then
    print_commands
    exit 1
fi
root=$(as_root)
if [ -z "$root" ]; then
    echo "Neither root nor sudo, so nothing is installed." >&2
    print_commands
    exit 1
fi
install_command=$(command_of apt-get)
shown=$(echo "$root" | sed 's/ *env$//; s/$/ /; s/^ *$//')
printf 'About to run:\n  %sapt-get update\n  %s%s\n' "$shown" "$shown" "$install_command" >&2
if [ "$ask" = yes ] && [ -t 0 ] && [ -t 2 ]; then
    printf 'Run this? [Y/n] ' >&2
    read -r answer || answer=n
    case $answer in
    '' | y | Y | yes) ;;
    *)
        echo "Nothing is installed." >&2
        exit 1
        ;;
    esac
fi
log=build/install.log
mkdir -p build
echo "(a minute or so; apt's own words go to $log)" >&2
# An old package list still finds most packages, so a failed update is no reason to stop.
# shellcheck disable=SC2086 # $root and the command are lists of words
{
    $root DEBIAN_FRONTEND=noninteractive apt-get update
    $root DEBIAN_FRONTEND=noninteractive $install_command
} >"$log" 2>&1 || {
    tail -n 15 "$log" >&2
    echo "setup/install.sh: the installation failed; all of it is in $log" >&2
    exit 1
}
find_missing
if [ -n "$missing" ]; then
    echo "setup/install.sh: still missing after the installation: $missing" >&2
    exit 1
fi
