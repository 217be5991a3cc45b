# What the tests of BSPlib begin with: $bin and $programs are where programs are, $work is theirs.  To be sourced, with
# BUILD set.
set -u
cd "$(dirname "$0")/../../.." || exit
bin=$(cd "$BUILD/bin" && pwd)
programs=$(cd "$BUILD/test" && pwd)
here=tests/grid/bsp
transports='shared messages window'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

complain() {
    echo "FAILED: $*" >&2
    touch "$work/bad"
}

run() {
    n=$1
    shift
    timeout -k 5 "${TIMEOUT:-60}" "$bin/bsprun" -n "$n" "$@" </dev/null
}
