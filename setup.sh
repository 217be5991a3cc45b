#!/bin/sh
# Install what is missing of what the project needs (Debian and Ubuntu):
#   setup.sh              to build and to test
#   setup.sh build        to build, and to draw pictures
#   setup.sh PACKAGE...   these
# Asks for nothing; when all is there, the package manager is not touched.
set -eu

building="gcc libc6-dev binutils make flex bison pkg-config libsuitesparse-dev libgsl-dev libjansson-dev
    libxml2-dev libgmp-dev openmpi-bin libopenmpi-dev libmicrohttpd-dev graphviz gnuplot-nox"
# Random grids in simulated time; manual pages are checked, and the commands of the documents run; the Python
# package; the workbench's page in a browser; packages for Debian, and the manual as a site.
testing="g++ libcriterion-dev libsimgrid-dev iproute2
    groff-base jq python3
    python3-dev python3-venv python3-pip python3-setuptools python3-wheel python3-cffi python3-numpy python3-scipy
    python3-pandas python3-matplotlib python3-pytest python3-nbclient python3-ipykernel
    chromium chromium-driver
    dpkg-dev debhelper dh-python lintian pandoc mandoc"
case "$*" in
"") packages="$building $testing" ;;
build) packages=$building ;;
*) packages=$* ;;
esac
missing=""
for package in $packages; do
    status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    case $status in
    *" installed") ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

advice="setup: these packages are missing:$missing
setup: install them as an administrator, then run this again:
setup:     apt-get update && apt-get install -y$missing"
if ! command -v apt-get >/dev/null; then
    echo "$advice (or your system's packages of the same purpose)" >&2
    exit 1
fi
if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    echo "$advice" >&2
    exit 1
fi
echo "setup: installing$missing" >&2
$as_root apt-get update -q >&2
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing >&2
