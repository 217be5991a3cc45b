#!/bin/sh
# Pipelines on real processes: what they give, not how fast (smpi.sh has the cases that are about time).
# BUILD: where the programs are.  PEPA_TEST_SCALE: longer runs.
set -u
cd "$(dirname "$0")/../.."
pipes=$(cd "$BUILD/test" && pwd)/pipes
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# mpi PROCESSES ARGUMENTS: no more time than that, nor more processes than allowed to root.
mpi() {
    n=$1
    shift
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        timeout -k 5 "${TIMEOUT:-300}" mpirun --oversubscribe -n "$n" "$@"
}

# good PROCESSES CASES: all succeed.
good() {
    if ! mpi "$@"; then
        echo "FAILED: mpirun -n $*" >&2
        bad=1
    fi
}

good 3 "$pipes" every_mapping ends shapes functions_fail settings_are_wrong
good 3 "$pipes" many_moves moves_with_ends moves_with_timers a_millisecond moves_fail
good 3 "$pipes" constant_times a_change samples measured_samples platforms_do_not_fit
good 2 "$pipes" ends
good 3 "$pipes" a_token_goes_round a_token_breaks rings_differ
good 6 "$pipes" shapes
good 1 "$pipes" every_mapping one_process
good 3 "$pipes" memory

# lost NAME FIELD SIGNAL RANK PATIENCE WORDS: a process (field 3 of what it says: itself; 4: its guard) gets a
# signal; then the run of a minute ends with an error, stderr has the words, and nobody is left.
lost() {
    said=$(mktemp "$work/lost.XXXXXX")
    PATIENCE=$5 mpi 3 "$pipes" minute >"$said" 2>"$said.err" &
    run=$!
    tries=0
    while [ "$(grep -c '^pid' "$said")" -lt 3 ] && [ $tries -lt 1200 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    sleep 0.5
    victim=$(awk -v rank="$4" -v field="$2" '$1 == "pid" && $2 == rank { print $field }' "$said")
    kill "-$3" "$victim"
    wait "$run"
    status=$?
    left=
    tries=0
    for pid in $(awk '$1 == "pid" { print $3, $4 }' "$said"); do
        while kill -0 "$pid" 2>/dev/null && [ $tries -lt 30 ]; do
            sleep 0.1
            tries=$((tries + 1))
        done
        kill -0 "$pid" 2>/dev/null && left="$left $pid"
    done
    if [ "$status" -eq 0 ] || [ -n "$left" ] ||
        ! grep -q "$6" "$said.err" || [ "$(grep -c '^pipes: \|^rank ' "$said.err")" -ne 1 ]; then
        echo "FAILED: $1: status $status; left:$left; stderr:" >&2
        cat "$said.err" >&2
        return 1
    fi
    echo "$1"
}

# Side by side: most of it is waiting.
lost "a process is killed" 3 KILL 1 60 "^rank 1 on .*, with stage 2 .one.: killed by signal 9" &
all_lost=$!
lost "process 0 is killed" 3 SEGV 0 60 "^rank 0 on .*, with the source and stage 1 .zero.: killed by signal 11" &
all_lost="$all_lost $!"
lost "a guard is killed" 4 KILL 1 60 "^rank 1 on .*, with stage 2 .one.: its guarding process was killed" &
for each in $all_lost $!; do wait "$each" || bad=1; done
lost "a process stops" 3 STOP 2 3 "^pipes: rank 2 on .*, with stage 3 .two. and the sink has not answered for 3 s" &
all_lost=$!
lost "process 0 stops" 3 STOP 0 3 "^pipes: rank 0 on .*, with the source and stage 1 .zero. has not answered for 3 s" &
for each in $all_lost $!; do wait "$each" || bad=1; done

[ "$bad" -eq 0 ] && echo "grid: all runs are as they should be"
exit "$bad"
