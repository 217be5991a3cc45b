#!/bin/sh
# Predictions against simulated time: programs are traced on four hosts of one cluster, and predicted for
# these and for hosts of three clusters, up to 35.8 ms apart and of other speeds.  Each must be within
# 10% of what the simulation takes; and what bspbench measures there.  BUILD: where the programs are.
set -u
cd "$(dirname "$0")/../../../.."
bin=$(cd "$BUILD" && pwd)
platform=tests/grid/smpi/grid.xml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

printf '%s\n' edin1-0 edin1-1 edin1-2 edin1-3 >"$work/near"
printf '%s\n' edin1-0 edin1-1 edin2-0 muni-0 >"$work/far"
cat >"$work/grid.amo" <<'END'
# Seconds for what takes a second on a host of 534 MHz.
processors {
  e0 time 1 cluster edin1;  e1 time 1 cluster edin1;  e2 time 1 cluster edin1;  e3 time 1 cluster edin1;
  f0 time 0.38279 cluster edin2;  m0 time 0.34925 cluster muni;
}
network {
  latency default 35.8 ms;  latency edin1 edin1 0.2 ms;  latency edin1 edin2 0.27 ms;  latency local 1 us;
  bandwidth default 12.5 MB;  bandwidth local 1 GB;
}
END

# simulated PROCESSES HOSTS OPTION PROGRAM ARGUMENTS: see smpi.sh for the settings.
simulated() {
    processes=$1 hosts=$2
    shift 2
    TMPDIR=$work timeout -k 5 "${TIMEOUT:-900}" tests/grid/smpirun.sh "$processes" "$work/$hosts" $platform \
        --cfg=smpi/async-small-thresh:65536 --cfg=smpi/send-is-detached-thresh:65536 "$@"
}

# simulate HOSTS CASE: seconds of its twelve supersteps.  Where each message is
# many flows, as in `large`, and some of them are far, what SimGrid says of acknowledgements makes
# supersteps take up to twice as long; so there they are left out.
simulate() {
    [ "$2" = large ] && acknowledge=0 || acknowledge=1
    simulated 4 "$1" --cfg=network/crosstraffic:$acknowledge "$bin/smpi/bsp_supersteps" "$2"
}

# compare CASE HOSTS PROCESSORS: but for the first superstep and bsp_end, which the program does not time.
compare() {
    measured=$(simulate "$2" "$1") || { echo "FAILED: $1 on $2" >&2; return 1; }
    "$bin/bin/bsppredict" "$work/$1.trace" --on "$work/grid.amo" --processors "$3" --csv |
        awk -F, -v measured="$measured" -v what="$1 on hosts $2" '
            NR > 3 { formula += formula_before; timeline += timeline_before }
            NR > 2 { formula_before = $3; timeline_before = $4 }
            END {
                off = timeline / measured - 1
                printf("  %-20s %.4f s, timeline %.4f (%+.1f%%), formula %.4f (%+.1f%%)\n", what,
                    measured, timeline, 100 * off, formula, 100 * (formula / measured - 1))
                exit !(off <= 0.1 && off >= -0.1)
            }' || { echo "FAILED: $1 on $2: not within 10%" >&2; return 1; }
}

bad=0
cases=${CASES:-mixed ring exchange gather alone large rare scatter get get_word tree send some words skew}
for each in $cases; do
    BSP_TRACE=$work/$each.trace BSP_TRACE_TIME=wall simulate near $each >/dev/null || bad=1
    compare $each near e0,e1,e2,e3 || bad=1
    compare $each far e0,e1,f0,m0 || bad=1
done
[ $bad -eq 0 ] || exit 1
echo "bsp: predictions are within 10% of simulated supersteps"

# l of two hosts far from each other is what the way takes, although one is always late.
printf '%s\n' edin1-0 muni-0 >"$work/two"
l=$(simulated 2 two --cfg=network/crosstraffic:1 "$bin/smpi/bsp_bench")
[ "$l" = 'l 35.81 35.81' ] || { echo "FAILED: bspbench: $l" >&2; exit 1; }
