# Part of gum.sh, gum_predict.sh and gum_limits.sh: the grids of Al Zain and others 2007, and runs on them in simulated time.
#   $work, of the caller: a folder that gets a file of hosts for each grid;  $build: where smpi/gum_shapes is

grids='6E1M 12E2M 18E3M 24E4M 30E5M 5E30E6M'
# grid NAME EDIN2 EDIN1 MUNI
grid() {
    : >"$work/$1"
    [ "$3" -eq 0 ] || seq -f 'edin1-%.0f' 0 $(($3 - 1)) >>"$work/$1"
    [ "$2" -eq 0 ] || seq -f 'edin2-%.0f' 0 $(($2 - 1)) >>"$work/$1"
    [ "$4" -eq 0 ] || seq -f 'muni-%.0f' 0 $(($4 - 1)) >>"$work/$1"
}
grid 6E1M 0 6 1
grid 12E2M 0 12 2
grid 18E3M 0 18 3
grid 24E4M 0 24 4
grid 30E5M 0 30 5
grid 5E30E6M 5 30 6
# Others, at which nobody looked while the models were made.
grid 4E12E2M 4 12 2
grid 10E6M 0 10 6
grid 6E6E3M 6 6 3

# A tenth of the work of the papers' runs: 7 processes of 4.733 GHz in all take 374 and 247 s without loss.
arguments() {
    case $1 in
    parfib) echo "parfib 11 0.864" ;;     # 2048 leaves
    raytracer) echo "raytracer 600 1.95" ;; # 600 lines, very irregular
    parfib-small) echo "parfib 10 0.4" ;;
    raytracer-small) echo "raytracer 450 0.6" ;;
    esac
}

# simulate_on HOSTS POLICY SHAPE ...: the shape on the hosts of the file $work/HOSTS; what it prints is in $work/out;
# fails unless the answer is right.  Short messages leave when they are sent, as those of MPI on a network, not when
# their receiver has looked.
simulate_on() {
    hosts=$work/$1 policy=$2
    shift 2
    GUM_POLICY=$policy TMPDIR=$work timeout "${TIMEOUT:-550}" tests/grid/smpirun.sh "$(wc -l <"$hosts")" "$hosts" \
        bench/gum_grid.xml --cfg=smpi/async-small-thresh:65536 --cfg=smpi/send-is-detached-thresh:65536 \
        "$build/smpi/gum_shapes" "$@" >"$work/out" 2>&1 </dev/null
    grep -aq 'right$' "$work/out"
}
# simulate PROGRAM GRID POLICY
simulate() {
    # shellcheck disable=SC2046
    simulate_on "$2" "$3" $(arguments "$1")
}
