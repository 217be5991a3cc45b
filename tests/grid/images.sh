#!/bin/sh
# The image pipeline of examples/pipeline: what its stages find, and that it finds the same wherever
# they are and move.  BUILD: where the programs are; UPDATE=1 rewrites the golden.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
bin=$(cd "$BUILD/bin" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
passed=0
bad=0

# check WHAT COMMAND...: it succeeds.
check() {
    what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        echo "FAILED: $what" >&2
        sed 's/^/    /' "$work/out" "$work/err" >&2
        bad=$((bad + 1))
    fi
}

# images PROCESSES OPTION...; 0 processes: without mpirun.
images() {
    n=$1
    shift
    if [ "$n" -eq 0 ]; then
        timeout -k 5 60 "$bin/grid-images" "$@" >"$work/out" 2>"$work/err"
    else
        timeout -k 5 60 mpirun --quiet --oversubscribe -n "$n" "$bin/grid-images" "$@" \
            >"$work/out" 2>"$work/err"
    fi
}

# Does it end with that status, and say that on stderr?
fails() {
    status=$1
    words=$2
    shift 2
    images "$@"
    [ $? -eq "$status" ] && grep -q -e "$words" "$work/err" && [ ! -s "$work/out" ]
}

cd "$work" || exit 1

# ---- what the stages find -----------------------------------------------------------------------

# picture KIND EXPRESSION [NOISE]: 40 x 40, white where the awk expression in x and y holds, as text:
# P2 or P3; with noise, isolated pixels are turned over.
picture() {
    awk -v kind="$1" -v noise="${3:-0}" 'BEGIN {
        print kind "\n# a comment\n40 40 # another one\n200"
        for (y = 0; y < 40; y++) {
            for (x = 0; x < 40; x++) {
                on = '"$2"'
                if (noise && x % 8 == 4 && y % 8 == 4)
                    on = !on
                v = on ? 200 : 0
                print kind == "P3" ? v " " v " " v : v
            }
        }
    }'
}

# binary KIND: the same from a text PGM, in bytes: P5 or P6, or with two bytes for each number P5w.
binary() {
    awk -v kind="$1" 'NR > 4 {
        each = kind == "P6" ? 3 : 1
        for (i = 0; i < each; i++)
            printf "%s%s", kind == "P5w" ? ($1 ? "\\003\\350" : "\\000\\000") : "", \
                kind == "P5w" ? "" : ($1 ? "\\310" : "\\000")
    }' | {
        printf '%s\n40 40\n%d\n' "${1%w}" "$([ "$1" = P5w ] && echo 1000 || echo 200)"
        # shellcheck disable=SC2059
        printf "$(cat)"
    }
}

square='(x >= 10 && x < 26 && y >= 10 && y < 26)'
picture P2 "$square" >square.pgm
picture P3 "$square" >square.ppm
picture P2 "$square" 1 >noisy.pgm
binary P5 <square.pgm >binary.pgm
binary P5w <square.pgm >wide.pgm
binary P6 <square.pgm >binary.ppm

images 0 --sequential --output first square.pgm square.pgm
check "a square, then nothing new: the background" \
    awk '/^     0 .* 2 regions, / { square = 1 }
         /^     1 .* 1 region, largest 1600 pixels around \(19\.5, 19\.5\)/ { nothing = 1 }
         END { exit !(square && nothing) }' out
first=$(sed -n 's/^     0 .*, //p' out)
# Its inner part: one pixel within its sides.  Symmetric: all of Hu but the first are 0, and that is
# near 1/6, which is what a square has.
check "the square's place and shape" \
    awk '$2 == "2:" && /centre 17.50 17.50 box 11 11 24 24 mean 255.00/ {
             good = $NF == 0
             for (i = NF - 5; i < NF; i++) good = good && $i * $i < 1e-20
             hu = $(NF - 6); good = good && hu > 0.16 && hu < 1 / 6
         }
         END { exit !good }' first/000000.r5
for file in square.ppm noisy.pgm binary.pgm wide.pgm binary.ppm; do
    images 0 --sequential "$file"
    check "$file is the same as square.pgm" test "$(sed -n 's/^     0 .*, //p' out)" = "$first"
done
# What is written can be read again, in both ways.
images 0 --sequential first/000000.r5
again=$(sed -n 's/^     0 .*, //p' out)
images 0 --sequential first/000000.pgm
check "results as input" test "$(sed -n 's/^     0 .*, //p' out)" = "$again"

# An L, and one that is reflected: the same moments, the last one with the other sign.
picture P2 '(x >= 6 && x < 14 && y >= 4 && y < 34 || x >= 6 && x < 30 && y >= 24 && y < 34)' >l.pgm
picture P2 '(y >= 6 && y < 14 && x >= 4 && x < 34 || y >= 6 && y < 30 && x >= 24 && x < 34)' >m.pgm
images 0 --sequential --output l l.pgm
images 0 --sequential --output m m.pgm
check "reflection" awk '
    function near(a, b) { return (a - b) ^ 2 <= 1e-7 * (a ^ 2 + b ^ 2) }
    /hu/ && / mean 255/ { files++; for (i = 0; i < 7; i++) hu[files, i] = $(NF - 6 + i) }
    END {
        good = files == 2 && hu[1, 6] != 0 && near(hu[1, 6], -hu[2, 6])
        for (i = 0; i < 6; i++) good = good && near(hu[1, i], hu[2, i])
        exit !good
    }' l/000000.r5 m/000000.r5

# ---- the same wherever stages are ---------------------------------------------------------------

options="--images 60 --size 40 --seed 7"
images 0 $options --sequential
expected=$(grep -e '^ ' -e '^checksum' out)
# same WHAT PROCESSES OPTION...: all lines are those of the sequential run.
same() {
    what=$1
    n=$2
    shift 2
    images "$n" $options "$@"
    check "$what" test "$(grep -e '^ ' -e '^checksum' out)" = "$expected"
}
same "one process" 1
same "two processes" 2 --fixed --mapping p1,p2,p1,p2,p1,p2
same "two processes, buffered" 2 --fixed --mapping p2,p2,p1,p1,p2,p1 --buffered
same "a process each" 6 --fixed --mapping p6,p5,p4,p3,p2,p1
same "a process each, buffered" 6 --fixed --mapping p1,p2,p3,p4,p5,p6 --buffered
same "more processes than stages" 7 --buffered
same "random moves, one process" 1 --random-moves --period 0.005

# Fast machines, without ends: results come out on several processes.
sed -e 's/time 10 ms/time 0.4 ms/' -e '/^input/d' -e '/^output/d' -e 's/default 1 ms/default 50 us/' \
    "$root/examples/pipeline/slowdown.amo" >fast.amo
# moves LEAST: were there at least so many?
moves() {
    awk -v least="$1" '/ moves?, / { good = $1 >= least } END { exit !good }' out
}
same "random moves" 4 --random-moves --period 0.01 --platform fast.amo
check "there are random moves" moves 10
same "random moves, buffered" 4 --random-moves --period 0.01 --platform fast.amo --buffered
check "there are random moves, buffered" moves 10
same "random moves, shared" 4 --random-moves --period 0.01 --platform fast.amo --static-sharing
echo "0.1 time.p2 20 ms" >fast.changes
options="--images 300 --size 40 --seed 7"
images 0 $options --sequential
expected=$(grep -e '^ ' -e '^checksum' out)
same "rescheduling" 4 --platform fast.amo --changes fast.changes --period 0.25 --log log.txt \
    --throughput t.dat --measurements m.csv
check "a stage leaves what has become slow" moves 1
check "the log says why" grep -q "items/s as it is (p.*: moved" log.txt
check "throughput over time" awk '/^[^#]/ {
        # items and rates tell the same
        if (NF != 5 || $1 <= last || ($4 - items - $2 * ($1 - last)) ^ 2 > 0.1) wrong = 1
        last = $1; items = $4
    }
    END { exit wrong || items < 50 || items > 300 }' t.dat
{ cat fast.amo && echo 'include "m.csv";'; } >measured.amo
check "amoget reads the measurements" "$bin/amoget" measured.amo --search best --json \
    >measured.json 2>"$work/err"
same "rescheduling, a log for programs" 4 --platform fast.amo --period 0.1 --log log.json --json-log
check "JSON" awk '!/^\{ "event": .* \}$/ { exit 1 } END { exit NR == 0 }' log.json

# ---- what is wrong ------------------------------------------------------------------------------

: >empty.pgm
printf 'P5\n8 8\n255\n1234' >short.pgm
printf 'P2\n2 2\n9\n1 2 3 four\n' >word.pgm
printf 'P5\n30000 30000\n255\n' >large.pgm
printf 'R5\n4 4\n255\n\377\001' >long.r5
check "no file" fails 5 "missing.pgm: No such file or directory" 3 square.pgm missing.pgm
check "a folder" fails 5 "first: Is a directory" 0 first
for file in empty.pgm short.pgm word.pgm long.r5; do
    check "$file, alone" fails 5 "$file: not a PGM, PPM or R5 image, or cut off" 0 --sequential $file
done
check "short.pgm" fails 5 "stage 1 .decode. failed on item 1 with" 3 square.pgm short.pgm
check "short.pgm, by its name" grep -q "short.pgm: not a PGM" err
check "large.pgm" fails 5 "large.pgm: the image is too large" 0 large.pgm
check "no images" fails 2 "--images takes a whole number from 1, not '0'" 0 --images 0
check "an option" fails 2 "unknown option" 0 --frobnicate
check "a value" fails 2 "a value is missing for '--size'" 0 --size
check "a mapping" fails 2 "names 2 processors for 6 stages" 0 --mapping p1,p2
check "fixed and moving" fails 2 "contradict" 0 --fixed --random-moves
check "sharing" fails 2 "with a --platform only" 0 --static-sharing
check "processes" fails 1 "there are 4 processors for 1 process: mpirun -n 4" 0 --platform fast.amo
sed 's/segment/cut/' fast.amo >cut.amo
check "another pipeline" fails 1 "stage 4 is .cut.: in this pipeline it is .segment." 0 \
    --description cut.amo
echo "processors {" >broken.amo
check "a broken description" fails 1 "^broken.amo:" 0 --description broken.amo
echo "1 time.nobody 3" >broken.changes
check "broken changes" fails 1 "^broken.changes:1" 4 --platform fast.amo --changes broken.changes
check "no description" fails 5 "none.amo: No such file" 0 --description none.amo
check "a log that cannot be" fails 5 "none/log: No such file" 0 --images 2 --log none/log
check "results that cannot be" fails 5 "the sink failed on item 0" 0 --images 2 --output empty.pgm
"$bin/grid-images" --sequential --images 3 >/dev/full 2>err
check "a full disk" test $? -eq 5

# ---- help ---------------------------------------------------------------------------------------

images 2 --help
check "help succeeds" test $? -eq 0
if [ "${UPDATE:-}" = 1 ]; then
    cp out "$root/tests/grid/images.help"
fi
check "help" diff -u "$root/tests/grid/images.help" out

echo "grid-images: $passed passed, $bad failed"
[ "$bad" -eq 0 ] && [ "$passed" -gt 0 ]
