#!/bin/sh
# Compiles and links programs of a library: the compiler of MPI with that library, whose headers and archive
# are beside this script's folder, in the build tree and where it is installed.  bspcc: libbsp; gumcc: libgum.
#
#   COMMAND [OPTION...] FILE... -o PROGRAM    options are the compiler's; C and C++ by the names of files
#
# MPICC, MPICXX: other compilers of MPI.
set -eu
name=$(basename "$(readlink -f "$0")")
case ${1-} in
'')
    echo "$name: no files; try '$name --help'" >&2
    exit 2
    ;;
-h | --help)
    sed -n '2,/^set /s/^# \{0,1\}//p' "$0" | sed "s/COMMAND/$name/"
    exit
    ;;
esac
here=$(CDPATH='' cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
compiler=${MPICC:-mpicc}
links=1
last=
for argument; do
    last=$argument
    case $argument in
    *.cc | *.cpp | *.cxx | *.C) compiler=${MPICXX:-mpicxx} ;;
    -c | -S | -E | -M | -MM | -fsyntax-only) links=0 ;;
    esac
done
# The compiler of C++ takes C for C++.
[ "$compiler" = "${MPICC:-mpicc}" ] || for argument; do
    shift
    case $argument in
    *.c) set -- "$@" -x c "$argument" -x none ;;
    *) set -- "$@" "$argument" ;;
    esac
done
# The compiler would take the library that follows for the name of the program, and overwrite it.
[ "$last" != -o ] || {
    echo "$name: -o takes the name of a file; try '$name --help'" >&2
    exit 2
}
command -v "$compiler" >/dev/null || {
    echo "$name: there is no $compiler; install MPI (Debian: libopenmpi-dev)" >&2
    exit 1
}
[ "$links" -eq 0 ] || set -- "$@" "$here/lib/lib${name%cc}.a" -lm
exec "$compiler" "-I$here/include" "$@"
