#!/bin/sh
# GUM's policies on the grids of Al Zain and others 2007, tables 3 and 4, in simulated time.  A line of CSV for
# each run: program, grid, processes, policy, seconds, messages, messages between clusters.
# bench/gum.csv has such lines, after those of the papers.
#   BUILD: where build/smpi/gum_shapes is;  PROGRAMS, POLICIES, GRIDS: which ones
set -u
cd "$(dirname "$0")/.."
build=$(cd "${BUILD:-build}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

. bench/gum_runs.sh

echo program,grid,processes,policy,seconds,messages,far
for name in ${PROGRAMS:-raytracer parfib}; do
    for grid in ${GRIDS:-$grids}; do
        for policy in ${POLICIES:-random nearest-loaded busiest predicted}; do
            GUM_SUMMARY=1 simulate "$name" "$grid" "$policy" ||
                { echo "gum.sh: $name on $grid, $policy failed" >&2; continue; }
            awk -v name="$name" -v grid="$grid" -v policy="$policy" '
                /^gum: [0-9]* processes/ { processes = $2; seconds = $(NF - 1) }
                /^gum: [0-9]* sparks/ { for (i = 2; i <= NF; i++) {
                    if ($i == "messages,") messages = $(i - 1); if ($i == "between") far = $(i - 1) } }
                END { printf "%s,%s,%d,%s,%.1f,%d,%d\n", name, grid, processes, policy, seconds, messages, far }
                ' "$work/out"
        done
    done
done
