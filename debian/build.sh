#!/bin/sh
# Packages from a tarball:  build.sh TARBALL FOLDER
# The folder is made anew.  What lintian calls an error is one.
set -eu
tarball=$(realpath "$1")
rm -rf "$2"
mkdir -p "$2"
cd "$2"
tar xzf "$tarball"
name=$(ls)
version=${name#*-}
cd "$name"
[ "$(dpkg-parsechangelog -S Version)" = "$version" ] || {
    echo "debian/changelog is of version $(dpkg-parsechangelog -S Version), the Makefile of $version" >&2
    exit 1
}
unset MAKEFLAGS MAKELEVEL MFLAGS
DEB_BUILD_OPTIONS=parallel=$(nproc) dpkg-buildpackage -us -uc -b >../build.log 2>&1 || {
    tail -n 40 ../build.log >&2
    exit 1
}
cd ..
rm -rf "$name"
lintian --allow-root --fail-on error --tag-display-limit 0 ./*.changes
ls -l ./*.deb
