#!/bin/sh
# pepa on MPI: what goes wrong is said once, by the first process, with the exit status of one; machines that are
# described; commands that are one process's; experiments.
set -u
. "$(dirname "$0")/start.sh"
files=$work # that all of these read

echo 'P = (a, 1).Q; Q = (b, 2).P; P' >"$files/two.pepa"
echo 'P = (a, 1).Q; P' >"$files/wrong.pepa"
echo 'slow = 1; P = (a, slow).Q; Q = (b, 2).P; P' >"$files/named.pepa"
awk -f bench/families.awk kanban 4 >"$files/family.pepa" || complain "kanban"
echo 'processors { nowhere time 1; localhost time 1; } network { latency default 1ms; }' >"$files/away.amo"
echo 'processors { localhost time 1; }' >"$files/core.amo"
echo 'processors { localhost time 1 memory 1kB; }' >"$files/small.amo"
echo 'A = (a, 1).B; B = (b, 1.3).A; C = (a, 1).D; D = (d, 0.7).C; A[500] <a> C[500]' >"$files/long.pepa"
echo 'network { latency default 1ms; }' >"$files/none.amo"

solving() {
    expect 1 1 on 3 "$bin/pepa" solve "$files/wrong.pepa"
    expect 5 1 on 3 "$bin/pepa" solve "$files/nothing.pepa"
    expect 2 1 on 3 "$bin/pepa" solve --what
    expect 2 1 on 2 "$bin/pepa" solve "$files/two.pepa" --explore symbolic --lump
    expect 3 1 on 3 "$bin/pepa" solve "$files/family.pepa" --explore symbolic --max-iter 2
    expect 4 2 on 3 "$bin/pepa" solve "$files/family.pepa" --explore symbolic --memory 30kB

    # Without pepa-mpi beside it, pepa says what is missing.
    mkdir "$work/bin" && cp "$bin/pepa" "$work/bin"
    expect 2 2 on 2 "$work/bin/pepa" solve "$files/two.pepa"
    grep -q "it is built where mpicc is" "$work/err" || complain "$(cat "$work/err")"
    # What mpirun has started may run pepa on its own.
    on 2 sh -c "'$bin/pepa' solve '$files/two.pepa' --csv | wc -l" >"$work/out" 2>"$work/err"
    [ "$(sort -u "$work/out" | wc -l)" -eq 1 ] && [ "$(wc -l <"$work/out")" -eq 2 ] ||
        complain "pepa in a script: $(cat "$work/out" "$work/err")"
}

# Descriptions of machines: what is wrong is said once, and options reach all processes whole.
machines_wrong() {
    expect 1 1 "$bin/pepa" solve "$files/two.pepa" --hosts "$files/none.amo"
    expect 1 1 on 2 "$bin/pepa" solve "$files/two.pepa" --hosts "$files/none.amo"
    expect 5 1 "$bin/pepa" solve "$files/two.pepa" --hosts "$files/nothing.amo"
    expect 5 1 on 2 "$bin/pepa" solve "$files/two.pepa" --hosts "$files/nothing.amo"
    expect 2 1 "$bin/pepa" solve "$files/two.pepa" --hosts -
    expect 2 1 "$bin/pepa" solve : --hosts tests/mpi/here.amo
    expect 5 1 "$bin/pepa" solve "$files/two.pepa" --hosts "$files/away.amo"
    grep -q "host nowhere starts no process" "$work/err" || complain "$(cat "$work/err")"
    expect 2 1 on 3 env PEPA_HOST=elsewhere "$bin/pepa" solve "$files/two.pepa" --hosts tests/mpi/unequal.amo
    expect 1 1 "$bin/pepa" solve "$files/wrong.pepa" --hosts tests/mpi/here.amo
}
machines() {
    expect 0 0 "$bin/pepa" solve "$files/two.pepa" --hosts "$files/core.amo"
    expect 0 0 on 4 env PEPA_HOST=localhost "$bin/pepa" solve "$files/family.pepa" --explore symbolic \
        --hosts tests/mpi/here.amo
    grep -q "by 4 processes" "$work/out" || complain "more processes than cores: $(cat "$work/out")"
    expect 0 0 "$bin/pepa" solve "$files/named.pepa" --hosts tests/mpi/here.amo --csv -D slow=3 --quiet
    grep -q '^throughput,,,a,1.2' "$work/out" || complain "-D beside --hosts: $(cat "$work/out")"
    "$bin/pepa" experiment "$files/named.pepa" --vary slow=1:3:1 --csv >"$work/alone"
    expect 0 0 "$bin/pepa" experiment "$files/named.pepa" --hosts tests/mpi/here.amo --vary slow=1:3:1 --csv
    cmp -s "$work/alone" "$work/out" || complain "experiment --hosts: $(cat "$work/out")"
    "$bin/pepa" transient models/pipeline6.pepa --explore symbolic --at 0.1 --json >"$work/alone"
    expect 0 0 "$bin/pepa" transient models/pipeline6.pepa --explore symbolic --at 0.1 --json --hosts tests/mpi/here.amo
    "$python" tests/mpi/compare.py "$work/alone" "$work/out" 2 --shared || complain "transient --hosts"
}

# A process of these machines: mpirun's own word for it is not heard.
one_of() {
    for each in /proc/[0-9]*; do
        if [ "$(cat "$each/comm" 2>/dev/null)" = pepa-mpi ] && grep -qa "$1" "$each/cmdline" 2>/dev/null &&
            grep -qa OMPI_COMM_WORLD_RANK=1 "$each/environ" 2>/dev/null; then
            echo "${each#/proc/}"
            return
        fi
    done
}
machines_lost() {
    if [ -c /dev/full ]; then
        "$bin/pepa" solve "$files/two.pepa" --hosts tests/mpi/here.amo >/dev/full 2>"$work/err" </dev/null
        status=$?
        [ $status -eq 5 ] && grep -q "^pepa: cannot write to standard output: No space left" "$work/err" ||
            complain "--hosts, a full disk: status $status, $(cat "$work/err")"
    fi
    expect 4 2 "$bin/pepa" solve "$files/two.pepa" --memory 1GB --hosts "$files/small.amo"
    grep -q "(the host's 'memory' in the description of --hosts sets the limit)" "$work/err" ||
        complain "memory of a host: $(cat "$work/err")"
    "$bin/pepa" solve "$files/long.pepa" --method jacobi --tolerance 1e-15 --max-iterations 1000000000 --quiet \
        --hosts tests/mpi/here.amo >"$work/out" 2>"$work/err" </dev/null &
    run=$! victim="" looks=0
    while [ -z "$victim" ] && [ $looks -lt 100 ]; do
        sleep 0.1
        victim=$(one_of "$files/long.pepa") looks=$((looks + 1))
    done
    [ -n "$victim" ] && kill -9 "$victim" || complain "there is no second process"
    wait $run
    status=$?
    [ $status -eq 137 ] && grep -q '^pepa: process 1 of 2 on localhost: killed by signal 9$' "$work/err" ||
        complain "a process that is killed: status $status, $(cat "$work/err")"
}

# Other commands are one process's.
commands() {
    expect 0 1 on 3 "$bin/pepa" transient "$files/two.pepa" --at 1
    [ "$(grep -c '^Solved by ' "$work/out")" -eq 1 ] || complain "transient: $(cat "$work/out")"
    expect 0 1 on 3 "$bin/pepa" sensitivity "$files/two.pepa" --of throughput:a
    expect 2 1 on 3 "$bin/pepa" passage "$files/two.pepa" --from-start --to-action c
    expect 2 1 on 3 "$bin/pepa" passage "$files/two.pepa" --from-start
    expect 1 1 on 3 "$bin/pepa" passage "$files/wrong.pepa" --from-start --to-action a
    expect 0 1 on 2 "$bin/pepa" passage "$files/two.pepa" --from-start --to-action a --simulate --runs 100
    expect 2 1 on 2 "$bin/pepa" transient "$files/two.pepa" --at 1 --compare exact,fluid
    expect 2 1 on 2 "$bin/pepa" nonsense
    # Who is given something else does not keep the others waiting.
    for other in "solve $files/two.pepa --what" "transient $files/two.pepa --at 1" "" "--version"; do
        # shellcheck disable=SC2086
        expect 2 1 timeout 300 mpirun -n 1 "$bin/pepa" solve "$files/two.pepa" : -n 1 "$bin/pepa" $other
        grep -q 'the processes have different commands' "$work/err" || complain "pepa $other: $(cat "$work/err")"
    done
    [ "$(on 3 "$bin/pepa" --version | wc -l)" -eq 1 ] || complain "the version is not said once"

    # A model on standard input goes to all; the report is that of one, and says who solved it.
    on 3 "$bin/pepa" solve - --explore symbolic <"$files/family.pepa" >"$work/out" 2>"$work/err" ||
        complain "standard input: $(cat "$work/err")"
    [ "$(grep -c '^Solved by .* by 3 processes, ' "$work/out")" -eq 1 ] || complain "$(cat "$work/out")"
    # So it does to one that works for all.
    on 3 "$bin/pepa" sensitivity - --of throughput:a <"$files/two.pepa" >"$work/out" 2>"$work/err" ||
        complain "standard input of one: $(cat "$work/err")"
}

# Experiments: the bytes of one process, whoever solves what; pictures are drawn once.
experiments() {
    for vary in "-- --vary lambda1=1:20:0.25" "--explore symbolic -- --vary mu1=1:3:1 --vary lambda2=1:8:0.5"; do
        # shellcheck disable=SC2086
        set -- models/pipeline6.pepa ${vary%%-- *} ${vary#*-- }
        "$bin/pepa" experiment "$@" --csv >"$work/alone" || complain "experiment $*"
        for count in 2 3 5; do
            on $count "$bin/pepa" experiment "$@" --csv >"$work/together" 2>"$work/err" &&
                cmp -s "$work/alone" "$work/together" || complain "experiment $* on $count: $(cat "$work/err")"
        done
    done
    on 2 "$bin/pepa" experiment models/client_server.pepa --vary clients=1:6:1 --json >"$work/out" 2>"$work/err" ||
        complain "experiment: $(cat "$work/err")"
    grep -q '"processes": 2' "$work/out" || complain "an experiment does not say who solved it"
    expect 1 1 on 2 "$bin/pepa" experiment models/pipeline6.pepa --vary mu1=1:0:-0.5
    set -- models/client_server.pepa --vary clients=2:6:1 --simulate --runs 4 --max-events 300000 --csv
    "$bin/pepa" experiment "$@" >"$work/alone"
    for count in 2 3; do
        on $count "$bin/pepa" experiment "$@" >"$work/together" 2>"$work/err" &&
            cmp -s "$work/alone" "$work/together" || complain "experiment --simulate on $count: $(cat "$work/err")"
    done
}

# Files that only the first process has, or that differ; each process starts in a folder of its own.
elsewhere() {
    mkdir "$work/0" "$work/1" "$work/2"
    cp "$files/two.pepa" "$work/0"
    echo 'm = throughput:a' >"$work/0/measures"
    cp "$files/named.pepa" "$work/0"
    sed 's/slow = 1/slow = 1.5/' "$files/named.pepa" >"$work/1/named.pepa"
    printf '#!/bin/sh\ncd "%s/$OMPI_COMM_WORLD_RANK" || exit 9\nexec "%s/pepa" "$@"\n' "$work" "$bin" >"$work/apart"
    chmod +x "$work/apart"
    expect 0 1 on 2 "$work/apart" solve two.pepa --csv
    grep -q '^throughput,,,a,0.66666' "$work/out" || complain "a model of the first process: $(cat "$work/out")"
    expect 0 1 on 2 "$work/apart" solve named.pepa --csv
    grep -q '^throughput,,,a,0.66666' "$work/out" || complain "models that differ: $(cat "$work/out")"
    expect 0 0 on 3 "$work/apart" experiment named.pepa --vary slow=1:3:1 --csv
    expect 5 1 on 3 "$work/apart" solve nothing.pepa
    expect 5 1 on 2 "$work/apart" solve two.pepa --measures measures
    grep -q "have to be on each machine" "$work/err" || complain "$(cat "$work/err")"
    expect 5 1 timeout 300 mpirun -n 1 "$bin/pepa" solve "$files/named.pepa" : \
        -n 1 "$bin/pepa" solve "$files/named.pepa" -D slow=2
    grep -q "have different models" "$work/err" || complain "$(cat "$work/err")"
    on 3 "$bin/pepa" >"$work/out" 2>&1
    [ "$(grep -c '^usage' "$work/out")" -eq 1 ] || complain "usage: $(cat "$work/out")"
}

lanes elsewhere solving machines_wrong machines machines_lost commands experiments
[ $bad -eq 0 ] && echo "mpi: errors are said once, with the status of one process"
exit $bad
