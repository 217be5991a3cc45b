#!/bin/sh
# pepa on MPI: answers in time, processes by the speeds of machines, and what happens when one is killed.
set -u
. "$(dirname "$0")/start.sh"
awk -f bench/families.awk kanban 4 >"$work/family.pepa" || complain "kanban 4"
# It ends in one of several components, or goes on for ever.
cat >"$work/ends.pepa" <<'END'
P = (a, 1).P1 + (l, 0.5).L + (q, 0.02).R; P1 = (b, 2).P2; P2 = (c, 1.5).P3; P3 = (d, 3).P;
L = (x, 1).L1; L1 = (y, 2).L2; L2 = (z, 3).L; R = (u, 1).R1; R1 = (v, 0.3).R;
A = (e, 1).B; B = (f, 2).C; C = (g, 3).D; D = (h, 1).A; P[3] || A[18]
END

shared=--shared
# At times, as sets and by rows.  Processes wait for each other at each step: some thousand are enough.
command=transient
for count in 2 3 5; do
    same "$work/family.pepa" $count --explore explicit --at 0.2,1 --threads 1
    same models/pipeline6.pepa $count --explore symbolic --until 0.1 --points 9 --accumulated
done
grep -q '"process_peak_bytes"' "$work/together.out" || complain "transient: no memory"
shared=""
same models/client_server.pepa 2 --at 1 # few states: one of the processes goes on
shared=--shared

# What a solution tells of states that are left for ever.
left() { grep -o 'local state `[^`]*` is left for ever' "$1" | sort -u; }
"$bin/pepa" solve "$work/ends.pepa" --json --explore explicit --threads 1 >"$work/alone" 2>&1
on 3 "$bin/pepa" solve "$work/ends.pepa" --json --explore explicit --threads 1 >"$work/together" 2>&1
[ -n "$(left "$work/alone")" ] && [ "$(left "$work/alone")" = "$(left "$work/together")" ] ||
    complain "left for ever: $(left "$work/together")"

# Passages, which are by rows even where sets suit: some never end.
command=passage
for count in 1 2 3; do
    same "$work/ends.pepa" $count --from-action h --to-action e,g --at 0.05,0.2 --threads 1 --tolerance 1e-12
    same "$work/ends.pepa" $count --from-start --to 'R1 > 0' --at 0.2,1 --quantiles 2 --threads 1 --tolerance 1e-12
done
grep -q '"process_peak_bytes"' "$work/together.out" || complain "passage: no memory"
same "$work/ends.pepa" 2 --from 'L2 > 0' --to-action z --quantiles 50 --explore symbolic --threads 1 --tolerance 1e-12
on 2 "$bin/pepa" passage "$work/ends.pepa" --from-start --to 'B > 0' --quantiles 50 --csv >"$work/out" 2>"$work/err" &&
    [ "$(grep -c '^quantile' "$work/out")" -eq 1 ] || complain "passage --csv: $(cat "$work/out" "$work/err")"
shared=""
same models/client_server.pepa 3 --from-action request --to-action respond --at 1,2 # few states
same "$work/ends.pepa" 2 --from-start --to 'B > 0' --quantiles 50 --method gmres --quiet
shared=--shared
# One that is killed takes all with it.
on 3 "$bin/pepa" passage "$work/ends.pepa" --from-start --to 'R1 > 0' --at 1e5 >"$work/out" 2>&1 &
passage=$!
for _ in $(seq 300); do
    rank=$(pgrep -f "^$bin/pepa passage $work/ends.pepa" | tail -1)
    [ -n "$rank" ] && [ "$(tr -d '\0' <"/proc/$rank/comm" 2>/dev/null)" = pepa-mpi ] && break
    sleep 0.1
done
sleep 1
kill -9 "$rank"
wait $passage && complain "a process was killed, and the others answered: $(cat "$work/out")"
[ $? -ne 124 ] || complain "the others waited for a process that was killed"
command=solve

# By the speeds of machines: started by hand, each told where it is; and by pepa itself.
machines=tests/mpi/unequal.amo
unequal() { # unequal FILE OPTION...
    file=$1
    shift
    "$bin/pepa" solve "$file" --json "$@" >"$work/alone" 2>"$work/alone.err"
    set -- "$bin/pepa" solve "$file" --hosts "$machines" --json "$@"
    timeout 120 mpirun -n 2 -x PEPA_HOST=fast "$@" : -n 1 -x PEPA_HOST=node-7.example.org "$@" : \
        -n 1 -x PEPA_HOST=slow "$@" >"$work/together" 2>"$work/err"
    "$python" tests/mpi/compare.py "$work/alone" "$work/together" 4 --shared ||
        complain "$file by speeds: $(head -3 "$work/err")"
    compared=$((compared + 1))
}
unequal "$work/family.pepa" --explore symbolic --threads 1 --tolerance 1e-12
unequal "$work/family.pepa" --explore explicit --threads 1 --tolerance 1e-12
"$python" - "$work/together" <<'END' || complain "bytes are not by speed"
import json, sys
bytes = json.load(open(sys.argv[1]))["memory"]["process_peak_bytes"]
sys.exit(not bytes[0] > bytes[2] > bytes[3])
END
# By memory, where that is less: the quick machine has little.
machines=$work/little.amo
sed 's/cores 2/cores 2 memory 70MB/' tests/mpi/unequal.amo >"$machines"
unequal "$work/family.pepa" --explore explicit --threads 1 --tolerance 1e-12 --max-states 454475
"$python" - "$work/together" <<'END' || complain "bytes are not by memory"
import json, sys
memory = json.load(open(sys.argv[1]))["memory"]
bytes = memory["process_peak_bytes"]
sys.exit(not (bytes[0] < bytes[2] and memory["limit_bytes"] == 35e6))
END
# Far from each other: one goes on.
machines=$work/far.amo
echo 'processors { fast time 1 cores 2; node_7 time 1; slow time 4; } network { latency default 40ms; }' >"$machines"
awk -f bench/families.awk polling 14 >"$work/polling.pepa"
for what in "solve --tolerance 1e-12" "transient --at 0.1"; do
    # shellcheck disable=SC2086
    set -- ${what#* } --json --threads 1
    "$bin/pepa" "${what%% *}" "$work/polling.pepa" "$@" >"$work/alone"
    set -- "$bin/pepa" "${what%% *}" "$work/polling.pepa" --hosts "$machines" "$@"
    timeout 120 mpirun -n 1 -x PEPA_HOST=fast "$@" : -n 1 -x PEPA_HOST=slow "$@" >"$work/together" 2>"$work/err"
    grep -q "hosts so far from each other: one of the 2 processes goes on" "$work/err" || complain "far: $(cat "$work/err")"
    "$python" - "$work/alone" "$work/together" <<'END' || complain "$what of one that goes on"
import json, sys
alone, together = (json.load(open(name)) for name in sys.argv[1:])
key = "throughput" if "throughput" in alone else "measures"
sys.exit(alone[key] != together[key])
END
done
"$bin/pepa" solve models/pipeline6.pepa --json --explore symbolic >"$work/alone"
"$bin/pepa" solve models/pipeline6.pepa --json --explore symbolic --hosts tests/mpi/here.amo >"$work/together" 2>"$work/err"
"$python" tests/mpi/compare.py "$work/alone" "$work/together" 2 --shared || complain "--hosts: $(cat "$work/err")"
compared=$((compared + 1))

# Memory of eight processes, beyond what each takes for a chain of 15,540 states, over that of one.  A cluster whose
# sets take no memory to find: 4.6 when they took 20 MB, 1.2 to 1.8 by what MPI takes.
[ -n "${ASAN_OPTIONS:-}" ] || "$python" - "$bin/pepa" "$work" <<'END' || complain "eight processes take too much memory"
import json, subprocess, sys

pepa, work = sys.argv[1:]


def peak(size, processes):
    model = f"{work}/cluster.pepa"
    with open(model, "wb") as file:
        subprocess.run(["awk", "-f", "bench/families.awk", "cluster", str(size)], stdout=file, check=True)
    solve = [pepa, "solve", model, "--json", "--explore", "symbolic", "--threads", str(processes)]
    if processes > 1:
        solve = ["mpirun", "-n", str(processes), *solve]
    memory = json.loads(subprocess.run(solve, capture_output=True, check=True, timeout=300).stdout)["memory"]
    return sum(memory.get("process_peak_bytes", [memory["peak_bytes"]]))


ratio = (peak(150, 8) - peak(20, 8)) / (peak(150, 1) - peak(20, 1))
print(f"mpi: bytes of eight processes over those of one: {ratio:.2f}")
sys.exit(ratio > 3)
END

# Copies apart, in one of two components.
cat >"$work/ends.pepa" <<'END'
S = (l, 1).L + (m, 3).M; L = (x, 1).L2; L2 = (y, 2).L; M = (x, 3).M2; M2 = (y, 1).M;
A0 = (t, 1).A1; A1 = (t, 1.1).A2; A2 = (t, 1.2).A3; A3 = (t, 1.3).A4; A4 = (t, 1.4).A5;
A5 = (t, 1.5).A6; A6 = (t, 1.6).A7; A7 = (t, 1.7).A8; A8 = (t, 1.8).A9; A9 = (t, 1.9).A0;
S || A0 || A1 || A2 || A3 || A4
END
same "$work/ends.pepa" 3 --explore explicit --no-aggregate --quiet
# What processes do not share, one of them solves for all.
shared=""
same "$work/family.pepa" 2 --explore symbolic --method idr
same "$work/family.pepa" 2 --explore explicit --method gmres --quiet
echo "mpi: $compared runs have the numbers of one process"
exit $bad
