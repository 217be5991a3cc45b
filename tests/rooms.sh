#!/bin/sh
# The tables of rooms in doc/design.md name the files that there are, and all of them.
set -eu
cd "$(dirname "$0")/.."
bad=0
for room in $(sed -n 's/^| `\(\(src\|parser\|ctmc\|solvers\|amoget\|grid\|python\)[a-z/]*\)\/` |.*/\1/p' doc/design.md); do
    names=$(ls "$room"/*.[chly] "$room"/*.py 2>/dev/null | sed 's|.*/||; s|\.[chly]$||; s|\.py$||' | sort -u)
    row=$(grep "^| \`$room/\` |" doc/design.md | cut -d'|' -f3)
    patterns=$(printf '%s\n' "$row" | grep -o '`[a-z_*]*\(\.[chly]\)\?`' | tr -d '`' | sed 's/\.[chly]$//')
    set -f
    for pattern in $patterns; do
        found=
        for name in $names; do
            case $name in $pattern) found=1 && break ;; esac
        done
        [ "$found" ] || { echo "rooms: doc/design.md: $room has no file $pattern" >&2; bad=1; }
    done
    for name in $names; do
        found=
        for pattern in $patterns; do
            case $name in $pattern) found=1 ;; esac
        done
        [ "$found" ] || { echo "rooms: doc/design.md does not say what $room/$name holds" >&2; bad=1; }
    done
    set +f
done
[ "$bad" -eq 0 ] || exit 1
echo "rooms: doc/design.md names every file"
