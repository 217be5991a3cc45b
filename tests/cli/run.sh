#!/bin/sh
# Golden tests of the command line.  Each line of cases.txt is a name and a command; what it prints
# and returns is compared with golden/NAME.  UPDATE=1 rewrites the goldens.
set -u
cd "$(dirname "$0")/../.."
BIN=$(cd "$BIN" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

. tests/stable.sh

mkdir -p tests/cli/golden
cd tests/cli/models
while read -r name command; do
    case $name in '' | '#'*) continue ;; esac
    golden=../golden/$name
    (PATH="$BIN:$PATH" OUT="$work" sh -c "$command") \
        >"$work/out" 2>"$work/err" </dev/null
    status=$?
    {
        printf '$ %s\n' "$command"
        stable "$work/out"
        echo "-- stderr"
        stable "$work/err"
        echo "-- exit $status"
    } >"$work/now"
    if [ "${UPDATE:-}" = 1 ]; then
        cp "$work/now" "$golden"
    elif diff -u "$golden" "$work/now"; then
        passed=$((passed + 1))
    else
        echo "FAILED: $name" >&2
        failed=$((failed + 1))
    fi
done <../cases.txt
[ "${UPDATE:-}" = 1 ] && exit 0
echo "cli: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
