#!/bin/sh
# Run a program in simulated time on 41 machines, in the order of the list of hosts $HOSTS.
# simulate.sh [OPTIONS OF smpirun] PROGRAM ARGUMENTS
grid=$(dirname "$0")/../grid
exec "$grid/smpirun.sh" 41 "$HOSTS" "$grid/smpi/grid.xml" "$@"
