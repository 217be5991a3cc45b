#!/bin/sh
# GUM's policies on the grids of Al Zain and others 2007, tables 3 and 4, in simulated time.  A line of CSV for
# each run: program, grid, processes, policy, seconds, messages, messages between clusters.
#   BUILD: where build/smpi/gum_shapes is;  PROGRAMS, POLICIES, GRIDS: which ones
set -u
cd "$(dirname "$0")/.."
program=$(cd "${BUILD:-build}/smpi" && pwd)/gum_shapes
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# grid NAME EDIN2 EDIN1 MUNI
grid() {
    : >"$work/$1"
    [ "$3" -eq 0 ] || seq -f 'edin1-%.0f' 0 $(($3 - 1)) >>"$work/$1"
    [ "$2" -eq 0 ] || seq -f 'edin2-%.0f' 0 $(($2 - 1)) >>"$work/$1"
    [ "$4" -eq 0 ] || seq -f 'muni-%.0f' 0 $(($4 - 1)) >>"$work/$1"
}
grid 6E1M 0 6 1
grid 12E2M 0 12 2
grid 18E3M 0 18 3
grid 24E4M 0 24 4
grid 30E5M 0 30 5
grid 5E30E6M 5 30 6

# A tenth of the work of the papers' runs: 7 processes of 4.733 GHz in all take 374 and 247 s without loss.
arguments() {
    case $1 in
    parfib) echo "parfib 11 0.864" ;;     # 2048 leaves
    raytracer) echo "raytracer 600 1.95" ;; # 600 lines, very irregular
    esac
}
echo program,grid,processes,policy,seconds,messages,far
for name in ${PROGRAMS:-raytracer parfib}; do
    for grid in ${GRIDS:-6E1M 12E2M 18E3M 24E4M 30E5M 5E30E6M}; do
        for policy in ${POLICIES:-random nearest-loaded busiest}; do
            # shellcheck disable=SC2046
            GUM_POLICY=$policy GUM_SUMMARY=1 TMPDIR=$work timeout "${TIMEOUT:-550}" smpirun \
                -np $(wc -l <"$work/$grid") -hostfile "$work/$grid" -platform bench/gum_grid.xml \
                --log=root.thres:error --cfg=smpi/simulate-computation:no --cfg=smpi/test:0 \
                --cfg=smpi/iprobe:0 --cfg=smpi/wtime:0 --cfg=smpi/lat-factor:0:1 \
                --cfg=smpi/bw-factor:0:1 --cfg=smpi/send-is-detached-thresh:0 \
                "$program" $(arguments "$name") >"$work/out" 2>&1
            grep -aq 'right$' "$work/out" || { echo "gum.sh: $name on $grid, $policy failed" >&2; continue; }
            awk -v name="$name" -v grid="$grid" -v policy="$policy" '
                /^gum: [0-9]* processes/ { processes = $2; seconds = $(NF - 1) }
                /^gum: [0-9]* sparks/ { for (i = 2; i <= NF; i++) {
                    if ($i == "messages,") messages = $(i - 1); if ($i == "between") far = $(i - 1) } }
                END { printf "%s,%s,%d,%s,%.1f,%d,%d\n", name, grid, processes, policy, seconds, messages, far }
                ' "$work/out"
        done
    done
done
