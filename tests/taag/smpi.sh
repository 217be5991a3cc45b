#!/bin/sh
# TAAG on a simulated grid of 41 machines in three clusters of latencies.  BUILD: where the programs are.
set -u
cd "$(dirname "$0")/../.."
simulated=$(cd "$BUILD/smpi" && pwd)/taag
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# simulate HOSTS CASES: 41 processes on the hosts, in this order.
simulate() {
    HOSTS=$work/$1
    export HOSTS
    shift
    TMPDIR=$work timeout -k 5 "${TIMEOUT:-300}" tests/taag/simulate.sh "$simulated" "$work" "$@" && return
    echo "FAILED: $* on $HOSTS" >&2
    bad=1
}
tests/taag/hosts.sh "$work"
simulate ordered times
simulate mixed times
TAAG_ROUNDS=1 simulate mixed collectives_agree
[ "$bad" -eq 0 ] && echo "taag: simulated runs are as they should be"
exit "$bad"
