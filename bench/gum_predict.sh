#!/bin/sh
# Makespans as `gum predict` has them against runs in simulated time, on the grids of gum.sh: the profile is that
# of one run on the smallest grid, by `random`.  A line of CSV for each program, grid and policy: seconds predicted,
# seconds of the run.  Then the median error, and how often the policy that is named is within 3% of the best.
#   BUILD: where build/smpi/gum_shapes and build/bin/gum are;  PROGRAMS, GRIDS: which ones
set -eu
cd "$(dirname "$0")/.."
build=$(cd "${BUILD:-build}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

. bench/gum_runs.sh

# describe GRID: the description of its processes, in their order
describe() {
    echo 'processors {'
    awk -F- '{ time["edin1"] = 1529 / 534; time["edin2"] = 1529 / 1395; time["muni"] = 1
        printf "  p%d time %.9g cluster %s;\n", NR, time[$1], $1 }' "$work/$1"
    echo '}
network {
  bandwidth default 12.5 MB;  latency local 1 us;  latency default 36 ms;'
    several edin1 "$1" '  latency edin1 edin1 0.2 ms;'
    several edin2 "$1" '  latency edin2 edin2 0.15 ms;  latency edin1 edin2 0.27 ms;  latency edin2 muni 35.8 ms;'
    several muni "$1" '  latency muni muni 0.13 ms;'
    echo '  latency edin1 muni 35.8 ms;
}'
}
# several CLUSTER GRID TEXT: if it has two processes or more
several() {
    [ "$(grep -c "^$1-" "$work/$2")" -lt 2 ] || echo "$3"
}
# run PROGRAM GRID POLICY: seconds of the makespan
run() {
    GUM_PROFILE=$work/profile simulate "$1" "$2" "$3"
    awk '/^run / { for (i = 1; i < NF; i++) if ($i == "makespan") print $(i + 1) }' "$work/profile"
}

echo program,grid,policy,predicted,run
for program in ${PROGRAMS:-raytracer parfib}; do
    run "$program" 6E1M random >/dev/null
    mv "$work/profile" "$work/$program.profile"
    for grid in ${GRIDS:-$grids}; do
        describe "$grid" >"$work/$grid.amo"
        "$build/bin/gum" predict "$work/$grid.amo" "$work/$program.profile" --csv --brief |
            awk -F, 'NR > 1 { print $1, $2 }' |
            while read -r policy predicted; do
                echo "$program,$grid,$policy,$predicted,$(run "$program" "$grid" "$policy")"
            done
    done
done | tee "$work/rows"
awk -F, '
    { error[NR] = $4 > $5 ? $4 / $5 - 1 : 1 - $4 / $5; row = $1 "," $2
      if (!(row in named) || $4 < predicted[row]) { named[row] = $3; predicted[row] = $4 }
      if (!(row in best) || $5 < best[row]) best[row] = $5
      ran[row, $3] = $5 }
    END { for (i = 1; i <= NR; i++) for (k = i; k > 1 && error[k] < error[k - 1]; k--) {
              t = error[k]; error[k] = error[k - 1]; error[k - 1] = t }
          for (row in named) { rows++; right += ran[row, named[row]] <= 1.03 * best[row] }
          printf "median error %.1f%%, nine in ten %.1f%%, largest %.1f%%; named within 3%% of the best: %d of %d\n",
              100 * error[int((NR + 1) / 2)], 100 * error[int(NR * 0.9)], 100 * error[NR], right, rows }
    ' "$work/rows"
