#!/bin/sh
# Packages in a clean root, in which there is nothing but Debian's smallest:  try.sh FOLDER
# As an administrator.
set -eu
[ "$(id -u)" -eq 0 ] || { echo "try.sh: only an administrator can make a root" >&2; exit 1; }
packages=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
export packages here
mmdebstrap --quiet --variant=apt \
    --customize-hook='mkdir "$1/packages"' \
    --customize-hook='cp "$packages"/*.deb "$here/tests/use" "$1/packages/"; rm -f "$1/packages/"*-dbgsym_*' \
    --customize-hook='chroot "$1" sh -c "cd /packages && DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends ./*.deb pkg-config gcc libc6-dev" >"$packages/install.log" 2>&1' \
    --customize-hook='chroot "$1" sh /packages/use' \
    --customize-hook='chroot "$1" apt-get purge -q -y "*pepa*" "*amoget*" >"$packages/purge.log" 2>&1' \
    --customize-hook='[ ! -e "$1/usr/bin/pepa" ]' \
    "$suite" /dev/null
echo "packages: installed, used and removed in a clean root"
