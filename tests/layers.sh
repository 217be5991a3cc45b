#!/bin/sh
# Each folder includes only what the design lets it see (doc/design.md, "Rooms").
set -eu
cd "$(dirname "$0")/.."
bad=0

# check FOLDER PATTERN: every #include "..." in FOLDER matches PATTERN.
check() {
    for file in "$1"/*.[chly]; do
        [ -e "$file" ] || continue
        if grep -Hn '^#include "' "$file" | grep -vE "#include \"($2)\""; then
            bad=1
        fi
    done
}
check src/base    'base/[a-z_]+\.h|pepa\.h'
check parser      '(base|parser)/[a-z_]+\.h|pepa\.h|pepa\.(tab|lex)\.h'
check ctmc        '(base|ctmc)/[a-z_]+\.h|parser/model\.h|pepa\.h'
check solvers     '(base|solvers)/[a-z_]+\.h|pepa\.h'
check src/measure '(base|parser|ctmc|solvers|measure)/[a-z_]+\.h|pepa\.h'
check src/api     '(base|parser|ctmc|solvers|measure|api)/[a-z_]+\.h|pepa\.h'
check src/cli     '(cli|measures|tool)\.h'
check amoget      '(base|amoget)/[a-z_]+\.h|amoget\.h|desc\.(tab|lex)\.h'
check amoget/cli  '(amoget_cli|tool)\.h'
check grid        'grid/[a-z_]+\.h'
[ "$bad" -eq 0 ] || { echo "layers: the includes above break the design" >&2; exit 1; }
echo "layers: every folder includes only what it may"
