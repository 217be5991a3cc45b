#!/bin/sh
# pepa solve on MPI: the answers of one process on 2 to 13.  LONG=1: every model on every number of processes.
set -u
. "$(dirname "$0")/start.sh"
# Each on one number of processes in turn, and every other one as sets; then those that are shared on two.
counts="2 3 4 8 13"

# later FILE PROCESSES OPTION...: what `same` does, when all are settled: one start of MPI for those on so many processes.
queued=0
later() {
    file=$1 processes=$2
    shift 2
    once "$file" "$@"
    queued=$((queued + 1))
    { printf '%s\t' "$work/later.$queued" pepa $command "$file" "$@" --json && echo; } >>"$work/runs.$processes"
    echo "answer='$answer' shared='$shared'; agree '$work/later.$queued' $processes $file $*" >>"$work/agreements"
}
settle() {
    for count in $counts; do
        on "$count" "$bin/../test/often_pepa" "$work/runs.$count" || complain "not all runs on $count"
    done
    # shellcheck source=/dev/null
    . "$work/agreements"
}

next() { # the one after $count
    set -- $counts $counts
    while [ "$1" != "$count" ]; do shift; done
    count=$2
}
count=2
odd=1
for file in models/*.pepa; do
    for each in $([ "${LONG:-}" = 1 ] && echo $counts || echo $count); do
        case ${LONG:-}$odd in 1? | 1) later "$file" "$each" ;; esac
        case ${LONG:-}$odd in 1? | 0) later "$file" "$each" --explore symbolic ;; esac
    done
    next
    odd=$((1 - odd))
done
# Sets of few states, whose groups one process brings into balance.
awk -f bench/structures/wells.awk 27 100 3 >"$work/wells.pepa"
same "$work/wells.pepa" 2 --measure population:X0_27
grep -q "there are few states: one of the 2 processes goes on" "$work/together.err" || complain "sets of few states are shared"
on 3 "$bin/pepa" solve "$work/wells.pepa" --explore symbolic --quiet | grep -q "^Caution: little probability.*one process does better" ||
    complain "processes that share sets do not see what is out of balance"
shared=--shared
for model in "pipeline 9" "clients 8" "tandem 40" "kanban 3" "polling 8" "cluster 20" "balanced 12" "webserver 2"; do
    # shellcheck disable=SC2086
    awk -f bench/families.awk $model >"$work/${model% *}.pepa" || complain "$model"
    for each in $([ "${LONG:-}" = 1 ] && echo $counts || printf "%s\n" $count 13 | uniq); do
        later "$work/${model% *}.pepa" "$each" --explore symbolic --threads 1 --tolerance 1e-12
    done
    next
done
settle
# The others start MPI each.
# Sweeps that are slow: the matrix is then written by rows, unless the caller wants none.
awk -f bench/structures/toggle.awk 60 >"$work/slow.pepa"
for count in 2 3 8; do
    same "$work/slow.pepa" $count --explore symbolic --threads 1 --tolerance 1e-12
    grep -q '"method": "bicgstab", "matrix": "explicit"' "$work/together.out" || complain "slow sweeps on $count: no rows"
done
same "$work/slow.pepa" 2 --explore symbolic --threads 1 --tolerance 1e-12 --matrix free
grep -q '"matrix": "free"' "$work/together.out" || complain "slow sweeps: no sweeps"
# By rows: too many states for each process to have them all.
printf 'response:Y1\npopulation:X1 + throughput:back1\n' >"$work/kanban.measures"
printf 'response:Stage1\n' >"$work/pipeline.measures"
for model in "pipeline 12" "kanban 4"; do
    # shellcheck disable=SC2086
    awk -f bench/families.awk $model >"$work/family.pepa" || complain "$model"
    for count in 2 5; do
        same "$work/family.pepa" $count --explore explicit --threads 1 --tolerance 1e-12 \
            --measures "$work/${model% *}.measures"
        grep -q '"process_peak_bytes"' "$work/together.out" || complain "$model by rows on $count: no memory"
    done
done
# Sets do not suit: states belong to processes by their hashes.
cat >"$work/functional.pepa" <<'END'
A = (up, 1 + 0.01 * C).B; B = (down, 2).A; C = (x, 1).D; D = (y, 4).E; E = (z, 1.5).F; F = (w, 0.7).C;
A[40] || C[30]
END
for count in 2 5; do
    same "$work/functional.pepa" $count --threads 1 --tolerance 1e-12
    grep -q '"process_peak_bytes"' "$work/together.out" || complain "functional on $count: no memory"
done
# By rows, where they end in one of several components, or for good: failed jobs have the binomial distribution.
cat >"$work/ends.pepa" <<'END'
P = (a, 1).P1 + (l, 0.5).L + (q, 0.02).R; P1 = (b, 2).P2; P2 = (c, 1.5).P3; P3 = (d, 3).P;
L = (x, 1).L1; L1 = (y, 2).L2; L2 = (z, 3).L; R = (u, 1).R1; R1 = (v, 0.3).R;
A = (e, 1).B; B = (f, 2).C; C = (g, 3).D; D = (h, 1).A; P[3] || A[18]
END
awk 'BEGIN { print "A = (e, 1).B; B = (f, 2).C + (fail, 0.1).F; C = (g, 3).A; F = (never, 1).F; W0 = (go, 1).W0;"
    for (i = 1; i <= 45; i++) printf "W%d = (e, 1).W%d;\n", i, i - 1
    print "A[45] <e, never, go> W45" }' >"$work/failing.pepa"
for count in 1 2 3 4; do
    same "$work/ends.pepa" $count --explore explicit --threads 1 --tolerance 1e-12
done
same "$work/ends.pepa" 2 --explore symbolic --threads 1 --tolerance 1e-12 # whose rows are shared
for count in 2 4; do
    same "$work/failing.pepa" $count --explore explicit --threads 1 --tolerance 1e-12
done
"$python" - "$work/together.out" <<'END' || complain "failed jobs are not binomial"
import json, math, sys
ends = json.load(open(sys.argv[1]))["ends_in"]
found = sorted(end["probability"] for end in ends)
exact = sorted(math.comb(45, k) * 20**(45 - k) / 21**45 for k in range(46))
sys.exit(not (len(found) == 46 and all(abs(x - y) < 1e-10 for x, y in zip(found, exact))))
END
# Bounds by rows contain throughputs in closed form, and are narrow, also where the beginning is left for ever.  They
# take a minute: random models (tests/mpi/random.c) have some each time.
cat >"$work/apart.pepa" <<'END'
I = (begin, 3).A; A = (up, 2).B; B = (down, 3).A; C = (x, 1).D; D = (y, 4).E; E = (z, 1.5).F; F = (w, 0.7).C;
I || A[15] || C[30]
END
for count in ${LONG:+2}; do
    on $count "$bin/pepa" solve "$work/apart.pepa" --certify --threads 1 --json --measure 'population:B' \
        >"$work/out" 2>"$work/err" || complain "bounds on $count: $(cat "$work/err")"
    "$python" - "$work/out" <<'END' || complain "bounds on $count: $(cat "$work/out")"
import json, sys
said = json.load(open(sys.argv[1]))
cycle = 30 / (1 + 1 / 4 + 1 / 1.5 + 1 / 0.7)
exact = dict(x=cycle, y=cycle, z=cycle, w=cycle, up=16 * 1.2, down=16 * 1.2, begin=0)
bounds = said["certified"]["throughput"]
b = said["measures"][0]
sys.exit(not (said["shared"] and len(bounds) == 7 and b["low"] <= 6.4 * (1 + 1e-15) and b["high"] >= 6.4 * (1 - 1e-15)
    and all(low <= exact[a] * (1 + 1e-15) and high >= exact[a] * (1 - 1e-15) and high - low <= 2e-10 * high
            for a, (low, high) in bounds.items())))
END
done
# Of several components random models have bounds each time; closed forms are in tests/api/test_shared_bounds.c.
echo "mpi: $compared runs have the numbers of one process"
exit $bad
