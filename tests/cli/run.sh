#!/bin/sh
# Golden tests of the command line.  Each line of cases.txt is a name and a command; what it prints
# and returns is compared with golden/NAME.  UPDATE=1 rewrites the goldens.
# Timings and memory, which differ from run to run, are replaced by #.
set -u
cd "$(dirname "$0")/../.."
pepa=$(cd "$(dirname "$PEPA")" && pwd)/$(basename "$PEPA")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

unstable='s/[0-9.e+-]* s in all/# s in all/
s/"\(parse\|derive\|solve\)": [0-9.]*/"\1": #/g
s/"peak_bytes": [0-9]*/"peak_bytes": #/'

mkdir -p tests/cli/golden
cd tests/cli/models
while read -r name command; do
    case $name in '' | '#'*) continue ;; esac
    golden=../golden/$name
    (PATH="$(dirname "$pepa"):$PATH" OUT="$work" sh -c "$command") \
        >"$work/out" 2>"$work/err" </dev/null
    status=$?
    {
        echo "\$ $command"
        sed "$unstable" "$work/out"
        echo "-- stderr"
        sed "$unstable" "$work/err"
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
