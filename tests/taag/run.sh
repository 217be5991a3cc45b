#!/bin/sh
# TAAG on real processes.  BUILD: where the programs are.
set -u
cd "$(dirname "$0")/../.."
real=$(cd "$BUILD/test" && pwd)/taag_cases
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
    TAAG_ROUNDS=${TAAG_ROUNDS:-1} good mpi "$n" collectives_agree
done
TAAG_COLLECTIVES=mpi TAAG_ROUNDS=1 good mpi 3 collectives_agree

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
    nm -g --defined-only "$BUILD"/obj/grid/taag/files/*.o | awk 'NF == 3 { print $3 }' |
        grep -vE '^(mapping|program_xml|xml)_' && return 1
    sed -n 's/^\.Fo //p' doc/libtaag.3 | sort | diff -u "$work/names" - || return 1
    sed -n 's/^\.It Fn \([A-Za-z_]*\).*/\1/p' doc/libtaag.3 | sort | diff -u "$work/names" - || return 1
    grep -o '^ *TAAG_ERR_[A-Z_]*' grid/taag/taag.h | sed 's/ *//' >"$work/codes"
    sed -n 's/^\.It Dv //p' doc/libtaag.3 | diff -u "$work/codes" - || return 1
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
# Memory that runs out: in the library, on one process.
without_memory() {
    echo "$machine program { singleton $1; }" | "$BUILD/bin/taag" map - --output "$work/some.xml" >/dev/null || return 1
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        timeout -k 5 60 mpirun --oversubscribe -n "$1" "$BUILD/test/taag_faults" "$work/some.xml"
}
good without_memory 1
good without_memory 4
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
tree 7 levels 3 min 2|0 of group 0 of 5, 1 in it, on h1, word
END
}
good started

# The program of the manual.
manual() {
    sed '1,/^\.Sh EXAMPLES/d' doc/libtaag.3 | sed '1,/^\.Bd/d; /^\.Ed/,$d; s/^\\&//; s/\\e/\\/g' >"$work/sums.c"
    # shellcheck disable=SC2046
    PKG_CONFIG_PATH=$work/tree/lib/pkgconfig mpicc -Wall -Wextra -Werror -o "$work/sums" "$work/sums.c" \
        $(PKG_CONFIG_PATH=$work/tree/lib/pkgconfig pkg-config --cflags --libs taag) || return 1
    echo "$machine program { graph 3 sizes 1 2 3 edges (1,2) (2,3); }" |
        timeout 60 "$BUILD/bin/taag" run - --here -- "$work/sums" >"$work/sums.out" 2>&1
    sort "$work/sums.out" | diff -u - "$work/sums.want"
}
cat >"$work/sums.want" <<'END'
process 0 on h2: group 0 of 3 has 1 processes, sum 0 of at most 12
process 1 on h2: group 1 of 3 has 2 processes, sum 3 of at most 12
process 2 on h2: group 1 of 3 has 2 processes, sum 3 of at most 12
process 3 on h1: group 2 of 3 has 3 processes, sum 12 of at most 12
process 4 on h1: group 2 of 3 has 3 processes, sum 12 of at most 12
process 5 on h1: group 2 of 3 has 3 processes, sum 12 of at most 12
END
good manual

# A process that is killed ends the run, and is named.
killed() {
    sed 's/^    TAAG_Free();/    if (rank == 2) raise(SIGKILL);\n    TAAG_Barrier(MPI_COMM_WORLD);\n&/; 1i #include <signal.h>' \
        "$work/sums.c" >"$work/killed.c"
    # shellcheck disable=SC2046
    PKG_CONFIG_PATH=$work/tree/lib/pkgconfig mpicc -o "$work/killed" "$work/killed.c" \
        $(PKG_CONFIG_PATH=$work/tree/lib/pkgconfig pkg-config --cflags --libs taag) || return 1
    echo "$machine program { singleton 3; }" |
        timeout 60 "$BUILD/bin/taag" run - --here -- "$work/killed" >/dev/null 2>"$work/killed.err"
    [ $? -eq 137 ] && [ "$(cat "$work/killed.err")" = "taag run: process 2 on $(uname -n): killed by signal 9" ] ||
        { cat "$work/killed.err" >&2; return 1; }
}
good killed

# One that fails is named as well.
failed() {
    printf '#!/bin/sh\nexit 3\n' >"$work/failed" && chmod +x "$work/failed"
    echo "$machine program { singleton 1; }" |
        timeout 60 "$BUILD/bin/taag" run - --here -- "$work/failed" >"$work/out" 2>&1
    [ $? -eq 3 ] && [ "$(cat "$work/out")" = "taag run: process 0 on $(uname -n): status 3" ] ||
        { cat "$work/out" >&2; return 1; }
}
good failed

# What Open MPI says of a wrong call is to be seen.  mpirun 4.1 loses one such message in five, whoever starts it, as it
# reads them after they are freed, and then speaks of show_help.c: only then is this tried again.
mistaken() {
    sed 's/^    TAAG_Free();/    MPI_Send(\&rank, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);\n&/' "$work/sums.c" >"$work/mistaken.c"
    # shellcheck disable=SC2046
    PKG_CONFIG_PATH=$work/tree/lib/pkgconfig mpicc -o "$work/mistaken" "$work/mistaken.c" \
        $(PKG_CONFIG_PATH=$work/tree/lib/pkgconfig pkg-config --cflags --libs taag) || return 1
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        echo "$machine program { singleton 2; }" |
            timeout 60 "$BUILD/bin/taag" run - --here -- "$work/mistaken" >/dev/null 2>"$work/mistaken.err"
        [ $? -eq 0 ] && break
        grep -q 'MPI_ERR_RANK' "$work/mistaken.err" && return
        grep -q 'ORTE_ERROR_LOG.*show_help' "$work/mistaken.err" || break
    done
    cat "$work/mistaken.err" >&2
    return 1
}
good mistaken

# This machine under the names that it has, one of them an address.
on_this() {
    for host in localhost "$(uname -n)" 127.0.0.1; do
        echo "processors { h1 time 1 cores 2 address \"$host\"; } network { latency local 1 us; } program { singleton 2; }" >"$work/this.amo"
        TMPDIR=$work timeout 60 "$BUILD/bin/taag" run "$work/this.amo" -- "$work/told" </dev/null >"$work/out" 2>&1 &&
            sort -n "$work/out" | sed -n 1p | grep -qx "0 of group 0 of 1, 2 in it, on $host" ||
            { echo "on $host:" >&2; cat "$work/out" >&2; return 1; }
    done
    [ -z "$(ls "$work" | grep taag-)" ]
}
good on_this

# A program that cannot be run on this machine is one message.
not_there() {
    for it in "$work/nowhere" nowhere "$work"; do
        echo "$machine program { singleton 3; }" |
            TMPDIR=$work timeout 60 "$BUILD/bin/taag" run - --here -- "$it" >"$work/out" 2>&1
        [ $? -eq 5 ] && [ "$(wc -l <"$work/out")" -eq 1 ] && grep -q '^taag run: ' "$work/out" ||
            { cat "$work/out" >&2; return 1; }
    done
    [ -z "$(ls "$work" | grep taag-)" ]
}
good not_there

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
    printf '#!/bin/sh\nseq 9999\n' >"$work/lines" && chmod +x "$work/lines"
    TMPDIR=$work/own timeout 60 "$BUILD/bin/taag" run --prefix "$work/graph.amo" -- "$work/lines" </dev/null >"$work/out" &&
        [ "$(sort -u "$work/out" | grep -c '^\[[0-5]\] [0-9]*$')" -eq 59994 ] || { wc -l "$work/out" >&2; return 1; }
    DEAD=h1 timeout 60 "$BUILD/bin/taag" run "$work/graph.amo" -- "$work/told" </dev/null >"$work/out" 2>&1
    [ $? -eq 5 ] && grep -q '^no route to h1' "$work/out" && grep -q '^taag run: host h1 starts no process' "$work/out" ||
        { cat "$work/out" >&2; return 1; }
    # Hosts without processes are left alone, and this machine may be among the others.
    DEAD=h3 TMPDIR=$work/own timeout 60 "$BUILD/bin/taag" run "$work/graph.amo" -- "$work/told" </dev/null >"$work/out" 2>&1 ||
        { cat "$work/out" >&2; return 1; }
    sed "s/h1 time 1 cores 4/& address \"$(uname -n)\"/" "$work/graph.amo" >"$work/partly.amo"
    TMPDIR=$work/own timeout 60 "$BUILD/bin/taag" run "$work/partly.amo" -- "$work/told" </dev/null >"$work/out" 2>&1 &&
        [ "$(sort -n "$work/out" | sed "s/on $(uname -n)\$/on h1/")" = "$(cat "$work/told.out")" ] ||
        { cat "$work/out" >&2; return 1; }
}
good on_hosts
[ "$bad" -eq 0 ] && echo "taag: all runs are as they should be"
exit "$bad"
