#!/bin/sh
# Benchmarks: small models by the clock (best of many runs, whole process), large ones by phase.
# Prints a table in Markdown; bench/results.md is one such run.  Ends with a non-zero status when a
# bound is missed.
set -eu
cd "$(dirname "$0")/.."
pepa=$BUILD/bin/pepa
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# number FILE KEY: the number after "KEY": in a JSON report.
number() {
    sed -n "s/.*\"$2\": *\([-0-9.e+]*\).*/\1/p" "$1" | head -n 1
}
method() {
    sed -n 's/.*"method": *"\([^"]*\)".*/\1/p' "$1"
}

missed=0
# bound WHAT SECONDS LIMIT
bound() {
    if ! awk -v s="$2" -v l="$3" 'BEGIN { exit !(s <= l) }'; then
        echo "MISSED: $1 took $2 s, not $3 s" >&2
        missed=1
    fi
}

cat >"$work/eight.pepa" <<'EOF'
// Two clients share a printer.
write = 0.2; print = 1.0;
Client = (write, write).Waiting;
Waiting = (print, T).Client;
Printer = (print, print).Printer;
Clients = Client || Client;

Clients <print> Printer
EOF
cc=$(${CC:-gcc} --version | head -n 1)
cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
echo "Machine: $cpu, $(nproc) cores; $cc."
echo
echo "## Small models: the whole process, best of 50 runs"
echo
echo "| model | states | seconds | bound |"
echo "|---|---|---|---|"
$BUILD/bin/bench_clock 50 "$pepa" solve --quiet "$work/eight.pepa" >"$work/clock"
seconds=$(cat "$work/clock")
echo "| 8 lines | 4 | $seconds | 0.005 |"
bound "the 8-line model" "$seconds" 0.005
bench/model.sh pipeline 8 >"$work/pipeline8.pepa"
$BUILD/bin/bench_clock 50 "$pepa" solve --quiet "$work/pipeline8.pepa" >"$work/clock"
seconds=$(cat "$work/clock")
echo "| pipeline 8 | 6561 | $seconds | 0.020 |"
bound "pipeline 8" "$seconds" 0.020
echo
echo "## Families: one run each, tolerance 1e-10"
echo
echo "| model | states | transitions | derive s | solve s | method | sweeps | transitions/s | peak MiB |"
echo "|---|---|---|---|---|---|---|---|---|"
for each in "pipeline 8" "pipeline 10" "pipeline 12" "pipeline 13" "clients 20" "clients 60" \
    "clients 100" "tandem 100" "tandem 300" "tandem 700"; do
    # shellcheck disable=SC2086
    bench/model.sh $each >"$work/model.pepa"
    "$pepa" solve --quiet --json "$work/model.pepa" >"$work/out"
    derive=$(number "$work/out" derive)
    solve=$(number "$work/out" solve)
    awk -v m="$each" -v s="$(number "$work/out" states)" -v t="$(number "$work/out" transitions)" \
        -v d="$derive" -v v="$solve" -v k="$(method "$work/out")" \
        -v i="$(number "$work/out" iterations)" -v b="$(number "$work/out" peak_bytes)" \
        'BEGIN { printf("| %s | %d | %d | %.3f | %.3f | %s | %d | %.2g | %.0f |\n",
                        m, s, t, d, v, k, i, t / d, b / 1048576) }'
    if [ "$each" = "pipeline 12" ]; then
        bound "$each" "$(awk -v d="$derive" -v v="$solve" 'BEGIN { print d + v }')" 2
    fi
done
echo
echo "## Mappings: libamoget, 2 threads"
echo
"$BUILD/bin/bench_mappings" || missed=1
exit $missed
