# Pumps and valves of an unmanned platform, overhauled together by a crew:
#     awk -f overhaul.awk PUMPS VALVES
#
# A pump wears in five stages, the faster the fewer others run and the more valves are stuck, and is
# down in the end.  A valve sticks at times, and then may be stuck, which nobody sees.  A crew is
# called each year, and at once when two pumps are down; it gets ready, sails in calm weather, and
# in one visit renews all pumps that are worn to the third stage or more, and frees all valves.
# Source: R. Dekker, R. E. Wildeman, F. A. van der Duyn Schouten, "A review of multi-component
# maintenance models with economic dependence", Mathematical Methods of Operations Research 45
# (1997); J. J. McCall, "Maintenance policies for stochastically failing equipment: a survey",
# Management Science 11 (1965).
# States: C(PUMPS + 5, 5) C(VALVES + 2, 2) 8: 36960 for 6 3, 1039584 for 12 5.
# Pumps that are little worn stay so (self-loops, meant so).
# Hard: one visit moves all units at once; weather in hours, wear in years.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2) {
        print "usage: awk -f overhaul.awk PUMPS (from 2) VALVES" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    m = ARGV[2] + 0
    print "// Per day."
    print "planned = " 1 / 365 "; call = 3; prepare = 0.3; sail = 4; visit = 1;"
    print "storm = 0.15; calm = 0.5; wear = 0.004; stick = 0.001; jam = 0.005;"
    running = "Pump0"
    for (k = 1; k <= 4; k++)
        running = running " + Pump" k
    for (k = 0; k <= 4; k++)
        print "Pump" k " = (wear, " 1 + 0.5 * k " * wear * " n " / (" running \
            ") * (1 + 0.3 * Stuck))." \
            (k < 4 ? "Pump" k + 1 : "Down") " + (visit, T).Pump" (k < 2 ? k : 0) ";"
    print "Down = (visit, T).Pump0;"
    print "Valve = (stick, stick).Sticky + (visit, T).Valve;"
    print "Sticky = (jam, jam).Stuck + (visit, T).Valve;"
    print "Stuck = (visit, T).Valve;"
    print "Ashore = (call, planned + call * min(1, max(0, Down - 1))).Preparing;"
    print "Preparing = (prepare, prepare).Ready;"
    print "Ready = (sail, T).Aboard;"
    print "Aboard = (visit, visit).Ashore;"
    print "Calm = (sail, sail).Calm + (storm, storm).Storm;\nStorm = (calm, calm).Calm;"
    print "((Pump0[" n "]{visit} <visit> Valve[" m "]{visit}) <visit> Ashore) <sail> Calm"
}
