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

# once FILE OPTION...: what $command says of it alone goes to $answer.out, once for each call.
command=solve
once() {
    answer="$work/once.$(echo "$command $(cksum <"$1") $*" | cksum | tr ' ' .)"
    [ -e "$answer.status" ] && return
    "$bin/pepa" $command "$@" --json >"$answer.out" 2>"$answer.err"
    echo $? >"$answer.status"
}

# agree NAME PROCESSES OPTION...: what NAME.out and NAME.status say are the numbers in $answer.
compared=0
shared=""
agree() {
    name=$1 processes=$2
    shift 2
    read -r alone <"$answer.status"
    together=none
    [ ! -e "$name.status" ] || read -r together <"$name.status"
    compared=$((compared + 1))
    if [ "$alone" != "$together" ]; then
        complain "$* on $processes: status $together, not $alone: $(head -3 "$name.err")"
    elif [ "$alone" -eq 0 ]; then
        "$python" tests/mpi/compare.py "$answer.out" "$name.out" "$processes" $shared || complain "$* on $processes"
    fi
}

# same FILE PROCESSES OPTION...: the same numbers as alone, of $command.
same() {
    file=$1 processes=$2
    shift 2
    once "$file" "$@"
    on "$processes" "$bin/pepa" $command "$file" "$@" --json >"$work/together.out" 2>"$work/together.err"
    echo $? >"$work/together.status"
    agree "$work/together" "$processes" "$file" "$@"
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
