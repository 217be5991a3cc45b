#!/bin/sh
# taag probe: what it measures of simulated machines is what these are; what it writes, descriptions include and
# taag map and amoget use; a host that does not start is named.  BUILD: where the programs are.
set -u
cd "$(dirname "$0")/../../.."
BUILD=$(cd "$BUILD" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
taag=$BUILD/bin/taag
bad=0

wrong() {
    echo "probe: FAILED: $*" >&2
    bad=1
}

# ---- on this machine ----------------------------------------------------------------------------------

cat >"$work/three.amo" <<'END'
pipeline { stage 1; stage 2; }
processors { a time 1 cores 2;  b time 3 cores 2;  c time 1 cores 2; }
network { latency local 1 us; }
program { groups 4 min 2; }
END
timeout 60 "$taag" probe "$work/three.amo" --here --output "$work/three.csv" >"$work/out" 2>&1 ||
    { cat "$work/out" >&2; wrong "three processes here"; }
[ ! -s "$work/out" ] || wrong "it prints: $(cat "$work/out")"
[ "$(cut -d, -f2,3,4 "$work/three.csv" | grep -v bandwidth)" = 'what,from,to
latency,a,b
latency,a,c
latency,b,c
time,a,
time,b,
time,c,' ] || { cat "$work/three.csv" >&2; wrong "lines of three.csv"; }
# All are this machine: b is not slower than a.
awk -F, '$2 == "time" && !($5 > 0.2 && $5 < 5) { bad = 1 } $2 == "latency" && !($5 > 0 && $5 < 1) { bad = 1 }
    END { exit bad }' "$work/three.csv" || { cat "$work/three.csv" >&2; wrong "numbers of three.csv"; }
# What has no latencies cannot be mapped before.
! "$taag" map "$work/three.amo" >"$work/out" 2>&1 || wrong "a map without latencies"
echo 'include "three.csv";' >>"$work/three.amo"
"$taag" map "$work/three.amo" >"$work/out" 2>&1 || { cat "$work/out" >&2; wrong "taag map with three.csv"; }
"$BUILD/bin/amoget" "$work/three.amo" >"$work/out" 2>&1 || { cat "$work/out" >&2; wrong "amoget with three.csv"; }
# The description includes what is written anew.
timeout 60 "$taag" probe "$work/three.amo" --here -o "$work/three.csv" >"$work/out" 2>&1 ||
    { cat "$work/out" >&2; wrong "three processes again"; }
[ "$(echo "$work"/three.csv*)" = "$work/three.csv" ] || wrong "a part of three.csv is left"
# Links are followed, and devices written to.
ln -s three.csv "$work/link.csv"
timeout 60 "$taag" probe "$work/three.amo" --here -o "$work/link.csv" >"$work/out" 2>&1 &&
    [ -h "$work/link.csv" ] && [ ! -h "$work/three.csv" ] || { cat "$work/out" >&2; wrong "a link"; }
if [ -c /dev/full ] && [ "$(id -u)" -eq 0 ] && mknod "$work/full" c 1 7 2>/dev/null; then
    timeout 60 "$taag" probe "$work/three.amo" --here -o "$work/full" >"$work/out" 2>&1
    [ $? -eq 5 ] && [ -c "$work/full" ] && grep -q 'No space left' "$work/out" ||
        { cat "$work/out" >&2; wrong "a full device"; }
fi

# ---- hosts that do not start ----------------------------------------------------------------------------

cp "$work/three.csv" "$work/kept.csv"
echo 'processors { localhost time 1; nowhere_at_all time 1; }' |
    timeout 120 "$taag" probe - --output "$work/three.csv" >"$work/out" 2>&1
[ $? -eq 5 ] && grep -q '^taag probe: host nowhere_at_all starts no process' "$work/out" &&
    ! grep -q 'host localhost' "$work/out" || { cat "$work/out" >&2; wrong "a host that does not exist"; }
cmp -s "$work/three.csv" "$work/kept.csv" || wrong "the last measurements are gone"
[ "$(echo "$work"/three.csv*)" = "$work/three.csv" ] || wrong "a part of three.csv is left after a failure"
mkdir "$work/lone"
cp "$taag" "$work/lone/"
"$work/lone/taag" probe "$work/three.amo" --here >"$work/out" 2>&1
[ $? -eq 5 ] && grep -q 'lone/taag-probe' "$work/out" || { cat "$work/out" >&2; wrong "no taag-probe"; }
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 60 mpirun -q -n 1 "$BUILD/bin/taag-probe" 1 \
    >"$work/out" 2>&1 && wrong "a process without a name"
grep -q '^taag-probe: 1 process' "$work/out" || { cat "$work/out" >&2; wrong "a process without a name"; }

# ---- simulated machines -----------------------------------------------------------------------------------

# probe PLATFORM HOSTS SECONDS: on the hosts of a file; names have _ for -.
probe() {
    # shellcheck disable=SC2046
    TMPDIR=$work timeout -k 5 "${TIMEOUT:-300}" tests/grid/smpirun.sh "$(grep -c . "$2")" "$2" "$1" \
        "$BUILD/smpi/probe" "$3" $(tr - _ <"$2")
}

# Four clusters: all pairs of 12 machines, and of 11, of which one rests in each round.
seq -f edin1-%.0f 0 4 >"$work/twelve"
for c in edin2 sbc; do seq -f $c-%.0f 0 1; done >>"$work/twelve"
seq -f muni-%.0f 0 2 >>"$work/twelve"
head -n 11 "$work/twelve" >"$work/eleven"
for hosts in twelve eleven; do
    probe tests/grid/smpi/grid.xml "$work/$hosts" 1 >"$work/$hosts.csv" || wrong "$hosts machines"
    awk -F, -v n="$(grep -c . "$work/$hosts")" '
        BEGIN {
            split("edin1 edin2 sbc muni", name, " ")
            split("534 1395 933 1529", mhz, " ")
            split("0.20 0.27 2.03 35.8 0.27 0.15 2.03 35.8 2.03 2.03 0.20 32.8 35.8 35.8 32.8 0.13", ms, " ")
            for (a = 1; a <= 4; a++) {
                speed[name[a]] = mhz[a]
                for (b = 1; b <= 4; b++)
                    latency[name[a], name[b]] = ms[4 * (a - 1) + b] / 1e3
            }
        }
        # The found over the true, and how far that may be from 1.
        function check(ratio, most) {
            if (!(ratio >= 1 - most && ratio <= 1 + most)) {
                print $0 ": " ratio " times what it is" >"/dev/stderr"
                bad = 1
            }
        }
        { a = $3; b = $4; sub(/_.*/, "", a); sub(/_.*/, "", b) }
        NR == 2 { moment = $1 }
        NR > 2 && $1 != moment { print $0 ": another time than " moment >"/dev/stderr"; bad = 1 }
        $2 == "latency" { check($5 / latency[a, b], 0.01); pairs++ }
        $2 == "bandwidth" { check($5 / 12.5e6, 0.02); widths++ }
        $2 == "time" { check($5 * speed[a] / 534, 1e-6); times++ }
        END { exit bad || pairs != n * (n - 1) / 2 || widths != pairs || times != n }' "$work/$hosts.csv" ||
        wrong "measurements of $hosts machines"
done

# The loop: a description that knows the first time only, what is measured on the machines as they are, and the
# mapping of a description that knows all.
. tests/taag/nbody/simulate.sh
sites 1400 || wrong "no mappings"
awk -v bandwidth=125MBps -v hosts="$work/ranks" -f tests/taag/nbody/platform.awk "$work/TAAG.xml" >"$work/sites.platform"
printf '%s\n' alex altix1 >"$work/sites"
probe "$work/sites.platform" "$work/sites" 0.0004 >"$work/sites.csv" || wrong "two sites"
{
    echo 'processors { alex time 0.0004 cores 12; altix1 time 1 cores 6; }'
    echo 'include "sites.csv"; program { graph 3 sizes 3 6 9; }'
} >"$work/measured.amo"
"$taag" map "$work/measured.amo" --quiet --output "$work/measured.xml" >"$work/out" 2>&1 ||
    { cat "$work/out" >&2; wrong "taag map with what was measured"; }
# rounded MAPPING: its numbers to two digits.
rounded() {
    sed 's/"/ " /g' "$1" | awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^[0-9.][0-9.e+-]*$/) $i = sprintf("%.2g", $i) }
        { print }'
}
rounded "$work/TAAG.xml" >"$work/true.txt"
rounded "$work/measured.xml" >"$work/found.txt"
diff -u "$work/true.txt" "$work/found.txt" || wrong "another mapping than that of the true numbers"

[ "$bad" -eq 0 ] && echo "probe: finds what simulated machines are, and descriptions include it"
exit "$bad"
