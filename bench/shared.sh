#!/bin/sh
# One process against several that share the chain, on this machine:  shared.sh [PROCESSES]
# Each line: model, states, processes, time of these over that of one (one thread each), sweeps of both,
# memory of the largest process over that of one.  Then searches for the best mapping: the description
# (bench/pipelines.awk), candidates, processes, time as above, mappings that were solved.  Best of three,
# in turn.
set -eu
cd "$(dirname "$0")/.."
processes=${1:-2}
bin=$(cd "${BUILD:-build}/bin" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
echo "model,states,processes,time,sweeps_alone,sweeps_shared,memory"
for model in ${MODELS:-"pipeline:15" "pipeline:16" "kanban:6" "cluster:300" "polling:17" "farm:60"}; do
    family=${model%:*} size=${model#*:}
    awk -f bench/families.awk "$family" "$size" >"$work/model.pepa"
    for k in 1 2 3; do
        "$bin/pepa" solve "$work/model.pepa" --json --quiet --explore symbolic --threads 1 >"$work/alone.$k"
        mpirun -n "$processes" "$bin/pepa" solve "$work/model.pepa" --json --quiet --explore symbolic \
            --threads "$processes" >"$work/shared.$k"
    done
    python3 - "$model" "$processes" "$work" <<'END'
import json
import sys

model, processes, work = sys.argv[1:]


def best(name):
    runs = [json.load(open(f"{work}/{name}.{k}")) for k in (1, 2, 3)]
    return min(runs, key=lambda run: run["seconds"]["solve"])


def peak(run):
    return max(run["memory"].get("process_peak_bytes", [run["memory"]["peak_bytes"]]))


alone, shared = best("alone"), best("shared")
print(model, alone["states"], processes, f'{shared["seconds"]["solve"] / alone["seconds"]["solve"]:.2f}',
      alone["solver"]["iterations"], shared["solver"]["iterations"], f"{peak(shared) / peak(alone):.2f}", sep=",")
END
done

echo "ranking,candidates,processes,time,solved"
for ranking in ${RANKINGS:-"spread:6:8:4:serial" "slow:10:8:1" "alike:9:8:1"}; do
    echo "$ranking" | tr : ' ' | xargs awk -f bench/pipelines.awk >"$work/ranking.amo"
    for k in 1 2 3; do
        "$bin/amoget" "$work/ranking.amo" --search best --threads 1 --json >"$work/alone.$k"
        mpirun -n "$processes" "$bin/amoget" "$work/ranking.amo" --search best --threads 1 --json >"$work/shared.$k"
    done
    python3 - "$ranking" "$processes" "$work" <<'END'
import json
import sys

ranking, processes, work = sys.argv[1:]
alone, shared = (
    min((json.load(open(f"{work}/{name}.{k}")) for k in (1, 2, 3)), key=lambda run: run["seconds"]["solve"])
    for name in ("alone", "shared")
)
print(ranking, alone["candidates"], processes, f'{shared["seconds"]["solve"] / alone["seconds"]["solve"]:.2f}',
      alone["solved"], sep=",")
END
done
