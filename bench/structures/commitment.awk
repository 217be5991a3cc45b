# Gas turbines started and stopped to follow the load of the day:  awk -f commitment.awk UNITS
#
# A unit is cold, warm, starting, on, or in repair.  Units are called while those on and starting
# are too few for the hour and a reserve, warm ones sooner than cold ones, and are taken off when
# there are too many.  Once in years the grid collapses and all units that are on trip together.
# Source: IEEE Task Group on Models for Peaking Service Units, "A four-state model for estimation of
# outage risk for units in peaking service", IEEE Transactions on Power Apparatus and Systems 91
# (1972); R. Billinton, R. N. Allan, "Reliability Evaluation of Power Systems" (1996).
# States: 12 C(UNITS + 4, 4), 12 of the day, but for a few with nearly all units on (counted): 21000
# for 12, 322596 for 26.
# Hard: the day never settles; calls depend on all units at once; the collapse jumps right across
# the state space, and is six decades rarer than the calls.  Units that are not on stay as they are
# then (self-loops, meant so).
BEGIN {
    if (ARGC != 2) {
        print "usage: awk -f commitment.awk UNITS" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    split("0.35 0.3 0.3 0.45 0.65 0.75 0.8 0.75 0.7 0.85 0.9 0.6", share, " ")
    print "// Per hour; the load in units, for every two hours of the day."
    print "hour = 0.5; call = 2; fire = 4; misfire = 0.15; cooling = 0.1; take = 1; trip = 0.004;"
    print "mend = 0.02; collapse = 1e-5; reserve = 1;"
    for (k = 1; k <= 12; k++) {
        printf "load%d = %.4g;\n", k, n * share[k]
        need = need (k > 1 ? " + " : "") "load" k " * Hour" k
        print "Hour" k " = (pass, hour).Hour" k % 12 + 1 " + (collapse, collapse).Hour" k ";"
    }
    short = "max(0, " need " + reserve - On - Starting)"
    over = "max(0, On + Starting - 1 - (" need " + reserve))"
    print "Cold = (callCold, 0.1 * call * " short ").Starting + (collapse, T).Cold;"
    print "Warm = (callWarm, call * " short ").Starting + (cool, cooling).Cold" \
        " + (collapse, T).Warm;"
    print "Starting = (fire, (1 - misfire) * fire).On + (misfire, misfire * fire).Repair"
    print "    + (collapse, T).Starting;"
    print "On = (take, take * " over ").Warm + (trip, trip).Repair + (collapse, T).Cold;"
    print "Repair = (mend, mend).Cold + (collapse, T).Repair;"
    print "Cold[" n "]{collapse} <collapse> Hour1"
}
