#!/bin/bash
# Pipelines over a slow network, on one machine: four machines of three clusters are namespaces whose
# packets pass through a program that delays them, pair by pair.  Open MPI's processes, sockets and the
# kernel's TCP are the real ones.  As on a real grid, each machine has its own name, clock and boot
# identifier.  Needs root.
#   BUILD=...  where the programs are;  LAB=...  a folder with lagswitch.c  [../shared/lab]
#   CONTROL=...  the congestion control of TCP, where the system allows it  [that of the system]
#   bench/lab.sh [EXPERIMENT]...         [links images predictions change losses patience supersteps]
# On a machine with other work, `chrt -f 5 bench/lab.sh` keeps that out of what is measured.
# Prints Markdown; ends with a non-zero status when a bound is missed.  About 12 minutes.
set -u
cd "$(dirname "$0")/.." || exit 1
bin=$(cd "$BUILD/bin" && pwd) || exit 1
. bench/lab_machines.sh

# good WHAT: the last run succeeded and all its items were right.
good() {
    if ! grep -q '^content right' "$work/out"; then
        echo "MISSED: $1 failed" >&2
        tail -n 20 "$work/out" "$work/err" >&2
        missed=1
    fi
}
value() {
    awk -v key="$1" '$1 == key { v = $2 } END { print v }' "$work/out"
}

# description NAME WORK OUTPUT: three stages of so many milliseconds on the first machine.
description() {
    cat >"$work/$1.amo" <<END
pipeline {
  stage one work $2 output $3; stage two work $2 output $3; stage three work $2 output $3;
}
processors { edin1a time 1 ms; edin1b time 1 ms; edin2 time 0.4 ms; muni time 0.35 ms; }
network {
  latency default 0.2 ms; latency local 5 us;
  latency edin1a edin2 0.27 ms; latency edin1b edin2 0.27 ms;
  latency edin1a muni 35.8 ms; latency edin1b muni 35.8 ms; latency edin2 muni 35.8 ms;
}
input edin1a size 16; output edin1a;
sharing serial;
END
}

# ---- what is measured of links ------------------------------------------------------------------

# of_pair WHAT A B: as last measured, either way round.
of_pair() {
    awk -F , -v w="$1" -v a="$2" -v b="$3" '
        $2 == w && ($3 == a && $4 == b || $3 == b && $4 == a) { v = $5 } END { print v }' "$work/csv"
}

links() {
    echo "## Latencies and bandwidths, measured by the monitor"
    echo
    echo "| from, to | ms, set | measured | ratio | MB/s, set | measured | ratio |"
    echo "|---|---|---|---|---|---|---|"
    set_links 0.20 0.27 35.8 100 10
    description links 5 "20 KB"
    mpi "$bin/bench_lab" --items 500 --fixed --mapping edin1b,edin1b,edin1b --constant \
        --measurements "$work/csv" "$work/links.amo"
    good "measuring"
    for pair in "edin1a edin1b 0.20 12.5" "edin1a edin2 0.27 12.5" "edin1b edin2 0.27 12.5" \
        "edin1a muni 35.8 1.25" "edin1b muni 35.8 1.25" "edin2 muni 35.8 1.25"; do
        read -r a b ms rate <<<"$pair"
        row=$(awk -v l="$(of_pair latency "$a" "$b")" -v w="$(of_pair bandwidth "$a" "$b")" \
            -v ms="$ms" -v rate="$rate" 'BEGIN {
                printf "%.2f | %.3f | %.2f | %.2f | %.3f | %.2f", \
                    ms, 1e3 * l, 1e3 * l / ms, rate, w / 1e6, w / 1e6 / rate }')
        echo "| $a, $b | $row |"
        # a process that waits looks every half millisecond
        bound "latency $a $b" "$(of_pair latency "$a" "$b")" "$(awk "BEGIN{print 0.95e-3*$ms}")" \
            "$(awk "BEGIN{print 1.05e-3*$ms+0.5e-3}")"
        bound "bandwidth $a $b" "$(of_pair bandwidth "$a" "$b")" \
            "$(awk "BEGIN{print 0.5e6*$rate}")" "$(awk "BEGIN{print 1.3e6*$rate}")"
    done
    set_links 0.20 0.27 35.8
    echo
}

# ---- images -------------------------------------------------------------------------------------

images() {
    echo "## The image pipeline, end to end"
    echo
    echo "| links | stages on | images/s | checksum |"
    echo "|---|---|---|---|"
    local options="--images 100 --size 64 --quiet" expected
    # shellcheck disable=SC2086
    expected=$(OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 1 \
        "$bin/grid-images" $options --sequential | grep '^checksum')
    for mode in rendezvous buffered; do
        for mapping in p1,p2,p3,p4,p2,p1 random; do
            local where="--fixed --mapping $mapping" rate
            [ $mapping = random ] &&
                where="--random-moves --period 0.5 --mapping p1,p2,p3,p4,p2,p1"
            [ $mode = buffered ] && where="$where --buffered"
            # shellcheck disable=SC2086
            mpi "$bin/grid-images" $options $where
            rate=$(sed -n 's/.*: \(.*\) images\/s$/\1/p' "$work/out" | head -n 1)
            if [ "$(grep '^checksum' "$work/out")" = "$expected" ]; then
                echo "| $mode | $mapping$(awk '/ moves?, / && $1 > 0 { print ", " $1 " moves" }' \
                    "$work/out") | $rate | equal |"
            else
                echo "| $mode | $mapping | $rate | NOT EQUAL |"
                bound "images, $mode, $mapping" "" 1 1
            fi
        done
    done
    echo
}

# ---- predictions --------------------------------------------------------------------------------

predictions() {
    echo "## Predicted and measured, items per second"
    echo
    echo "| links | stages on | predicted | measured | ratio |"
    echo "|---|---|---|---|---|"
    description far 5 "1 KB"
    local pairs=
    for mode in rendezvous buffered; do
        local last=
        for mapping in edin1a,edin1b,edin2 muni,muni,muni edin1b,muni,edin2 muni,edin2,muni; do
            # shellcheck disable=SC2046
            mpi "$bin/bench_lab" --items 400 --fixed --mapping $mapping \
                $([ $mode = buffered ] && echo --buffered) "$work/far.amo"
            good "predictions, $mode, $mapping"
            awk -v p="$(value predicted)" -v m="$(value measured)" -v k="$mode" -v w="$mapping" \
                'BEGIN { printf "| %s | %s | %.2f | %.2f | %.2f |\n", k, w, p, m, m / p }'
            pairs=$(awk -v p="$(value predicted)" -v m="$(value measured)" 'BEGIN { print m / p }')
            bound "measured / predicted, $mode, $mapping" "$pairs" 0.75 2
            [ -n "$last" ] && bound "the order of $mode, $mapping" "$(value measured)" 0 "$last"
            last=$(value measured)
        done
    done
    echo
}

# ---- the network changes ------------------------------------------------------------------------

change() {
    echo "## A far machine becomes farther"
    echo
    echo "| links | items/s before | from the third period after | best mapping then | of it | moves |"
    echo "|---|---|---|---|---|---|"
    local at=12 period=2 final best
    description near 20 "1 KB"
    sed -i -e 's/35\.8 ms/2 ms/' -e 's/muni time 0.35/muni time 0.2/' "$work/near.amo"
    sed -e 's/ 2 ms/ 100 ms/' "$work/near.amo" >"$work/then.amo"
    matrix 0.20 0.27 100 >"$work/matrix.then"
    printf '#!/bin/sh\ncp "%s" "%s"\nkill -HUP %d\n' "$work/matrix.then" "$work/matrix" $switch \
        >"$work/farther"
    chmod +x "$work/farther"
    for mode in rendezvous buffered; do
        local flag=
        [ $mode = buffered ] && flag=--buffered
        set_links 0.20 0.27 100
        # shellcheck disable=SC2086
        mpi "$bin/bench_lab" --items 300 --fixed $flag "$work/then.amo"
        good "the best mapping then, $mode"
        best=$(value measured)
        set_links 0.20 0.27 2
        # shellcheck disable=SC2086
        mpi "$bin/bench_lab" --items 2000 --period $period --at $at "$work/farther" $flag "$work/near.amo"
        good "a change, $mode"
        final=$(awk -v period=$period '
            $1 == "command" { changed = $3 }
            $1 == "rate" && !changed && last > period { before += $3 * ($2 - last); t0 += $2 - last }
            $1 == "rate" && changed && last >= changed + 3 * period {
                after += $3 * ($2 - last); t1 += $2 - last }
            $1 == "rate" { last = $2 }
            END { if (t0 && t1) print before / t0, after / t1 }' "$work/out")
        awk -v k="$mode" -v r="$final" -v b="$best" -v m="$(value moves)" 'BEGIN {
            split(r, x, " ")
            printf "| %s | %.2f | %.2f | %.2f | %.0f%% | %d |\n", k, x[1], x[2], b, 100 * x[2] / b, m }'
        bound "recovery, $mode" "$(awk -v r="$final" -v b="$best" \
            'BEGIN { split(r, x, " "); print x[2] / b }')" 0.9 2
    done
    set_links 0.20 0.27 35.8
    echo
}

# ---- processes and machines that are lost --------------------------------------------------------

# victims WHAT: process ids on muni: of the process of the run, or of all there are.
victims() {
    local pid
    for pid in $(ip netns pids "${spaces[3]}"); do
        # guard and process have the same name: the process is the one whose parent has it as well
        if [ "$1" = all ] || {
            [ "$(cat "/proc/$pid/comm")" = bench_lab ] &&
                [ "$(cat "/proc/$(awk '{ print $4 }' "/proc/$pid/stat")/comm")" = bench_lab ]
        }; then
            echo "$pid"
        fi
    done 2>/dev/null
}

# lost WHAT WORDS COMMAND...: once a run with patience 3 is under way, the command; then within 10
# seconds it is said who is lost, and nobody is left on the machines.  mpirun has until then: when a
# machine cannot be reached, Open MPI 4.1's waits for it for ever.
lost() {
    local what=$1 words=$2 begin seconds left
    shift 2
    mpi_begin "$bin/bench_lab" --items 100000 --fixed --patience 3 --mapping edin1b,edin2,muni \
        "$work/lost.amo"
    for _ in $(seq 300); do
        [ "$(grep -c '^rate' "$work/out")" -ge 3 ] && break
        sleep 0.1
    done
    begin=$(date +%s.%N)
    "$@"
    for _ in $(seq 100); do
        left=$(for space in "${spaces[@]}"; do
            for pid in $(ip netns pids "$space"); do
                cat "/proc/$pid/comm"
            done
        done 2>/dev/null | grep -c bench_lab)
        [ "$left" -eq 0 ] && break
        sleep 0.1
    done
    seconds=$(awk -v a="$begin" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }')
    for _ in $(seq 20); do
        kill -0 $run 2>/dev/null || break
        sleep 0.1
    done
    kill $run 2>/dev/null
    wait $run 2>/dev/null
    echo "| $what | $seconds | $(grep "$words" "$work/err" | tail -n 1) |"
    bound "$what: processes left after $seconds s" "$left" 0 0
    bound "$what: lines that say so" "$(grep -c "$words" "$work/err")" 1 2
}

losses() {
    echo "## Processes and machines that are lost"
    echo
    echo "| what | all gone after s | what is said |"
    echo "|---|---|---|"
    description lost 5 "1 KB"

    local words="rank 3 on muni, with stage 3 .three."
    lost "a process is killed" "^$words: killed by signal 9" eval 'kill -9 $(victims process)'
    lost "a machine's link is cut" "$words has not answered for 3 s" \
        ip -n "${spaces[3]}" link set lag0 down
    ip -n "${spaces[3]}" link set lag0 up
    # mpirun notices first, and has its own words; who it was is told if that was known by then
    lost "all processes of a machine are killed" "$words was not heard of\|ORTE was unable" \
        eval 'kill -9 $(victims all)'
    echo
}

# ---- patience -----------------------------------------------------------------------------------

patience() {
    echo "## Far is not lost"
    echo
    echo "| one way, ms | patience, s | items/s | |"
    echo "|---|---|---|---|"
    description patient 5 "1 KB"
    for each in "200 10" "200 2" "500 3"; do
        local ms=${each% *} seconds=${each#* }
        set_links 0.20 0.27 "$ms"
        mpi "$bin/bench_lab" --items 60 --fixed --patience "$seconds" --mapping edin1b,edin2,muni \
            "$work/patient.amo"
        good "a link of $ms ms, with patience $seconds"
        echo "| $ms | $seconds | $(value measured) | content $(value content) |"
    done
    set_links 0.20 0.27 35.8
    echo
}

# ---- bulk-synchronous programs ------------------------------------------------------------------

# They are traced on this machine, and predicted for the four.
supersteps() {
    echo "## Bulk-synchronous programs, seconds of twelve supersteps"
    echo
    echo "| program | links, ms | timeline | unequal formula | measured | timeline / measured |"
    echo "|---|---|---|---|---|---|"
    cat >"$work/supersteps.amo" <<'END'
far = 35.8 ms;
processors { edin1a time 1; edin1b time 1; edin2 time 0.38; muni time 0.35; }
network {
  latency default far; latency local 1 us; bandwidth default 12.5 MB; bandwidth local 1 GB;
  latency edin1a edin1b 0.2 ms; latency edin1a edin2 0.27 ms; latency edin1b edin2 0.27 ms;
}
END
    # Machines of the lab could share memory.
    export HOST_TIMES="edin2 0.38 muni 0.35" BSP_TRANSPORT=messages
    # Each two machines of the lab have a link of their own.  BBR keeps its window while a connection is idle.
    local control window=
    control=$(ip netns exec "${spaces[0]}" cat /proc/sys/net/ipv4/tcp_congestion_control)
    [ "$control" = bbr ] ||
        [ "$(ip netns exec "${spaces[0]}" cat /proc/sys/net/ipv4/tcp_slow_start_after_idle)" = 0 ] ||
        window="--window 14600"
    local programs="ring exchange gather mixed alone scatter get get_word tree send some large rare"
    for each in $programs; do
        BSP_TRACE=$work/$each.trace BSP_TRACE_TIME=wall "$bin/bsprun" -n 4 "$bin/bench_supersteps" $each >/dev/null
    done
    for far in 80 35.8 5 0.27; do
        set_links 0.20 0.27 $far 100 100
        for each in $programs; do
            # The least of some runs: other programs of this machine are left out.
            : >"$work/seconds"
            for _ in $([ $each = rare ] && echo 1 || echo 1 2 3); do
                mpi "$bin/bench_supersteps" $each
                tail -n 1 "$work/out" >>"$work/seconds"
            done
            # shellcheck disable=SC2086
            # Without the first superstep and bsp_end, which the program does not time.
            row=$("$bin/bsppredict" "$work/$each.trace" --on "$work/supersteps.amo" -D "far=$far ms" $window --separate-links \
                --processors edin1a,edin1b,edin2,muni --csv | awk -F, -v m="$(sort -g "$work/seconds" | head -n 1)" '
                NR > 3 { formula += formula_before; timeline += timeline_before }
                NR > 2 { formula_before = $3; timeline_before = $4 }
                END { printf "%.4f | %.4f | %.4f | %.2f", timeline, formula, m, timeline / m }')
            echo "| $each | $far | $row |"
            bound "supersteps, $each, $far ms" "${row##*| }" 0.8 1.2
        done
    done
    unset HOST_TIMES BSP_TRANSPORT
    set_links 0.20 0.27 35.8
    echo
}

[ $# -gt 0 ] || set -- links images predictions change losses patience supersteps
for experiment; do
    case $experiment in
    links | images | predictions | change | losses | patience | supersteps) $experiment ;;
    *) cannot "there is no experiment '$experiment'" ;;
    esac
done
exit $missed
