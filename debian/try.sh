#!/bin/sh
# Packages in a clean root, in which there is nothing but Debian's smallest:  try.sh FOLDER
# As an administrator.
set -eu
[ "$(id -u)" -eq 0 ] || { echo "try.sh: only an administrator can make a root" >&2; exit 1; }
packages=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
root=$(mktemp -d)
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf "$root"' EXIT
trap 'exit 130' INT TERM
mmdebstrap --quiet --variant=apt "$suite" "$root/root.tar"
mkdir "$root/at"
tar xf "$root/root.tar" -C "$root/at" --exclude='./dev/*'
rm "$root/root.tar"
cp /etc/resolv.conf "$root/at/etc/" 2>/dev/null || true
mkdir "$root/at/packages"
cp "$packages"/*.deb "$here/tests/use" "$root/at/packages/"
rm -f "$root/at/packages/"*-dbgsym_*
chroot "$root/at" sh -c 'cd /packages && apt-get update -q && env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends ./*.deb' >"$packages/install.log" 2>&1 || {
    tail -n 20 "$packages/install.log" >&2
    exit 1
}
chroot "$root/at" sh /packages/use
chroot "$root/at" sh -c 'apt-get purge -q -y "*pepa*" "*amoget*"' >"$packages/purge.log" 2>&1
[ ! -e "$root/at/usr/bin/pepa" ]
echo "packages: installed, used and removed in a clean root"
