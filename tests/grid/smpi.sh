#!/bin/sh
# Pipelines in simulated time (SimGrid's SMPI): the same on every machine.  BUILD: where the programs are.
# UPDATE=1: rewrite the expected decisions.
set -u
cd "$(dirname "$0")/../.."
bin=$(cd "$BUILD/smpi" && pwd)
here=tests/grid/smpi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# hosts COUNT FROM...: COUNT hosts of the grid's clusters each, from number 0
hosts() {
    count=$1
    shift
    for cluster in "$@"; do
        seq -f "$cluster-%.0f" 0 $((count - 1))
    done
}
(hosts 23 edin1 && hosts 6 edin2 sbc muni) >"$work/grid"
hosts 3 edin1 edin2 sbc muni >"$work/twelve"
hosts 1 edin1 sbc muni >"$work/three"
hosts 104 near >"$work/near"
hosts 3 edin1 muni >"$work/six"
hosts 2 edin1 sbc muni >"$work/clusters"

# One cluster whose links are no slower than messages within a machine: for injected times, which come on top.
cat >"$work/near.xml" <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="near" prefix="near-" suffix="" radical="0-103" speed="1Gf" bw="1GBps" lat="1us"/>
</platform>
END

# Messages from process 0 to process 2 take far longer than those by way of process 1: a process can know of a
# change of mapping long before its neighbour does.
cat >"$work/detour.xml" <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="detour" routing="Full">
    <host id="a" speed="1Gf"/> <host id="b" speed="1Gf"/> <host id="c" speed="1Gf"/>
    <link id="a-b" bandwidth="1GBps" latency="100us"/>
    <link id="b-c" bandwidth="1GBps" latency="100us"/>
    <link id="a-c" bandwidth="1GBps" latency="5ms"/>
    <route src="a" dst="b"><link_ctn id="a-b"/></route>
    <route src="b" dst="c"><link_ctn id="b-c"/></route>
    <route src="a" dst="c"><link_ctn id="a-c"/></route>
  </zone>
</platform>
END
printf '%s\n' a b c >"$work/abc"

# simulate PROCESSES HOSTS PLATFORM PROGRAM CASES.  Sends end when they are received: of those that do not, SimGrid 3.32
# keeps a list that it searches again and again.  Of others it keeps one, too: long cases have a run of their own.
simulate() {
    processes=$1 hosts=$work/$2 platform=$3
    shift 3
    TMPDIR=$work timeout -k 5 "${TIMEOUT:-900}" tests/grid/smpirun.sh "$processes" "$hosts" "$platform" \
        --cfg=smpi/send-is-detached-thresh:0 "$@"
}

# good PROCESSES HOSTS PLATFORM PROGRAM CASES: all succeed.
good() {
    simulate "$@" || {
        echo "FAILED: smpirun -np $*" >&2
        touch "$work/bad"
    }
}

# Time, and decision or new mapping.
decisions() {
    sed -E -e 's/.*"event": "decision", "time": ([0-9.]+).*"decision": "([a-z ]+)".*/\1 \2/' \
        -e 's/.*"event": "move", "time": ([0-9.]+), "mapping": \[([^]]*)\].*/\1 moves to \2/' "$1" |
        awk '{ $1 = sprintf("%.1f s:", $1); print }'
}

# The decisions that are expected; LONG=1: the same run twice, byte by byte.
adapts() {
    DECISIONS=$work/once good 41 near "$work/near.xml" "$bin/simulated" adapts
    if [ "${LONG:-}" = 1 ]; then
        DECISIONS=$work/again good 41 near "$work/near.xml" "$bin/simulated" adapts >"$work/again.out"
        cmp "$work/once" "$work/again" || touch "$work/bad"
    fi
    decisions "$work/once" >"$work/decisions"
    [ "${UPDATE:-0}" = 0 ] || cp "$work/decisions" $here/decisions.txt
    diff -u $here/decisions.txt "$work/decisions" || touch "$work/bad"
}

# Two at a time.
(
    adapts
    good 3 near "$work/near.xml" "$bin/pipes" rows_of_the_table constant_times a_change samples a_millisecond
    PEPA_TEST_SCALE=0.1 good 3 three $here/grid.xml "$bin/pipes" ends moves_with_timers moves_fail functions_fail
    good 6 six $here/grid.xml "$bin/bsp_simulated"
    good 6 clusters $here/grid.xml "$bin/bsp_simulated" clusters
    BSP_TRANSPORT=messages good 6 six $here/grid.xml "$bin/bsp_simulated" warm
    good 41 grid $here/grid.xml "$bin/bsp_conform" put_ring get_ring get_before_put all_to_all \
        newest_registration_counts null_in_turn prefix_sums others_wait clusters_are_groups
    good 41 grid $here/grid.xml "$bin/bsp_conform" random_supersteps
    good 12 twelve $here/grid.xml "$bin/bsp_conform" put_long
    good 100 near "$work/near.xml" "$bin/bsp_conform" put_ring get_before_put all_to_all group_of_parity
    PEPA_TEST_SCALE=0.1 good 3 abc "$work/detour.xml" "$bin/pipes" many_moves
) >"$work/out" 2>&1 &
good 12 twelve $here/grid.xml "$bin/simulated" measures_latencies
good 6 near "$work/near.xml" "$bin/simulated" predictions_hold
good 41 near "$work/near.xml" "$bin/simulated" thousand_moves
good 104 near "$work/near.xml" "$bin/simulated" hundred_processes
wait
cat "$work/out"
[ ! -e "$work/bad" ] && echo "grid: all simulated runs are as they should be"
