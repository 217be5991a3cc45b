#!/bin/sh
# Run a program in simulated time on 41 machines, in the order of the list of hosts $HOSTS.
# simulate.sh [OPTIONS OF smpirun] PROGRAM ARGUMENTS
exec smpirun -np 41 -hostfile "$HOSTS" -platform "$(dirname "$0")/../grid/smpi/grid.xml" --log=root.thres:error \
    --cfg=smpi/simulate-computation:no --cfg=smpi/test:0 --cfg=smpi/iprobe:0 \
    --cfg=smpi/wtime:0 --cfg=smpi/lat-factor:0:1 --cfg=smpi/bw-factor:0:1 "$@"
