#!/bin/sh
# Random task graphs of GUM against a sequential evaluation, many: each policy, 2 to 8 processes, limits of
# threads, watermarks, tasks that sleep.  Says how many were right, and how many sparks were taken by others.
#   BUILD: where the programs are;  GRAPHS: how many (1000000);  FROM: the first seed;  SECONDS_AT_MOST
set -u
cd "$(dirname "$0")/../../.."
bin=$(cd "$BUILD/bin" && pwd)
program=$(cd "$BUILD/test" && pwd)/gum_graphs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
most=${GRAPHS:-1000000}
seed=${FROM:-1000000}
end=$(($(date +%s) + ${SECONDS_AT_MOST:-86400}))
graphs=0
taken=0
turn=0
pick() {
    shift $((turn / $1 % ($# - 1) + 1))
    echo "$1"
}
while [ "$graphs" -lt "$most" ] && [ "$(date +%s)" -lt "$end" ]; do
    n=$(pick 1 2 3 4 8 5)
    policy=$(pick 5 random nearest-loaded busiest predicted)
    threads=$(pick 20 64 1 2)
    watermark=$(pick 7 0 3)
    delay=$(pick 3 0 0 0 30)
    chunk=$((delay ? 200 : 5000))
    [ $((graphs + chunk)) -le "$most" ] || chunk=$((most - graphs))
    if ! timeout -k 5 300 "$bin/gumrun" -n "$n" --policy "$policy" --threads "$threads" --watermark "$watermark" \
        --summary "$program" "$seed" "$chunk" "$delay" >"$work/out" 2>&1 </dev/null; then
        echo "FAILED: gumrun -n $n --policy $policy --threads $threads --watermark $watermark" \
            "gum_graphs $seed $chunk $delay" >&2
        cat "$work/out" >&2
        exit 1
    fi
    taken=$((taken + $(sed -n 's/^gum: [0-9]* sparks, \([0-9]*\) taken.*/\1/p' "$work/out")))
    graphs=$((graphs + chunk))
    seed=$((seed + chunk))
    turn=$((turn + 1))
done
echo "gum: $graphs random task graphs have the values of a sequential evaluation; $taken sparks were taken by others"
