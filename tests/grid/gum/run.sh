#!/bin/sh
# GUM on real processes: random task graphs on 1 to 8 processes with each policy, mistakes that are named,
# gumrun and gumcc, and the example programs.  BUILD: where the programs are.  PEPA_TEST_SCALE: more graphs.
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
    env GUM_$problem timeout 60 "$bin/gumrun" -n 2 "$programs/gum_graphs" 1 1 2>"$work/err" </dev/null
    [ $? -eq 1 ] && [ "$(grep -c "^gum: GUM_$problem is " "$work/err")" -eq 1 ] ||
        complain "GUM_$problem: $(cat "$work/err")"
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

# The manual has the structures of the header, without its comments, and a program.
unescaped() {
    sed 's/^\\&//; s/\\e/\\/g' doc/libgum.3
}
unescaped | sed '/^\.Sh DESCRIPTION/,$d' | sed -n '/^typedef struct/,/^}/p' | sort >"$work/manual.types"
sed -n '/^typedef struct {/,/^}/p' grid/gum/gum.h | sed 's| */\*.*||' | awk '
    { text = text $0 "\n" }
    /^}/ { if (!/GumFuture/) printf "%s", text; text = "" }' | sort | diff -u - "$work/manual.types" ||
    complain "libgum.3: structures"
unescaped | sed '1,/^\.Sh EXAMPLES/d' | sed '1,/^\.Bd/d; /^\.Ed/,$d' >"$work/manual.c"
"$bin/gumcc" -std=c11 -Wall -Wextra -Werror "$work/manual.c" -o "$work/manual" &&
    run 3 "$work/manual" >"$work/out" 2>&1 && [ "$(cat "$work/out")" = "$(sed -n 's/^\.Ql \(.*\) \.$/\1/p' doc/libgum.3)" ] ||
    { complain "libgum.3: the example"; cat "$work/out" >&2; }

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

# ---- the command ----------------------------------------------------------------------------------

for arguments in "-n" "-n 0 x" "-n x y" "--what" "-n 2" "x" "--hosts" "-n 1 --hosts /nowhere x" \
    "--policy" "--policy quick" "--threads 0" "--threads" "--watermark -1" "--profile"; do
    # shellcheck disable=SC2086
    "$bin/gumrun" $arguments >/dev/null 2>"$work/err" </dev/null
    status=$?
    case $arguments in *nowhere*) wanted=5 ;; *) wanted=2 ;; esac
    [ "$status" -eq $wanted ] && grep -q '^gumrun: ' "$work/err" ||
        complain "gumrun $arguments: status $status"
done
"$bin/gumrun" -n 2 nowhere 2>"$work/err" </dev/null
[ $? -eq 5 ] && [ "$(wc -l <"$work/err")" -eq 1 ] || complain "gumrun nowhere: $(cat "$work/err")"
"$bin/gumrun" --help | grep -q '^usage: gumrun -n N' || complain "gumrun --help"
"$bin/gumrun" -n 2 --polcy random x 2>&1 | grep -q "did you mean '--policy'?" || complain "gumrun --polcy"
[ "$("$bin/gumrun" -np 1 -show echo --help -n 3 | sed 's/.* echo/echo/')" = 'echo --help -n 3' ] ||
    complain "gumrun: options of a program"
echo 'processors { a time 2 address "127.0.0.1"; } network { latency local 1us; }' >"$work/show.amo"
"$bin/gumrun" -n 2 --hosts "$work/show.amo" --policy random --show x >"$work/out"
grep -q "^mpirun .* -x GUM_POLICY=random.* -x '\{0,1\}GUM_SPEEDS=127.0.0.1=0.5;'\{0,1\} .*--host 127.0.0.1,127.0.0.1 " "$work/out" ||
    complain "gumrun --show: $(cat "$work/out")"
"$bin/gumcc" --help | grep -q 'gumcc .*FILE' || complain "gumcc --help"

# The summary and the profile agree with each other; the profile says all tasks.
run 3 --summary --profile "$work/profile" --policy busiest "$programs/gum_graphs" 7 20 >"$work/out" 2>"$work/err"
[ $? -eq 0 ] || complain "a run with a profile: $(cat "$work/err")"
made=$(awk '/^gum: [0-9]* sparks/ { print $2 }' "$work/err")
[ "$made" -gt 0 ] && [ "$made" -eq "$(awk '$1 == "process" { for (i = 2; i < NF; i++) if ($i == "made") sum += $(i + 1) }
    END { print sum }' "$work/profile")" ] || complain "the profile's sparks"
grep -q '^run policy busiest processes 3 ' "$work/profile" && grep -q '^level 0 tasks 1 ' "$work/profile" ||
    complain "the profile: $(cat "$work/profile")"
# So do the summary and the activity, whose intervals are full up to the end.
run 3 --summary --activity "$work/activity" "$programs/gum_graphs" 8 20 >"$work/out" 2>"$work/err"
[ $? -eq 0 ] || complain "a run with an activity: $(cat "$work/err")"
awk 'FNR == NR { if ($1 == "gum:" && $3 == "sparks,") made = $2; if ($1 + 0 == $1 && NF == 12) { inlined += $7
        taken += $8; given += $9 } next }
    $1 == "run" { makespan = $9; width = $11; next }
    NF == 11 && $1 + 0 == $1 { time += $3 + $4 + $5; sum["made"] += $8; sum["pruned"] += $9; sum["taken"] += $10
        sum["given"] += $11; rows++ }
    function near(a, b) { return a - b < 0.01 && b - a < 0.01 }
    END { exit !(rows >= 3 && near(time / makespan, 3) && made > 0 && near(sum["made"], made) &&
        near(sum["pruned"], inlined) && near(sum["taken"], taken) && near(sum["given"], given)) }' \
    "$work/err" "$work/activity" || complain "the activity: $(cat "$work/err" "$work/activity")"
run 2 --activity "$work/no/activity" "$programs/gum_graphs" 7 1 >"$work/out" 2>"$work/err"
[ $? -eq 1 ] && grep -q "^gum: cannot write the activity $work/no/activity: " "$work/err" ||
    complain "an activity that cannot be written: $(cat "$work/err")"
run 2 --profile "$work/no/profile" "$programs/gum_graphs" 7 1 >"$work/out" 2>"$work/err"
[ $? -eq 1 ] && grep -q "^gum: cannot write the profile $work/no/profile: " "$work/err" ||
    complain "a profile that cannot be written: $(cat "$work/err")"

# Hosts that are this machine under another name.
# shellcheck source=/dev/null
. tests/grid/hosts.sh
if [ "$apart" ]; then
    printf 'processors { left cores 2 time 1; right cores 2 time 1; } network { latency default 1ms; }' >"$work/two.amo"
    good 4 201 200 --hosts "$work/two.amo" --policy nearest-loaded
    # Speeds are those of the description.
    printf 'processors { left cores 2 time 1; right cores 2 time 4; } network { latency default 1ms; }' >"$work/unequal.amo"
    run 4 --hosts "$work/unequal.amo" --profile "$work/unequal" "$programs/gum_graphs" 9 20 >"$work/out" 2>&1 || complain "unequal hosts: $(cat "$work/out")"
    # Tasks of slow processes may run on fast ones as well.
    good 4 202 3000 --hosts "$work/unequal.amo" --policy predicted
    [ "$(awk '$1 == "process" { print $4, $8 }' "$work/unequal" | sort | tr '\n' ' ')" = 'left 1 left 1 right 4 right 4 ' ] ||
        complain "speeds of hosts: $(grep '^process' "$work/unequal")"
    timeout 60 "$bin/gumrun" -n 4 --hosts "$work/two.amo" "$programs/gum_misuse" killed >"$work/out" 2>&1 </dev/null
    grep -q '^gum: process 1 of 4 on left: killed by signal 9$' "$work/out" ||
        complain "killed on two hosts: $(cat "$work/out")"
fi
unset OMPI_MCA_plm_rsh_agent

# In C++.
(cd "$work" && "$bin/gumcc" -std=c++17 -Wall -Wextra -Werror "$OLDPWD/$here/cplusplus.cc" -o cplusplus) ||
    complain "gumcc: C++"
[ "$(run 2 "$work/cplusplus")" = 'C++: 610' ] || complain "C++: $(run 2 "$work/cplusplus" 2>&1)"

# ---- the examples ---------------------------------------------------------------------------------

for each in examples/gum/*.c; do
    name=$(basename "$each" .c)
    libraries=
    grep -q '<gmp.h>' "$each" && libraries=-lgmp
    # shellcheck disable=SC2086
    "$bin/gumcc" -std=c11 -O2 -Wall -Wextra -Werror "$each" -o "$work/$name" $libraries -lm ||
        complain "$each"
    for n in 1 2 4; do
        run "$n" "$work/$name" >"$work/out" 2>&1 && grep -q ': right$' "$work/out" ||
            { complain "$name on $n processes"; cat "$work/out" >&2; }
    done
done
# wrong EXAMPLE ARGUMENTS: one line of usage, a line for each number, and status 2.
wrong() {
    # shellcheck disable=SC2086
    run 2 "$work/"$1 >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && [ ! -s "$work/out" ] && [ "$(grep -c '^usage: ' "$work/err")" -eq 1 ] &&
        grep -q ': a whole number from [01] to ' "$work/err" || complain "$1: $(cat "$work/out" "$work/err")"
}
for name in factorial linsolv parfib queens raytracer sort sumeuler; do
    for argument in abc 3x -1 4611686018427387904 99999999999999999999 '10 10 10 10'; do
        wrong "$name $argument"
    done
done
for each in 'factorial 10 0' 'parfib 93' 'parfib 9 -1' 'queens 0' 'queens 17' 'queens 4 x' 'sort 10 0' \
    'sumeuler 0' 'sumeuler 10 0' 'linsolv 101' 'raytracer 0' 'raytracer 2001'; do
    wrong "$each"
done
for each in 'factorial 0' 'factorial 30 1' 'parfib 0' 'queens 1' 'queens 6 16' 'sort 0' 'sort 100 1' 'sumeuler 1' \
    'linsolv 1' 'raytracer 1'; do
    # shellcheck disable=SC2086
    run 2 "$work/"$each >"$work/out" 2>&1 && grep -q ': right$' "$work/out" || complain "$each: $(cat "$work/out")"
done
# A wrong result is in the exit status.
sed 's/return n < 2 ? n/return n < 2 ? 2/' examples/gum/parfib.c >"$work/parfib_wrong.c"
"$bin/gumcc" -std=c11 -Iexamples/gum "$work/parfib_wrong.c" -o "$work/parfib_wrong" || complain "a wrong parfib"
run 2 "$work/parfib_wrong" 9 9 >"$work/out" 2>&1
[ $? -ne 0 ] && grep -q ': WRONG$' "$work/out" || complain "a wrong result: $(cat "$work/out")"
# A file that cannot be written is said before the work is done, which would take weeks here.
for what in profile activity; do
    TIMEOUT=40 run 2 --$what "$work" "$work/parfib" 80 >"$work/out" 2>"$work/err"
    [ $? -eq 1 ] && grep -q "^gum: cannot write the $what $work: Is a directory" "$work/err" ||
        complain "$what is a folder: $(cat "$work/err")"
done
run 2 --profile "$work/x" --activity "$work/x" "$work/parfib" 1 2>"$work/err"
[ $? -eq 2 ] && grep -q 'name the same file$' "$work/err" || complain "one file for profile and activity"
run 2 --profile "$work/x" --activity "$work/../$(basename "$work")/x" "$work/parfib" 80 2>"$work/err" >&2
[ $? -eq 1 ] && grep -q "^gum: the profile $work/x and the activity .* are one file$" "$work/err" ||
    complain "one file under two names: $(cat "$work/err")"
# A result of parfib has 8 bytes, however often its spark has moved.
run 3 --profile "$work/moved" --policy random "$work/parfib" 32 >"$work/out" 2>&1 || complain "parfib: $(cat "$work/out")"
awk '$1 == "bytes" { result = $5 } $1 == "process" { for (i = 2; i < NF; i++) if ($i == "taken") taken += $(i + 1) }
    END { exit !(result == 8 || taken == 0) }' "$work/moved" || complain "bytes of results: $(cat "$work/moved")"
# A pipe is not opened before the end.
mkfifo "$work/pipe"
cat "$work/pipe" >"$work/read" &
run 2 --profile "$work/pipe" "$work/parfib" 10 >"$work/out" 2>&1
wait $!
grep -q '^run policy predicted processes 2 ' "$work/read" || complain "a profile into a pipe: $(cat "$work/out")"
echo "gum: commands and examples do as they should"
[ ! -e "$work/bad" ]
