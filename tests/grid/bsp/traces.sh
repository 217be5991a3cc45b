#!/bin/sh
# Traces of BSP programs, and what bspbench measures.  BUILD: where the programs are.
launcher=bsprun patience=60
. "$(dirname "$0")/../start.sh"
program=$programs/bsp_traced

# Bytes of a superstep, the library's own left out: numbers rounded down to ten thousands.
cat >"$work/known" <<'EOF'
1 send 0 1 50000
2 reply 2 0 70000
2 send 2 1 20000
3 reply 0 1 90000
3 send 2 0 60000
5 send 0 1 10000
5 send 1 0 10000
6 send 0 1 20000
6 send 1 2 10000
EOF
for transport in shared messages window; do
    BSP_TRACE=$work/trace BSP_TRACE_TIME=wall BSP_TRANSPORT=$transport \
        timeout 60 "$bin/bsprun" -n 4 "$program" </dev/null || complain "the program failed"
    awk '$1 == "step" { step = $2 }
        ($1 == "send" || $1 == "reply") && $4 >= 10000 { print step, $1, $2, $3, int($4 / 10000) * 10000 }' \
        "$work/trace" | sort >"$work/sent"
    diff -u "$work/known" "$work/sent" || complain "bytes, $transport"
    awk '$1 == "step" { step = $2 }
        $1 == "work" && $2 == 1 && $3 >= (step == 1 ? 0.04 : 0.03) { print step }' "$work/trace" |
        grep -qx 1 || complain "work before the end of a superstep, $transport"
    awk '$1 == "step" { step = $2 } $1 == "work" && $2 == 1 && step == 5 { print ($3 >= 0.03) }' "$work/trace" |
        grep -qx 1 || complain "work between supersteps of groups, $transport"
    # What the trace says of each superstep's h-relation is what follows from its sends.
    awk '$1 == "send" || $1 == "reply" { sent[$2] += $4; got[$3] += $4 }
        $2 == "h" {
            for (p = 0; p < NF - 2; p++) if ($(p + 3) != (sent[p] > got[p] ? sent[p] : got[p]) + 0) exit 1
            delete sent; delete got; lines++
        }
        END { exit lines != 8 }' "$work/trace" || complain "h-relations, $transport"
    [ "$(grep -c '^step' "$work/trace")" -eq 8 ] || complain "eight supersteps, $transport"
    "$bin/bsppredict" "$work/trace" --on tests/cli/models/cluster.amo --json >"$work/json" ||
        complain "the trace is read, $transport"
    [ "$(jq '.processes, .supersteps' "$work/json" | tr '\n' ' ')" = "3 8 " ] ||
        complain "processes and supersteps, $transport"
done

# Processor time: sleeping is no work.
BSP_TRACE=$work/trace timeout 60 "$bin/bsprun" -n 3 "$program" </dev/null || complain "the program failed"
awk '$1 == "work" && $3 > 0.025' "$work/trace" | grep . && complain "sleep counts as work"

if BSP_TRACE=$work/no/trace timeout 60 "$bin/bsprun" -n 3 "$program" </dev/null 2>"$work/err"; then
    complain "a trace that cannot be written"
fi
grep -q "^bsp_begin: .*cannot write the trace $work/no/trace: No such file" "$work/err" ||
    complain "a trace that cannot be written: $(cat "$work/err")"
BSP_TRACE=$work/trace BSP_TRACE_TIME=clock timeout 60 "$bin/bsprun" -n 3 "$program" </dev/null 2>"$work/err" &&
    complain "a time that there is not"
grep -q "^bsp_begin: .*BSP_TRACE_TIME is neither empty nor wall" "$work/err" ||
    complain "a time that there is not: $(cat "$work/err")"
if [ -e /dev/full ]; then
    BSP_TRACE=/dev/full timeout 60 "$bin/bsprun" -n 3 "$program" </dev/null 2>"$work/err"
    [ $? -eq 5 ] || complain "a full disk is a success"
    grep -q '^bsp_end: there is no trace in /dev/full: No space left' "$work/err" ||
        complain "a full disk: $(cat "$work/err")"
fi

for n in 1 2 3; do
    timeout 100 "$bin/bspbench" --processes $n --json </dev/null >"$work/json" 2>"$work/err" ||
        complain "bspbench, $n processes"
    # On a busy machine g may drown in waiting: then a warning says so.
    jq -e ".p == $n and .s > 0 and .l > 0 and
        ([.measured[] | .low <= .value and .value <= .high] | all)" "$work/json" >/dev/null ||
        complain "bspbench, $n processes: $(cat "$work/json")"
    jq -e '.measured.g.low > 0' "$work/json" >/dev/null || grep -q 'g cannot be told from 0' "$work/err" ||
        complain "bspbench, $n processes: no warning: $(cat "$work/json" "$work/err")"
done
timeout 100 "$bin/bsprun" -n 2 "$bin/bspbench" </dev/null | grep -q '^2 processes; ' ||
    complain "bspbench under bsprun"

# What --csv prints is drawn; nothing is written of files that are wrong.
for n in 1 2; do timeout 100 "$bin/bspbench" --processes $n --csv </dev/null 2>/dev/null; done >"$work/runs.csv"
"$bin/bspbench" --plot "$work/runs.gp" "$work/runs.csv" || complain "bspbench --plot"
for name in g g_words l; do
    [ "$(sed -n "/^\$$name << END/,/^END/p" "$work/runs.gp" | awk 'NF == 4 { print $1 }' | tr '\n' ' ')" = '1 2 ' ] ||
        complain "bspbench --plot: $name: $(cat "$work/runs.gp")"
done
# wrong STATUS MESSAGE LINE...: a file of these lines.
wrong() {
    status=$1 message=$2
    shift 2
    printf '%s\n' "$@" >"$work/wrong.csv"
    "$bin/bspbench" --plot "$work/wrong.svg" "$work/wrong.csv" 2>"$work/err"
    [ $? -eq "$status" ] && grep -q -- "$message" "$work/err" && [ ! -e "$work/wrong.svg" ] ||
        complain "bspbench --plot, $*: $(cat "$work/err")"
}
wrong 1 ':2:5: error: a line is' 'processes,parameter,seconds,low,high' '2,g,x,1,1'
wrong 1 ':1:1: error: a line is' '0,g,1,1,1'
wrong 1 ':1:10: error: a line is' '2,g,1,1,1 and more'
wrong 1 ':1:1: error: a line is' 'hello'
wrong 1 'no g, no g_words or no l in .*wrong.csv: bspbench --csv' '2,g,1e-6,1e-6,1e-6'
"$bin/bspbench" --plot "$work/no.svg" "$work/none.csv" 2>"$work/err"
[ $? -eq 5 ] && grep -q 'cannot read .*none.csv: No such file' "$work/err" || complain "bspbench --plot: no file"
"$bin/bspbench" --plot "$work/no.svg" 2>/dev/null
[ $? -eq 2 ] || complain "bspbench --plot without a file"
"$bin/bspbench" --plot "$work/no.xyz" "$work/runs.csv" 2>/dev/null
[ $? -eq 2 ] || complain "bspbench --plot, an unknown ending"

# Hosts: processes say other names, where that is allowed.
if unshare --uts true 2>/dev/null; then
    printf 'exec unshare --uts sh -c "hostname h$((OMPI_COMM_WORLD_RANK / 2)); exec %s --pairs --json"\n' \
        "$bin/bspbench" >"$work/hosts.sh"
    timeout 100 "$bin/bsprun" -n 3 sh "$work/hosts.sh" </dev/null >"$work/json" || complain "bspbench --pairs"
    [ "$(jq -c '[.pairs[].hosts]' "$work/json")" = '[["h0","h0"],["h0","h1"]]' ] &&
        jq -e '[.pairs[] | .l.value > 0] | all' "$work/json" >/dev/null ||
        complain "bspbench --pairs: $(cat "$work/json")"
fi

[ ! -e "$work/bad" ] || exit 1
echo "bsp: traces say what programs do; bspbench measures"
