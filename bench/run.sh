#!/bin/sh
# run.sh short|long|explore|analyses|threads: measures what bench/models lists for the set, writes
# $BUILD/bench/SET.json, and prints it as a report; short has what explore, analyses and threads have.  Ends
# with a non-zero status when a bound of bench/models is missed, or an answer is wrong.
# A command is run up to three times while that takes little; the run with the least CPU counts.
# PEPA: another program to measure, but for threads.
set -eu
cd "$(dirname "$0")/.."
set_of=$1
pepa=${PEPA:-$BUILD/bin/pepa}
clock=$BUILD/bin/bench_clock
out=$BUILD/bench/$set_of.json
mkdir -p "$BUILD/bench"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
missed=0
# What two threads that only compute get if each has a core: else there is nothing to test.
two_cores=1.9
# So many seconds, and so much of the memory that is free now, for each run.
most_seconds=600
[ "$set_of" != long ] || most_seconds=7200
most_mebibytes=$(awk '/^MemAvailable/ { print int($2 / 1024 * 0.9) }' /proc/meminfo)

say() {
    echo "bench: $*" >&2
}

# number KEY: the number after "KEY": in the JSON of the last run, or null; text KEY likewise.
number() {
    awk -v key="\"$1\": *" 'match($0, key "[-+0-9.e]+") {
        value = substr($0, RSTART, RLENGTH); sub(key, "", value); print value; found = 1; exit
    } END { if (!found) print "null" }' "$work/json"
}
text() {
    sed -n "s/.*\"$1\": *\"\\([^\"]*\\)\".*/\\1/p" "$work/json" | head -n 1
}
# The same among the members of "seconds".
seconds_of() {
    sed -n 's/.*"seconds": *{\([^}]*\)}.*/\1/p' "$work/json" | tr ',' '\n' |
        awk -F: -v key="\"$1\"" '{ gsub(/ /, "") } $1 == key { print $2; found = 1 }
                                 END { if (!found) print "null" }'
}

# over VALUE LIMIT: is VALUE more than LIMIT, if that is one?
over() {
    [ "$2" != - ] && awk -v s="$1" -v l="$2" 'BEGIN { exit !(s > l) }'
}
# bound WHAT VALUE LIMIT: VALUE must not be more; least: must not be less.
bound() {
    if over "$2" "$3"; then
        say "MISSED: $1: $2, not $3"
        missed=1
    fi
}
least() {
    if [ "$3" != - ] && over "$3" "$2"; then
        say "MISSED: $1: $2, not $3"
        missed=1
    fi
}

# What bench_floor 12 takes, seconds of CPU, where the bounds of bench/models were set.
floor_there=0.085
# Says how this machine compares with that one, for whoever reads that a bound is missed.
compare_machines() {
    "$clock" -o "$work/floor" 5 "$BUILD/bin/bench_floor" 12 >"$work/times"
    read -r _ floor_here _ <"$work/times"
    say "$(awk -v a="$floor_here" -v b=$floor_there 'BEGIN {
        printf("the program by hand takes %.2f times the CPU that it took where bounds were set", a / b)
    }')"
}

# rows SET: the rows of bench/models, without comments.
rows() {
    sed 's/#.*//' bench/models | awk -v set="$1" '$1 == set'
}

# record MEMBERS...: another measurement.
record() {
    printf '%s    { %s }' "$comma" "$*" >>"$out.new"
    comma=',
'
}

model() {
    case $1 in
    eight) cat <<'END'
// Two clients share a printer.
write = 0.2; print = 1.0;
Client = (write, write).Waiting;
Waiting = (print, T).Client;
Printer = (print, print).Printer;
Clients = Client || Client;

Clients <print> Printer
END
    ;;
    counted) awk -f bench/families.awk clients "$2" ;;
    *) awk -f bench/families.awk "$1" "$2" ;;
    esac
}

# best COMMAND...: what it prints into $work/json, what it took into $wall $cpu $peak, $status.
best() {
    cpu=1e9
    : >"$work/json"
    for _ in 1 2 3; do
        "$clock" -o "$work/try" -s $most_seconds -m "$most_mebibytes" 1 "$@" >"$work/times"
        read -r this_wall this_cpu this_peak status <"$work/times"
        if awk -v a="$this_cpu" -v b="$cpu" 'BEGIN { exit !(a < b) }'; then
            wall=$this_wall cpu=$this_cpu peak=$this_peak
            mv "$work/try" "$work/json"
        fi
        if [ "$status" -ne 0 ] || over "$this_cpu" 3; then
            break
        fi
    done
}
solve() {
    best "$pepa" solve --quiet --json --threads 1 --max-states 500000000 "$@" "$work/model.pepa"
}

measure_small() {
    rows small | while read -r _ name size limit options; do
        model "$name" "$size" >"$work/model.pepa"
        # shellcheck disable=SC2086
        "$clock" 50 "$pepa" solve --quiet $options "$work/model.pepa" >"$work/times"
        read -r wall cpu peak status <"$work/times"
        echo "$name $size $limit $wall $cpu $peak $status"
    done >"$work/small"
    while read -r name size limit wall cpu peak status; do
        record "\"kind\": \"small\", \"name\": \"$name\", \"size\": $size, \"bound\": \"$limit\"," \
            "\"wall_s\": $wall, \"cpu_s\": $cpu, \"peak_bytes\": $peak, \"status\": $status"
        bound "$name $size, s" "$wall" "$limit"
    done <"$work/small"
}

measure_families() {
    rows "$set_of" >"$work/rows"
    while read -r _ name size limit options <&3; do
        model "$name" "$size" >"$work/model.pepa"
        # shellcheck disable=SC2086
        solve $options
        members="\"kind\": \"family\", \"name\": \"$name\", \"size\": $size, \"bound\": \"$limit\","
        members="$members \"options\": \"$options\", \"status\": $status, \"wall_s\": $wall,"
        members="$members \"cpu_s\": $cpu, \"peak_bytes\": $peak"
        if [ "$status" -ne 0 ]; then
            say "$name $size: not solved, status $status, after $cpu s of CPU"
            record "$members"
            missed=1
            continue
        fi
        for key in states transitions iterations residual; do
            members="$members, \"$key\": $(number $key)"
        done
        for key in parse derive explore matrix solve; do
            members="$members, \"${key}_s\": $(seconds_of $key)"
        done
        members="$members, \"matrix\": \"$(text matrix)\", \"method\": \"$(text method)\""
        record "$members, \"trail\": \"$(text trail)\""
        bound "$name $size, CPU s" "$cpu" "$limit"
        say "$name $size: $cpu s of CPU, $(text method), $(number iterations) sweeps"
    done 3<"$work/rows"
}

# Ours against the hand-written program, which has to come to the same throughput.
measure_floor() {
    rows floor >"$work/rows"
    while read -r _ name size limit options <&3; do
        model "$name" "$size" >"$work/model.pepa"
        # shellcheck disable=SC2086
        solve $options
        "$clock" -o "$work/floor" 3 "$BUILD/bin/bench_floor" "$size" >"$work/times"
        read -r floor_wall floor_cpu floor_peak floor_status <"$work/times"
        read -r states sweeps residual throughput <"$work/floor"
        record "\"kind\": \"floor\", \"name\": \"$name\", \"size\": $size, \"bound\": \"$limit\"," \
            "\"states\": $states, \"sweeps\": $sweeps, \"residual\": $residual," \
            "\"wall_s\": $floor_wall, \"cpu_s\": $floor_cpu, \"peak_bytes\": $floor_peak," \
            "\"throughput\": $throughput, \"ours_throughput\": $(number move1)," \
            "\"ours_cpu_s\": $cpu, \"ours_peak_bytes\": $peak," \
            "\"ours_iterations\": $(number iterations)"
        if [ "$status" -ne 0 ] || [ "$floor_status" -ne 0 ] ||
            over "$(awk -v a="$(number move1)" -v b="$throughput" \
                'BEGIN { d = a / b - 1; print d < 0 ? -d : d }')" 1e-8; then
            say "MISSED: $name $size: throughput $(number move1), by hand $throughput"
            missed=1
        fi
        bound "$name $size, times the CPU of the program by hand" \
            "$(awk -v a="$cpu" -v b="$floor_cpu" 'BEGIN { printf("%.2f", a / b) }')" "$limit"
    done 3<"$work/rows"
}

measure_mappings() {
    "$BUILD/bin/bench_mappings" >"$work/mappings" || missed=1
    sed 1,2d "$work/mappings" | awk -F ' *[|] *' '{
        printf("\"kind\": \"mapping\", \"what\": \"%s\", \"family\": \"%s\", " \
               "\"mappings\": \"%s\", \"chains\": \"%s\", \"answer\": \"%s\", " \
               "\"seconds\": %s, \"bound\": \"%s\"\n",
               $2, $3, $4, $5, $6, $7, $8) }' >"$work/rows"
    while read -r members; do
        record "$members"
    done <"$work/rows"
}

# measure_finding SET HOW: finding the states, as `pepa check` does it; counted by bench_chain.
# Bounds: of explore the least transitions per CPU second, of reach the most CPU seconds.
measure_finding() {
    rows "$1" >"$work/rows"
    while read -r kind name size limit options <&3; do
        model "$name" "$size" >"$work/model.pepa"
        # shellcheck disable=SC2086
        best "$pepa" check --quiet --threads 1 --explore "$2" --max-states 2000000000 $options \
            "$work/model.pepa"
        # shellcheck disable=SC2086
        if [ "$status" -ne 0 ] ||
            ! "$BUILD/bin/bench_chain" "$kind" $options "$work/model.pepa" >"$work/json"; then
            say "$name $size: not explored, status $status, after $cpu s of CPU"
            missed=1
            continue
        fi
        record "\"kind\": \"$kind\", \"name\": \"$name\", \"size\": $size," \
            "\"bound\": \"$limit\", \"options\": \"$options\", \"wall_s\": $wall," \
            "\"cpu_s\": $cpu, \"peak_bytes\": $peak, \"states\": $(number states)," \
            "\"transitions\": $(number transitions), \"derive_s\": $(number derive_s)"
        rate=$(awk -v n="$(number transitions)" -v s="$cpu" 'BEGIN { printf("%.0f", n / s) }')
        say "$name $size: $cpu s of CPU, $rate transitions a second"
        if [ "$kind" = explore ]; then
            least "$name $size, transitions per CPU second" "$rate" "$limit"
        else
            bound "$name $size, CPU s to its reachable set" "$cpu" "$limit"
        fi
    done 3<"$work/rows"
}

measure_analyses() {
    rows analysis >"$work/rows"
    while read -r _ name size limit task <&3; do
        model "$name" "$size" >"$work/model.pepa"
        # shellcheck disable=SC2086
        best "$pepa" $task --quiet --json --threads 1 "$work/model.pepa"
        if [ "$status" -ne 0 ]; then
            say "MISSED: $name $size: $task: status $status, after $cpu s of CPU"
            missed=1
            continue
        fi
        record "\"kind\": \"analysis\", \"name\": \"$name\", \"size\": $size," \
            "\"bound\": \"$limit\", \"options\": \"$task\", \"states\": $(number states)," \
            "\"wall_s\": $wall, \"cpu_s\": $cpu, \"peak_bytes\": $peak"
        say "$name $size, $task: $cpu s of CPU"
        bound "$name $size, $task, CPU s" "$cpu" "$limit"
    done 3<"$work/rows"
}

# A transient solution against its products alone.
measure_products() {
    rows products >"$work/rows"
    while read -r _ name size limit time <&3; do
        model "$name" "$size" >"$work/model.pepa"
        if ! "$BUILD/bin/bench_products" "$time" "$work/model.pepa" >"$work/json"; then
            say "MISSED: $name $size: not solved at $time"
            missed=1
            continue
        fi
        record "\"kind\": \"products\", \"name\": \"$name\", \"size\": $size," \
            "\"bound\": \"$limit\", \"time\": $time, $(cat "$work/json")"
        ratio=$(number ratio)
        say "$name $size at $time: $(number steps) steps, $ratio times the CPU of the products"
        bound "$name $size at $time, times the CPU of its products" "$ratio" "$limit"
    done 3<"$work/rows"
}

# experiment_by THREADS: as chain_by, for `pepa experiment`.
experiment_by() {
    # shellcheck disable=SC2086
    "$pepa" $task --quiet --json --threads "$1" "$work/model.pepa" >"$work/json" || return 1
    took=$(seconds_of experiment)
    now=$(sed '/"seconds"/d; /"memory"/d' "$work/json" | cksum)
    [ -n "$digest" ] || digest=$now
    [ "$digest" = "$now" ]
}

# chain_by THREADS: $task on the model into $work/json and $took, the seconds of the phase that
# counts; 1 if it fails, or if the answer has other bits than that of the first time.
chain_by() {
    case $task in
    experiment*)
        experiment_by "$1"
        return ;;
    esac
    # shellcheck disable=SC2086
    "$BUILD/bin/bench_chain" $task --digest --threads "$1" "$work/model.pepa" >"$work/json" ||
        return 1
    case $task in
    explore*) took=$(number derive_s) ;;
    *) took=$(number solve_s) ;;
    esac
    [ -n "$digest" ] || digest=$(text digest)
    [ "$digest" = "$(text digest)" ]
}

# rounds: one thread and two by turns, until that was six times while there were two cores, or ten
# times in all, since others on the machine also take from the speed of its memory, which spinning
# does not show.  A line each: what two threads of bench_cores got before and after, the lesser of
# both; the seconds of one thread; of two.
rounds() {
    full=0
    cores=$("$BUILD/bin/bench_cores")
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        chain_by 1 || return 1
        one=$took
        chain_by 2 || return 1
        now=$("$BUILD/bin/bench_cores")
        if over "$cores" "$now"; then
            cores=$now
        fi
        echo "$cores $one $took"
        over $two_cores "$cores" || full=$((full + 1))
        [ "$full" -lt 6 ] || break
        cores=$now
    done
}

# The least number in column COLUMN of the rounds that count.
smallest() {
    awk -v column="$1" '{ x = $column } NR == 1 || x < least { least = x } END { print least }' \
        "$work/counted"
}

# The best time of one thread over that of two.  Rounds with two cores count, and the bound is
# tested, if there are any; else all rounds, without.
measure_threads() {
    rows threads >"$work/rows"
    while read -r _ name size limit task <&3; do
        model "$name" "$size" >"$work/model.pepa"
        digest=
        if ! rounds >"$work/all"; then
            say "MISSED: $name $size, $task: fails, or has other bits by two threads"
            missed=1
            continue
        fi
        tested=yes
        awk -v least=$two_cores '$1 >= least' "$work/all" >"$work/counted"
        if [ ! -s "$work/counted" ]; then
            tested=no
            cp "$work/all" "$work/counted"
        fi
        one=$(smallest 2) two=$(smallest 3) cores=$(smallest 1)
        ratio=$(awk -v a="$one" -v b="$two" 'BEGIN { printf("%.2f", a / b) }')
        record "\"kind\": \"threads\", \"name\": \"$name\", \"size\": $size," \
            "\"bound\": \"$limit\", \"options\": \"$task\", \"states\": $(number states)," \
            "\"transitions\": $(number transitions), \"digest\": \"$digest\"," \
            "\"one_s\": $one, \"two_s\": $two, \"ratio\": $ratio, \"spinning\": $cores," \
            "\"tested\": \"$tested\""
        say "$name $size, $task: $one s by one thread, $two s by two: $ratio times, of $cores"
        [ "$tested" = no ] || least "$name $size, $task, times by two threads" "$ratio" "$limit"
    done 3<"$work/rows"
}

cpu_model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
memory=$(awk '/^MemTotal/ { printf("%.0f", $2 * 1024) }' /proc/meminfo)
compiler=$(${CC:-gcc} --version | head -n 1)
before=$("$BUILD/bin/bench_stream")
cat >"$out.new" <<END
{ "set": "$set_of", "date": "$(date -u +%Y-%m-%d)", "program": "$("$pepa" --version | head -n 1)",
  "machine": { "cpu": "$cpu_model", "cores": $(nproc), "memory_bytes": $memory,
    "system": "$(uname -sr)" },
  "compiler": "$compiler", "flags": "${CFLAGS:-}",
  "measurements": [
END
comma=
compare_machines
[ "$set_of" != short ] || measure_small
case $set_of in
short | long) measure_families ;;
esac
case $set_of in
short | explore)
    measure_finding explore explicit
    measure_finding reach symbolic
    ;;
esac
case $set_of in
short | analyses)
    measure_analyses
    measure_products
    ;;
esac
case $set_of in
short | threads) measure_threads ;;
esac
if [ "$set_of" = short ]; then
    measure_floor
    measure_mappings
fi
# Before and after: whoever shares the machine takes memory's bandwidth from either.
after=$("$BUILD/bin/bench_stream")
printf '\n  ], "triad_gb_per_s": %s }\n' \
    "$(awk -v a="$before" -v b="$after" 'BEGIN { print (a > b ? a : b) }')" >>"$out.new"
mv "$out.new" "$out"
awk -v what=report -f bench/json.awk -f bench/report.awk bench/peers "$out"
exit $missed
