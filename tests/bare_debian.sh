#!/bin/bash
# Tries the README's commands, word by word, on a bare Debian 12.
#
#   tests/bare_debian.sh [FOLDER]      as root; needs debootstrap and about 1.5 GB
#
# Makes a minimal Debian in FOLDER (default: a new one under ${TMPDIR:-/tmp}, removed at
# the end), puts a fresh clone of HEAD into it, and runs there the lines of the README's
# first block of commands, without a terminal, as root, with an empty environment.  The
# mirror is the one in this machine's own apt sources.  A FOLDER that holds a bare system
# from an earlier call is used again as it is, so it is kept.
set -euo pipefail
cd "$(dirname "$0")/.."
suite=bookworm

[ "$(id -u)" = 0 ] || { echo "bare_debian: must be run as root" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "bare_debian: needs debootstrap: apt-get install debootstrap" >&2; exit 1; }

# The first mirror of the suite in apt's sources, in either of their two forms.
mirror() {
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
        if [ -f "$file" ]; then
            cat "$file"
            echo # the end of a stanza
        fi
    done | awk -v suite=$suite '
        $1 == "deb" { # deb [options] URI suite component...
            i = 2
            if ($i ~ /^\[/) { while ($i !~ /\]$/) i++; i++ }
            if ($(i + 1) == suite) { print $i; exit }
        }
        /^[[:space:]]*$/ { uri = ""; has = 0 }
        $1 == "URIs:" { uri = $2 }
        $1 == "Suites:" { for (i = 2; i <= NF; i++) has += ($i == suite) }
        uri != "" && has { print uri; exit }
    '
}

# The README's first ```sh block.
commands() { awk '/^```sh/ { inside = 1; next } /^```/ && inside { exit } inside' README.md; }

uri=$(mirror)
[ -n "$uri" ] || { echo "bare_debian: no mirror of $suite in apt's sources" >&2; exit 1; }
folder=${1-}
if [ -z "$folder" ]; then
    folder=$(mktemp -d)
    trap 'rm -rf --one-file-system "$folder"' EXIT
fi
if [ ! -e "$folder/etc/debian_version" ]; then
    echo "== a bare $suite in $folder" >&2
    debootstrap --variant=minbase $suite "$folder" "$uri" >"$folder.log" 2>&1 || {
        tail "$folder.log" >&2
        exit 1
    }
    rm -f "$folder.log"
fi

home=$folder/srv/cuckoo_sim
rm -rf --one-file-system "$home"
git clone --quiet --no-hardlinks . "$home"
commands >"$home.sh"
echo "== commands of the README:" >&2
cat "$home.sh" >&2

# A mount namespace of its own: what is mounted for the run is gone with it.
# shellcheck disable=SC2016 # expanded inside
unshare --mount --pid --fork sh -c '
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    exec chroot "$1" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        sh -euc "cd /srv/cuckoo_sim; . ../cuckoo_sim.sh"
' sh "$folder" </dev/null
echo "== all commands of the README succeeded" >&2
left=$(git -C "$home" status --porcelain)
[ -z "$left" ] || { echo "bare_debian: they changed the clone: $left" >&2; exit 1; }
