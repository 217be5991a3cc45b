#!/bin/sh
# amoget on MPI: the bytes of one process on 2 to 13, but for the seconds; time limits; a process that is
# killed.  LONG=1: every search on every number of processes.
set -u
. "$(dirname "$0")/start.sh"
compared=0
files=$work # that all of these read

# Without the seconds that were measured.
timeless() {
    sed -E -e 's/"(parse|derive|solve)": [-+.e0-9]+/"\1": T/g' -e 's/, [-+.e0-9]+ s in all/, T s in all/' "$1"
}

# alone FILE OPTION...: what one process says of it goes to alone.out, its errors and status beside that.
alone() {
    "$bin/amoget" "$@" >"$work/alone.out" 2>"$work/alone.err"
    echo $? >"$work/alone.status"
    timeless "$work/alone.out" >"$work/alone.timeless"
}

# agree NAME ALONE COUNT FILE OPTION...: so many processes have said the same in NAME.out as one in ALONE.out.
agree() {
    name=$1 one=$2 count=$3
    shift 3
    compared=$((compared + 1))
    timeless "$name.out" | cmp -s "$one.timeless" - || complain "$* on $count: another report"
    cmp -s "$one.status" "$name.status" ||
        complain "$* on $count: status $(cat "$name.status"), not $(cat "$one.status"): $(head -3 "$name.err")"
    [ "$(cat "$one.status")" -ne 0 ] || cmp -s "$one.err" "$name.err" || complain "$* on $count: $(head -3 "$name.err")"
}

# same FILE OPTION...: the same text on all of $counts as alone.
same() {
    alone "$@"
    for count in $counts; do
        on "$count" "$bin/amoget" "$@" >"$work/together.out" 2>"$work/together.err"
        echo $? >"$work/together.status"
        agree "$work/together" "$work/alone" "$count" "$@"
    done
}

# later FILE OPTION...: what `same` does, when all are settled: one start of MPI for those on so many processes.
queued=0
later() {
    alone "$@"
    queued=$((queued + 1))
    for ending in out err status timeless; do mv "$work/alone.$ending" "$work/alone.$queued.$ending"; done
    for count in $counts; do
        name=$work/later.$queued.$count
        { printf '%s\t' "$name" amoget "$@" && echo; } >>"$work/runs.$count"
        echo "agree '$name' '$work/alone.$queued' $count $*" >>"$work/agreements"
    done
}
settle() {
    for count in $all; do
        on "$count" "$bin/../test/often_amoget" "$work/runs.$count" || complain "not all runs on $count"
    done
    # shellcheck source=/dev/null
    . "$work/agreements"
}

describe() { # describe NAME FAMILY STAGES PROCESSORS SEED [serial]
    name=$1
    shift
    awk -f bench/pipelines.awk "$@" >"$files/$name.amo" || complain "$*"
}
describe spread spread 6 8 4 serial # 262,144 mappings, of which some hundred are solved
describe slow slow 9 4 2            # as many; parts of the pipeline come first
describe alike alike 4 6 1
describe endless alike 11 10 1
echo 'pipeline { stage a; } processors { p time 1; }' >"$files/wrong.amo"
echo 'pipeline { stage a; } processors { p time 1; q time 2; } network { latency default 1; latency local 1; }
      include "nothing.csv";' >"$files/includes.amo"

# The examples, in turn on one of these numbers; then searches, on all.  All mappings of the image pipeline take a
# while.
ranked() {
    all="1 2 3 4 8 13"
    number=0
    for file in examples/*.amo; do
        for options in "--search best --explain" "--search all --json" "--search best --csv --top 3" ""; do
            number=$((number % 6 + 1))
            case ${LONG:-}$file$options in examples/image.amo--search\ all*) continue ;; esac
            counts=$(echo "$all" | cut -d ' ' -f $number)
            [ "${LONG:-}" != 1 ] || counts=$all
            # shellcheck disable=SC2086
            later "$file" $options --now 1800000000
        done
    done
    settle
    counts=$all
    same "$files/spread.amo" --search best --json --threads 1
    counts="2 3"
    same "$files/slow.amo" --search best --top 2
    counts="2 13"
    same "$files/alike.amo" --search all --csv --threads 2
    echo "mpi: $compared rankings have the bytes of one process"
}

errors() {
    expect 1 1 on 3 "$bin/amoget" "$files/wrong.amo"
    expect 5 1 on 3 "$bin/amoget" "$files/nothing.amo"
    expect 2 1 on 3 "$bin/amoget" --what
    expect 5 1 on 2 "$bin/amoget" "$files/includes.amo"
    expect 3 1 on 2 "$bin/amoget" examples/image.amo --search all --tolerance 1e-300
    expect 4 1 on 3 "$bin/amoget" "$files/spread.amo" --search all --time-limit 0.2
    expect 4 1 on 2 "$bin/amoget" "$files/slow.amo" --search best --max-states 100
    # A description on standard input goes to all.
    on 3 "$bin/amoget" - --search best --csv <examples/pipeline3.amo >"$work/together" 2>"$work/err" ||
        complain "standard input: $(cat "$work/err")"
    "$bin/amoget" examples/pipeline3.amo --search best --csv | cmp -s - "$work/together" || complain "standard input"
    # One model is printed once.
    on 2 "$bin/amoget" examples/pipeline3.amo --model 1,2,1 >"$work/together" 2>"$work/err" || complain "a model"
    "$bin/amoget" examples/pipeline3.amo --model 1,2,1 | cmp -s - "$work/together" || complain "a model"
}

# A search that takes minutes: all stop at its time limit; a process that is killed ends it.
limits() {
    begun=$(date +%s)
    on 3 "$bin/amoget" "$files/endless.amo" --search best --json --time-limit 4 >"$work/out" 2>"$work/err" ||
        complain "a time limit: $(cat "$work/err")"
    [ $(($(date +%s) - begun)) -le "${PATIENCE:-40}" ] || complain "a time limit of 4 s took $(($(date +%s) - begun))"
    "$python" - "$work/out" <<'END' || complain "a time limit: no answer with a bound"
import json
import sys

found = json.load(open(sys.argv[1]))
best = found["ranking"][0]["throughput"]
sys.exit(not (found["optimal"] is False and found["bound"] >= best > 0))
END
    mpirun -n 3 "$bin/amoget" "$files/endless.amo" --search best >"$work/out" 2>"$work/err" &
    search=$!
    for k in 1 2 3 4 5 6 7 8 9 10; do
        sleep 1
        victim=$(pgrep -P $search amoget | tail -1)
        [ -n "$victim" ] && [ $k -ge 3 ] && break
    done
    kill -KILL "$victim" || complain "there was nobody to kill"
    begun=$(date +%s)
    wait $search
    [ $? -ne 0 ] || complain "a search without one of its processes has an answer"
    [ $(($(date +%s) - begun)) -le 20 ] || complain "it took long to end after a kill"
    grep -q "signal 9" "$work/err" || complain "nothing tells of the kill: $(cat "$work/err")"
    [ ! -s "$work/out" ] || complain "a report after a kill"
}

lanes ranked errors
limits
[ $bad -eq 0 ] && echo "mpi: errors, time limits and kills of searches end as they should"
exit $bad
