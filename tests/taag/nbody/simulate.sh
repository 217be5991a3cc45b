# Galaxies on the two sites of Bosa and Schreiner, figure 6, in simulated time: functions for scripts, which
# set BUILD and work, a folder for files.

# Operations of a pair of particles: with these the mapping of taag takes for 1000 particles what the paper
# measured, 0.51444 s a step.  That is the one number that is fitted.
NBODY_FLOPS=120
export NBODY_FLOPS

# sites ALTIX1: mapping files $work/{MPI1,MPI2,TAAG}.xml, altix1 having so many Mflop/s.  The same in .json, with what
# the PEPA model predicts for 1000 particles: the work in millions of operations, 32 bytes for a particle.
sites() {
    altix1="altix1 time $(awk -v speed="$1" 'BEGIN { printf("%.17g", 1 / speed) }') cores 6;"
    alex="alex time 0.0004 cores 12;"
    rest="network { latency default 5ms; latency local 1us; } program { graph 3 sizes 3 6 9; work $NBODY_FLOPS; data 32000; exchange 32; }"
    echo "processors { $altix1 $alex } $rest" >"$work/altix1.amo"
    echo "processors { $alex $altix1 } $rest" >"$work/alex.amo"
    "$BUILD/bin/taag" map "$work/altix1.amo" --in-order --json --output "$work/MPI1.xml" >"$work/MPI1.json" &&
        "$BUILD/bin/taag" map "$work/alex.amo" --in-order --json --output "$work/MPI2.xml" >"$work/MPI2.json" &&
        "$BUILD/bin/taag" map "$work/alex.amo" --json --output "$work/TAAG.xml" >"$work/TAAG.json"
}

# simulate PROTOCOL MAPPING ARGUMENT...: nbody on $work/MAPPING.xml.  PROTOCOL early: messages of up to 64 KB
# leave at once, as MPIs over TCP send them; late: when their receiver waits for them.
simulate() {
    case $1 in early) early=65536 ;; *) early=0 ;; esac
    mapping=$work/$2.xml hosts=$work/$2.hosts
    shift 2
    awk -v bandwidth=125MBps -v hosts="$hosts" -f tests/taag/nbody/platform.awk "$mapping" >"$mapping.platform"
    TMPDIR=$work timeout -k 5 "${TIMEOUT:-300}" tests/grid/smpirun.sh "$(grep -c . "$hosts")" "$hosts" \
        "$mapping.platform" --cfg=smpi/async-small-thresh:$early "$BUILD/smpi/nbody" "$mapping" "$@"
}

# seconds PROTOCOL MAPPING PARTICLES STEPS: of a run whose forces only take time.
seconds() {
    NBODY_CHARGE_ONLY=1 simulate "$@" | sed -n 's/ seconds$//p'
}
