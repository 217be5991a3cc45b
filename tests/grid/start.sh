# What the tests of BSPlib and of GUM on MPI begin with: $bin and $programs are where programs are, $work is theirs.  To be
# sourced, with BUILD, $launcher (bsprun or gumrun) and $patience (seconds) set.
set -u
cd "$(dirname "$0")/../../.." || exit
bin=$(cd "$BUILD/bin" && pwd)
programs=$(cd "$BUILD/test" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

complain() {
    echo "FAILED: $*" >&2
    touch "$work/bad"
}

run() { # run PROCESSES ARGUMENT...
    n=$1
    shift
    timeout -k 5 "${TIMEOUT:-$patience}" "$bin/$launcher" -n "$n" "$@" </dev/null
}
