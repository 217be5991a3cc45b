#!/bin/sh
# bspcc, bsprun, how programs start and end, and the examples.  BUILD: where the programs are.
launcher=bsprun patience=60
. "$(dirname "$0")/../start.sh"
here=tests/grid/bsp
transports='shared messages window'

# expect STATUS COMMAND...: with what is expected on standard input, on stdout.
expect() {
    wanted=$1
    shift
    cat >"$work/want"
    "$@" >"$work/got" 2>"$work/err"
    status=$?
    [ "$status" -eq "$wanted" ] && diff -u "$work/want" "$work/got" >&2 ||
        { complain "$*: status $status"; cat "$work/err" >&2; }
}
starts=$programs/bsp_starts

# An mpirun that does not end when it is told to is killed, some seconds later: looked at in the end.
mkdir "$work/stuck"
printf '#!/bin/sh\ntrap "" TERM\nwhile :; do sleep 1; done\n' >"$work/stuck/mpirun"
chmod +x "$work/stuck/mpirun"
PATH=$work/stuck:$PATH timeout -k 60 1 "$bin/bsprun" -n 2 true >"$work/stuck/out" 2>&1 </dev/null &
stuck=$!

# Before and after the parallel part process 0 alone; output in the order of supersteps.
expect 3 sh -c "echo 3 | $bin/bsprun -n 4 $starts init" <<'END'
how many of 4?
process 0 of 3
process 1 of 3
process 2 of 3
done, 3 still
END
# And standard error among standard output, where both go to the same place.
# shellcheck disable=SC2016
timeout 60 "$bin/bsprun" -n 1 sh -c 'for i in $(seq 50); do echo out; echo err >&2; done' >"$work/out" 2>&1 </dev/null
yes 'out
err' | head -n 100 | cmp -s - "$work/out" || complain "order of output and errors: $(cat "$work/out")"
expect 0 run 5 "$starts" fewer <<'END'
process 0 of 2
process 1 of 2
END
expect 0 run 2 "$starts" more <<'END'
process 0 of 2
process 1 of 2
END
expect 0 run 1 "$starts" more <<'END'
process 0 of 1
END
expect 0 run 2 "$starts" nothing </dev/null
expect 7 run 2 "$starts" status <<'END'
process 0 of 2
process 1 of 2
END
expect 0 run 1 "$starts" arguments 'a b' '$c' '"' '' <<'END'
<a b><$c><"><>
END
for option in -p -np; do
    expect 0 timeout 60 "$bin/bsprun" $option 2 "$starts" more <<'END'
process 0 of 2
process 1 of 2
END
done
prefixed() {
    run 2 --prefix "$starts" more | sort
}
expect 0 prefixed <<'END'
[0] process 0 of 2
[1] process 1 of 2
END
(cd "$programs" && expect 0 timeout 60 "$bin/bsprun" -n 1 bsp_starts more) <<'END'
process 0 of 1
END

# Long lines come whole, each with its process, whatever is printed at the same time.
run 3 --prefix "$starts" lines >"$work/out" || complain "bsprun --prefix: long lines"
[ "$(awk 'length($2) == 20000 && $2 !~ /[^abc]/ { print $1, substr($2, 1, 1) }' "$work/out" | sort | uniq -c | tr -s ' \n' ' ')" = \
    ' 3 [0] a 3 [1] b 3 [2] c ' ] || complain "bsprun --prefix: long lines: $(cut -c1-99 "$work/out")"
[ "$(tail -n 3 "$work/out" | tr '\n' ' ')" = '[0] [0] no newline [1] [1] no newline [2] [2] no newline ' ] ||
    complain "bsprun --prefix: a last line without newline"
# Many short ones as well.
run 2 --prefix sh -c 'seq 20000; seq 20000 >&2' >"$work/out" 2>"$work/err" || complain "bsprun --prefix: short lines"
for each in out err; do
    [ "$(sort -u "$work/$each" | grep -c '^\[[01]\] [0-9]*$')" -eq 40000 ] ||
        complain "bsprun --prefix: of short lines $(wc -l <"$work/$each")"
done
# What cannot be written is no success.
for option in '' --prefix; do
    # shellcheck disable=SC2086
    run 2 $option sh -c 'seq 20000' >/dev/full 2>"$work/err"
    [ $? -eq 5 ] && grep -q '^bsprun: cannot write to standard output: ' "$work/err" ||
        complain "bsprun $option >/dev/full: $(cat "$work/err")"
done

# ends STATUS LINE ARGUMENT...: three processes of starts; LINE is all that they say on stderr (empty: nothing).
ends() {
    wanted=$1 line=$2 lines=1
    [ "$line" ] || lines=0
    shift 2
    TIMEOUT=20 run 3 "$starts" "$@" >/dev/null 2>"$work/err"
    status=$?
    [ $status -eq "$wanted" ] && [ "$(wc -l <"$work/err")" -eq $lines ] && grep -c "^$line" "$work/err" | grep -qx $lines ||
        complain "$*: status $status: $(cat "$work/err")"
}
# Before the first call as after it: who is killed is named, and nobody waits for one that has left.
for signal in 6 9 11 15; do
    ends $((128 + signal)) "bsp: process 1 of 3 on .*: killed by signal $signal$" signal_first $signal
done
for transport in $transports; do
    BSP_TRANSPORT=$transport ends 143 'bsp: process 1 of 3 on .*: killed by signal 15 in superstep 1$' signal 15
done
for status in 0 3; do
    ends 1 'bsp_begin: process [02], before bsp_begin: process 1 exits without bsp_begin$' return_first $status
    ends $status '' return $status
done

# The same mistake on one process as on several.
run 1 "$programs/bsp_misuse" init_without_begin >/dev/null 2>"$work/err"
[ $? -eq 1 ] && grep -q '^bsp_begin: process 0, before bsp_begin: this process exits without bsp_begin, after bsp_init$' "$work/err" ||
    complain "bsp_init without bsp_begin on one process: $(cat "$work/err")"

# A signal to bsprun, to mpirun or to a process of the program, which bsprun or the program says.
# signal WHO NUMBER STATUS LINE
signal() {
    : >"$work/out"
    env --default-signal=INT timeout 30 "$bin/bsprun" -n 2 "$starts" wait >"$work/out" 2>"$work/err" </dev/null &
    waiting=$!
    tries=0
    while ! grep -q waiting "$work/out" && [ $tries -lt 100 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    victim=$(pgrep -P $waiting)
    [ "$1" = bsprun ] || victim=$(pgrep -P "$victim")
    [ "$1" != process ] || victim=$(pgrep -P "$victim" bsp_starts | head -n 1)
    kill "-$2" "$victim"
    wait $waiting
    status=$?
    [ $status -eq "$3" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q "^$4\$" "$work/err" ||
        complain "signal $2 to $1: status $status: $(cat "$work/err")"
}
signal bsprun 15 143 'bsprun: ended by signal 15'
signal bsprun 2 130 'bsprun: ended by signal 2'
signal mpirun 9 137 'bsprun: mpirun was killed by signal 9'
signal process 15 143 'bsp: process [01] of 2 on .*: killed by signal 15 in superstep 0'
# When nobody reads what it prints any more, as a program does by itself.
for option in '' --prefix; do
    # shellcheck disable=SC2016,SC2086
    { timeout 60 "$bin/bsprun" -n 2 $option sh -c 'while echo here; do sleep 0.1; done' </dev/null 2>"$work/err"; echo $? >"$work/status"; } |
        head -n 1 >"$work/got"
    [ "$(cat "$work/status")" -eq 141 ] && grep -q 'here$' "$work/got" && ! grep -q bsprun "$work/err" ||
        complain "output that nobody reads: status $(cat "$work/status"), $(cat "$work/err")"
done
# To a group, and twice, as timeout sends it: when bsprun ends so have its processes.
timeout 2 "$bin/bsprun" -n 3 "$starts" wait >"$work/out" 2>"$work/err" </dev/null
[ $? -eq 124 ] && ! pgrep -f "^$starts wait" >"$work/left" && grep -qx 'bsprun: ended by signal 15' "$work/err" ||
    complain "a signal to a group: $(cat "$work/err" "$work/left")"
# What is ignored stays so.
: >"$work/out"
nohup "$bin/bsprun" -n 2 "$starts" wait >"$work/out" 2>"$work/err" </dev/null &
waiting=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    grep -q waiting "$work/out" && break
    sleep 0.5
done
kill -HUP $waiting
sleep 1.5
pgrep -f "^$starts wait" >"$work/left" || complain "nohup bsprun: $(cat "$work/err")"
kill $waiting
wait $waiting

# Process 0 reads the input, with prefixes as well.
echo 3 | "$bin/bsprun" -n 4 --prefix "$starts" init >"$work/out" 2>"$work/err"
[ $? -eq 3 ] && grep -qx '\[0\] done, 3 still' "$work/out" || complain "bsprun --prefix: input: $(cat "$work/out" "$work/err")"
# A heap that is broken ends a process, and the run.
run 2 "$starts" heap >"$work/out" 2>"$work/err"
case $? in 134 | 139) ;; *) complain "a broken heap: no end" ;; esac
grep -q '^bsp: process 1 of 2 on .*: killed by signal \(6\|11\) in superstep 1$' "$work/err" || complain "a broken heap: $(cat "$work/err")"

# Environment variables: empty is not given, and a wrong one is named.
expect 0 env BSP_TRANSPORT= BSP_TRACE= timeout 60 "$bin/bsprun" -n 2 "$starts" more <<'END'
process 0 of 2
process 1 of 2
END
expect 1 env BSP_TRANSPORT=pigeons timeout 60 "$bin/bsprun" -n 2 "$starts" more </dev/null
[ "$(grep -c '^bsp_begin: process 0, .*BSP_TRANSPORT=pigeons .* messages, window' "$work/err")" -eq 1 ] ||
    complain "BSP_TRANSPORT: $(cat "$work/err")"

# Without standard input a program that reads it finds its end.
printf '#!/bin/sh\nread line || exit 3\n' >"$work/reads"
chmod +x "$work/reads"
timeout 60 "$bin/bsprun" -n 1 "$work/reads" <&- >"$work/out" 2>&1
[ $? -eq 3 ] || complain "no standard input: $(cat "$work/out")"
# Usage, and programs that are not there.
for arguments in "-n" "-n 0 x" "-n x y" "--what" "-n 2" "x" "--hosts" "-n 1 --hosts /nowhere x"; do
    # shellcheck disable=SC2086
    "$bin/bsprun" $arguments >/dev/null 2>"$work/err" </dev/null
    status=$?
    case $arguments in *nowhere*) wanted=5 ;; *) wanted=2 ;; esac
    [ "$status" -eq $wanted ] && grep -q '^bsprun: ' "$work/err" ||
        complain "bsprun $arguments: status $status"
done
# A program that cannot be run is one message, not one from each process.
touch "$work/plain"
printf '#!/nowhere/interpreter -x\n' >"$work/odd"
printf '#! /bin/sh\r\nexit 3\r\n' >"$work/windows"
chmod +x "$work/odd" "$work/windows"
for it in ./nowhere nowhere '' "$work" "$work/plain" tests "$work/odd" "$work/windows"; do
    "$bin/bsprun" -n 2 "$it" 2>"$work/err" </dev/null
    [ $? -eq 5 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q '^bsprun: ' "$work/err" ||
        complain "bsprun '$it': $(cat "$work/err")"
done
grep -q 'names /bin/sh with a carriage return' "$work/err" || complain "line ends of Windows: $(cat "$work/err")"
for run in bsprun gumrun; do
    "$bin/$run" --show -n 2 "$starts" >/dev/full 2>"$work/err"
    [ $? -eq 5 ] && grep -q "^$run: cannot write to standard output: " "$work/err" ||
        complain "$run --show to a full disk: $(cat "$work/err")"
done
# A folder of that name here does not hide the program in PATH.
mkdir "$work/true"
(cd "$work" && expect 0 timeout 60 "$bin/bsprun" -n 1 true) </dev/null

# Arguments arrive as they are, also those that mpirun knows; and as a shell reads what is shown.
odd='[a'"'"'b][:][][*][colon0][:]'
[ "$(timeout 60 "$bin/bsprun" -n 1 printf '[%s]' "a'b" : '' '*' colon0 : </dev/null)" = "$odd" ] ||
    complain "bsprun: arguments"
[ "$(OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
    sh -c "$("$bin/bsprun" -n 1 --show printf '[%s]' "a'b" : '' '*' colon0 :)" </dev/null)" = "$odd" ] ||
    complain "bsprun --show: arguments"

# Hosts: the one with most free cores' share first, then the faster one, each as its free cores allow.
cat >"$work/hosts.amo" <<'END'
processors {
  half time 1 cores 4 availability 0.5;  slow time 2 cores 2;  fast time 1 cores 2;  busy time 1 availability 0.1;
}
network { latency default 1ms; latency local 1us; }
END
hosts() {
    "$bin/bsprun" -n "$1" --hosts "$work/hosts.amo" --show x | sed '/^mpirun/d' | tr '\n' ' '
}
[ "$(hosts 2)" = 'fast fast ' ] || complain "bsprun: 2 processes on $(hosts 2)"
[ "$(hosts 5)" = 'fast fast slow slow half ' ] || complain "bsprun: hosts of 5"
[ "$(hosts 8)" = 'fast fast fast slow slow half half busy ' ] ||
    complain "bsprun: hosts of 8"
# Two names of this machine.
cat >"$work/names.amo" <<'END'
processors { a time 1 address "localhost"; b time 1 address "127.0.0.1"; }
network { latency default 1ms; latency local 1us; }
END
[ "$(timeout 60 "$bin/bsprun" -n 2 --hosts "$work/names.amo" echo begun </dev/null | sort | uniq -c | tr -d ' ')" = 2begun ] ||
    complain "bsprun: two names of one machine"
# What is shown is complete: it runs after the end of bsprun, on these hosts and with these variables.
BSP_TRACE="$work/a trace;b" "$bin/bsprun" -n 3 --hosts "$work/names.amo" --show \
    sh -c 'echo "$OMPI_COMM_WORLD_RANK $BSP_TRACE"' | sed '/^mpirun/!d' >"$work/shown"
[ "$(OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 60 sh "$work/shown" </dev/null | sort | tr '\n' ' ')" = \
    "0 $work/a trace;b 1 $work/a trace;b 2 $work/a trace;b " ] || complain "bsprun --show: $(cat "$work/shown")"
# Measurements that are stale are said to be so.
printf 'time,what,from,to,value\n1700000000,availability,fast,,0.5\n' >"$work/stale.csv"
{ cat "$work/hosts.amo" && echo 'include "stale.csv" max-age 60s;'; } >"$work/stale.amo"
"$bin/bsprun" -n 2 --hosts "$work/stale.amo" --show x >"$work/out" 2>"$work/err"
[ $? -eq 0 ] && grep -q 'stale.csv:2:1: warning: stale: ' "$work/err" ||
    complain "bsprun: no warning of stale measurements: $(cat "$work/err")"
BSP_TRACE=trace "$bin/bsprun" -n 2 --hosts "$work/hosts.amo" --show x | grep -q '^mpirun .* -x BSP_TRACE=trace ' ||
    complain "bsprun: other hosts do not hear of BSP_TRACE"
printf 'processors { a time; }' >"$work/wrong.amo"
"$bin/bsprun" -n 1 --hosts "$work/wrong.amo" x 2>"$work/err" </dev/null
[ $? -eq 1 ] && grep -q 'wrong.amo:1:' "$work/err" || complain "bsprun: a wrong description"

# Hosts that are this machine under another name; one may not answer.
. tests/grid/hosts.sh
elsewhere() {
    timeout 60 "$bin/bsprun" -n 4 --hosts "$work/hosts.amo" "$@" </dev/null
}
each_host() {
    elsewhere "$starts" hosts | sort
}
if [ "$apart" ]; then
    expect 0 each_host <<'END'
process 0 of 4 on fast
process 1 of 4 on fast
process 2 of 4 on slow
process 3 of 4 on slow
END
    # Hosts with one process each, and this machine among them: processes are where --show has them.
    cat >"$work/order.amo" <<'END'
processors { first time 1; second time 2; here time 3 cores 2 address "localhost"; fourth time 4 cores 2 availability 0.5; }
network { latency default 1ms; latency local 1us; }
END
    for run in bsprun gumrun; do
        said=$(timeout 60 "$bin/$run" -n 5 --hosts "$work/order.amo" sh -c 'echo "$OMPI_COMM_WORLD_RANK $(hostname)"' </dev/null | sort |
            sed "s/ $(hostname)\$/ localhost/; s/. //" | tr '\n' ' ')
        [ "$said" = 'first second localhost localhost fourth ' ] &&
            [ "$said" = "$("$bin/$run" -n 5 --hosts "$work/order.amo" --show x | sed '/^mpirun/d' | tr '\n' ' ')" ] ||
            complain "$run: processes are on $said"
    done
    # Between hosts data go in parts; several hosts have no shared memory.
    for transport in messages window; do
        BSP_TRANSPORT=$transport elsewhere "$programs/bsp_conform" >"$work/out" 2>&1 &&
            grep -q 'hold on 4 processes' "$work/out" ||
            { complain "conform on two hosts, $transport"; cat "$work/out" >&2; }
        BSP_TRANSPORT=$transport elsewhere "$programs/bsp_misuse" is_killed >"$work/out" 2>&1
        grep -q '^bsp: process 1 of 4 on fast: killed by signal 9 in superstep 3$' "$work/out" ||
            { complain "killed on two hosts, $transport"; cat "$work/out" >&2; }
    done
    expect 255 elsewhere sh -c 'exit 255' </dev/null
    grep -q '^bsprun: ended with status 255: a process did, or a host ended ' "$work/err" || complain "status 255: $(cat "$work/err")"
    # Short lines come whole from there as well, and long ones, and those without a newline; no file stays.
    mkdir "$work/temporary"
    TMPDIR=$work/temporary elsewhere --prefix \
        sh -c 'seq 20000; seq 20000 >&2; head -c 20000 /dev/zero | tr "\0" a' >"$work/out" 2>"$work/err"
    [ $? -eq 0 ] && [ -z "$(ls "$work/temporary")" ] || complain "bsprun --prefix on two hosts: $(ls "$work/temporary")"
    for each in out err; do
        [ "$(sort -u "$work/$each" | grep -c '^\[[0-3]\] [0-9]*$')" -eq 80000 ] ||
            complain "bsprun --prefix: of short lines on two hosts $(wc -l <"$work/$each")"
    done
    # mpirun gives up what it still has when a write at its end is cut short: none is.
    mkdir "$work/mpirun"
    cat >"$work/mpirun/mpirun" <<'END'
#!/usr/bin/python3
import os, signal
lines = 10000 * (b'[1,2]<stdout>:' + 93 * b'x' + b'\n')
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 1e-3, 1e-3)
for _ in range(50):
    assert os.write(1, lines) == len(lines)
signal.setitimer(signal.ITIMER_REAL, 0)
END
    chmod +x "$work/mpirun/mpirun"
    [ "$(PATH=$work/mpirun:$PATH elsewhere --prefix true | { sleep 0.5; grep -cx '.2. x\{93\}'; })" -eq 500000 ] ||
        complain "bsprun: what mpirun writes is cut short"
    expect 3 elsewhere --prefix sh -c 'exit 3' </dev/null
    [ "$(grep -c '^\[[0-3]\] a*$' "$work/out")" -eq 4 ] && [ "$(tr -cd a <"$work/out" | wc -c)" -eq 80000 ] ||
        complain "bsprun --prefix: long lines on two hosts"
    elsewhere --prefix "$starts" killed 2>"$work/err"
    [ $? -eq 137 ] && grep -q 'bsp: process 2 of 4 on slow: killed by signal 9 in superstep 100$' "$work/err" ||
        complain "bsprun: killed on another host: $(cat "$work/err")"
    # A process and its guard are killed: nobody is left there to tell.
    elsewhere sh -c '[ "$OMPI_COMM_WORLD_RANK" -ne 2 ] || kill -9 $$; sleep 20' 2>"$work/err"
    [ $? -eq 137 ] && grep -q '^bsprun: ended with status 137: signal 9 killed a process' "$work/err" ||
        complain "bsprun: killed with its guard: $(cat "$work/err")"
    for lacks in /nowhere/program "$work/lines" no_such_program_anywhere; do
        : >>"$work/lines"
        elsewhere "$lacks" >/dev/null 2>"$work/err"
        [ $? -eq 5 ] && grep -q "^bsprun: host slow has no program '$lacks' that it can run" "$work/err" ||
            complain "bsprun: $lacks: $(cat "$work/err")"
    done
    DEAD=slow elsewhere "$starts" hosts >/dev/null 2>"$work/err"
    [ $? -eq 5 ] && grep -q '^no route to slow' "$work/err" && grep -q '^bsprun: host slow starts no process' "$work/err" ||
        complain "bsprun: a host that does not answer: $(cat "$work/err")"
fi
unset OMPI_MCA_plm_rsh_agent

# A link that is cut ends the run within seconds.
. tests/grid/link.sh
if [ "$linked" ]; then
    printf 'processors { left cores 1 time 1; right cores 1 time 1; } network { latency default 1ms; }' >"$work/link.amo"
    on_left timeout 60 "$bin/bsprun" -n 2 --hosts "$work/link.amo" "$programs/bsp_starts" syncs >"$work/out" 2>"$work/err" </dev/null &
    run=$!
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        grep -q syncing "$work/out" && break
        sleep 0.5
    done
    grep -q syncing "$work/out" || complain "bsprun: no run across a link: $(cat "$work/err")"
    cut_off
    wait $run
    [ $? -eq 5 ] && grep -q '^bsprun: a host does not answer any more' "$work/err" ||
        complain "bsprun: a link that is cut: $(cat "$work/err")"
fi
take_down

# From another folder, in C++, and by pkg-config.
(cd "$work" && "$bin/bspcc" -std=c++17 -Wall -Wextra -Werror "$OLDPWD/$here/cplusplus.cc" -o cplusplus) ||
    complain "bspcc: C++"
expect 0 run 3 "$work/cplusplus" <<'END'
C++ on 3 processes
END
printf '#include <bsp.h>\nint f(void) { return bsp_nprocs(); }\n' >"$work/part.c"
"$bin/bspcc" -c "$work/part.c" -o "$work/part.o" || complain "bspcc -c"
printf 'extern "C" int f(void);\nint main() { return f(); }\n' >"$work/whole.cc"
"$bin/bspcc" "$work/whole.cc" "$work/part.c" -o "$work/whole" || complain "bspcc: C with C++"

# Not the library, which comes next on the command line, becomes the program.
for arguments in "$work/part.c -o" -o ''; do
    # shellcheck disable=SC2086
    "$bin/bspcc" $arguments >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && grep -q '^bspcc: ' "$work/err" && [ ! -s "$work/out" ] || complain "bspcc $arguments"
done
[ "$(head -c 7 "$bin/../lib/libbsp.a")" = '!<arch>' ] || complain "bspcc: the library is overwritten"
"$bin/bspcc" --help | grep -q 'bspcc .*FILE' || complain "bspcc --help"

for each in inner_product sample_sort lu fft matrix_product; do
    "$bin/bspcc" -std=c11 -O2 -Wall -Wextra -Werror "examples/bsp/$each.c" -o "$work/$each" ||
        complain "examples/bsp/$each.c"
    for n in 1 4 7; do
        run "$n" "$work/$each" >"$work/out" 2>&1 && grep -q ': right$' "$work/out" ||
            { complain "$each on $n processes"; cat "$work/out" >&2; }
    done
done
run 8 "$work/matrix_product" | grep -q '2 x 2 x 2 .*right' || complain "matrix_product: 2.5D"
# The error of a sum grows with its length.
run 1 "$work/inner_product" 400000 | grep -q ': right$' || complain "inner_product 400000"
# A wrong argument is one line and status 2.
for each in "inner_product -1" "sample_sort -3" "lu x" "fft 27" "fft 1e3" "matrix_product 0" "lu 9 9"; do
    # shellcheck disable=SC2086
    run 3 "$work/"$each >"$work/out" 2>"$work/err"
    status=$?
    [ $status -eq 2 ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
        grep -q "^usage: ${each%% *} " "$work/err" || complain "$each: status $status: $(cat "$work/err")"
done
wait $stuck
status=$?
[ $status -eq 124 ] && [ "$(cat "$work/stuck/out")" = 'bsprun: ended by signal 15' ] ||
    complain "an mpirun that does not end: status $status: $(cat "$work/stuck/out")"
[ ! -e "$work/bad" ] && echo "bsp: commands and examples do as they should"
