#!/bin/sh
# Random models on MPI, against closed forms and elimination.  RANDOM_MODELS: how many; LONG=1: many.
set -u
. "$(dirname "$0")/start.sh"

# Fewer on more processes than there are cores, where each takes five times as long.
first=1
asked=${RANDOM_MODELS:-${LONG:+3000}}
for count in 1 2 3 4 5; do
    random=${asked:-$((count > 2 ? 50 : 100))}
    on $count "$BUILD/test/mpi_random" $first "$random" || complain "random models on $count"
    on $count "$BUILD/test/mpi_passages" $first "$random" || complain "passages on $count"
    first=$((first + random))
done
for count in 8 13; do # closed forms
    on $count "$BUILD/test/mpi_passages" $first 3 || complain "passages on $count"
done
exit $bad
