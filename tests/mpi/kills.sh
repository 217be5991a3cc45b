#!/bin/sh
# Work that is killed at random moments, alone and on several processes, goes on from its checkpoint, on any number of
# processes, to the numbers that it has without.  KILLS: how many times, 8 (with LONG=1 12) unless it is set; a quarter
# as many again by rows, where each run takes any method that iterates, or that processes share.
set -u
. "$(dirname "$0")/start.sh"

# A random whole number below $1, the same in every run.
seed=${SEED:-1}
random() {
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    number=$((seed / 65536 % $1))
}

# solve PROCESSES OPTION...: as $how says, in the background, its process in $solver.
how="--explore symbolic"
kept=$work/kept
solve() {
    processes=$1
    shift
    # shellcheck disable=SC2086
    set -- "$bin/pepa" solve "$work/model.pepa" $how --threads 1 --json --checkpoint "$kept" \
        --every 0.05s --resume "$@"
    [ "$processes" -eq 1 ] || set -- mpirun -n "$processes" "$@"
    : >"$work/err"
    touch "$work/begun"
    "$@" >"$work/out" 2>"$work/err" &
    solver=$!
}

# Until something was kept by this one, or the end.
await_kept() {
    while [ -z "$(find "$kept" -newer "$work/begun" 2>/dev/null)" ] && kill -0 $solver 2>/dev/null; do
        sleep 0.02
    done
}

# Until it says what it begins from, or the end: mpirun may wait for ever for a process that is killed
# while it starts.
await_begun() {
    while ! grep -q "going on from\|from the beginning" "$work/err" && kill -0 $solver 2>/dev/null; do
        sleep 0.02
    done
}

# The end, soon after a kill: its exit status in $status.
await_end() {
    left=200
    while kill -0 $solver 2>/dev/null && [ $left -gt 0 ]; do
        sleep 0.1
        left=$((left - 1))
    done
    if [ $left -eq 0 ]; then
        complain "it took long to end after a kill"
        kill -KILL $solver
    fi
    wait $solver 2>/dev/null
    status=$?
}

# One process of the solver, the $1-th; alone, it itself.
pick() {
    victim=$(cat /proc/[0-9]*/status 2>/dev/null | awk -v parent=$solver -v nth="$1" '
        /^Name:/ { name = $2 }
        /^Pid:/ { process = $2 }
        /^PPid:/ && $2 == parent && name ~ /^pepa/ && ++found == nth { print process; exit }')
    victim=${victim:-$solver}
}

awk -f bench/families.awk kanban 4 >"$work/model.pepa"
"$bin/pepa" solve "$work/model.pepa" --explore symbolic --json --tolerance 1e-12 >"$work/alone" || complain "alone"

kills=${KILLS:-$((${LONG:+4} + 8))}
resumed=0
killed=0
tenths=8 # of a second, in which most of a run falls

# One run on $1 processes, killed; the third time others, $2 or as many, go on to its end.
kill_one() {
    processes=$1
    others=${2:-$1}
    solve "$processes" --tolerance 1e-12
    # At some moment; every other time soon after something was kept.
    if [ $((killed % 2)) -eq 0 ]; then
        await_kept
        random 3
        sleep 0.0$((number + 1))
    else
        [ "$processes" -eq 1 ] || await_begun
        random $tenths
        sleep $(((number + 2) / 10)).$(((number + 2) % 10))
    fi
    pick $((killed % processes + 1))
    kill -KILL "$victim" 2>/dev/null && killed=$((killed + 1))
    await_end
    grep -q "going on from" "$work/err" && resumed=$((resumed + 1))
    if [ $status -eq 0 ]; then
        "$python" tests/mpi/compare.py "$work/alone" "$work/out" "$processes" || complain "on $processes"
    elif [ -e "$work/kept" ] && [ $((killed % 3)) -eq 0 ]; then
        solve "$others" --tolerance 1e-12
        wait $solver || complain "going on: $(cat "$work/err")"
        grep -q "going on from" "$work/err" && resumed=$((resumed + 1))
        "$python" tests/mpi/compare.py "$work/alone" "$work/out" "$others" || complain "on $others"
        [ ! -e "$work/kept" ] || complain "the checkpoint is still there"
    fi
}

# A signal to one of $1 processes, twice, as timeout(1) sends it: all keep what they have, and end.
end_one() {
    processes=$1
    rm -f "$work/kept"
    solve "$processes" --tolerance 1e-12
    await_kept
    pick "$processes"
    kill -TERM "$victim" || complain "nothing to end on $processes"
    sleep 0.05
    kill -TERM "$victim" 2>/dev/null
    wait $solver
    [ $? -eq 3 ] || complain "ended on $processes: $(cat "$work/err")"
    grep -q "kept has .* iterations\{0,1\}: --resume goes on from it" "$work/err" || complain "ended: $(cat "$work/err")"
    solve "$processes" --tolerance 1e-12
    wait $solver || complain "going on: $(cat "$work/err")"
    grep -q "going on from" "$work/err" || complain "what was ended on $processes is not gone on with"
    "$python" tests/mpi/compare.py "$work/alone" "$work/out" "$processes" || complain "on $processes"
}

# Some method by rows, of these, which goes on from what the one before has found.
any_method() {
    random $#
    shift $number
    how="--explore explicit --method $1"
}

while [ $killed -lt "$kills" ]; do
    random 4
    kill_one $((number + 1))
done
[ $resumed -gt $((killed / 3)) ] || complain "of $killed kills only $resumed went on from a checkpoint"
for processes in 1 2 3; do end_one $processes; done
told="$killed runs were killed; $resumed went on from what they had kept"

rm -f "$work/kept"
resumed=0
killed=0
tenths=40
while [ $killed -lt $((kills / 4)) ]; do
    any_method auto gauss-seidel bicgstab sor idr
    most=3
    case $how in *sor | *idr) most=1 ;; esac # processes do not share these
    random $most
    first=$number
    random $most
    kill_one $((first + 1)) $((number + 1))
done
[ $resumed -gt $((killed / 3)) ] || complain "of $killed kills by rows only $resumed went on from a checkpoint"
any_method auto gauss-seidel sor bicgstab idr
end_one 1
any_method auto bicgstab
end_one 2
told="$told; by rows, $killed and $resumed"
how="--explore symbolic"

# Checkpoints that do not fit change nothing.
tells() { # tells STATUS TEXT COMMAND...
    status=$1 text=$2
    shift 2
    timeout 60 "$@" >"$work/out" 2>"$work/err"
    now=$?
    [ $now -eq "$status" ] || complain "$*: status $now, not $status: $(cat "$work/err")"
    grep -q "$text" "$work/err" || complain "$*: $(cat "$work/err")"
}
one="$bin/pepa solve $work/model.pepa --explore symbolic --threads 1 --checkpoint $work/kept"
rm -f "$work/kept"
solve 1
await_kept
kill -KILL $solver
wait $solver 2>/dev/null
[ -e "$work/kept" ] || complain "no checkpoint"
cp "$work/kept" "$work/whole"
# shellcheck disable=SC2086
{
    tells 2 "is there already" $one
    tells 5 "of another model, or of other rates" $one --resume -D r_back=3.5
    tells 5 "of another model, or of other rates" mpirun -n 2 $one --resume -D r_back=3.5
    tells 5 "or options" $one --resume --explore explicit
    head -c 1000 "$work/whole" >"$work/kept"
    tells 5 "is damaged" $one --resume
    tells 5 "is damaged" mpirun -n 3 $one --resume
    head -c 10 "$work/whole" >"$work/kept"
    tells 5 "is damaged" $one --resume
    echo "# no checkpoint, but a file of somebody, which is long enough to have a head like that of one,
        and is left alone: $(cat "$work/model.pepa")" >"$work/kept"
    tells 5 "is no checkpoint" $one --resume
    rm "$work/kept" && mkfifo "$work/kept"
    tells 5 "is no file" $one --resume
    rm "$work/kept" && mkdir "$work/kept"
    tells 5 "is no file" mpirun -n 2 $one --resume
    rmdir "$work/kept"
    for place in 50 58 66 90 5000; do # iterations, seconds, change, reserved; a probability
        cp "$work/whole" "$work/kept"
        byte=$(od -An -tu1 -j $place -N 1 "$work/kept")
        # shellcheck disable=SC2059
        printf "\\$(printf '%o' $((byte ^ 1)))" | dd of="$work/kept" bs=1 seek=$place conv=notrunc 2>/dev/null
        tells 5 "is damaged" $one --resume
    done
    cp "$work/whole" "$work/kept"
    printf 'x' >>"$work/kept"
    tells 5 "is damaged" $one --resume
    [ -e "$work/kept" ] || complain "a damaged file was removed"
    cp "$work/whole" "$work/kept"
    tells 0 "going on from" $one --resume
    [ ! -e "$work/kept" ] || complain "the checkpoint is still there"
    tells 0 "from the beginning" $one --resume
    tells 0 "cannot remove /dev/fd/3: .* the report is complete" \
        sh -c "${one% --checkpoint *} --checkpoint /dev/fd/3 --resume 3<$work/whole"
    grep -q "^Throughput" "$work/out" || complain "no report where the checkpoint cannot be removed"
    tells 0 "solution goes on" "$bin/pepa" solve "$work/model.pepa" --explore symbolic --checkpoint /nowhere/kept \
        --every 0.01s
    tells 2 "goes with --checkpoint" "$bin/pepa" solve "$work/model.pepa" --resume
    tells 2 "a time, as 30s" "$bin/pepa" solve "$work/model.pepa" --checkpoint x --every soon
}

# mpirun kills its processes soon after SIGTERM, but not after SIGUSR1; what starts mpirun takes any signal for that.
for way in mpirun hosts; do
    rm -f "$kept"
    if [ $way = mpirun ]; then
        solve 2 --tolerance 1e-13
        await_kept
        kill -USR1 $solver
    else
        solve 1 --tolerance 1e-13 --hosts "$(dirname "$0")/here.amo"
        await_kept
        kill -TERM $solver
    fi
    await_end
    [ $status -eq 3 ] || complain "$way asked to end: status $status, $(cat "$work/err")"
    grep -q "ended by a signal; $kept has [1-9]" "$work/err" || complain "$way asked to end: $(cat "$work/err")"
    [ -e "$kept" ] || complain "$way asked to end: no checkpoint"
    [ $way = hosts ] || grep -q "send it SIGUSR1" "$work/err" || complain "nobody is told of SIGUSR1"
    solve 1
    await_end
    [ $status -eq 0 ] || complain "$way asked to end: gone on from: $status, $(cat "$work/err")"
done

# A signal when the folder of the checkpoint is gone promises nothing.
kept=$work/gone/kept
mkdir "$work/gone"
solve 1 --tolerance 1e-12
await_kept
until rm -rf "$work/gone" 2>/dev/null; do :; done # it may be writing there
kill -TERM $solver || complain "nothing to end"
wait $solver
[ $? -eq 3 ] || complain "ended without a folder: $(cat "$work/err")"
grep -q "nothing could be kept in $kept: No such file" "$work/err" || complain "ended without a folder: $(cat "$work/err")"
[ $bad -eq 0 ] && echo "mpi: $told"
exit $bad
