#!/bin/sh
# What an outside user of the libraries sees: the headers in every language, no names but public
# ones, an installed tree that pkg-config finds, and examples that build from that tree alone.
set -eu
cd "$(dirname "$0")/../.."
CC=${CC:-gcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo '#include <amoget.h>
int main(void) { return pepa_version() == 0 || amoget_search_name(AMOGET_AUTO) == 0; }' \
    >"$work/amoget.c"
echo '#include <pepa.h>
int main(void) { return pepa_version() == 0; }' >"$work/pepa.c"
echo '#include <amoget_machine.h>
int main(void) { return amoget_processor_count(0); }' >"$work/amoget_machine.c"
echo '#include <amoget_program.h>
int main(void) { return amoget_program_kind(AMOGET_RING) == 0; }' >"$work/amoget_program.c"
echo '#include <pepa_measure.h>
int main(void) { return pepa_measures_count(0); }' >"$work/pepa_measure.c"
echo '#include <pepa_evidence.h>
int main(void) { return ((PepaEvidence *)0)->solve.answer; }' >"$work/pepa_evidence.c"
echo '#include <pepa_transient.h>
int main(void) { return ((PepaTransientInfo *)0)->steps != 0; }' >"$work/pepa_transient.c"
echo '#include <pepa_simulate.h>
int main(void) { return ((PepaSimulationInfo *)0)->runs != 0; }' >"$work/pepa_simulate.c"
echo '#include <pepa_fluid.h>
int main(void) { return ((PepaFluidInfo *)0)->equations != 0; }' >"$work/pepa_fluid.c"
echo '#include <pepa_passage.h>
int main(void) { return pepa_passage_steps(0) != 0; }' >"$work/pepa_passage.c"
echo '#include <pepa_experiment.h>
int main(void) { return ((PepaExperimentInfo *)0)->points != 0; }' >"$work/pepa_experiment.c"
echo '#include <pepa_optimise.h>
int main(void) { return ((PepaOptimum *)0)->evaluations != 0; }' >"$work/pepa_optimise.c"
echo '#include <pepa_structure.h>
int main(void) { return pepa_structure_info(0).nodes; }' >"$work/pepa_structure.c"
echo '#include <pepa_walk.h>
int main(void) { return pepa_walk_info(0).enabled; }' >"$work/pepa_walk.c"
echo '#include <pepa_lump.h>
int main(void) { return pepa_lumping_info(0).blocks != 0; }' >"$work/pepa_lump.c"
echo '#include <pepa_csl.h>
int main(void) { return ((PepaVerdict *)0)->holds; }' >"$work/pepa_csl.c"
echo '#include <pepa_shared.h>
int main(void) { return ((PepaProcesses *)0)->count; }' >"$work/pepa_shared.c"
echo '#include <pepa_fit.h>
int main(void) { return pepa_fit_family_name(PEPA_FIT_COX)[0]; }' >"$work/pepa_fit.c"
for header in pepa pepa_measure pepa_transient pepa_simulate pepa_fluid pepa_passage pepa_experiment pepa_optimise pepa_evidence pepa_structure pepa_walk pepa_lump pepa_shared pepa_csl pepa_fit amoget amoget_machine amoget_program; do
    for std in c99 c11; do
        $CC -std=$std -Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror -I"$BUILD/include" \
            -fsyntax-only "$work/$header.c"
    done
    cp "$work/$header.c" "$work/$header.cc"
    g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I"$BUILD/include" \
        -fsyntax-only "$work/$header.cc"
done
echo "public: the headers compile as C99, C11 and C++17"

# example HEADER DECLARATIONS: the example in HEADER's opening comment, the lines indented by three
# spaces with `{ }` for its `...`, compiles after DECLARATIONS.
example() {
    { printf '#include <stdio.h>\n#include <%s>\nint main(void)\n{\n%s\n' "$(basename "$1")" "$2"
        sed -n '1,/\*\//s/^ \*   //p' "$1" | sed 's/\.\.\.$/{ }/'
        echo 'return 0; }'; } >"$work/example.c"
    grep -q '_free\|== PEPA_OK' "$work/example.c"
    $CC -std=c11 -Wall -Wextra -Werror -Wno-unused -I"$BUILD/include" -fsyntax-only "$work/example.c"
}
example src/pepa.h ''
example src/pepa_measure.h 'PepaModel *model = NULL; PepaChain *chain = NULL; double pi[1] = {1}; PepaError err;'
given='PepaError err; const char *text = ""; size_t length = 0;'
example amoget/amoget.h "$given"
example amoget/amoget_machine.h "$given"
given='PepaChain *chain = NULL; PepaError err;'
example src/pepa_transient.h "$given PepaMeasures *measures = NULL;"
example src/pepa_experiment.h "$given PepaMeasures *measures = NULL;"
example src/pepa_optimise.h 'PepaModel *model = NULL; PepaMeasures *measures = NULL; PepaError err;'
example src/pepa_passage.h "$given PepaPassage *passage = NULL; double pi[1] = {1};"
example src/pepa_simulate.h 'PepaModel *model = NULL; PepaMeasures *measures = NULL; PepaError err;'
example src/pepa_fluid.h 'PepaModel *model = NULL; PepaMeasures *measures = NULL; PepaError err;'
example src/pepa_structure.h 'PepaModel *model = NULL; PepaError err;'
example src/pepa_walk.h 'PepaModel *model = NULL; PepaError err;'
example src/pepa_lump.h "$given PepaMeasures *measures = NULL;"
example src/pepa_shared.h "$given const PepaProcesses *processes = NULL; double flow[9];"
example src/pepa_csl.h 'PepaModel *model = NULL; PepaChain *chain = NULL; PepaError err;'
example src/pepa_fit.h ''
cat src/pepa.h src/pepa_measure.h src/pepa_transient.h src/pepa_simulate.h src/pepa_fluid.h src/pepa_passage.h \
    src/pepa_experiment.h src/pepa_optimise.h src/pepa_structure.h src/pepa_walk.h src/pepa_lump.h src/pepa_shared.h src/pepa_csl.h src/pepa_fit.h >"$work/pepa.h"
cat amoget/amoget.h amoget/amoget_machine.h amoget/amoget_program.h >"$work/amoget.h"
{ printf '#include <pepa.h>\n#include <stdio.h>\n#include <stdlib.h>\nint main(void)\n{\n'
    sed -n '/^```c$/,/^```$/p' README.md | grep -v '^```'
    echo 'return 0; }'; } >"$work/readme.c"
grep -q pepa_solve "$work/readme.c"
$CC -std=c11 -Wall -Wextra -Werror -I"$BUILD/include" -fsyntax-only "$work/readme.c"
echo "public: the examples of the headers and of README.md compile"

# library LIBRARY HEADER: exports what its header declares; keeps no data, prints nothing.
library() {
    nm -D --defined-only "$BUILD/lib/lib$1.so" | awk '{ print $3 }' | sort >"$work/exported"
    # inline functions of the header are not exported
    sed '/^static inline/,/^}/d' "$2" | grep -o "$1_[a-z_]*(" | tr -d '(' | sort -u >"$work/declared"
    diff -u "$work/declared" "$work/exported"
    nm -g --defined-only "$BUILD/lib/lib$1.a" | awk 'NF == 3 { print $3 }' | sort |
        diff -u "$work/declared" -
    cat "$work/declared" >>"$work/public"
    while read -r name; do
        grep -qE "(^|[^a-z_])$name\(" tests/fault/*.c && continue
        echo "public: tests/fault does not call $name with memory running out" >&2
        exit 1
    done <"$work/declared"
    # Data that can change outlives a call: there is none.
    # (Constant tables of pointers are class d too, but in .data.rel.ro: read-only once loaded.)
    if nm -f sysv "$BUILD/lib/lib$1.a" | grep -E '\|  +[bBdDC]  +\|' | grep -vF '.data.rel.ro'; then
        echo "public: lib$1 has mutable data" >&2
        exit 1
    fi
    for name in exit abort printf puts signal fopen; do
        [ "$1 $name" != "pepa fopen" ] || continue # pepa_model_load
        if nm -D "$BUILD/lib/lib$1.so" | grep -E " U $name(@|\$)"; then
            echo "public: lib$1 calls $name" >&2
            exit 1
        fi
    done
}
library pepa "$work/pepa.h"
library amoget "$work/amoget.h"
echo "public: the libraries export the declared functions and nothing else"
echo "public: no mutable data, no exit, no printing; every function is tried without memory"

# A program may use every internal name for things of its own, and both static libraries.
nm -g --defined-only "$BUILD/lib/internal.a" | awk 'NF == 3 { print $3 }' | sort -u |
    grep -vxF -f "$work/public" >"$work/internal"
[ "$(wc -l <"$work/internal")" -gt 500 ]
{ cat "$work/amoget.c" && sed 's/.*/int &;/' "$work/internal"; } >"$work/clash.c"
$CC -std=c11 -fno-builtin -I"$BUILD/include" -o "$work/clash" "$work/clash.c" \
    "$BUILD/lib/libamoget.a" "$BUILD/lib/libpepa.a" $LIBS
"$work/clash"
echo "public: programs may have functions named as the internal ones of the static libraries"

# manual LIBRARY HEADER: doc/libLIBRARY.3 has the header's prototypes, a word about each function,
# and an example that is one of examples/*.c, with what it prints.
manual() {
    page=doc/lib$1.3
    grep -v '^#' "$2" | tr -s '\n ' ' ' | grep -o 'PEPA_API [^;]*' | sed 's/PEPA_API//; s/ //g' |
        sort >"$work/prototypes"
    awk '/^\.Ft / { type = substr($0, 5) }
         /^\.Fo / { name = $2; list = "" }
         /^\.Fa / && name { list = list (list ? "," : "") substr($0, 5) }
         /^\.Fc/ { print type name "(" list ")"; name = "" }' "$page" | tr -d ' "' |
        sort >"$work/documented"
    diff -u "$work/prototypes" "$work/documented"
    sed '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/d' "$page" >"$work/words"
    grep -o "$1_[a-z_]*(" "$2" | tr -d '(' | sort -u | while read -r name; do
        grep -qw "Fn $name" "$work/words" && continue
        echo "public: $page says nothing about $name" >&2
        exit 1
    done
    name=$(sed -n 's|^\.\\" examples/\([a-z]*\)\.c.*|\1|p' "$page")
    sed -n '/^\.\\" examples/,/^\.Ed/p' "$page" | sed '1,2d; $d; s/\\e/\\/g; s/^\\&//' |
        diff -u "examples/$name.c" -
    sed -n '/^and prints/,/^\.Ed/p' "$page" | sed '1,2d; $d; s/\\e/\\/g; s/^\\&//' |
        diff -u "examples/$name.out" -
}
manual pepa "$work/pepa.h"
manual amoget "$work/amoget.h"
# named FILE WHAT: FILE has each of the words that come.
named() {
    while read -r name; do
        grep -qw -- "$name" "$1" && continue
        echo "public: $2 leaves out $name" >&2
        exit 1
    done
}
sed -n '/^\.Sh RETURN VALUES/,/^\.Sh THREADS/p' doc/libpepa.3 >"$work/values"
grep -o 'PEPA_LIMIT_[A-Z]*' src/pepa.h | sort -u | named "$work/values" 'doc/libpepa.3, RETURN VALUES,'
# The members of structures.
sed 's|/\*.*||' "$work/amoget.h" | awk '/^typedef struct {/ { inside = 1; next } /^}/ { inside = 0 }
    inside && /^    [A-Za-z].*;/ { sub(/;.*/, ""); n = split($0, part, ",")
        for (i = 1; i <= n; i++) { sub(/\[.*/, "", part[i]); sub(/.*[ *]/, "", part[i]); if (part[i] ~ /^[a-z_]+$/) print part[i] } }' |
    named doc/libamoget.3 doc/libamoget.3
echo "public: the manuals have every prototype, a word about each, and an example that is there"

# Where a space would make two places of one, nothing is built or removed: not what is at the first of them.
mkdir "$work/pre"
touch "$work/pre/bystander"
for goal in install uninstall; do
    for given in PREFIX="$work/pre/bystander fix" DESTDIR="$work/pre/bystander fix" PREFIX="$work/pre/bystander	"; do
        refused=0
        make --no-print-directory BUILD="$work/pre/build" "$given" $goal >"$work/log" 2>&1 || refused=$?
        [ $refused -eq 2 ] && grep -q 'PREFIX and DESTDIR must not have white space' "$work/log" &&
            [ "$(ls "$work/pre")" = bystander ] || { cat "$work/log" >&2; echo "public: $goal $given" >&2; exit 1; }
    done
done
make --no-print-directory BUILD="$BUILD" PREFIX="$work/tree" install >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; exit 1; }
make --no-print-directory BUILD="$BUILD" DESTDIR="$work/stage" PREFIX=/usr install >"$work/log" 2>&1
if grep rpath "$work"/stage/usr/lib/pkgconfig/*.pc || readelf -d "$work"/stage/usr/lib/lib*.so | grep 'R.*PATH'; then
    echo "public: the loader looks into /usr/lib by itself" >&2
    exit 1
fi
# What pkg-config says is enough to find the shared libraries when a program runs.
unset LD_LIBRARY_PATH
PKG_CONFIG_PATH="$work/tree/lib/pkgconfig"
export PKG_CONFIG_PATH
count=0
for source in examples/*.c; do
    name=$(basename "$source" .c)
    package=pepa
    archives=$work/tree/lib/libpepa.a
    if grep -q '<amoget.h>' "$source"; then
        package=amoget
        archives="$work/tree/lib/libamoget.a $archives"
    fi
    # shellcheck disable=SC2046
    $CC -std=c99 -Wall -Wextra -Wpedantic -Werror -o "$work/$name" "$source" \
        $(pkg-config --cflags --libs $package) -lm
    "$work/$name" >"$work/$name.out"
    diff -u "examples/$name.out" "$work/$name.out"
    # shellcheck disable=SC2046,SC2086
    $CC -std=c99 -static-libgcc -o "$work/$name-static" "$source" \
        $(pkg-config --cflags $package) $archives \
        $(pkg-config --libs --static $package | sed 's/-lpepa//; s/-lamoget//')
    "$work/$name-static" | diff -u "examples/$name.out" -
    count=$((count + 1))
done
# shellcheck disable=SC2046
$CC -std=c99 -Wall -Wextra -Wpedantic -Werror -o "$work/short" tests/public/short_of_memory.c \
    $(pkg-config --cflags --libs pepa) -lgsl
"$work/short" >"$work/out" || { cat "$work/out"; exit 1; }
for command in pepa amoget; do
    "$work/tree/bin/$command" --version >/dev/null
    [ -s "$work/tree/share/man/man1/$command.1" ]
    [ -s "$work/tree/share/man/man3/lib$command.3" ]
    [ -s "$work/tree/share/bash-completion/completions/$command" ]
done
for command in gum taag bsppredict bspcc bsprun bspbench gumcc gumrun; do
    "$work/tree/bin/$command" --help >/dev/null
    [ -s "$work/tree/share/man/man1/$command.1" ]
done
for library in taag bsp gum; do
    [ -s "$work/tree/share/man/man3/lib$library.3" ]
done
# No link in what is installed leads nowhere.
(cd "$work/tree/share/doc/pepa" && grep -roE '\]\([^)#]+' --include='*.md' . | sed 's/\](//' | while IFS=: read -r page link; do
    case $link in http*) continue ;; esac
    [ -e "${page%/*}/$link" ] || echo "$page: $link"
done) >"$work/dead"
[ ! -s "$work/dead" ] || { cat "$work/dead" >&2; echo "public: installed links lead nowhere" >&2; exit 1; }
# completes WORDS WORD WORD...: what bash offers after WORDS for the last one.
completes() {
    PATH=$work/tree/bin:$PATH bash -c 'read -ra first <<<"$2" && . "$1/${first[0]}" &&
        COMP_WORDS=("${first[@]}" "$3") COMP_CWORD=${#first[@]} &&
        "$(complete -p "${first[0]}" | sed "s/.*-F \([^ ]*\) .*/\1/")" "${first[0]}" "$3" "${first[-1]}" &&
        [ "${COMPREPLY[*]}" = "$4" ]' - "$work/tree/share/bash-completion/completions" "$1" "$2" "$3"
}
completes pepa st "states"
completes "amoget x.amo" --to "--top --tolerance"
completes "amoget --search" b best
completes taag m map
completes "taag map --by" "" "latency time"
completes "taag map" --he "--help"
completes "taag probe x.amo" --p ""
completes "taag run x.amo" --p "--paper --program --prefix"
completes bsprun --ho "--hosts"
completes bspbench --p "--processes --pairs --plot"
completes bsppredict --st "--stages --steps"
completes gum p predict
completes "gum activity" --p "--plot"
completes "gumrun --policy" b busiest
# A GUM program by pkg-config, and by the installed gumcc.
# shellcheck disable=SC2046
OMPI_CC="$CC" mpicc -std=c11 -Wall -Wextra -Werror -o "$work/spark_packaged" examples/gum/parfib.c \
    $(pkg-config --cflags --libs gum)
OMPI_CC="$CC" "$work/tree/bin/gumcc" -std=c11 -Wall -Wextra -Werror -o "$work/spark_wrapped" examples/gum/parfib.c
for program in spark_packaged spark_wrapped; do
    "$work/tree/bin/gumrun" -n 2 "$work/$program" 20 </dev/null | grep -q ': right$'
done
# The example of TAAG by what its README says, in the folder that is installed; that of pipelines says that it needs
# the source tree.
nbody=$work/tree/share/doc/pepa/examples/nbody
sh -ec "cd '$nbody' && $(sed -n 's/^\$ \(mpicc .*\) -o nbody$/\1/p' "$nbody/README.md") -o '$work/nbody'"
echo 'processors { a time 1 cores 2; } network { latency local 1us; } program { singleton 2; }' >"$work/one.amo"
"$work/tree/bin/taag" run "$work/one.amo" --here -- "$work/nbody" 3 5 --check </dev/null | grep -q '^check: '
grep -q 'in the source tree only' "$work/tree/share/doc/pepa/examples/pipeline/README.md"
"$work/tree/bin/amoget" "$work/tree/share/doc/pepa/examples/pipeline/slowdown.amo" --explain >/dev/null
# Processes on MPI that share a chain.
# shellcheck disable=SC2046
OMPI_CC="$CC" mpicc -std=c99 -Wall -Wextra -Wpedantic -Werror -o "$work/on_mpi" tests/public/on_mpi.c \
    $(pkg-config --cflags --libs pepa_mpi)
env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 "$work/on_mpi" </dev/null
# A BSP program by pkg-config, and by the installed bspcc.
# shellcheck disable=SC2046
OMPI_CC="$CC" mpicc -std=c11 -Wall -Wextra -Werror -o "$work/packaged" examples/bsp/inner_product.c \
    $(pkg-config --cflags --libs bsp)
OMPI_CC="$CC" "$work/tree/bin/bspcc" -std=c11 -Wall -Wextra -Werror -o "$work/wrapped" examples/bsp/inner_product.c
for program in packaged wrapped; do
    "$work/tree/bin/bsprun" -n 2 "$work/$program" </dev/null | grep -q ': right$'
done
[ -s "$work/tree/share/man/man5/pepa.5" ]
[ -s "$work/tree/share/man/man5/pepa-measures.5" ]
[ -s "$work/tree/share/man/man5/pepa-probes.5" ]
for page in doc/*.[1-9]; do
    groff -mdoc -ww -z "$page" 2>"$work/log" || status=$?
    [ ! -s "$work/log" ] && [ "${status:-0}" -eq 0 ] || { cat "$work/log" >&2; exit 1; }
done
echo "public: $count examples build from the installed tree with pkg-config and print what they should"
mkdir -p "$work/tree/share/doc/other"
touch "$work/tree/share/man/man1/other.1"
make --no-print-directory BUILD="$BUILD" PREFIX="$work/tree" uninstall >"$work/log" 2>&1
(cd "$work/tree" && rm share/man/man1/other.1 && rmdir share/doc/other && LC_ALL=C find . -type d | sort | tr '\n' ' ') |
    grep -qx '\. \./bin \./include \./lib \./share \./share/doc \./share/man \./share/man/man1 ' ||
    { find "$work/tree" -type d >&2; echo "public: uninstall left these folders, or removed others" >&2; exit 1; }
[ -z "$(find "$work/tree" -type f -o -type l)" ] ||
    { find "$work/tree" -type f -o -type l >&2; echo "public: uninstall left these" >&2; exit 1; }
