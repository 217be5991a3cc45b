#!/bin/sh
# GUM on real processes: random task graphs on 1 to 8 processes with each policy, several hosts, mistakes that are named,
# memory that runs out.  BUILD: where the programs are.  PEPA_TEST_SCALE: more graphs.
launcher=gumrun patience=120
. "$(dirname "$0")/../start.sh"
here=tests/grid/gum

# ---- what tasks give ------------------------------------------------------------------------------

graphs=$(awk -v scale="${PEPA_TEST_SCALE:-0.5}" 'BEGIN { printf "%d", 100 * scale < 20 ? 20 : 100 * scale }')
# good PROCESSES OPTIONS SEED DELAY
good() {
    processes=$1 seed=$2 delay=$3
    shift 3
    run "$processes" "$@" "$programs/gum_graphs" "$seed" "$graphs" "$delay" >"$work/out.$seed" 2>&1 &&
        grep -q "^$graphs of $graphs graphs" "$work/out.$seed" ||
        { complain "graphs of seed $seed on $processes processes, $*"; cat "$work/out.$seed" >&2; }
}
seed=1
# Each policy on 3 and 8 processes, one on each number; LONG=1: each on each.
for policy in random nearest-loaded busiest predicted; do
    case ${LONG:-}$policy in 1* | random) numbers='1 2 3 5 8' ;; *) numbers='3 8' ;; esac
    for n in $numbers; do
        seed=$((seed + 1))
        good $n $seed 200 --policy $policy
    done
done
# Sparks do not go round among processes that have nothing to run.
for policy in random nearest-loaded busiest predicted; do
    timeout 20 "$bin/gumrun" -n 3 --policy $policy "$programs/gum_slow" >"$work/out" 2>&1 </dev/null
    [ "$(cat "$work/out")" = 'sum 6' ] || complain "arguments that are slow to unpack, $policy: $(cat "$work/out")"
done
# Limits of threads, prefetching, pools that overflow, weaker clusters, FISH that are never passed on.
for n in 2 4; do
    for threads in 1 2 3; do
        seed=$((seed + 1))
        good $n $seed 300 --threads $threads
        good $n $seed 300 --threads $threads --watermark 3
    done
    GUM_SPARKS=3 good $n 101 100
    GUM_AGE_LIMIT=0 good $n 102 100
    GUM_WEAK_CLUSTER=waits good $n 103 100
    GUM_STACK=131072 good $n 104 100
done
echo "gum: random task graphs have the values of a sequential evaluation on 1 to 8 processes"

# A few of `make soak-gum`.
GRAPHS=3000 FROM=77 tests/grid/gum/soak.sh >"$work/out" 2>&1 && grep -q '^gum: 3000 random' "$work/out" ||
    { complain "soak.sh"; cat "$work/out" >&2; }

# ---- mistakes -------------------------------------------------------------------------------------

# misuse NAME STATUS LINE: the program ends within seconds with this status, and prints the line.
misuse() {
    begun=$(date +%s)
    TIMEOUT=40 run 3 "$programs/gum_misuse" "$1" >"$work/$1.out" 2>"$work/$1.err"
    status=$?
    took=$(($(date +%s) - begun))
    if [ "$status" -ne "$2" ] || [ "$took" -gt 30 ] || ! grep -q "^$3" "$work/$1.err"; then
        complain "misuse $1: status $status after $took s; stderr:"
        cat "$work/$1.err" >&2
    fi
    touch "$work/$1.done"
}
half() {
    grep -v '^#' $here/misuse.txt | awk -v half="$1" 'NR % 3 == half' |
        while read -r name status line; do misuse "$name" "$status" "$line"; done
}
for part in 0 1 2; do
    half $part &
done
wait
for problem in POLICY=quick THREADS=0 WATERMARK=-1 AGE_LIMIT=x SPARKS=0.5 PATIENCE=0 STACK=7 WEAK_CLUSTER=maybe SPEEDS=a=0; do
    {
        said=$(env GUM_$problem timeout 60 "$bin/gumrun" -n 2 "$programs/gum_graphs" 1 1 2>&1 >/dev/null </dev/null)
        [ $? -eq 1 ] && [ "$(echo "$said" | grep -c "^gum: GUM_$problem is ")" -eq 1 ] || complain "GUM_$problem: $said"
    } &
done
wait
# A process that does not answer is lost for further runs as well.
GUM_PATIENCE=3 TIMEOUT=30 run 3 "$programs/gum_misuse" again >"$work/out" 2>&1
[ $? -eq 1 ] && grep -q '^gum: rank 1 on .* has not answered for 3 s' "$work/out" ||
    complain "runs after a loss: $(cat "$work/out")"
# What was printed is not lost where a run fails, whoever exits first.
for i in 1 2 3; do
    TIMEOUT=20 run 6 "$programs/gum_misuse" prints >"$work/out" 2>/dev/null
    [ $? -eq 1 ] && [ "$(grep -c ': gum_abort: process [0-5]: enough: 7$' "$work/out")" -eq 600 ] ||
        complain "lines of a run that failed: $(wc -l <"$work/out") of 600"
done
# shellcheck disable=SC2012
echo "gum: $(ls "$work"/*.done | wc -l) mistakes are named, and end the program"

# Before gum_init: who is killed is named, nobody waits for one that has left, and all may leave.
cat >"$work/early.c" <<'END'
#include <gum.h>
#include <signal.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (argc < 2)
        return 4;
    if (rank && atoi(rank) == 1) {
        if (atoi(argv[1]) > 0)
            raise(atoi(argv[1]));
        return 0;
    }
    gum_init(&argc, &argv);
    return gum_end();
}
END
"$bin/gumcc" -D_GNU_SOURCE "$work/early.c" -o "$work/early" || complain "early.c"
# early STATUS LINES LINE [ARGUMENT]
early() {
    wanted=$1 lines=$2 line=$3
    shift 3
    TIMEOUT=30 run 3 "$work/early" "$@" >/dev/null 2>"$work/err"
    status=$?
    [ $status -eq "$wanted" ] && [ "$(grep -c "^$line" "$work/err")" -eq "$lines" ] &&
        [ "$(wc -l <"$work/err")" -eq "$lines" ] || complain "early $*: status $status: $(cat "$work/err")"
}
early 1 1 'gum_init: process 0: process 1 exits without gum_init$' 0
early 139 1 'gum: process 1 of 3 on .*: killed by signal 11$' 11
early 4 0 .

# A task whose future was freed still runs when the run ends: its argument is cleared all the same.
cat >"$work/freed.c" <<'END'
#include <gum.h>
#include <stdio.h>
#include <stdlib.h>
static GumType slow_type;
static int made, cleared;
static void count_unpacked(GumReader *from, void *value) { made++; gum_bytes_unpack(from, value); }
static void count_cleared(void *value) { cleared++; gum_bytes_clear(value); }
static void poll_for(double seconds)
{
    for (double end = gum_time() + seconds; gum_time() < end;)
        gum_poll();
}
static void slow(const void *argument, void *result) { (void)argument, (void)result; poll_for(60); }
static void all(const void *argument, void *result)
{
    GumBytes bytes = {malloc(1000), 1000};
    GumFuture future;
    (void)argument, (void)result;
    made++;
    future = gum_par(slow_type, &bytes);
    poll_for(0.5);
    gum_free(future);
}
int main(int argc, char **argv)
{
    GumType type;
    gum_init(&argc, &argv);
    slow_type = gum_type(&(GumTask){"slow", slow,
        {sizeof(GumBytes), gum_bytes_pack, count_unpacked, count_cleared}, {0}});
    type = gum_type(&(GumTask){"all", all, {0}, {0}});
    for (int run = 0; run < 2; run++)
        if (gum_run(type, NULL, NULL) != GUM_OK)
            return 3;
    printf("%d: %s\n", gum_pid(), made == cleared ? "all" : "not all");
    return gum_end();
}
END
"$bin/gumcc" -std=c11 "$work/freed.c" -o "$work/freed" || complain "freed.c"
run 2 "$work/freed" >"$work/out" 2>&1
[ $? -eq 0 ] && [ "$(grep -c ': all$' "$work/out")" -eq 2 ] || complain "arguments of freed tasks: $(cat "$work/out")"

# ---- memory that runs out --------------------------------------------------------------------------

run 1 "$programs/gum_memory" 4 >"$work/out" 2>&1 && run 3 "$programs/gum_memory" 4 >>"$work/out" 2>&1 &&
    run 2 --profile "$work/p" --activity "$work/a" "$programs/gum_memory" 2 >>"$work/out" 2>&1 ||
    { complain "memory"; cat "$work/out" >&2; }
echo "gum: $(awk '/allocations failed/ { sum += $3 } END { print sum }' "$work/out") allocations failed, one at a time"

# ---- hosts --------------------------------------------------------------------------------------

# Hosts that are this machine under another name.
# shellcheck source=/dev/null
. tests/grid/hosts.sh
if [ "$apart" ]; then
    printf 'processors { left cores 2 time 1; right cores 2 time 1; } network { latency default 1ms; }' >"$work/two.amo"
    good 4 201 200 --hosts "$work/two.amo" --policy nearest-loaded
    # Speeds are those of the description, and so is the unit of work.
    printf 'processors { left cores 2 time 2; right cores 2 time 8; } network { latency default 1ms; }' >"$work/unequal.amo"
    run 4 --hosts "$work/unequal.amo" --profile "$work/unequal" "$programs/gum_graphs" 9 20 >"$work/out" 2>&1 || complain "unequal hosts: $(cat "$work/out")"
    # Tasks of slow processes may run on fast ones as well.
    good 4 202 3000 --hosts "$work/unequal.amo" --policy predicted
    [ "$(awk '$1 == "process" { print $4, $8 }' "$work/unequal" | sort | tr '\n' ' ')" = 'left 2 left 2 right 8 right 8 ' ] ||
        complain "speeds of hosts: $(grep '^process' "$work/unequal")"
    timeout 60 "$bin/gumrun" -n 4 --hosts "$work/two.amo" "$programs/gum_misuse" killed >"$work/out" 2>&1 </dev/null
    grep -q '^gum: process 1 of 4 on left: killed by signal 9$' "$work/out" ||
        complain "killed on two hosts: $(cat "$work/out")"
fi
[ ! -e "$work/bad" ]
