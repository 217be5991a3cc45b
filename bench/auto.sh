#!/bin/sh
# auto.sh: how far is auto from the best forced choice?  Solves the models of
# bench/structures/list.txt by auto, then by each sensible pair of an exploration and a method.
# LIMIT=300: seconds of CPU for the first run of a model; later ones get five times the best so far.
# FILTER=regexp: only models whose line "NAME SIZE..." matches.
# RESUME=1: keep the models that an earlier run has completed.
# EARLIER=FILE: the bench-auto.jsonl of another program on the same machine.  Forced runs that failed
# there, or took more than twice the best time, are not repeated: their lines stand.
# A model of the list is "fresh" after the heading "# No rule was tuned on these" and "tuned" before
# it, where models are that the rules of auto were tuned on.
# STRUCTURES: another folder with list.txt and NAME.awk.  PEPA: another program to measure.
# Writes $BUILD/bench-auto.jsonl, one line per run, and .md and .svg from it.  Lines of an earlier
# run that is not resumed move to bench-auto.old.jsonl.  The files of two runs of one program, with
# another FILTER and BUILD each, may be joined by cat if no model is in both.
set -eu
cd "$(dirname "$0")/.."
pepa=${PEPA:-$BUILD/bin/pepa}
clock=$BUILD/bin/bench_clock
structures=${STRUCTURES:-bench/structures}
out=$BUILD/bench-auto
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
most_mebibytes=$(awk '/^MemAvailable/ { print int($2 / 1024 * 0.9) }' /proc/meminfo)
# A later run gets so many times the best time so far, but at least so many seconds.
slack=5 least_limit=2
# CPU time counts, but a run that waits forever has to end: after so many times its limit.
patience=5
# Auto, and what takes so many times the best at most, is run so many times more: the least of some
# runs is compared with the least of as many, not with the luckiest of all.
near=1.3 more=2
# A forced run of another program that took so many times the best there need not be repeated.
worse=2
# Elimination is tried up to so many states, as auto does, or so many transitions per state.
few_states=50000
thin=3

say() {
    echo "bench-auto: $*" >&2
}

# Exploration, method and options.  What is often fast comes first: it limits the others.
combinations() {
    cat <<'END'
symbolic auto
explicit auto
symbolic gauss-seidel
explicit gauss-seidel
explicit bicgstab
symbolic bicgstab
symbolic sor
explicit bicgstab --precondition ilut
symbolic bicgstab --precondition ilut
explicit multilevel
symbolic multilevel
explicit gmres
explicit gth
explicit direct
END
}

# members: of the report of `pepa solve --json`, what a line keeps, with a comma before each member.
# Throughputs are one text, "ACTION=VALUE ...".
members() {
    awk '
        function keep(member) { if (match($0, member)) printf(", %s", substr($0, RSTART, RLENGTH)) }
        /^  "throughput": \{/ { inside = 1; next }
        inside && /^  \}/ { inside = 0 }
        inside {
            gsub(/[" ,]/, "")
            colon = index($0, ":")
            throughput = throughput (throughput == "" ? "" : " ") substr($0, 1, colon - 1) "=" \
                sprintf("%.9g", substr($0, colon + 1))
        }
        /^  "states": / { keep("\"states\": [0-9]+"); keep("\"transitions\": [0-9]+") }
        /^  "explore": / { keep("\"explore\": \"[a-z]*\"") }
        /^  "solver": / {
            many = split("method matrix precondition trail caution", name, " ")
            for (i = 1; i <= many; i++)
                keep("\"" name[i] "\": \"[^\"]*\"")
            keep("\"iterations\": [0-9]+")
            keep("\"residual\": [-+0-9.e]+")
        }
        END { printf(", \"throughput\": \"%s\"", throughput) }' "$work/json"
}

# below A B: is number A less than number B?
below() {
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a + 0 < b + 0) }'
}

# seconds_allowed: whole seconds for the next run.
seconds_allowed() {
    [ -n "$best" ] || { echo "$limit"; return; }
    awk -v best="$best" -v slack=$slack -v least=$least_limit 'BEGIN {
        s = slack * best; print (s < least ? least : int(s) + (s > int(s))) }'
}

# clocked RUNS OPTION...: solves the model; sets cpu, peak and status.
clocked() {
    runs=$1
    shift
    "$clock" -o "$work/json" -c "$allowed" -s $((patience * allowed)) -m "$most_mebibytes" \
        "$runs" "$pepa" solve --json --quiet --threads 1 "$@" "$work/model.pepa" \
        >"$work/times" 2>"$work/why"
    read -r _ cpu peak status <"$work/times"
}

# run NAME OPTION...: a line of $work/lines, and a better $best if this is one.
run() {
    label=$1
    shift
    allowed=$(seconds_allowed)
    clocked 1 "$@"
    [ "$status" -ne 0 ] || ! below "$cpu" 0.02 || clocked 10 "$@"
    line="{ \"kind\": \"auto\", \"name\": \"$name\", \"size\": \"$size\", \"half\": \"$half\""
    line="$line, \"run\": \"$label\""
    line="$line, \"limit_s\": $allowed, \"cpu_s\": $cpu, \"peak_bytes\": $peak, \"status\": $status"
    if [ "$status" -eq 0 ]; then
        line="$line$(members)"
        [ -n "$best" ] && ! below "$cpu" "$best" || best=$cpu
        small=$(awk -v few=$few_states -v thin=$thin \
            '/^  "states": / { print ($2 + 0 <= few || $4 + 0 <= thin * $2) }' "$work/json")
    else
        why=$(head -n 1 "$work/why" | sed "s|$work/||g; s/[\"\\\\]//g" | cut -c 1-160)
        line="$line, \"why\": \"$why\""
    fi
    echo "$line }" >>"$work/lines"
    echo "$status $cpu $*" >>"$work/runs"
    say "$name $size, $label: $cpu s, status $status"
}

# stands NAME: prints the line of that run in $EARLIER if it need not be repeated; false: it must.
# A method that `auto` chooses is of the present program.
stands() {
    [ -n "${EARLIER:-}" ] || return 1
    case $1 in *" auto") return 1 ;; esac
    grep -F "\"name\": \"$name\", \"size\": \"$size\"," "$EARLIER" |
        awk -v run="$1" -v near=$worse '
        function of(member,   text) {
            if (!match($0, "\"" member "\": [^,}]*")) return ""
            text = substr($0, RSTART, RLENGTH)
            sub(/^[^:]*: */, "", text)
            return text
        }
        of("status") == 0 && (best == "" || of("cpu_s") + 0 < best) { best = of("cpu_s") + 0 }
        of("run") == "\"" run "\"" { line = $0; status = of("status"); cpu = of("cpu_s") + 0 }
        END {
            if (line == "" || best == "" || (status == 0 && cpu <= near * best)) exit 1
            print line
        }'
}

# again: what is near the best, and auto, is timed some times more.
again() {
    awk -v most="$(awk -v best="${best:-0}" -v near=$near 'BEGIN { print near * best }')" '
        $1 == 0 && $2 >= 0.02 && (NR == 1 || $2 + 0 <= most + 0) { $1 = NR; print }' \
        "$work/runs" >"$work/near"
    allowed=$limit
    while read -r line_number before options <&4; do
        # shellcheck disable=SC2086
        clocked $more $options
        [ "$status" -eq 0 ] && below "$cpu" "$before" || continue
        sed -i "${line_number}s/\"cpu_s\": [^,]*,/\"cpu_s\": $cpu,/" "$work/lines"
        say "$name $size,${options:+ $options}: $cpu s when run again, not $before"
    done 4<"$work/near"
}

# half_of: of the model $name $size, the half of the list.
half_of() {
    awk -v model="$name $size" '
        /^# No rule was tuned on these/ { fresh = 1 }
        { sub(/#.*/, ""); $1 = $1 }
        $0 == model { print fresh ? "fresh" : "tuned"; exit }' "$structures/list.txt"
}

# measure: all runs of the model $name $size, added to the results when all are done.
measure() {
    : >"$work/lines"
    : >"$work/runs"
    # shellcheck disable=SC2086
    awk -f "$structures/$name.awk" $size >"$work/model.pepa"
    best='' small=1 half=$(half_of)
    run auto
    combinations >"$work/combinations"
    while read -r explore method options <&4; do
        case $method in gth | direct) [ "$small" -eq 1 ] || continue ;; esac
        label="$explore $method${options:+ ${options##* }}"
        if stands "$label" >"$work/line"; then
            sed 's/, "stands": 1//; s/ }$/, "stands": 1 }/' "$work/line" >>"$work/lines"
            echo "1 0" >>"$work/runs"
            continue
        fi
        # shellcheck disable=SC2086
        run "$label" --explore "$explore" --method "$method" $options
    done 4<"$work/combinations"
    again
    cat "$work/lines" >>"$out.jsonl"
}

[ -z "${EARLIER:-}" ] || [ -r "$EARLIER" ] || {
    say "cannot read EARLIER=$EARLIER; it takes the bench-auto.jsonl of an earlier run"
    exit 2
}
sed 's/#.*//' "$structures/list.txt" | awk 'NF > 0 { $1 = $1; print }' | grep -E -e "${FILTER:-.}" \
    >"$work/list" || {
    say "no line of $structures/list.txt matches FILTER=${FILTER:-.}"
    exit 2
}
limit=${LIMIT:-300}
[ "${RESUME:-}" = 1 ] || [ ! -f "$out.jsonl" ] || mv "$out.jsonl" "$out.old.jsonl"
echo "{ \"set\": \"auto\", \"date\": \"$(date -u +%Y-%m-%d)\"," \
    "\"program\": \"$("$pepa" --version | head -n 1)\"," \
    "\"cpu\": \"$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)\" }" >>"$out.jsonl"
while read -r name size <&3; do
    grep -qF "\"name\": \"$name\", \"size\": \"$size\"," "$out.jsonl" || measure
done 3<"$work/list"
awk -v what=report -f bench/json.awk -f bench/auto_report.awk "$out.jsonl" | tee "$out.md"
bench/plot/draw auto "$out.jsonl" >"$out.svg"
say "$out.jsonl has every run, $out.svg the plot"
