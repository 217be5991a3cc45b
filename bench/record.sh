#!/bin/sh
# record.sh: keeps what `make bench` and `make bench-long` measured last, as far as they were run:
# bench/results.json and bench/results-long.json, and what is made of both: bench/results.md, the
# tables and the plots of doc/performance.md.
set -eu
cd "$(dirname "$0")/.."
[ ! -f "$BUILD/bench/short.json" ] || cp "$BUILD/bench/short.json" bench/results.json
[ ! -f "$BUILD/bench/long.json" ] || cp "$BUILD/bench/long.json" bench/results-long.json
set --
for each in bench/results.json bench/results-long.json; do
    [ ! -f "$each" ] || set -- "$@" "$each"
done
if [ $# -eq 0 ]; then
    echo "record.sh: nothing has been measured yet: make bench" >&2
    exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# from_results SCRIPT WHAT: what SCRIPT makes of the measurements.
from_results() {
    script=$1 what=$2
    shift 2
    awk -v what="$what" -f bench/json.awk -f bench/svg.awk -f "bench/$script" bench/peers "$@"
}

{
    echo "# Runs of \`make bench\` and \`make bench-long\`"
    echo
    echo "Made by \`make bench-record\` from results.json and results-long.json;"
    echo "[doc/performance.md](../doc/performance.md) says what the columns mean.  Times are of a"
    echo "shared machine and vary by tens of per cent."
    for each in "$@"; do
        echo
        from_results report.awk report "$each"
    done
} >"$work/results.md"
for what in peers explore threads; do
    from_results report.awk $what "$@" >"$work/$what"
done
for what in time memory; do
    from_results plot.awk $what "$@" >"$work/$what.svg"
done
# A table stands between "<!-- NAME: made by ..." and "<!-- end".
awk -v tables="$work" '
    !inside { print }
    /^<!-- [a-z]+: made by/ {
        inside = 1
        table = tables "/" substr($2, 1, length($2) - 1)
        while ((getline line < table) > 0)
            print line
    }
    /^<!-- end/ { if (inside) print; inside = 0 }' doc/performance.md >"$work/performance.md"
[ "$(grep -c '^<!-- end' "$work/performance.md")" -eq 3 ]

mv "$work/results.md" bench/results.md
mv "$work/performance.md" doc/performance.md
mv "$work/time.svg" doc/performance-time.svg
mv "$work/memory.svg" doc/performance-memory.svg
