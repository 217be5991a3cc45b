#!/bin/bash
# A sweep of four processes that share a chain, over links of some milliseconds: measured on machines of
# lab_machines.sh, and predicted by bench/shares.c.
#   BUILD=...  where the programs are;  LAB=...  a folder with lagswitch.c  [../shared/lab]
#   bench/lab_shares.sh [MODEL]...      as family:size  [kanban:3]
# Each line: model, links in ms, what a sweep takes in ms, measured (RUNS times, 3), simulated, and by the
# formula; messages of the process with most, hops.  A sweep is timed between solutions of two
# tolerances, so that what comes before and after does not count.  MESSAGE: seconds of a message at
# either end [20e-6].  Needs root.
set -u
cd "$(dirname "$0")/.." || exit 1
bin=$(cd "$BUILD/bin" && pwd) || exit 1
. bench/lab_machines.sh
[ $# -gt 0 ] || set -- kanban:3

# solve TOLERANCE: seconds and sweeps of four processes.
solve() {
    TIMEOUT=${TIMEOUT:-120} mpi --mca mpi_yield_when_idle 1 --mca osc pt2pt "$bin/pepa" solve "$work/model.pepa" --json --quiet \
        --explore symbolic --threads 4 --tolerance "$1"
    python3 - "$work/out" <<'END'
import json
import sys

run = json.load(open(sys.argv[1]))
print(run["seconds"]["solve"], run["solver"]["iterations"])
END
}

# measure: milliseconds of a sweep; the shortest of some solutions with either tolerance.
measure() {
    for _ in $(seq "${RUNS:-3}"); do
        echo "$(solve 1e-3) $(solve 1e-12)"
    done | awk 'NF == 4 { if (!n++ || $1 < a) a = $1; if (n == 1 || $3 < b) b = $3; sweeps = $4 - $2 }
        END { if (n && sweeps > 0) printf "%.2f", 1e3 * (b - a) / sweeps }'
}

# predict MILLISECONDS: of a sweep, simulated and by the formula; messages of the process with most, hops.
predict() {
    echo "links,${MESSAGE:-20e-6},$(awk -v l="$1" 'BEGIN { print 1e-3 * l }'),1e9" >"$work/network"
    KEEP=1 "$bin/bench_shares" model "$work/model.pepa" "$work/network" 4 >"$work/shares" 2>/dev/null
    awk -F, '{ printf "%.2f,%.2f,%d,%d", 1e3 * $3 / $17, 1e3 * $3 / $18, $9, $14 }' "$work/shares"
}

echo "model,links,measured,predicted,formula,messages,hops"
for model; do
    awk -f bench/families.awk "${model%:*}" "${model#*:}" >"$work/model.pepa"
    for links in 0 0.2 1 5; do
        set_links $links $links $links
        found=$(measure)
        bound "$model over $links ms" "$found" 0.01 1e5
        echo "$model,$links,$found,$(predict $links)"
    done
done
exit $missed
