#!/bin/sh
# Packages of what is compiled already, unpacked and used below a folder, without an administrator:
#   built.sh TREE FOLDER
# TREE: where make install has put it for PREFIX=/usr.  FOLDER is made anew.  Symbols that the libraries export and
# debian/*.symbols do not list, or the other way round, are an error, and so is what lintian calls one.
set -eu
tree=$(realpath "$1")
rm -rf "$2"
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "$0")/.."
here=$PWD
mkdir "$folder/source" "$folder/root"
tar c --exclude=./.git --exclude='./build*' --exclude="$folder" . | tar x -C "$folder/source"
unset MAKEFLAGS MAKELEVEL MFLAGS
cd "$folder/source"
BUILT=$tree DEB_BUILD_OPTIONS=noautodbgsym dpkg-buildpackage -us -uc -b -nc -d >../build.log 2>&1 || {
    tail -n 40 ../build.log >&2
    exit 1
}
cd ..
rm -rf source
lintian --allow-root --fail-on error ./*.deb >lintian.log 2>&1 || {
    cat lintian.log >&2
    exit 1
}
for package in ./*.deb; do dpkg-deb -x "$package" root; done
# The commands are the packages' ones, not those of the tree.
[ "$(PATH=$folder/root/usr/bin:$PATH command -v pepa)" = "$folder/root/usr/bin/pepa" ]
ROOT=$folder/root sh "$here/debian/tests/use"
