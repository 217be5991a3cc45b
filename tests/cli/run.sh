#!/bin/sh
# Golden tests of the command line.  Each line of cases.txt is a name and a command; what it prints
# and returns is compared with golden/NAME.  UPDATE=1 rewrites the goldens.
set -u
cd "$(dirname "$0")/../.."
BIN=$(cd "$BIN" && pwd)
work=$(mktemp -d)
place=$(mktemp -d) # of the commands
trap 'rm -rf "$work" "$place"' EXIT

. tests/stable.sh

# All go into one text, which is made stable at once: that takes longer than most of the commands.  A mark begins a line
# of its own, whether or not what was printed before it ends a line.
mark() {
    printf '\n\001%s\n' "$*" >>"$work/all"
}
mkdir "$work/now"
cd tests/cli/models
while read -r name command; do
    case $name in '' | '#'*) continue ;; esac
    mark "file $name"
    mark "$ $command"
    PATH="$BIN:$PATH" OUT="$place" sh -c "$command" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    cat "$work/out" >>"$work/all"
    mark "-- stderr"
    cat "$work/err" >>"$work/all"
    mark "-- exit $status"
done <../cases.txt
stable "$work/all" | awk -v folder="$work/now/" '
    function flush() { if (held) print line >file; held = 0 }
    /^\001/ {
        held = held && line != ""
        flush()
        if ($1 == "\001file") {
            close(file)
            file = folder $2
        } else
            print substr($0, 2) >file
        next
    }
    { flush(); line = $0; held = 1 }'

if [ "${UPDATE:-}" = 1 ]; then
    rm -rf ../golden
    cp -r "$work/now" ../golden
    exit 0
fi
ran=$(find "$work/now" -type f | wc -l)
if diff -ru ../golden "$work/now"; then
    echo "cli: $ran passed"
else
    echo "FAILED: $(diff -rq ../golden "$work/now" | wc -l) of $ran" >&2
    exit 1
fi
[ "$ran" -gt 0 ]
