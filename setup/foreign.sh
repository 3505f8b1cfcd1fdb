#!/bin/sh
# Other machines on this one: what `make check-everywhere` needs to build for them.
#
#   setup/foreign.sh MACHINE...     brings the GNU Scientific Library for each of them into
#                                   build/foreign/MACHINE; nothing outside build/ changes,
#                                   and root is not needed
#   setup/foreign.sh --cc MACHINE   prints its compiler, --run what runs its programs,
#                                   --cflags, --libs the library's flags, --list all machines
#
#   i386 arm64 armhf s390x          from Debian's libgsl-dev of that architecture
#   riscv64 musl                    from Debian's source package, the few parts that are used
#                                   (Debian 12 has no riscv64; musl is another C library)
#
# Compilers and qemu come with `setup/install.sh machines`.  Debian only: the packages are
# fetched by apt-get with lists of its own in build/foreign/apt.
set -u
cd "$(dirname "$0")/.." || exit 1
top=$PWD
folder=build/foreign

triplet() {
    case $1 in
    i386) echo i386-linux-gnu ;;
    arm64) echo aarch64-linux-gnu ;;
    armhf) echo arm-linux-gnueabihf ;;
    s390x) echo s390x-linux-gnu ;;
    riscv64) echo riscv64-linux-gnu ;;
    musl) echo x86_64-linux-musl ;;
    *) return 1 ;;
    esac
}

cc_of() {
    case $1 in
    i386) echo i686-linux-gnu-gcc ;;
    musl) echo musl-gcc ;;
    *) echo "$(triplet "$1")-gcc" ;;
    esac
}

run_of() { # empty where this machine runs them itself
    case $1 in
    arm64) echo qemu-aarch64-static ;;
    armhf) echo qemu-arm-static ;;
    s390x | riscv64) echo "qemu-$1-static" ;;
    esac
}

say() { echo "setup/foreign.sh: $*" >&2; }

# --- Debian's packages ------------------------------------------------------------------

# apt-get for an architecture, with the machine's own sources (and their deb-src) but with
# lists, cache and status of its own.
apt_for() { # ARCHITECTURE WORD...
    own=$top/$folder/apt/$1
    architecture=$1
    shift
    mkdir -p "$own/lists/partial" "$own/archives/partial" "$own/sources.list.d"
    : >"$own/status"
    for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -e "$list" ] && sed -n 's/^deb  *\(\[.*\] *\)\{0,1\}/&/p; s/^deb /deb-src /p' "$list"
    done >"$own/sources.list"
    for list in /etc/apt/sources.list.d/*.sources; do
        [ -e "$list" ] && sed 's/^Types:.*/Types: deb deb-src/' "$list" \
            >"$own/sources.list.d/$(basename "$list")"
    done
    apt-get -qq -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
        -o Dir::State="$own" -o Dir::State::status="$own/status" -o Dir::Cache="$own" \
        -o Dir::Etc::sourcelist="$own/sources.list" \
        -o Dir::Etc::sourceparts="$own/sources.list.d" \
        -o Acquire::Languages=none -o APT::Sandbox::User=root "$@"
}

unpack_package() { # MACHINE
    rm -rf "${folder:?}/$1" && mkdir -p "$folder/$1/packages" &&
        apt_for "$1" update &&
        (cd "$folder/$1/packages" && apt_for "$1" download libgsl-dev) &&
        dpkg-deb -x "$folder/$1"/packages/libgsl-dev_*.deb "$folder/$1"
}

# --- from source ------------------------------------------------------------------------

# What src/stats.c and src/threshold.c call, and what that calls.
parts="err sys complex poly specfunc cdf randist rng roots min cblas"

fetch_source() {
    [ -x "$folder/source/configure" ] && return
    rm -rf "$folder/source" "$folder/fetched" && mkdir -p "$folder/fetched" &&
        apt_for "$(dpkg --print-architecture)" update &&
        (cd "$folder/fetched" &&
            apt_for "$(dpkg --print-architecture)" source --download-only gsl &&
            dpkg-source --no-check -x gsl_*.dsc tree) &&
        # GSL's own is older than riscv64
        cp /usr/share/misc/config.sub /usr/share/misc/config.guess "$folder/fetched/tree/" &&
        mv "$folder/fetched/tree" "$folder/source"
}

build_source() { # MACHINE
    lib=$top/$folder/$1/usr/lib/$(triplet "$1")
    work=$folder/$1/work
    fetch_source || return
    rm -rf "${folder:?}/$1" && mkdir -p "$work" "$lib" "$folder/$1/usr/include/gsl" &&
        (cd "$work" && CC=$(cc_of "$1") CFLAGS='-O2 -ffp-contract=off' "$top/$folder/source/configure" \
            --disable-shared --host="$(triplet "$1")" &&
            make -C gsl && for part in $parts; do make -C "$part" || exit; done) &&
        cp -L "$work"/gsl/*.h "$folder/$1/usr/include/gsl/" &&
        find "$work" -name '*.o' ! -path '*/cblas/*' -exec ar qc "$lib/libgsl.a" {} + &&
        find "$work/cblas" -name '*.o' -exec ar qc "$lib/libgslcblas.a" {} + &&
        rm -rf "$work"
}

# --- main -------------------------------------------------------------------------------

set_up() { # MACHINE
    lib=$folder/$1/usr/lib/$(triplet "$1")
    [ -e "$lib/libgsl.a" ] && [ -e "$lib/libgslcblas.a" ] && return
    for program in $(cc_of "$1" | cut -d' ' -f1) $(run_of "$1") apt-get dpkg-deb; do
        command -v "$program" >/dev/null || {
            say "$1: $program is not here (setup/install.sh machines)"
            return 1
        }
    done
    mkdir -p "$folder"
    log=$folder/$1.log
    say "$1: fetching (its words go to $log)"
    case $1 in
    riscv64 | musl) build_source "$1" ;;
    *) unpack_package "$1" ;;
    esac >"$log" 2>&1
    if ! [ -e "$lib/libgsl.a" ]; then
        tail -n 5 "$log" >&2
        say "$1: that failed"
        return 1
    fi
}

case ${1-} in
--list)
    echo "i386 arm64 armhf s390x riscv64 musl"
    exit
    ;;
--cc | --run | --cflags | --libs)
    if [ $# != 2 ] || ! triplet "$2" >/dev/null; then
        say "$1 takes one of $("$0" --list)"
        exit 2
    fi
    case $1 in
    --cc) cc_of "$2" ;;
    --run) run_of "$2" ;;
    --cflags) echo "-isystem $folder/$2/usr/include" ;;
    --libs)
        lib=$folder/$2/usr/lib/$(triplet "$2")
        echo "$lib/libgsl.a $lib/libgslcblas.a -lm"
        ;;
    esac
    exit
    ;;
'' | --help | -h)
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0" >&2
    exit 2
    ;;
esac
for machine in "$@"; do
    triplet "$machine" >/dev/null || {
        say "$machine is not known; machines: $("$0" --list)"
        exit 2
    }
done
status=0
for machine in "$@"; do set_up "$machine" || status=1; done
exit $status
