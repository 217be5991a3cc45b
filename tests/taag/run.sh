#!/bin/sh
# TAAG on real processes, and on a simulated grid of 41 machines in three clusters of latencies.
# BUILD: where the programs are.
set -u
cd "$(dirname "$0")/../.."
real=$(cd "$BUILD/test" && pwd)/taag_cases
simulated=$(cd "$BUILD/smpi" && pwd)/taag
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

good() {
    "$@" && return
    echo "FAILED: $*" >&2
    bad=1
}

# mpi PROCESSES CASES
mpi() {
    n=$1
    shift
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        timeout -k 5 "${TIMEOUT:-300}" mpirun --oversubscribe -n "$n" "$real" "$work" "$@"
}
# MPI's own calls, to compare with, would spin.
OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_mpi_yield_when_idle

good mpi 6 queries ring_queries tree_queries misuse
good mpi 8 queries ring_queries tree_queries misuse
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
    TAAG_ROUNDS=${TAAG_ROUNDS:-2} good mpi "$n" collectives_agree
done
TAAG_COLLECTIVES=mpi TAAG_ROUNDS=1 good mpi 3 collectives_agree

# simulate HOSTS CASES: 41 processes on the hosts, in this order.
simulate() {
    hosts=$1
    shift
    TMPDIR=$work timeout -k 5 "${TIMEOUT:-300}" smpirun -np 41 -hostfile "$work/$hosts" \
        -platform tests/grid/smpi/grid.xml --log=root.thres:error \
        --cfg=smpi/simulate-computation:no --cfg=smpi/test:0 --cfg=smpi/iprobe:0 \
        --cfg=smpi/wtime:0 --cfg=smpi/lat-factor:0:1 --cfg=smpi/bw-factor:0:1 \
        "$simulated" "$work" "$@"
}
(seq -f edin1-%.0f 0 22; for c in edin2 sbc muni; do seq -f $c-%.0f 0 5; done) >"$work/ordered"
# Every 17th, so that neighbours in rank are rarely near to each other.
awk '{ host[NR - 1] = $1 } END { for (i = 0; i < NR; i++) print host[i * 17 % NR] }' \
    "$work/ordered" >"$work/mixed"
good simulate ordered times
good simulate mixed times
TAAG_ROUNDS=1 good simulate mixed collectives_agree

# What is installed: the library has its public names only, the manual each of them, and the example of
# the header builds by pkg-config alone.
names() {
    grep -o 'TAAG_API.*TAAG_[A-Za-z_]*(' grid/taag/taag.h | sed 's/.*\(TAAG_[A-Za-z_]*\)($/\1/' | sort
}
installed() {
    make --no-print-directory BUILD="$BUILD" PREFIX="$work/tree" install >"$work/log" 2>&1 || return 1
    names >"$work/names"
    nm -g --defined-only "$BUILD/lib/libtaag.a" | awk 'NF == 3 { print $3 }' | sort |
        diff -u "$work/names" - || return 1
    sed -n 's/^\.Fo //p' doc/libtaag.3 | sort | diff -u "$work/names" - || return 1
    { printf '#include <mpi.h>\n#include <taag.h>\nint main(int argc, char **argv)\n{\nint root;\n'
        sed -n '1,/\*\//s/^ \*   //p' grid/taag/taag.h | sed 's/\.\.\.$//'
        echo 'return 0; }'; } >"$work/example.c"
    # shellcheck disable=SC2046
    PKG_CONFIG_PATH=$work/tree/lib/pkgconfig mpicc -Wall -Wextra -Werror -Wno-unused -o "$work/example" \
        "$work/example.c" $(PKG_CONFIG_PATH=$work/tree/lib/pkgconfig pkg-config --cflags --libs taag)
}
good installed

# From a description to a process: what `taag run` starts reads what `taag map` found.
cat >"$work/told.c" <<'END'
#include <mpi.h>
#include <stdio.h>
#include <taag.h>

int main(int argc, char **argv)
{
    int rank, group, size, groups, status;
    char host[TAAG_MAX_ADDRESS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if ((status = TAAG_Init(argv[1])) != TAAG_SUCCESS)
        fprintf(stderr, "%s\n", TAAG_Error_string(status));
    else if (TAAG_Group_rank(rank, &group) == 0 && TAAG_Group_size(group, &size) == 0 &&
             TAAG_Group_number(&groups) == 0 && TAAG_Host_address(rank, host) == 0)
        printf("%d of group %d of %d, %d in it, on %s%s%s\n", rank, group, groups, size, host,
               argc > 2 ? ", " : "", argc > 2 ? argv[2] : "");
    if (status == TAAG_SUCCESS)
        TAAG_Free();
    MPI_Finalize();
    return status != TAAG_SUCCESS;
}
END
machine='processors { h1 time 1 cores 4; h2 time 1 cores 4; h3 time 2 cores 4; }
    network { latency default 5 ms; latency h1 h2 0.1 ms; latency local 1 us; }'
started() {
    # shellcheck disable=SC2046
    PKG_CONFIG_PATH=$work/tree/lib/pkgconfig mpicc -o "$work/told" "$work/told.c" \
        $(PKG_CONFIG_PATH=$work/tree/lib/pkgconfig pkg-config --cflags --libs taag) || return 1
    while IFS='|' read -r program first; do
        echo "$machine program { $program; }" |
            timeout 60 "$BUILD/bin/taag" run - --here -- "$work/told" word >"$work/told.out" 2>&1 </dev/stdin ||
            { cat "$work/told.out" >&2; return 1; }
        [ "$(sort -n "$work/told.out" | head -n 1)" = "$first" ] ||
            { echo "$program: not '$first':" >&2; cat "$work/told.out" >&2; return 1; }
    done <<'END'
groups 6 min 3|0 of group 0 of 2, 3 in it, on h1, word
groups 8 min 4|0 of group 0 of 2, 4 in it, on h1, word
ring 9 min 3|0 of group 0 of 3, 3 in it, on h1, word
ring 4 min 2|0 of group 0 of 1, 4 in it, on h1, word
singleton 3|0 of group 0 of 1, 3 in it, on h1, word
graph 3 sizes 1 2 3 edges (1,2) (2,3)|0 of group 0 of 3, 1 in it, on h2, word
tree 7 levels 3 min 2|0 of group 0 of 5, 1 in it, on h2, word
END
}
good started

# The same on the hosts of the mapping, and where one does not answer.
. tests/grid/hosts.sh
on_hosts() {
    [ "$apart" ] || return 0
    sed 's/TAAG_Host_address(rank, host)/gethostname(host, sizeof host)/; 1i #define _DEFAULT_SOURCE\n#include <unistd.h>' \
        "$work/told.c" >"$work/seen.c"
    # shellcheck disable=SC2046
    PKG_CONFIG_PATH=$work/tree/lib/pkgconfig mpicc -o "$work/seen" "$work/seen.c" \
        $(PKG_CONFIG_PATH=$work/tree/lib/pkgconfig pkg-config --cflags --libs taag) || return 1
    echo "$machine program { graph 3 sizes 1 2 3 edges (1,2) (2,3); }" >"$work/graph.amo"
    for program in told seen; do
        TMPDIR=$work/own timeout 60 "$BUILD/bin/taag" run "$work/graph.amo" -- "$work/$program" </dev/null >"$work/out" || return 1
        sort -n "$work/out" >"$work/$program.out"
    done
    diff -u "$work/told.out" "$work/seen.out" || return 1
    [ -z "$(ls "$work/own" "$work"/of_h? | grep taag-)" ] || { ls "$work"/of_h? >&2; return 1; }
    DEAD=h1 timeout 60 "$BUILD/bin/taag" run "$work/graph.amo" -- "$work/told" </dev/null >"$work/out" 2>&1
    [ $? -eq 5 ] && grep -q '^no route to h1' "$work/out" && grep -q '^taag run: host h1 starts no process' "$work/out" ||
        { cat "$work/out" >&2; return 1; }
}
good on_hosts
[ "$bad" -eq 0 ] && echo "taag: all runs are as they should be"
exit "$bad"
