#!/bin/sh
# One of four machines becomes ten times slower during a run of the image pipeline (examples/pipeline).
# Which part of the best possible throughput does it reach from the third period after that on?  Takes
# a minute and a half for each of the given seeds (1 2 3).  Then measures the time of a decision.
# Prints Markdown.  Fails if all seeds together reach less than 90%, if decisions and measuring take 1%
# of a run or more, or if one decision for 8 stages on 8 processors takes 0.1 s or more.
#
# BUILD: where the programs are.  Writes $BUILD/adaptation.csv for bench/plot/draw: the first
# seed's run, and one whose stages stay on their machines.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
period=1.5
images=900
slow=$(awk '$1 ~ /^[0-9]/ { print $1; exit }' examples/pipeline/slowdown.changes)
define=$(awk '$1 ~ /^[0-9]/ { print $2 "=" $3; exit }' examples/pipeline/slowdown.changes)

# best OPTION...: throughput of the best mapping
best() {
    "$BUILD/bin/amoget" examples/pipeline/slowdown.amo "$@" --search best --json |
        sed -n 's/.*"throughput": *\([0-9.]*\).*/\1/p' | head -n 1
}

# pipeline SEED IMAGES OPTION...
pipeline() {
    seed=$1
    count=$2
    shift 2
    mpirun --oversubscribe -n 4 "$BUILD/bin/grid-images" --images "$count" --size 64 --quiet \
        --period $period --seed "$seed" --platform examples/pipeline/slowdown.amo \
        --changes examples/pipeline/slowdown.changes "$@"
}

before=$(best)
after=$(best -D "$define")

# ---- runs ---------------------------------------------------------------------------------------

echo "| seed | images/s before | from the third period after | best possible then | of it | moves | decisions and measuring took |"
echo "|---|---|---|---|---|---|---|"
first=
for seed in ${*:-1 2 3}; do
    pipeline "$seed" $images --throughput "$work/dat" --log "$work/log" --json-log >"$work/out"
    awk -v slow="$slow" -v period="$period" -v best="$after" -v seed="$seed" -v to="$work/parts" '
        FNR == NR && /^#/ { next }
        FNR == NR { d = $1 - last
                    if ($1 <= slow && last > period) { before += $2 * d; t0 += d }
                    if (last >= slow + 3 * period) { after += $2 * d; t1 += d }
                    last = $1; next }
        / moves?,.* decisions?, which took/ { moves = $1; took = $7 }
        / images in / { seconds = $4 + 0 }
        END { printf("| %s | %.1f | %.1f | %.1f | %.0f%% | %d | %.2f%% of the run |\n", seed,
                     before / t0, after / t1, best, 100 * after / t1 / best, moves,
                     100 * took / seconds)
              print after / t1 / best, took / seconds >>to }' "$work/dat" "$work/out"
    if [ -z "$first" ]; then
        first=$seed
        cp "$work/dat" "$work/first.dat"
        cp "$work/log" "$work/first.log"
    fi
done

# ---- the first one, as a table --------------------------------------------------------------------

pipeline "$first" 240 --fixed --throughput "$work/fixed.dat" >"$work/out"
{
    echo "what,seconds,value"
    echo "slow,$slow,"
    echo "best,0,$before"
    echo "best,$slow,$after"
    sed -n 's/^{ "event": "move", "time": \([0-9.]*\),.*/move,\1,/p' "$work/first.log"
    awk '/^[^#]/ { print "moving," $1 "," $2 }' "$work/first.dat"
    awk '/^[^#]/ { print "fixed," $1 "," $2 }' "$work/fixed.dat"
} >"$BUILD/adaptation.csv"

# ---- one decision ---------------------------------------------------------------------------------

# The unit test makes 30 of them and says how long they took; the first one has to derive the chains.
# Of ten times the shortest counts, as others use the machine.
MAKEFLAGS='' make -s --no-print-directory BUILD="$BUILD" "$BUILD/test/grid_unit" >&2
for _ in 1 2 3 4 5 6 7 8 9 10; do
    "$BUILD/test/grid_unit" --verbose --filter 'rescheduler/eight_stages*' 2>&1 |
        sed -n 's/.*8 stages on 8 processors: \([0-9.]*\) ms a decision, \([0-9.]*\) ms the longest.*/\2 \1/p'
done | sort -n | head -n 1 >"$work/decision"
echo
awk '{ print "A decision for 8 stages on 8 processors takes " $2 " ms in the mean, and " $1 \
             " ms the first time." }' "$work/decision"

# ---- what has to hold -----------------------------------------------------------------------------

awk -v part=0.9 -v share=0.01 -v longest=100 '
    function wrong(text) { print "adapt.sh: " text | "cat 1>&2"; bad = 1 }
    FNR == NR { sum += $1; runs++
                if (!($2 < share)) wrong("decisions and measuring took " 100 * $2 "% of a run")
                next }
    { decided = 1; if (!($1 < longest)) wrong("a decision took " $1 " ms") }
    END { if (!(sum >= part * runs && runs > 0))
              wrong("it has " 100 * sum / runs "% of what is possible")
          if (!decided) wrong("no decision was timed")
          exit bad }' "$work/parts" "$work/decision"
