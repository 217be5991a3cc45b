#!/bin/sh
# Small samples of measurements: bench/plot/draw makes the right tables of them and draws them, and
# bench/record.sh keeps them and draws what was kept.  UPDATE=1 rewrites golden/.
set -eu
cd "$(dirname "$0")/../.."
samples=$PWD/tests/bench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "bench: FAILED: $*" >&2
    exit 1
}

# drawn FILE.svg WORD...: it is a picture, and gnuplot had no warning; the words stand in it.
drawn() {
    picture=$1
    shift
    python3 - "$picture" "$@" <<'END' || fail "$picture"
import sys, xml.dom.minidom
document = xml.dom.minidom.parse(sys.argv[1])
words = [node.firstChild.nodeValue if node.firstChild else ""
         for text in document.getElementsByTagName("text")
         for node in ([text] + text.getElementsByTagName("tspan"))]
missing = [word for word in sys.argv[2:] if not any(word in each for each in words if each)]
if document.documentElement.tagName != "svg" or missing:
    sys.exit("not in the picture: " + ", ".join(missing))
END
}

# check PICTURE SAMPLE WORD...: the tables are the golden ones, the picture has the words.
check() {
    picture=$1 sample=$samples/$2
    shift 2
    ENDING=gp bench/plot/draw "$picture" "$sample" | sed '1,/^\$table/d; /^END$/,$d' >"$work/tables"
    [ "${UPDATE:-}" != 1 ] || cp "$work/tables" "$samples/golden/$picture"
    diff -u "$samples/golden/$picture" "$work/tables" || fail "tables of $picture"
    bench/plot/draw "$picture" "$sample" >"$work/$picture.svg" 2>"$work/warnings"
    [ ! -s "$work/warnings" ] || fail "$picture: $(cat "$work/warnings")"
    drawn "$work/$picture.svg" "$@"
}
check time short.json 'CPU time (s)' states polling pepa PRISM
check memory short.json 'memory (MB)' states polling pepa PRISM
check auto auto.jsonl 'ratio of CPU times' '7 models, by rank; auto did not solve 1' \
    'gamma 5: 3' 'eta 9: not solved' 'median 1.18' '95th percentile 3.00'
check adaptation adaptation.csv 'throughput (images/s' 'time since the run began (s)' \
    'it slows down'
check gum gum.csv 'ray tracer, 2007' 'parFib, simulated' GUM1 nearest-loaded 5E30E6M
check nbody nbody.csv 'particles of a process' 'MPI1: the slow site first' 'MPI2: the fast site first' \
    'measured by Bosa and Schreiner'
check shares shares.csv 'memory of the largest process' speedup '100 Gbit/s, 1.5 us' 'pipeline 17'
check collectives collectives.csv 'time / lower bound' broadcast alltoall clusters 'as Open MPI'
[ "$(ENDING=png bench/plot/draw adaptation "$samples/adaptation.csv" | head -c 4 | tail -c 3)" = PNG ] ||
    fail "a PNG"
! bench/plot/draw other "$samples/auto.jsonl" 2>/dev/null || fail "a picture that does not exist"
! bench/plot/draw time "$work/none.json" 2>/dev/null || fail "a file that does not exist"

# What was measured is kept; what was kept is drawn again when nothing was measured since.
mkdir -p "$work/tree/src/cli" "$work/tree/doc" "$work/build/bench"
cp -R bench "$work/tree/"
rm -f "$work"/tree/bench/results*
cp src/cli/plot_style.gp "$work/tree/src/cli/"
cp doc/performance.md "$work/tree/doc/"
! BUILD=$work/build "$work/tree/bench/record.sh" 2>/dev/null || fail "a record of nothing"
cp "$samples/short.json" "$work/build/bench/"
cp "$samples/auto.jsonl" "$work/build/bench-auto.jsonl"
BUILD=$work/build "$work/tree/bench/record.sh"
cmp "$samples/short.json" "$work/tree/bench/results.json"
cmp "$samples/auto.jsonl" "$work/tree/bench/results-auto.jsonl"
grep -q 'performance-auto.svg' "$work/tree/doc/performance.md" || fail "no picture of auto"
for picture in time memory auto; do
    cmp "$work/$picture.svg" "$work/tree/doc/performance-$picture.svg"
done
rm -r "$work/build" "$work/tree/doc"/*.svg
BUILD=$work/build "$work/tree/bench/record.sh"
for picture in time memory auto; do
    cmp "$work/$picture.svg" "$work/tree/doc/performance-$picture.svg"
done
echo "bench: samples are kept and drawn"
