#!/bin/sh
# Two builds of the same are the same:  compare.sh FOLDER FOLDER
set -eu
bad=0
for package in "$1"/*.deb; do
    case $package in *-dbgsym_*) continue ;; esac
    cmp "$package" "$2/${package##*/}" || bad=1
done
[ "$bad" -eq 0 ] || exit 1
echo "packages: two builds are the same, byte by byte"
