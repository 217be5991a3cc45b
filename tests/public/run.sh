#!/bin/sh
# What an outside user of the libraries sees: the header in every language, no names but public
# ones, an installed tree that pkg-config finds, and examples that build from that tree alone.
set -eu
cd "$(dirname "$0")/../.."
CC=${CC:-gcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo '#include <pepa.h>
int main(void) { return pepa_version() == 0; }' >"$work/header.c"
cp "$work/header.c" "$work/header.cc"
for std in c99 c11; do
    $CC -std=$std -Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror -I"$BUILD/include" \
        -fsyntax-only "$work/header.c"
done
g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I"$BUILD/include" -fsyntax-only "$work/header.cc"
echo "public: the header compiles as C99, C11 and C++17"

nm -D --defined-only "$BUILD/lib/libpepa.so" | awk '{ print $3 }' | sort >"$work/exported"
grep -o 'pepa_[a-z_]*(' src/pepa.h | tr -d '(' | sort -u >"$work/declared"
diff -u "$work/declared" "$work/exported"
echo "public: the shared library exports the declared functions and nothing else"

# Data that can change outlives a call: there is none.
# (Constant tables of pointers are class d too, but in .data.rel.ro: read-only once loaded.)
if nm -f sysv "$BUILD/lib/libpepa.a" | grep -E '\|  +[bBdDC]  +\|' | grep -vF '.data.rel.ro'; then
    echo "public: the library has mutable data" >&2
    exit 1
fi
for name in exit abort printf puts signal; do
    if nm -D "$BUILD/lib/libpepa.so" | grep -E " U $name(@|\$)"; then
        echo "public: the library calls $name" >&2
        exit 1
    fi
done
echo "public: no mutable data, no exit, no printing"

make --no-print-directory BUILD="$BUILD" PREFIX="$work/tree" install >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; exit 1; }
PKG_CONFIG_PATH="$work/tree/lib/pkgconfig"
LD_LIBRARY_PATH="$work/tree/lib"
export PKG_CONFIG_PATH LD_LIBRARY_PATH
count=0
for source in examples/*.c; do
    name=$(basename "$source" .c)
    # shellcheck disable=SC2046
    $CC -std=c99 -Wall -Wextra -Wpedantic -Werror -o "$work/$name" "$source" \
        $(pkg-config --cflags --libs pepa) -lm
    "$work/$name" >"$work/$name.out"
    diff -u "examples/$name.out" "$work/$name.out"
    # shellcheck disable=SC2046
    $CC -std=c99 -static-libgcc -o "$work/$name-static" "$source" $(pkg-config --cflags pepa) \
        "$work/tree/lib/libpepa.a" $(pkg-config --libs --static pepa | sed 's/-lpepa//')
    "$work/$name-static" | diff -u "examples/$name.out" -
    count=$((count + 1))
done
"$work/tree/bin/pepa" --version >/dev/null
[ -s "$work/tree/share/man/man1/pepa.1" ] && [ -s "$work/tree/share/man/man5/pepa.5" ]
echo "public: $count examples build from the installed tree with pkg-config and print what they should"
make --no-print-directory BUILD="$BUILD" PREFIX="$work/tree" uninstall >"$work/log" 2>&1
[ -z "$(find "$work/tree" -type f -o -type l)" ] ||
    { find "$work/tree" -type f -o -type l >&2; echo "public: uninstall left these" >&2; exit 1; }
