# Deep ships that wait for the tide, and coasters that do not:  awk -f harbour.awk BERTHS ROADS
#
# At most ROADS ships of each kind lie in the roads.  A deep ship passes the bar only about high
# water, with two of three tugs, in and out; a coaster takes one tug, at any time.  There are BERTHS
# berths for either.  Deep ships may not shut out coasters by rule, but they stay long.
# Source: E. G. Frankel, "Port Planning and Development" (1987); UNCTAD, "Port Development: A
# Handbook for Planners in Developing Countries" (1985).
# States: 24 (ROADS + 1)^2 C(BERTHS + 4, 4), 6 of the tide and 4 of the tugs: 21000 for 3 4,
# 365904 for 5 10.
# Hard: the tide turns all the time and never settles; a deep ship that misses it keeps its berth.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f harbour.awk BERTHS ROADS" > "/dev/stderr"
        exit 2
    }
    berths = ARGV[1] + 0
    roads = ARGV[2] + 0
    print "// Per hour."
    print "turn = " 6 / 12.4 "; tow = 2; back = 1.2; deep = " 0.011 * berths "; coaster = " \
        0.035 * berths ";"
    print "unload = 0.05; handle = 0.09;"
    for (k = 1; k <= 6; k++)
        print "Tide" k " = (turn, turn).Tide" k % 6 + 1 \
            (k == 3 || k == 4 ? " + (deepIn, T).Tide" k " + (deepOut, T).Tide" k : "") ";"
    for (k = 0; k <= roads; k++) {
        queue("Deep", k, "deep", "deepIn")
        queue("Coaster", k, "coaster", "coasterIn")
    }
    print "Free = (deepIn, T).Deep1 + (coasterIn, T).Small;"
    print "Deep1 = (hold, unload).Deep2;"
    print "Deep2 = (hold, unload).Laden;"
    print "Laden = (deepOut, T).Free;"
    print "Small = (handle, handle).Free;"
    for (k = 0; k <= 3; k++)
        print "Tugs" k " = " substr((k < 3 ? " + (back, " 3 - k " * back).Tugs" k + 1 : "") \
            (k > 0 ? " + (coasterIn, tow).Tugs" k - 1 : "") \
            (k > 1 ? " + (deepIn, tow).Tugs" k - 2 " + (deepOut, tow).Tugs" k - 2 : ""), 4) ";"
    print "(((Deep_0 || Coaster_0) <deepIn, coasterIn> Free[" berths "])"
    print "    <deepIn, deepOut, coasterIn> Tugs3) <deepIn, deepOut> Tide1"
}

function queue(name, k, arrive, leave)
{
    print name "_" k " = " (k < roads ? "(" arrive "Come, " arrive ")." name "_" k + 1 : "") \
        (k > 0 && k < roads ? " + " : "") (k > 0 ? "(" leave ", T)." name "_" k - 1 : "") ";"
}
