# What the tests of shared chains and rankings begin with: $bin has the programs, $work is theirs.  To be sourced, with
# BUILD set.
cd "$(dirname "$0")/../.." || exit
bin=$(cd "$BUILD/bin" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
# python3 may be a script that looks for the interpreter, as pyenv's is: that takes longer than what it is to do.
python=$(python3 -c 'import sys; print(sys.executable)')
bad=0
complain() {
    echo "FAILED: $*" >&2
    bad=1
}

on() { # on PROCESSES COMMAND...
    processes=$1
    shift
    timeout 300 mpirun -n "$processes" "$@"
}

# same FILE PROCESSES OPTION...: the same numbers as alone, of $command; alone once for calls that differ in
# PROCESSES only.
command=solve
compared=0
shared=""
same() {
    file=$1 processes=$2
    shift 2
    answer="$work/same.$(echo "$command $(cksum <"$file") $*" | cksum | tr ' ' .)"
    if [ ! -e "$answer.status" ]; then
        "$bin/pepa" $command "$file" --json "$@" >"$answer" 2>/dev/null
        echo $? >"$answer.status"
    fi
    read -r alone <"$answer.status"
    on "$processes" "$bin/pepa" $command "$file" --json "$@" >"$work/together" 2>"$work/err"
    together=$?
    compared=$((compared + 1))
    if [ $alone -ne $together ]; then
        complain "$file on $processes $*: status $together, not $alone: $(head -3 "$work/err")"
    elif [ $alone -eq 0 ]; then
        "$python" tests/mpi/compare.py "$answer" "$work/together" "$processes" $shared ||
            complain "$file on $processes $*"
    fi
}

# expect STATUS LINES COMMAND...: its status, and so many lines of errors of pepa or amoget.
expect() {
    wanted=$1 lines=$2
    shift 2
    "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ $status -eq "$wanted" ] || complain "$*: status $status, not $wanted: $(cat "$work/err")"
    [ "$(grep -cE '^(pepa|amoget)|error: ' "$work/err")" -eq "$lines" ] || complain "$*: $(cat "$work/err")"
}

# lanes NAME...: these functions beside each other, each with a directory of its own: much of such tests is waiting for
# processes to start, and two seconds for mpirun to end after an error.
lanes() {
    started=""
    for lane in "$@"; do
        (
            work=$work/$lane
            mkdir "$work" && $lane && exit $bad
        ) &
        started="$started $!"
    done
    for lane in $started; do
        wait "$lane" || bad=1
    done
}
