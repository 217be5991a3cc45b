#!/bin/sh
# Mutants: does some test fail when the program is changed a little?
#
#   run.sh check      Is every line of list.txt well formed, and does its old text occur exactly once?
#   run.sh [PATTERN]  Applies the changes of list.txt one by one, of those lines alone that match the
#                     extended regular expression PATTERN; builds, and runs the tests of each line
#                     until one fails.  Prints the survivors.  Fails if there is one that is not listed as
#                     equivalent, or if one that is listed so was killed.
#
# Each of JOBS workers (one per core) has a copy of the tree and of what is built of it, in
# $BUILD/mutants, and builds incrementally.  LIMIT: seconds that a test target may take; a mutant
# that takes more is killed.
set -eu
cd "$(dirname "$0")/../.."
list=tests/mutants/list.txt
jobs=${JOBS:-$(nproc)}
limit=${LIMIT:-1200}
work=${BUILD:-build}/mutants
unset MAKEFLAGS MAKELEVEL # of a make that runs this

# The fields of a line, one to a line: file, targets, old, new, why it is equivalent (or nothing).
fields() {
    printf '%s\n' "$1" | awk '{
        file = $1; targets = $2
        sub(/^[^ ]+ +[^ ]+ +/, "")
        n = split($0, part, / +=> +/)
        sub(/^equivalent: */, "", part[3])
        print file "\n" targets "\n" part[1] "\n" part[2] "\n" part[3]
    }'
}

check() {
    awk '
    function bad(why) { printf "mutants: %s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"; failed = 1 }
    function text_of(file,   line) {
        if (!(file in text)) {
            text[file] = ""
            while ((getline line <file) > 0)
                text[file] = text[file] line "\n"
            close(file)
        }
        return text[file]
    }
    /^ *(#|$)/ { next }
    {
        file = $1; targets = $2; count++
        sub(/^[^ ]+ +[^ ]+ +/, "")
        n = split($0, part, / +=> +/)
        if (n < 2 || n > 3 || (n == 3 && part[3] !~ /^equivalent: *[^ ]/))
            bad("not of the form FILE TARGETS OLD => NEW [=> equivalent: REASON]")
        else if (part[1] == part[2])
            bad("nothing changes")
        if (targets !~ /^(unit|property|fault|threads|fuzz|cli|lsp|docs|serve-http|grid-unit|taag-unit|grid|grid-bsp|bsp-commands|grid-smpi|gum|gum-commands|gum-smpi|taag|taag-smpi|mpi)(,(unit|property|fault|threads|fuzz|cli|lsp|docs|serve-http|grid-unit|taag-unit|grid|grid-bsp|bsp-commands|grid-smpi|gum|gum-commands|gum-smpi|taag|taag-smpi|mpi))*$/)
            bad("unknown test target in " targets)
        rest = text_of(file)
        for (times = 0; (at = index(rest, part[1])) > 0; times++)
            rest = substr(rest, at + length(part[1]))
        if (times != 1)
            bad("the old text occurs " times " times in " file ": " part[1])
    }
    END {
        if (!count) bad("no mutants")
        if (!failed) printf "mutants: %d listed, each changes one place\n", count
        exit failed
    }' "$list"
}

# replace FILE OLD NEW: the text with OLD replaced, both taken as they are, to standard output.
replace() {
    OLD=$2 NEW=$3 awk '
    (at = index($0, ENVIRON["OLD"])) > 0 {
        $0 = substr($0, 1, at - 1) ENVIRON["NEW"] substr($0, at + length(ENVIRON["OLD"]))
    }
    { print }' "$1"
}

# run_target DIR TARGET: does the target succeed?  A test that crashes or hangs ends after 120 s.
run_target() {
    (cd "$1" && ulimit -c 0 && timeout -k 5 "$limit" make --no-print-directory JOBS=1 BUILD=build \
        RUN_TESTS="-j1 --fail-fast --timeout 120" "test-$2") >"$1/log" 2>&1
}

# likely FILE: the suites most likely to notice a change of it, as patterns for --filter: of the test
# named after it, then of those that include a header of its folder, then of its room.
likely() {
    name=$(basename "$1" | sed 's/\.[chly]$//')
    folder=$(dirname "$1" | sed 's|^src/||')
    for files in "$(ls tests/*/test_"$name".c 2>/dev/null)" \
        "$(grep -l "#include \"$folder/" tests/*/test_*.c)" \
        "$(grep -l "#include \"${folder%%/*}/" tests/*/test_*.c)"; do
        # shellcheck disable=SC2086
        [ -z "$files" ] || sed -n 's/^Test(\([a-z_0-9]*\).*/\1/p' $files | sort -u | paste -sd'|' |
            sed 's|.*|@(&)/*|'
    done
}

# noticed DIR FILE: do these suites fail?
noticed() {
    likely "$2" | while read -r suites; do
        (cd "$1" && ulimit -c 0 && timeout -k 5 "$limit" build/test/unit -j1 --fail-fast \
            --timeout 120 --filter "$suites") >"$1/log" 2>&1 || exit 1
    done && return 1
    return 0
}

# mutate DIR LINE: one line of results, "VERDICT by TARGET<tab>LINE".
mutate() {
    dir=$1
    fields "$2" >"$dir/fields"
    { read -r file && read -r targets && read -r old && read -r new; } <"$dir/fields"
    verdict=survived
    programs="all build/test/unit"
    case $file in
    grid/*) programs="$programs build/test/grid_unit" ;;
    esac
    replace "$work/tree/$file" "$old" "$new" >"$dir/$file"
    # shellcheck disable=SC2086
    if ! make -C "$dir" JOBS=1 BUILD=build $programs >"$dir/log" 2>&1; then
        verdict="broken: does not compile"
    elif [ "${targets%%,*}" = unit ] && noticed "$dir" "$file"; then
        verdict="killed by unit"
    else
        for target in $(echo "$targets" | tr , ' '); do
            run_target "$dir" "$target" && continue
            verdict="killed by $target"
            break
        done
    fi
    cp "$work/tree/$file" "$dir/$file"
    printf '%s\t%s\n' "$verdict" "$2"
}

# worker NUMBER: every jobs-th line of the chosen ones.
worker() {
    awk -v n="$1" -v jobs="$jobs" 'NR % jobs == n' "$work/chosen" | while read -r line; do
        mutate "$work/$1" "$line" | tee -a "$work/results-$1"
    done
}

check
[ "${1:-}" != check ] || exit 0
rm -rf "$work"
mkdir -p "$work/tree"
grep -vE '^ *(#|$)' "$list" | grep -E -e "${1:-.}" >"$work/chosen"
ls -A | grep -vxF -e .git -e "$(basename "${BUILD:-build}")" | xargs -I{} cp -Rp {} "$work/tree/"
mkdir "$work/tree/build"
for part in bin gen flags include lib obj smpi test; do
    [ ! -d "${BUILD:-build}/$part" ] || cp -Rp "${BUILD:-build}/$part" "$work/tree/build/"
done
cp -Rp "$work/tree" "$work/0"

# Tests that fail without a change would kill every mutant.
targets=$(awk '{ print $2 }' "$work/chosen" | tr , '\n' | sort -u)
for target in $targets; do
    echo "mutants: test-$target without a change"
    if ! JOBS=1 run_target "$work/0" "$target"; then
        tail -n 20 "$work/0/log" >&2
        exit 1
    fi
done
number=1
while [ "$number" -lt "$jobs" ]; do
    cp -Rp "$work/0" "$work/$number"
    number=$((number + 1))
done
number=0
while [ "$number" -lt "$jobs" ]; do
    worker "$number" &
    number=$((number + 1))
done
wait
cat "$work"/results-* >"$work/results"
awk -F '\t' '
    { expected = $2 ~ / => equivalent:/; total++ }
    $1 == "survived" && !expected { bad = bad "\nSURVIVED: " $2 }
    $1 ~ /^killed/ && expected { bad = bad "\nKILLED, so not equivalent: " $2 }
    $1 ~ /^broken/ { bad = bad "\nBROKEN: " $2 }
    $1 ~ /^killed/ { killed++ }
    END {
        printf "mutants: %d of %d killed%s\n", killed, total, bad
        exit bad != "" || !total
    }' "$work/results"
