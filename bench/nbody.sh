#!/bin/sh
# Galaxies on two sites in simulated time: the runs of figure 7 of Bosa and Schreiner.  About 3 minutes.  Prints
# Markdown, writes $BUILD/nbody.csv, of which bench/nbody.csv is one; see doc/taag.md.
#   paper   what the paper measured
#   early   altix1 at 1400 Mflop/s; messages of up to 64 KB leave at once
#   late    the same; messages leave when their receiver waits for them
#   equal   as early, but altix1 is as fast as alex
# BUILD: where the programs are.
set -eu
cd "$(dirname "$0")/.."
BUILD=$(cd "$BUILD" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/taag/nbody/simulate.sh

# rows SOURCE ALTIX1 PROTOCOL PARTICLES,STEPS...
rows() {
    source=$1 protocol=$3
    sites "$2"
    shift 3
    for size in "$@"; do
        particles=${size%,*} steps=${size#*,}
        row=$source,$size
        for mapping in MPI1 MPI2 TAAG; do
            row=$row,$(seconds "$protocol" $mapping "$particles" "$steps")
        done
        echo "$row"
    done
}
{
    echo source,particles,steps,mpi1,mpi2,taag
    cat <<'END'
paper,500,10,1.5806,2.2361,1.3031
paper,1000,10,6.0735,7.7509,5.1444
paper,2000,10,23.8034,29.3047,20.3422
paper,4000,10,107.3881,136.3655,87.1078
paper,1000,60,40.4837,48.6121,32.7855
paper,1000,240,161.1072,203.6982,133.141
END
    rows early 1400 early 500,10 1000,10 2000,10 4000,10 1000,60 1000,240
    rows late 1400 late 500,10 1000,10 2000,10 4000,10 1000,60 1000,240
    rows equal 2500 early 500,10 1000,10 2000,10 4000,10
} >"$BUILD/nbody.csv"
echo "| | particles | steps | MPI1, s | MPI2, s | TAAG, s | MPI1/TAAG | MPI2/TAAG |"
echo "|---|---|---|---|---|---|---|---|"
awk -F, 'NR > 1 { printf("| %s | %d | %d | %.4f | %.4f | %.4f | %.3f | %.3f |\n", $1, $2, $3, $4, $5, $6, $4 / $6,
                         $5 / $6) }' "$BUILD/nbody.csv"
