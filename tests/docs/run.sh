#!/bin/sh
# Replays what the documents show: README.md and doc/*.md.  Conventions, all visible in the text:
#
#   ```console            `$ command`, then exactly what it prints, errors and warnings included;
#                         a command ends with its line
#   ```console needs=X    the same; the program X, which setup.sh installs, must be there
#   ```LANG file=NAME     the block is a file, written before what follows is replayed
#   ![...](tutorial-X)    a picture that doc/tutorial.md shows is the file X that it has made before
#   any other block       is not replayed
#
# Each document starts in an empty folder with a link to models/; each command runs in a shell of
# its own, finds pepa on its PATH and the library by pkg-config, and sees in $? how the one before
# it ended.  Timings, memory and residuals at the level of rounding errors count as equal, numbers of
# more than 14 digits if 12 of them agree.
# BIN: where the programs are.  UPDATE=1 rewrites what the documents show.
set -u
cd "$(dirname "$0")/../.." || exit
root=$(pwd)
build=$(cd "$BIN/.." && pwd)
# python3 is the one that has the package.
PATH=$build/bin:$build/python/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

mkdir "$work/pc"
sed -e "s|@PREFIX@|$build|" -e 's|@VERSION@|0|' -e 's|@LIBS@||' -e 's|@RPATH@||' src/pepa.pc.in >"$work/pc/pepa.pc"
PKG_CONFIG_PATH=$work/pc
LD_LIBRARY_PATH=$build/lib
LC_ALL=C.UTF-8
# mpirun in a container
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PATH PKG_CONFIG_PATH LD_LIBRARY_PATH LC_ALL OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe

. tests/stable.sh

# Run $command; its output goes to got, what is expected of it will be collected in want.
begin() {
    (cd "$work/here" && eval "(exit $status); $command") >"$work/got" 2>&1 3<&- 4>&- </dev/null
    status=$?
    : >"$work/want"
}

# Compare got with want, if there was a command.
finish() {
    [ -n "$command" ] || return 0
    stable "$work/want" >"$work/want.stable"
    stable "$work/got" >"$work/got.stable"
    if cmp -s "$work/want.stable" "$work/got.stable"; then
        passed=$((passed + 1))
        cat "$work/want" >&4
    elif [ "${UPDATE:-}" = 1 ]; then
        cat "$work/got" >&4
    else
        diff -u "$work/want.stable" "$work/got.stable" | sed 1,2d
        complain "$command"
    fi
    command=
}

complain() {
    echo "FAILED: $document: $1"
    failed=$((failed + 1))
}

# What the block opened by $line is: its kind, the file it makes, the program it needs.
open_block() {
    kind=other name='' commands=0
    for word in $line; do
        case $word in
        '```console') kind=console ;;
        file=*) kind=file name=${word#file=} ;;
        needs=*)
            command -v "${word#needs=}" >/dev/null ||
                complain "no ${word#needs=} here: ./setup.sh installs it" ;;
        esac
    done
    [ "$kind" != file ] || : >"$work/here/$name"
}

close_block() {
    finish
    if [ "$kind" = console ] && [ "$commands" -eq 0 ]; then
        complain "a console block without a command"
    fi
    kind=''
}

# The picture that $line shows is the one that was made.
check_picture() {
    name=${line#*](tutorial-}
    name=${name%%)*}
    shown=doc/tutorial-$name
    if cmp -s "$work/here/$name" "$shown"; then
        passed=$((passed + 1))
    elif [ "${UPDATE:-}" = 1 ]; then
        cp "$work/here/$name" "$shown"
        echo "docs: $shown rewritten"
    else
        complain "$shown is not the $name that was made"
    fi
}

# One line of the document: read from 3, its successor written to 4.
take() {
    case $kind$line in
    '```'*) open_block ;;
    console'```' | file'```' | other'```') close_block ;;
    'console$ '*)
        finish
        command=${line#'$ '}
        commands=$((commands + 1))
        printf '%s\n' "$line" >&4
        begin
        return ;;
    console*)
        [ "$commands" -gt 0 ] || complain "output before the first command: $line"
        printf '%s\n' "$line" >>"$work/want"
        return ;;
    file*) printf '%s\n' "$line" >>"$work/here/$name" ;;
    '!['*'](tutorial-'*) check_picture ;;
    esac
    printf '%s\n' "$line" >&4
}

for document in README.md doc/*.md; do
    rm -rf "$work/here"
    mkdir "$work/here"
    ln -s "$root/models" "$work/here/models"
    kind='' command='' status=0
    exec 3<"$document" 4>"$work/new"
    while IFS= read -r line <&3; do
        take
    done
    exec 3<&- 4>&-
    [ -z "$kind" ] || complain "a block is never closed"
    if [ "${UPDATE:-}" = 1 ] && ! cmp -s "$work/new" "$document"; then
        cp "$work/new" "$document"
        echo "docs: $document rewritten"
    fi
done
[ "${UPDATE:-}" = 1 ] && exit 0
echo "docs: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
