#!/bin/sh
# One process against several that share the chain, on this machine:  shared.sh [PROCESSES]
# Each line: model, states, processes, time of these over that of one (one thread each), sweeps of both,
# memory of the largest process over that of one.  Then searches for the best mapping: the description
# (bench/pipelines.awk), candidates, processes, time as above, mappings that were solved.  Best of three,
# in turn.
# ROWS=1: chains by rows instead, with their exploration: steady states, transient measures and passages, once each or
# best of TURNS.
set -eu
cd "$(dirname "$0")/.."
processes=${1:-2}
bin=$(cd "${BUILD:-build}/bin" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
if [ "${ROWS:-}" = 1 ]; then
    echo "model,states,command,processes,time,memory,seconds_alone"
    for each in ${MODELS:-pipeline:12:move2:move4:1 kanban:4:in:out:1 tandem:500:arrive:depart:0.1 \
        cluster:100:repairLine:repairLeft:1}; do
        echo "$each" | tr : ' ' >"$work/words"
        read -r family size from to at <"$work/words"
        awk -f bench/families.awk "$family" "$size" >"$work/model.pepa"
        for command in "solve" "transient --at $at --measure throughput:$to" \
            "passage --from-action $from --to-action $to --at $at"; do
            command="$command $work/model.pepa --json --quiet --explore explicit"
            for k in $(seq "${TURNS:-1}"); do # words of $command
                # shellcheck disable=SC2086
                "$bin/pepa" $command --threads 1 >"$work/alone.$k"
                # shellcheck disable=SC2086
                mpirun -n "$processes" "$bin/pepa" $command --threads "$processes" >"$work/shared.$k"
            done
            python3 - "$family $size" "${command%% *}" "$processes" "$work" <<'END'
import glob
import json
import sys

model, command, processes, work = sys.argv[1:]


def seconds(run):
    return sum(each for part, each in run["seconds"].items() if part not in ("parse", "matrix"))


def peak(run):
    return max(run["memory"].get("process_peak_bytes", [run["memory"]["peak_bytes"]]))


alone, shared = (min((json.load(open(name)) for name in glob.glob(f"{work}/{kind}.*")), key=seconds)
                 for kind in ("alone", "shared"))
print(model, alone["states"], command, processes, f"{seconds(shared) / seconds(alone):.2f}",
      f"{peak(shared) / peak(alone):.2f}", f"{seconds(alone):.1f}", sep=",", flush=True)
END
        done
    done
    exit
fi
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
