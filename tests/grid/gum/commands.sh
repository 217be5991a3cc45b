#!/bin/sh
# gumrun and gumcc, profiles and activities, the manual's and the example programs.  BUILD: where the programs are.
launcher=gumrun patience=120
. "$(dirname "$0")/../start.sh"

# ---- the command ----------------------------------------------------------------------------------

for arguments in "-n" "-n 0 x" "-n x y" "--what" "-n 2" "x" "--hosts" "-n 1 --hosts /nowhere x" \
    "--policy" "--policy quick" "--threads 0" "--threads" "--watermark -1" "--profile"; do
    # shellcheck disable=SC2086
    "$bin/gumrun" $arguments >/dev/null 2>"$work/err" </dev/null
    status=$?
    case $arguments in *nowhere*) wanted=5 ;; *) wanted=2 ;; esac
    [ "$status" -eq $wanted ] && grep -q '^gumrun: ' "$work/err" ||
        complain "gumrun $arguments: status $status"
done
"$bin/gumrun" -n 2 nowhere 2>"$work/err" </dev/null
[ $? -eq 5 ] && [ "$(wc -l <"$work/err")" -eq 1 ] || complain "gumrun nowhere: $(cat "$work/err")"
"$bin/gumrun" --help | grep -q '^usage: gumrun -n N' || complain "gumrun --help"
"$bin/gumrun" -n 2 --polcy random x 2>&1 | grep -q "did you mean '--policy'?" || complain "gumrun --polcy"
[ "$("$bin/gumrun" -np 1 -show echo --help -n 3 | sed 's/.* echo/echo/')" = 'echo --help -n 3' ] ||
    complain "gumrun: options of a program"
echo 'processors { a time 2 address "127.0.0.1"; } network { latency local 1us; }' >"$work/show.amo"
"$bin/gumrun" -n 2 --hosts "$work/show.amo" --policy random --show x >"$work/out"
grep -q "^mpirun .* -x GUM_POLICY=random.* -x '\{0,1\}GUM_SPEEDS=127.0.0.1=0.5;'\{0,1\} .*-np 2 --host 127.0.0.1:2 -x GRID_HOST=127.0.0.1 x$" "$work/out" ||
    complain "gumrun --show: $(cat "$work/out")"
"$bin/gumcc" --help | grep -q 'gumcc .*FILE' || complain "gumcc --help"

# Times of the description are those of hosts that call themselves something else, and predictions have their scale.
echo 'processors { here time 4 cores 2 address "localhost"; } network { latency default 1ms; latency local 1us; }' >"$work/slow.amo"
run 2 --hosts "$work/slow.amo" --profile "$work/slow" "$programs/gum_graphs" 7 40 >"$work/out" 2>&1 &&
    grep -q '^process 1 .* time 4 ' "$work/slow" || complain "times of the description: $(cat "$work/out" "$work/slow")"
awk '$1 == "level" { work += $6 } $1 == "process" { for (i = 2; i < NF; i++) if ($i == "running") running += $(i + 1) }
    END { exit !(work > 0 && 4 * work < 1.1 * running && 4 * work > 0.1 * running) }' "$work/slow" ||
    complain "units of the description: $(cat "$work/slow")"

# The summary and the profile agree with each other; the profile says all tasks.
run 3 --summary --profile "$work/profile" --policy busiest "$programs/gum_graphs" 7 20 >"$work/out" 2>"$work/err"
[ $? -eq 0 ] || complain "a run with a profile: $(cat "$work/err")"
made=$(awk '/^gum: [0-9]* sparks/ { print $2 }' "$work/err")
[ "$made" -gt 0 ] && [ "$made" -eq "$(awk '$1 == "process" { for (i = 2; i < NF; i++) if ($i == "made") sum += $(i + 1) }
    END { print sum }' "$work/profile")" ] || complain "the profile's sparks"
grep -q '^run policy busiest processes 3 ' "$work/profile" && grep -q '^level 0 tasks 1 ' "$work/profile" ||
    complain "the profile: $(cat "$work/profile")"
# So do the summary and the activity, whose intervals are full up to the end.
run 3 --summary --activity "$work/activity" "$programs/gum_graphs" 8 20 >"$work/out" 2>"$work/err"
[ $? -eq 0 ] || complain "a run with an activity: $(cat "$work/err")"
awk 'FNR == NR { if ($1 == "gum:" && $3 == "sparks,") made = $2; if ($1 + 0 == $1 && NF == 12) { inlined += $7
        taken += $8; given += $9 } next }
    $1 == "run" { makespan = $9; width = $11; next }
    NF == 11 && $1 + 0 == $1 { time += $3 + $4 + $5; sum["made"] += $8; sum["pruned"] += $9; sum["taken"] += $10
        sum["given"] += $11; rows++ }
    function near(a, b) { return a - b < 0.01 && b - a < 0.01 }
    END { exit !(rows >= 3 && near(time / makespan, 3) && made > 0 && near(sum["made"], made) &&
        near(sum["pruned"], inlined) && near(sum["taken"], taken) && near(sum["given"], given)) }' \
    "$work/err" "$work/activity" || complain "the activity: $(cat "$work/err" "$work/activity")"
run 2 --activity "$work/no/activity" "$programs/gum_graphs" 7 1 >"$work/out" 2>"$work/err"
[ $? -eq 1 ] && grep -q "^gum: cannot write the activity $work/no/activity: " "$work/err" ||
    complain "an activity that cannot be written: $(cat "$work/err")"
run 2 --profile "$work/no/profile" "$programs/gum_graphs" 7 1 >"$work/out" 2>"$work/err"
[ $? -eq 1 ] && grep -q "^gum: cannot write the profile $work/no/profile: " "$work/err" ||
    complain "a profile that cannot be written: $(cat "$work/err")"

# In C++.
(cd "$work" && "$bin/gumcc" -std=c++17 -Wall -Wextra -Werror "$OLDPWD/tests/grid/gum/cplusplus.cc" -o cplusplus) ||
    complain "gumcc: C++"
[ "$(run 2 "$work/cplusplus")" = 'C++: 610' ] || complain "C++: $(run 2 "$work/cplusplus" 2>&1)"

# The manual has the structures of the header, without its comments, and a program.
unescaped() {
    sed 's/^\\&//; s/\\e/\\/g' doc/libgum.3
}
unescaped | sed '/^\.Sh DESCRIPTION/,$d' | sed -n '/^typedef struct/,/^}/p' | sort >"$work/manual.types"
sed -n '/^typedef struct {/,/^}/p' grid/gum/gum.h | sed 's| */\*.*||' | awk '
    { text = text $0 "\n" }
    /^}/ { if (!/GumFuture/) printf "%s", text; text = "" }' | sort | diff -u - "$work/manual.types" ||
    complain "libgum.3: structures"
unescaped | sed '1,/^\.Sh EXAMPLES/d' | sed '1,/^\.Bd/d; /^\.Ed/,$d' >"$work/manual.c"
"$bin/gumcc" -std=c11 -Wall -Wextra -Werror "$work/manual.c" -o "$work/manual" &&
    run 3 "$work/manual" >"$work/out" 2>&1 && [ "$(cat "$work/out")" = "$(sed -n 's/^\.Ql \(.*\) \.$/\1/p' doc/libgum.3)" ] ||
    { complain "libgum.3: the example"; cat "$work/out" >&2; }

# ---- the examples ---------------------------------------------------------------------------------

for each in examples/gum/*.c; do
    name=$(basename "$each" .c)
    libraries=
    grep -q '<gmp.h>' "$each" && libraries=-lgmp
    # shellcheck disable=SC2086
    "$bin/gumcc" -std=c11 -O2 -Wall -Wextra -Werror "$each" -o "$work/$name" $libraries -lm ||
        complain "$each"
    for n in 1 2 4; do
        run "$n" "$work/$name" >"$work/out" 2>&1 && grep -q ': right$' "$work/out" ||
            { complain "$name on $n processes"; cat "$work/out" >&2; }
    done
done
# wrong EXAMPLE ARGUMENTS: one line of usage, a line for each number, and status 2.
wrong() {
    # shellcheck disable=SC2086
    said=$(run 2 "$work/"$1 2>&1 >"$work/out of $1")
    [ $? -eq 2 ] && [ ! -s "$work/out of $1" ] && [ "$(echo "$said" | grep -c '^usage: ')" -eq 1 ] &&
        echo "$said" | grep -q ': a whole number from [01] to ' || complain "$1: $said"
}
# Side by side, as mpirun waits for a second where a program fails.
for name in factorial linsolv parfib queens raytracer sort sumeuler; do
    for argument in abc 3x -1 4611686018427387904 99999999999999999999 '10 10 10 10'; do
        wrong "$name $argument"
    done &
done
for each in 'factorial 10 0' 'parfib 93' 'parfib 9 -1' 'queens 0' 'queens 17' 'queens 4 x' 'sort 10 0' \
    'sumeuler 0' 'sumeuler 10 0' 'linsolv 101' 'raytracer 0' 'raytracer 2001'; do
    wrong "$each"
done &
wait
for each in 'factorial 0' 'factorial 30 1' 'parfib 0' 'queens 1' 'queens 6 16' 'sort 0' 'sort 100 1' 'sumeuler 1' \
    'linsolv 1' 'raytracer 1'; do
    # shellcheck disable=SC2086
    run 2 "$work/"$each >"$work/out" 2>&1 && grep -q ': right$' "$work/out" || complain "$each: $(cat "$work/out")"
done
# A wrong result is in the exit status.
sed 's/return n < 2 ? n/return n < 2 ? 2/' examples/gum/parfib.c >"$work/parfib_wrong.c"
"$bin/gumcc" -std=c11 -Iexamples/gum "$work/parfib_wrong.c" -o "$work/parfib_wrong" || complain "a wrong parfib"
run 2 "$work/parfib_wrong" 9 9 >"$work/out" 2>&1
[ $? -ne 0 ] && grep -q ': WRONG$' "$work/out" || complain "a wrong result: $(cat "$work/out")"
# A file that cannot be written is said before the work is done, which would take weeks here.
for what in profile activity; do
    TIMEOUT=40 run 2 --$what "$work" "$work/parfib" 80 >"$work/out" 2>"$work/err"
    [ $? -eq 1 ] && grep -q "^gum: cannot write the $what $work: Is a directory" "$work/err" ||
        complain "$what is a folder: $(cat "$work/err")"
done
run 2 --profile "$work/x" --activity "$work/x" "$work/parfib" 1 2>"$work/err"
[ $? -eq 2 ] && grep -q 'name the same file$' "$work/err" || complain "one file for profile and activity"
run 2 --profile "$work/x" --activity "$work/../$(basename "$work")/x" "$work/parfib" 80 2>"$work/err" >&2
[ $? -eq 1 ] && grep -q "^gum: the profile $work/x and the activity .* are one file$" "$work/err" ||
    complain "one file under two names: $(cat "$work/err")"
# A result of parfib has 8 bytes, however often its spark has moved.
run 3 --profile "$work/moved" --policy random "$work/parfib" 32 >"$work/out" 2>&1 || complain "parfib: $(cat "$work/out")"
awk '$1 == "bytes" { result = $5 } $1 == "process" { for (i = 2; i < NF; i++) if ($i == "taken") taken += $(i + 1) }
    END { exit !(result == 8 || taken == 0) }' "$work/moved" || complain "bytes of results: $(cat "$work/moved")"
# A pipe is not opened before the end.
mkfifo "$work/pipe"
cat "$work/pipe" >"$work/read" &
run 2 --profile "$work/pipe" "$work/parfib" 10 >"$work/out" 2>&1
wait $!
grep -q '^run policy predicted processes 2 ' "$work/read" || complain "a profile into a pipe: $(cat "$work/out")"
echo "gum: commands and examples do as they should"
[ ! -e "$work/bad" ]
