#!/bin/sh
# One of four machines becomes ten times slower after 12 s: the image pipeline with rescheduling, and
# beside it the same one whose stages stay where they are.  BUILD: where the programs are.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
images=$build/bin/grid-images
name=$build/demo-grid
[ -x "$images" ] || {
    echo "demo.sh: there is no $images here: make grid builds it in the source tree" >&2
    exit 1
}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# pipeline IMAGES OPTION...
pipeline() {
    count=$1
    shift
    mpirun --oversubscribe -n 4 "$images" --images "$count" --size 64 --quiet --period 1.5 \
        --platform examples/pipeline/slowdown.amo --changes examples/pipeline/slowdown.changes "$@"
}

echo "Four processes play four equal machines; after 12 s the second one takes ten times as long."
echo
pipeline 180 --fixed --throughput "$name-fixed.dat" >"$name-fixed.log" 2>&1 &
fixed=$!
trap 'kill "$fixed" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM
status=0
pipeline 320 --log - --throughput "$name.dat" --measurements "$name.csv" || status=$?
if [ "$status" -ne 0 ]; then
    wait "$fixed" || true
    exit "$status"
fi
echo
echo "Meanwhile, without rescheduling:"
wait "$fixed" || status=$?
cat "$name-fixed.log"
[ "$status" -eq 0 ] || exit "$status"

echo
echo "Images per second over time (# with rescheduling, | stages stay where they are):"
awk '
    /^#/ { next }
    { n = ++count[FILENAME]; time[FILENAME, n] = $1; rate[FILENAME, n] = $2 }
    # of the line that tells about second t; -1: none
    function at(file, t,    i) {
        for (i = 1; i <= count[file] && time[file, i] < t; i++) ;
        return i <= count[file] ? rate[file, i] : -1
    }
    END {
        for (t = 1; at(ARGV[1], t) >= 0 || at(ARGV[2], t) >= 0; t += 1.5) {
            with = at(ARGV[1], t); without = at(ARGV[2], t)
            line = ""
            for (x = 1; x <= 64; x++)
                line = line (without >= 0 && int(4 * without + 0.5) == x ? "|" : \
                    x <= 4 * with ? "#" : " ")
            sub(/ +$/, "", line)
            printf "%5.1f s %5s %s\n", t, with < 0 ? "" : sprintf("%.1f", with), line
        }
    }' "$name.dat" "$name-fixed.dat"

if command -v gnuplot >/dev/null; then
    gnuplot <<END && echo && echo "$name.png has a plot of this."
set terminal pngcairo size 900,420
set output "$name.png"
set xlabel "seconds"
set ylabel "images per second"
set yrange [0:*]
set key bottom left
set arrow from 12, graph 0 to 12, graph 1 nohead dashtype 2 linecolor "gray40"
set label "machine 2 becomes ten times slower" at 12.3, graph 0.96 textcolor "gray40"
plot "$name.dat" using 1:2 with linespoints pointtype 7 title "with rescheduling", \
    "$name.dat" using 1:3 with lines dashtype 3 title "what the model says", \
    "$name-fixed.dat" using 1:2 with linespoints pointtype 6 title "stages stay where they are"
END
fi
