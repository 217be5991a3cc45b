#!/bin/sh
# Galaxies on TAAG: the same as on one process, on real processes and in simulated time; and how long steps take
# on the two sites of the paper, against what their latencies and speeds allow.  BUILD: where the programs are.
set -u
cd "$(dirname "$0")/../../.."
BUILD=$(cd "$BUILD" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/taag/nbody/simulate.sh
bad=0

wrong() {
    echo "nbody: FAILED: $*" >&2
    bad=1
}

# ---- the same as one process alone ------------------------------------------------------------------

# checked PROGRAM ARGUMENT...: on this machine.
checked() {
    program=$1
    shift
    echo "processors { a time 1 cores 8; b time 1 cores 8; }
        network { latency default 5 ms; latency local 1 us; } program { $program; }" >"$work/one.amo"
    timeout 60 "$BUILD/bin/taag" run "$work/one.amo" --here -- "$BUILD/bin/nbody" "$@" --check \
        >"$work/out" 2>&1 && grep -q '^check: ' "$work/out" || {
        cat "$work/out" >&2
        wrong "$program: nbody $*"
    }
}
checked 'graph 3 sizes 1 2 3' 15 20
checked 'groups 6 min 3' 15 20
checked 'ring 6 min 2' 15 20
checked 'tree 7 levels 3 min 2' 5 20
checked 'singleton 5' 15 20
checked 'graph 3 sizes 1 1 1' 1 200 --step 0.1
checked 'singleton 1' 1 1

# What is no number any more is not right: of one galaxy, and of several, for which the limit of momentum is none either.
for program in 'singleton 3' 'graph 3 sizes 1 2 3'; do
    for step in 1e160 1e300; do
        echo "processors { a time 1 cores 8; b time 1 cores 8; }
            network { latency default 5 ms; latency local 1 us; } program { $program; }" >"$work/one.amo"
        timeout 60 "$BUILD/bin/taag" run "$work/one.amo" --here -- "$BUILD/bin/nbody" 3 5 --step $step --check \
            >"$work/out" 2>&1
        [ $? -ne 0 ] && grep -q '^nbody: the energy is no number' "$work/out" &&
            grep -q '^nbody: particles are not where' "$work/out" || {
            cat "$work/out" >&2
            wrong "$program: steps of $step are right"
        }
    done
done

# Leap-frog steps of half the length make a quarter of the error of the energy.
error_of() {
    checked 'singleton 3' 20 "$1" --step "$2"
    sed -n 's/.*changed by \(.*\) of it/\1/p' "$work/out"
}
coarse=$(error_of 100 0.01)
fine=$(error_of 200 0.005)
awk -v a="$coarse" -v b="$fine" 'BEGIN { exit !(a / b > 3.6 && a / b < 4.4) }' ||
    wrong "errors of the energy are $coarse and $fine"

# ---- wrong calls --------------------------------------------------------------------------------------

# refused STATUS WORDS ARGUMENT...
refused() {
    expected=$1 words=$2
    shift 2
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 60 mpirun -q -n 1 "$BUILD/bin/nbody" "$@" \
        >"$work/out" 2>&1
    [ $? -eq "$expected" ] && grep -q "$words" "$work/out" || {
        cat "$work/out" >&2
        wrong "nbody $*: not status $expected and '$words'"
    }
}
refused 2 usage
refused 2 usage "$work/one.xml" 0 1
refused 2 usage "$work/one.xml" 1 1x
refused 2 usage "$work/one.xml" 1 1 --step 0
refused 1 none.xml "$work/none.xml" 1 1
echo '<mapping><group/></mapping>' >"$work/torn.xml"
refused 1 torn.xml "$work/torn.xml" 1 1

# ---- simulated time -----------------------------------------------------------------------------------

# timed MAPPING ALTIX1 STEPS_OF_WORK MFLOPS LATENCIES: a step takes as long as the processes that compute longest,
# so many blocks at that speed, and so many latencies or one more.
timed() {
    found=$(seconds early "$1" 1000 2)
    echo "$1-$2 $found $(awk -v flops="${NBODY_FLOPS}000000" -f tests/taag/nbody/formula.awk "$work/$1.xml")" \
        "$(sed -n 's/.*"predicted": *\([0-9.e+-]*\).*/\1/p' "$work/$1.json")" >>"$work/times"
    awk -v name="$1" -v altix1="$2" -v found="$found" -v blocks="$3" -v speed="$4" -v latencies="$5" \
        -v flops=$NBODY_FLOPS 'BEGIN {
            least = blocks * flops / speed + latencies * 0.005
            printf("  %s, altix1 at %d Mflop/s: %.4f s a step; computing and latencies %.4f\n", name, altix1,
                   found / 2, least)
            exit !(found / 2 >= least && found / 2 <= least + 0.006)
        }' || wrong "$1 with $2 Mflop/s: $found s for two steps"
}
sites 1400 || wrong "no mappings"
simulate early TAAG 20 2 --check >"$work/out" 2>&1 && grep -q '^check: ' "$work/out" || {
    cat "$work/out" >&2
    wrong "simulated: not as one process"
}
[ "$(sed -n 's/ seconds$//p' "$work/out")" = "$(seconds early TAAG 20 2)" ] ||
    wrong "times depend on whether forces are computed"
# The centre of the third galaxy goes to its first process and comes back.
timed MPI1 1400 6 1400 0
timed MPI2 1400 9 1400 2
timed TAAG 1400 6 1400 0
# If messages wait for their receivers, each round of a ring over both sites takes a latency, as the formula says.
for mapping in MPI1 MPI2 TAAG; do
    found=$(seconds late $mapping 1000 2)
    awk -v flops="${NBODY_FLOPS}000000" -f tests/taag/nbody/formula.awk "$work/$mapping.xml" |
        awk -v found="$found" '{ exit !(found / 2 / $1 > 0.98 && found / 2 / $1 < 1.02) }' ||
        wrong "$mapping: $found s for two steps, if messages wait for receivers"
done
# With equal speeds the third galaxy counts, wherever it is.  Its fast processes have no time to spare: what goes
# round the ring crosses the far link twice.
sites 2500 || wrong "no mappings"
timed MPI1 2500 9 2500 0
timed MPI2 2500 9 2500 4
timed TAAG 2500 9 2500 0

# Of two mappings whose times differ by more than a tenth, the formula and the PEPA model find the better one.
awk '{ name[NR] = $1; run[NR] = $2; formula[NR] = $3; model[NR] = $4 }
    END {
        for (a = 1; a <= NR; a++)
            for (b = 1; b <= NR; b++)
                if (run[a] > 1.1 * run[b]) {
                    pairs++
                    if (!(formula[a] > formula[b]) || !(model[a] > model[b] && model[b] > 0)) {
                        print name[a] " takes longer than " name[b] ", but not by formula and model: " formula[a], formula[b], model[a], model[b] >"/dev/stderr"
                        bad = 1
                    }
                }
        exit bad || pairs < 8
    }' "$work/times" || wrong "formula or model rank otherwise"

[ "$bad" -eq 0 ] && echo "nbody: as one process has it, and as long as speeds and latencies allow"
exit "$bad"
