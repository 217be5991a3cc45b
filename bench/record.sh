#!/bin/sh
# record.sh: keeps what `make bench`, `make bench-long` and `make bench-auto` measured last, as far as
# they were run: bench/results.json, bench/results-long.json, bench/results-auto.jsonl.  Then makes
# what follows from these three files, as far as they exist: bench/results.md, bench/results-auto.md,
# the tables and the plots of doc/performance.md.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bench" "$work/doc" "$work/tables"

# take MEASURED NAME: the last run, or else what is kept of an earlier one.  A run that was stopped
# early may have no measurement.
take() {
    if grep -qs '"kind": ' "$BUILD/$1"; then
        cp "$BUILD/$1" "$work/bench/$2"
    elif [ -f "bench/$2" ]; then
        cp "bench/$2" "$work/bench/"
    fi
}

# from_results SCRIPT WHAT FILE...: what SCRIPT makes of the measurements.
from_results() {
    script=$1 what=$2
    shift 2
    awk -v what="$what" -f bench/json.awk -f "bench/$script" bench/peers "$@"
}

# tables_of_bench FILE...: of make bench and make bench-long.
tables_of_bench() {
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
    } >"$work/bench/results.md"
    from_results report.awk peers "$@" >"$work/tables/peers"
    for what in time memory; do
        bench/plot/draw $what "$@" >"$work/doc/performance-$what.svg"
    done
    [ -f "$short" ] || return 0
    for what in explore analyses threads; do
        from_results report.awk $what "$@" >"$work/tables/$what"
    done
}

# tables_of_auto FILE: of make bench-auto.
tables_of_auto() {
    {
        echo "# Runs of \`make bench-auto\`"
        echo
        echo "Made by \`make bench-record\` from results-auto.jsonl;"
        echo "[doc/performance.md](../doc/performance.md#how-far-auto-is-from-the-best) says what the"
        echo "columns mean."
        echo
        from_results auto_report.awk report "$1"
    } >"$work/bench/results-auto.md"
    bench/plot/draw auto "$1" >"$work/doc/performance-auto.svg"
    {
        from_results auto_report.awk summary "$1"
        echo
        echo "[bench/results-auto.md](../bench/results-auto.md) has all models."
        echo
        echo "![Ratios of CPU time, sorted, a mark per model](performance-auto.svg)"
    } >"$work/tables/auto"
}

take bench/short.json results.json
take bench/long.json results-long.json
take bench-auto.jsonl results-auto.jsonl
short=$work/bench/results.json
long=$work/bench/results-long.json
auto=$work/bench/results-auto.jsonl
set --
[ ! -f "$short" ] || set -- "$short"
[ ! -f "$long" ] || set -- "$@" "$long"
if [ $# -eq 0 ] && [ ! -f "$auto" ]; then
    echo "record.sh: nothing has been measured yet: make bench" >&2
    exit 1
fi
[ $# -eq 0 ] || tables_of_bench "$@"
[ ! -f "$auto" ] || tables_of_auto "$auto"
# A table stands between "<!-- NAME: made by ..." and "<!-- end"; it stays if none was made.
awk -v tables="$work/tables" '
    !inside { print }
    /^<!-- [a-z]+: made by/ {
        table = tables "/" substr($2, 1, length($2) - 1)
        while ((getline line < table) > 0) {
            inside = 1
            print line
        }
    }
    /^<!-- end/ { if (inside) print; inside = 0 }' doc/performance.md >"$work/doc/performance.md"
[ "$(grep -c '^<!-- end' "$work/doc/performance.md")" -eq 5 ]

mv "$work"/bench/* bench/
mv "$work"/doc/* doc/
