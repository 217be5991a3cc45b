#!/bin/sh
# How 1 to 4,096 processes would share chains: bench/shares.c.  Pipeline 17 has more upper states than there
# are chunks at most.
#   shares.sh >shares.csv        tables of it: shares.awk; a picture: plot/draw shares shares.csv
# NETWORKS: a file of networks [bench/networks.csv].  PROCESSES: how many, for all models.  ENTRY:
# seconds for an entry of the generator [measured once, in sweeps of the first model].
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
networks=${NETWORKS:-bench/networks.csv}

# shares MODEL PROCESSES...
shares() {
    # shellcheck disable=SC2086
    awk -f bench/families.awk $1 >"$work/model.pepa"
    model=$1
    shift
    "${BUILD:-build}/bin/bench_shares" "$model" "$work/model.pepa" "$networks" "$@" 2>>"$work/entry"
}

printf 'model,states,sweep,processes,work,memory,copies,messages,messages_most,kB_most,'
printf 'path_work,path_kB,path_messages,path_hops,planning,here'
cut -d, -f1 "$networks" | while read -r name; do printf ',%s,formula %s' "$name" "$name"; done
echo
for model in "pipeline 16" "kanban 6" "farm 60" "pipeline 17"; do
    # shellcheck disable=SC2086
    shares "$model" ${PROCESSES:-1 2 4 8 16 32 64 256 1024 4096}
    ENTRY=${ENTRY:-$(awk -F': ' 'NR == 1 { print $2 * 1e-9 }' "$work/entry")}
    export ENTRY
done
cat "$work/entry" >&2
