#!/bin/sh
# How 1 to 1,024 processes would share chains: bench/shares.c.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for model in "pipeline 16" "kanban 6" "farm 60"; do
    # shellcheck disable=SC2086
    awk -f bench/families.awk $model >"$work/model.pepa"
    echo "# $model"
    "${BUILD:-build}/bin/bench_shares" "$work/model.pepa" ${PROCESSES:-1 2 4 8 16 32 64 256 1024}
done
