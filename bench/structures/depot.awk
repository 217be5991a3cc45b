# Engines repaired at their base or at a depot:  awk -f depot.awk BASES ENGINES
#
# Each base has ENGINES engines, two more than it flies.  One that fails in flight is repaired by
# the crew of its base, or sent to the depot, whose two crews take engines of all bases, and shipped
# back to its base.
# Source: C. C. Sherbrooke, "METRIC: a multi-echelon technique for recoverable item control",
# Operations Research 16 (1968); D. Gross, D. R. Miller, R. M. Soland, "A closed queueing network
# model for multi-echelon repairable item provisioning", IIE Transactions 15 (1983).
# States: C(ENGINES + 3, 3)^BASES: 27225 for 2 8, 1728000 for 3 7.
# Hard: populations of four local states that meet at the depot only; all rates are within a
# factor of ten, and the depot is used to about 0.9.
BEGIN {
    if (ARGC != 3 || ARGV[2] < 3) {
        print "usage: awk -f depot.awk BASES ENGINES (from 3)" > "/dev/stderr"
        exit 2
    }
    bases = ARGV[1] + 0
    n = ARGV[2] + 0
    print "overhaul = " 0.0008 * bases * (n - 2) * 0.56 "; ship = 0.008;  // per hour"
    for (b = 1; b <= bases; b++) {
        print "fail" b " = " 0.002 * (1 + 0.1 * (b % 3)) "; mend" b " = " 0.0016 * (n - 2) ";"
        print "Ready" b " = (break" b ", 0.6 * fail" b ").Bench" b \
            " + (wreck" b ", 0.4 * fail" b ").Depot" b ";"
        print "Bench" b " = (mend" b ", mend" b ").Ready" b ";"
        print "Depot" b " = (overhaul, overhaul).Back" b ";"
        print "Back" b " = (ship" b ", ship).Ready" b ";"
        print "Plane" b " = (break" b ", 0.6 * fail" b ").Plane" b \
            " + (wreck" b ", 0.4 * fail" b ").Plane" b ";"
        print "Crew" b " = (mend" b ", mend" b ").Crew" b ";"
        all = all (b > 1 ? " || " : "") "(Ready" b "[" n "] <break" b ", wreck" b ", mend" b \
            "> (Plane" b "[" n - 2 "] || Crew" b "))"
    }
    print "Overhaul = (overhaul, overhaul).Overhaul;"
    print "(" all ") <overhaul> Overhaul[2]"
}
