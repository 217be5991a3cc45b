#!/bin/sh
# Compares predictions with runs: the rows of the table of Benoit, Cole, Gilmore and Hillston (2004)
# and 20 random descriptions, with both ways of sharing; then the rows with constant times.  About
# 12 minutes.  Prints Markdown; doc/predictions.md is one such run.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run="mpirun --oversubscribe -n 4 $BUILD/bin/bench_predict"
if [ "$(id -u)" -eq 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
rows="pipeline3 pipeline3-slower slow-processor slow-processor-far slow-network far-processor
    fast-far-processor"
static=""
serial=""
for row in $rows; do
    static="$static examples/$row.amo"
    { echo "sharing serial;"; cat "examples/$row.amo"; } >"$work/$row.amo"
    serial="$serial $work/$row.amo"
done
random=""
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    sharing=$([ $((seed % 2)) -eq 0 ] && echo static || echo serial)
    awk -v seed=$seed -v sharing=$sharing -f bench/random.awk >"$work/random$seed.amo"
    random="$random $work/random$seed.amo"
done

# shellcheck disable=SC2086
{
    echo "## The table's rows, static sharing"
    echo
    $run $static
    echo
    echo "## The table's rows, serial sharing"
    echo
    $run --seed 100 $serial
    echo
    echo "## Random descriptions"
    echo
    $run --seed 200 $random
    echo
    echo "## The table's rows with constant times, static sharing"
    echo
    $run --seed 300 --constant $static
    echo
    echo "## The table's rows with constant times, serial sharing"
    echo
    $run --seed 400 --constant $serial
}
