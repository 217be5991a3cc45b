#!/bin/sh
# No cycles among files, of includes or of what a file uses of another's names (symbols of objects).
# x.c and x.h are one file.  Where a cycle is meant, one of its files says why in a comment:
#     /* Cycle with b: why. */      in a.c allows that a.c uses b.c (the path of b is not given).
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sources=$(find src parser ctmc solvers amoget grid -name '*.[chly]' | LC_ALL=C sort)

# What comments allow: FILE NAME.
grep -Ho '/\* Cycle with [a-z_]*:' $sources |
    sed 's|\.[ch]:/\* Cycle with | |; s|:$||' >"$work/allowed"

# cycles KIND: standard input has an edge per line, FROM TO; whoever is on a cycle is named.
cycles() {
    awk 'FILENAME != "-" { allowed[$1 " " $2] = 1; next }
        { name = $2; sub(/.*\//, "", name) }
        $1 != $2 && !(($1 " " name) in allowed)' "$work/allowed" - >"$work/edges"
    [ -s "$work/edges" ] || { echo "cycles: no $1 at all" >&2; return 1; }
    tsort "$work/edges" 2>"$work/found" >/dev/null && return
    sed "s/^tsort: .*loop:/cycles: these files form a cycle of $1:/; s/^tsort: /    /" "$work/found" >&2
    return 1
}
bad=0

# Includes: the path of each is seen from one of these folders.
grep -Ho '^#include "[^"]*"' $sources | sed 's|:#include "| |; s|"$||' | awk -v sources="$sources" '
    BEGIN {
        count = split(sources, name, "\n")
        for (i = 1; i <= count; i++)
            is[name[i]] = 1
        folders = split("./ src/ amoget/ src/cli/ amoget/cli/", folder, " ")
        folder[1] = ""
    }
    {
        for (i = 1; i <= folders; i++)
            if ((folder[i] $2) in is) {
                print $1, folder[i] $2
                break
            }
    }' | sed 's|\.[ch] | |; s|\.[ch]$||' | cycles includes || bad=1

# Symbols: an object of each source; bison and flex have made the sources of some.
for file in $sources; do
    case $file in
    *.c) object=$build/obj/${file%.c}.o ;;
    *.y) object=${file##*/} object=$build/obj/gen/${object%.y}.tab.o ;;
    *.l) object=${file##*/} object=$build/obj/gen/${object%.l}.lex.o ;;
    *) continue ;;
    esac
    [ ! -e "$object" ] || echo "$file $object" # the objects of grid need MPI
done >"$work/objects"
nm -A $(sed 's/.* //' "$work/objects") | awk -v list="$work/objects" '
    BEGIN {
        while ((getline line < list) > 0) {
            split(line, pair, " ")
            sub(/\.c$/, "", pair[1])
            source[pair[2]] = pair[1]
        }
    }
    { object = $1; sub(/:.*/, "", object) }
    $(NF - 1) == "U" { print source[object], "uses", $NF }
    $(NF - 1) ~ /^[TDBRVW]$/ { print source[object], "has", $NF }' >"$work/symbols"
# What the two programs define each, such as main, nobody shares.
awk '$2 == "has" { owners[$3] = owners[$3] " " $1 }
    $2 == "uses" { uses[++n] = $1 " " $3 }
    END {
        for (i = 1; i <= n; i++) {
            split(uses[i], use, " ")
            count = split(owners[use[2]], owner, " ")
            if (count == 1)
                print use[1], owner[1]
        }
    }' "$work/symbols" | sort -u | cycles uses || bad=1
[ "$bad" -eq 0 ] || exit 1
echo "cycles: files include and use each other one way"
