#!/bin/sh
# The limit of live threads, as in table 1 of Al Zain and others 2005: on 4 processes of 1395 and 4 of 534 MHz, in
# simulated time.  A line of CSV for each run: program, policy, limit, watermark, seconds, most threads, messages.
#   BUILD: where build/smpi/gum_shapes is
set -u
cd "$(dirname "$0")/.."
build=$(cd "${BUILD:-build}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

. bench/gum_runs.sh

for i in 0 1 2 3; do
    printf 'edin2-%d\nedin1-%d\n' $i $i # the paper's numbers 0, 2, ... are fast
done >"$work/hosts"
echo program,policy,limit,watermark,seconds,threads,messages
for name in 'parfib 9 0.864' 'raytracer 300 1.95' 'chain 80 1' 'chain 320 1'; do
    for setting in 'random 1000 0' 'random 1 0' 'random 1000 4' 'nearest-loaded 1000 0' 'nearest-loaded 1 0' 'nearest-loaded 1000 4' \
        'busiest 1000 0' 'predicted 1000 0'; do
        # shellcheck disable=SC2086
        set -- $setting
        # shellcheck disable=SC2086
        GUM_THREADS=$2 GUM_WATERMARK=$3 GUM_SUMMARY=1 simulate_on hosts "$1" $name ||
            { echo "gum_limits.sh: $name, $setting failed" >&2; continue; }
        awk -v name="${name%% *}" -v policy="$1" -v limit="$2" -v mark="$3" '
            /^gum: [0-9]* processes/ { seconds = $(NF - 1) }
            $1 + 0 == $1 && NF == 12 && $12 > most { most = $12 }
            /^gum: [0-9]* sparks/ { for (i = 2; i <= NF; i++) if ($i == "messages,") messages = $(i - 1) }
            END { printf "%s,%s,%d,%d,%.2f,%d,%d\n", name, policy, limit, mark, seconds, most, messages }
            ' "$work/out"
    done
done
