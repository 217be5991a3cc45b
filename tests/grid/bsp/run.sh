#!/bin/sh
# BSPlib on real processes: checks that hold on 1 to 12 processes with each transport, mistakes that
# are named, bsprun and bspcc, and the example programs.  BUILD: where the programs are.
set -u
cd "$(dirname "$0")/../../.."
bin=$(cd "$BUILD/bin" && pwd)
programs=$(cd "$BUILD/test" && pwd)
here=tests/grid/bsp
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

complain() {
    echo "FAILED: $*" >&2
    touch "$work/bad"
}

run() {
    n=$1
    shift
    timeout -k 5 "${TIMEOUT:-60}" "$bin/bsprun" -n "$n" "$@" </dev/null
}

# ---- what holds ------------------------------------------------------------------------------

for transport in shared messages; do
    for n in 1 2 3 4 5 7 8 12; do
        BSP_TRANSPORT=$transport run "$n" "$programs/bsp_conform" >"$work/out" 2>&1 ||
            { complain "conform on $n processes, $transport"; cat "$work/out" >&2; }
        grep -q "hold on $n processes" "$work/out" || complain "conform ran on $n processes"
    done
done
echo "bsp: checks hold on 1 to 12 processes, over shared memory and messages"

# ---- mistakes --------------------------------------------------------------------------------

# misuse NAME LINE: the program ends within seconds, with another status than 0, and prints the line.
misuse() {
    begun=$(date +%s)
    TIMEOUT=20 run 2 "$programs/bsp_misuse" "$1" >"$work/$1.out" 2>"$work/$1.err"
    status=$?
    took=$(($(date +%s) - begun))
    if [ "$status" -eq 0 ] || [ "$status" -ge 124 -a "$status" -ne 137 -a "$status" -ne 139 ] ||
        [ "$took" -gt 8 ] || ! grep -q "^$2" "$work/$1.err"; then
        complain "misuse $1: status $status after $took s; stderr:"
        cat "$work/$1.err" >&2
    fi
    # A mistake that all make or see is reported by each that makes it, or by one.
    [ "$(grep -c '^bsp_' "$work/$1.err")" -le 2 ] || complain "misuse $1: too many lines"
    touch "$work/$1.done"
}
# Two at a time.
(grep -v '^#' $here/misuse.txt | awk 'NR % 2' | while read -r name line; do misuse "$name" "$line"; done) &
grep -v '^#' $here/misuse.txt | awk 'NR % 2 == 0' | while read -r name line; do misuse "$name" "$line"; done
wait
# shellcheck disable=SC2012
echo "bsp: $(ls "$work"/*.done | wc -l) mistakes are named, and end the program"

# shellcheck source=/dev/null
[ ! -e $here/commands.sh ] || . $here/commands.sh

[ ! -e "$work/bad" ]
