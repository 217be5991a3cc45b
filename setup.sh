#!/bin/sh
# Install what building and testing need, if anything is missing (Debian and Ubuntu).
# More packages can be named: setup.sh PACKAGE...
# Asks for nothing; when all is there, the package manager is not touched.
set -eu

# The last three rows: manual pages are checked, the commands of the tutorial run, and the Python package
# is built and tested.
packages="gcc g++ libc6-dev binutils make flex bison pkg-config libsuitesparse-dev
    libgsl-dev libjansson-dev libxml2-dev libgmp-dev libcriterion-dev openmpi-bin libopenmpi-dev libsimgrid-dev
    groff-base iproute2 graphviz gnuplot-nox jq python3
    python3-dev python3-venv python3-pip python3-setuptools python3-wheel python3-cffi python3-numpy python3-scipy
    python3-pandas python3-matplotlib python3-pytest python3-nbclient python3-ipykernel
    libmicrohttpd-dev"
# For `make check`: the page of `pepa serve` is tried in a browser.
case " $* " in *" check "*) packages="$packages chromium chromium-driver" ;; esac
for more; do [ "$more" = check ] || packages="$packages $more"; done
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
