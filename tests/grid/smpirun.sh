#!/bin/sh
# A run in simulated time: work takes the time that it says and no other, messages what the platform says.  BUILD: where
# the programs are.
# smpirun.sh PROCESSES HOSTS PLATFORM [OPTIONS OF smpirun] PROGRAM ARGUMENTS
set -eu
processes=$1 hosts=$2 platform=$3
shift 3
still=$(cd "${BUILD:-build}/smpi" && pwd)/still_clock.so
exec env LD_PRELOAD="$still" smpirun -np "$processes" -hostfile "$hosts" -platform "$platform" --log=root.thres:error \
    --cfg=smpi/simulate-computation:no --cfg=smpi/test:0 --cfg=smpi/iprobe:0 --cfg=smpi/wtime:0 \
    --cfg=smpi/lat-factor:0:1 --cfg=smpi/bw-factor:0:1 "$@"
