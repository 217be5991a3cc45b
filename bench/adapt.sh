#!/bin/sh
# One of four machines becomes ten times slower in mid-run: how much of the best possible throughput
# the image pipeline of examples/pipeline has from the third period after that on.  A minute and a half
# for each of the seeds given (1 2 3).  Prints Markdown.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
period=1.5
slow=$(awk '$1 ~ /^[0-9]/ { print $1; exit }' examples/pipeline/slowdown.changes)
define=$(awk '$1 ~ /^[0-9]/ { print $2 "=" $3; exit }' examples/pipeline/slowdown.changes)
best=$("$BUILD/bin/amoget" examples/pipeline/slowdown.amo -D "$define" --search best --json |
    sed -n 's/.*"throughput": *\([0-9.]*\).*/\1/p' | head -n 1)
echo "| seed | images/s before | from the third period after | best possible then | of it | moves | decisions took |"
echo "|---|---|---|---|---|---|---|"
for seed in ${*:-1 2 3}; do
    mpirun --oversubscribe -n 4 "$BUILD/bin/grid-images" --images 900 --size 64 --quiet \
        --period $period --seed "$seed" --platform examples/pipeline/slowdown.amo \
        --changes examples/pipeline/slowdown.changes --throughput "$work/dat" >"$work/out"
    awk -v slow="$slow" -v period="$period" -v best="$best" -v seed="$seed" '
        FNR == NR && /^#/ { next }
        FNR == NR { d = $1 - last
                    if ($1 <= slow && last > period) { before += $2 * d; t0 += d }
                    if (last >= slow + 3 * period) { after += $2 * d; t1 += d }
                    last = $1; next }
        / moves,.* decisions, which took/ { moves = $1; took = $7 }
        / images in / { seconds = $4 }
        END { printf("| %s | %.1f | %.1f | %.1f | %.0f%% | %d | %.1f%% of the run |\n", seed,
                     before / t0, after / t1, best, 100 * after / t1 / best, moves,
                     100 * took / seconds) }' "$work/dat" "$work/out"
done
