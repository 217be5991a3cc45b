#!/bin/sh
# Collectives of libtaag and MPI's own in simulated time: 41 machines in three clusters of latencies
# (tests/grid/smpi/grid.xml), ranks in the order of hosts and mixed, several sizes of a block, and the
# algorithms that well-known libraries choose, as SimGrid knows them.  Deterministic; some minutes.
# Prints CSV: MPI's algorithms, order of ranks, collective, bytes of a block, seconds of ours, of MPI's own,
# and the lower bound; sums over four roots where there is a root.
#
# BUILD: where the programs are.  SELECTORS: another list.
set -eu
cd "$(dirname "$0")/.."
program=$(cd "$BUILD/smpi" && pwd)/taag
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests/taag/hosts.sh "$work"
echo "selector,order,collective,bytes,ours,mpi,bound"
for selector in ${SELECTORS:-default ompi mpich mvapich2}; do
    for order in ordered mixed; do
        HOSTS=$work/$order tests/taag/simulate.sh --cfg=smpi/coll-selector:"$selector" "$program" "$work" table |
            awk -v at="$selector,$order" 'gsub(/,/, ",") == 4 { print at "," $0; fflush() }'
    done
done
