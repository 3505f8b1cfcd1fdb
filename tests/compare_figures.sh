#!/bin/sh
# Draws the figures from a results file into a folder and compares them with figures/.
# Those of e8 and later come from results/, whatever RESULTS is.
#
#   tests/compare_figures.sh RESULTS FOLDER
#
# Prints a line that says what agreed.  Exit status: 0 all equal to the byte; 3 drawn, but by
# another matplotlib than the committed ones, which promises equal bytes only under one
# version of itself; 1 they differ, or something failed.
set -u
cd "$(dirname "$0")/.." || exit 1
if [ $# != 2 ]; then
    echo "usage: tests/compare_figures.sh RESULTS FOLDER" >&2
    exit 2
fi
results=$1
folder=$2

python=$(tests/find_python.sh matplotlib) || exit 1
mkdir -p "$folder" || exit 1
for script in plot_results.py draw_diagrams.py; do
    # shellcheck disable=SC2086 # PYTHON may carry options
    $python $script "$results" --out "$folder" >&2 || exit 1
done

version_in() { # FOLDER
    sed -n 's/.*drawn with matplotlib \([0-9.]*[0-9]\).*/\1/p' "$1"/*.svg 2>/dev/null | sort -u | tr '\n' ' '
}
count=0
different=
for figure in figures/*.svg; do
    [ -e "$figure" ] || continue
    count=$((count + 1))
    cmp -s "$figure" "$folder/${figure#figures/}" || different="$different $figure"
done
here=$(version_in "$folder")
there=$(version_in figures)
if [ "$count" = 0 ]; then
    echo "figures: none is in figures/"
    exit 1
elif [ -z "$different" ]; then
    echo "$count figures: figures/ to the byte"
elif [ "$here" != "$there" ]; then
    echo "figures drawn, not comparable to the byte: matplotlib ${here% } here, ${there% } in figures/"
    exit 3
else
    echo "figures differ under the same matplotlib (another font library?):$different"
    exit 1
fi
