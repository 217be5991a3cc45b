#!/bin/sh
# GUM in simulated time, on the grid of Al Zain and others 2007.  BUILD: where the programs are.
set -u
cd "$(dirname "$0")/../../.."
bin=$(cd "$BUILD/smpi" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# SimGrid's time grows with the cube: 200 processes take it a minute and a half.
many=$([ "${LONG:-}" ] && echo 200 || echo 100)

hosts() {
    count=$1
    shift
    for cluster in "$@"; do
        seq -f "$cluster-%.0f" 0 $((count - 1))
    done
}
(hosts 23 edin1 && hosts 6 edin2 sbc muni) >"$work/grid"
(hosts 6 edin1 && hosts 1 muni) >"$work/seven"
hosts "$many" near >"$work/near"
cat >"$work/near.xml" <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="near" prefix="near-" suffix="" radical="0-199" speed="1Gf" bw="125MBps" lat="50us"/>
</platform>
END

# good PROCESSES HOSTS PLATFORM PROGRAM ARGUMENTS: says right.
good() {
    processes=$1 hosts=$work/$2 platform=$3
    shift 3
    TMPDIR=$work timeout -k 5 "${TIMEOUT:-600}" tests/grid/smpirun.sh "$processes" "$hosts" "$platform" \
        --cfg=smpi/send-is-detached-thresh:0 "$@" >"$work/out" 2>&1 && grep -aq 'right$' "$work/out" || {
        echo "FAILED: smpirun -np $processes $*" >&2
        cat "$work/out" >&2
        touch "$work/bad"
    }
}
grid=tests/grid/smpi/grid.xml
for policy in random nearest-loaded busiest predicted; do
    GUM_POLICY=$policy good 7 seven $grid "$bin/gum_graphs" 1 10 20000
    GUM_POLICY=$policy good 7 seven $grid "$bin/gum_shapes" chain 16 0.1
done
good 41 grid $grid "$bin/gum_graphs" 2 1 50000
GUM_THREADS=2 GUM_POLICY=predicted good 41 grid $grid "$bin/gum_graphs" 5 2 30000
GUM_THREADS=1 GUM_WATERMARK=2 GUM_POLICY=busiest good 41 grid $grid "$bin/gum_graphs" 3 1 50000
good "$many" near "$work/near.xml" "$bin/gum_shapes" raytracer 400 0.01
# Some tasks run on two processes: on slow ones, and again on fast ones that have nothing to do.
GUM_POLICY=predicted GUM_SUMMARY=1 good 41 grid $grid "$bin/gum_graphs" 4 2 50000
GUM_POLICY=predicted GUM_SUMMARY=1 GUM_PROFILE=$work/profile good 7 seven $grid "$bin/gum_shapes" raytracer 30 0.5
grep -aq ' [1-9][0-9]* begun twice' "$work/out" || { echo "FAILED: no task was begun twice" >&2; touch "$work/bad"; }
# pure TASKS: the profile has so many tasks that may run twice, each counted once.
pure() {
    [ "$(awk '$1 == "level" { sum += $NF } END { print sum }' "$work/profile")" -eq "$1" ] || {
        echo "FAILED: not $1 tasks may run twice" >&2
        cat "$work/profile" >&2
        touch "$work/bad"
    }
}
pure 30 # all lines
# early POLICY WANTED: with short tasks, WANTED (none, some) requests are sent while the last task runs.
early() {
    GUM_POLICY=$1 GUM_SUMMARY=1 good 7 seven $grid "$bin/gum_shapes" parfib 8 0.05
    if grep -aq ' FISH, 0 of them early' "$work/out"; then found=none; else found=some; fi
    [ "$found" = "$2" ] || {
        echo "FAILED: $found of the requests of $1 are early, not $2" >&2
        cat "$work/out" >&2
        touch "$work/bad"
    }
}
early predicted some
early random none
# The same run twice takes the same time to the last digit.
for i in 1 2; do
    GUM_SUMMARY=1 GUM_PROFILE=$work/profile good 7 seven $grid "$bin/gum_shapes" parfib 6 0.1
    pure 32 # of 63 sparks those of depth 0, which make none
    grep -a '^gum:' "$work/out" >"$work/summary.$i"
done
cmp "$work/summary.1" "$work/summary.2" && [ -s "$work/summary.1" ] || touch "$work/bad"
# Latencies that were just measured are not measured again: between far clusters that is most of the
# start of a run.
GUM_POLICY=random good 41 grid $grid "$bin/gum_shapes" parfib 0 0.001 3
awk '/^took/ { took[++n] = $2 } END { exit !(n == 3 && took[2] < 0.7 * took[1] && took[3] < 0.7 * took[1]) }' \
    "$work/out" || { echo "FAILED: later runs take as long as the first" >&2; cat "$work/out" >&2; touch "$work/bad"; }
[ ! -e "$work/bad" ] && echo "gum: simulated runs on up to $many processes are as they should be"
