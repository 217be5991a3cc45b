#!/bin/sh
# BSPlib on real processes: checks that hold on 1 to 12 processes with each transport, and mistakes that are named.
# BUILD: where the programs are.
launcher=bsprun patience=60
. "$(dirname "$0")/../start.sh"
here=tests/grid/bsp
transports='shared messages window'

# ---- what holds ------------------------------------------------------------------------------

# Some numbers of processes on each transport, others in turn; LONG=1: all on each.
conform() {
    BSP_TRANSPORT=$1 run "$2" "$programs/bsp_conform" >"$work/out" 2>&1 ||
        { complain "conform on $2 processes, $1"; cat "$work/out" >&2; }
    grep -q "hold on $2 processes" "$work/out" || complain "conform ran on $2 processes"
}
for transport in $transports; do
    for n in 1 2 3 5 12 ${LONG:+4 7 8}; do conform "$transport" "$n"; done
done
if [ -z "${LONG:-}" ]; then
    conform shared 4
    conform messages 7
    conform window 8
fi
echo "bsp: checks hold on 1 to 12 processes, over shared memory, messages and windows"

# ---- mistakes --------------------------------------------------------------------------------

# misuse TRANSPORT PROCESSES NAME LINE: the program ends within seconds, with another status than 0, and prints
# the line.
misuse() {
    transport=$1 n=$2 case=$work/$3-$1-$2
    begun=$(date +%s)
    BSP_TRANSPORT=$transport TIMEOUT=30 run "$n" "$programs/bsp_misuse" "$3" >"$case.out" 2>"$case.err"
    status=$?
    took=$(($(date +%s) - begun))
    if [ "$status" -eq 0 ] || [ "$status" -ge 124 -a "$status" -ne 137 -a "$status" -ne 139 ] ||
        [ "$took" -gt 15 ] || ! grep -q "^$4" "$case.err"; then
        complain "misuse $3 on $n processes, $transport: status $status after $took s; stderr:"
        cat "$case.err" >&2
    fi
    # A mistake that all see is reported by one.  Where some make it at the same time, each may report it.
    lines=$(grep -c '^bsp_' "$case.err")
    case $4 in *'process [0-4]'* | *'called outside'*) most=$n ;; *) most=1 ;; esac
    [ "$lines" -le "$most" ] || complain "misuse $3 on $n processes, $transport: $lines lines"
    touch "$case.done"
}
# Each mistake is made on 2, 3 or 5 processes, with one transport or another, in turn; LONG=1: on all three numbers, with
# another transport each.
some() {
    grep -v '^#' $here/misuse.txt | awk -v eighth="$1" -v all="${LONG:-}" -v transports="$transports" '
        BEGIN { count = split(transports, transport); split("2 3 5", processes) }
        NR % 8 == eighth {
            for (k = 1; k <= 3; k++)
                if (all || int(NR / 24) % 3 + 1 == k)
                    print transport[(int(NR / 8) + k) % count + 1], processes[k], $0
        }' | while read -r transport n name line; do misuse "$transport" "$n" "$name" "$line"; done
}
# Eight at a time: most of it is waiting for programs to start, and two seconds for mpirun to end after an error.
for eighth in 0 1 2 3 4 5 6 7; do
    some $eighth &
done
wait
# shellcheck disable=SC2012
echo "bsp: $(ls "$work"/*.done | wc -l) mistakes are named, and end the program"

[ ! -e "$work/bad" ]
