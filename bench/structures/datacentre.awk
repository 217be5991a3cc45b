# A data centre without mains, and how warm it gets:
#   awk -f datacentre.awk GENERATORS CHILLERS LEVELS
#
# Two feeds bring the mains; a storm takes both.  Without mains the generators start, all but one of
# which are needed, through a switch that may stick; the battery, in LEVELS levels, bridges the
# gap.  When it is empty all goes dark.  Chillers stop as soon as there is no power but that of the
# battery; all but one are needed to keep the room from warming up, by LEVELS levels, until the
# computers switch themselves off.
# Source: IEEE Standard 493, "Recommended practice for the design of reliable industrial and
# commercial power systems" (2007); L. A. Barroso, U. Hoelzle, "The Datacenter as a Computer"
# (2009).
# States: 16 C(GENERATORS + 2, 2) C(CHILLERS + 2, 2) (LEVELS + 1)^2: 40000 for
# 3 3 4, 451584 for 5 5 7.
# Hard: nine decades, from relays (a second) to the switch that sticks (a hundred years); nearly all
# probability where nothing is wrong, the interest where all is.
BEGIN {
    if (ARGC != 4 || ARGV[1] < 2 || ARGV[2] < 2) {
        print "usage: awk -f datacentre.awk GENERATORS (from 2) CHILLERS (from 2) LEVELS" \
            > "/dev/stderr"
        exit 2
    }
    generators = ARGV[1] + 0
    chillers = ARGV[2] + 0
    levels = ARGV[3] + 0
    mains = "min(1, FeedA + FeedB)"
    power = "max(" mains ", Ready * max(0, min(1, Running - " generators - 2 ")))"
    print "// Per hour."
    print "fault = 5e-4; mend = 0.6; storm = 1e-4; stick = 1e-6; free = 0.3;"
    print "start = 360; stop = 12; rust = 2e-4; fail = 3e-3; repair = 0.04;"
    print "drain = " 6 * levels "; charge = " 0.2 * levels "; relay = 3600; resume = 0.5;"
    print "again = 10; wear = 1e-4; fix = 0.03; heat = " 5 * levels "; cool = " 4 * levels ";"
    feed("A", 1)
    feed("B", 1.5)
    print "Storm = (storm, storm).Storm;"
    print "Ready = (stick, stick).Stuck;\nStuck = (free, free).Ready;"
    print "Off = (start, 0.99 * start * (1 - " mains ")).Running"
    print "    + (refuse, 0.01 * start * (1 - " mains ")).Broken + (rust, rust).Broken;"
    print "Running = (stop, stop * " mains ").Off + (fail, fail).Broken;"
    print "Broken = (repair, repair).Off;"
    for (k = 0; k <= levels; k++) {
        text = (k < levels ? " + (charge, charge * " power ").Battery" k + 1 : "")
        text = text "\n    + (" (k > 0 ? "drain, drain" : "dark, relay") " * (1 - " power "))"
        print "Battery" k " = " substr(text ".Battery" (k > 0 ? k - 1 : 0), k < levels ? 4 : 8) ";"
    }
    print "Chills = (drop, relay * (1 - " power ")).Stopped + (wear, wear).Worn;"
    print "Stopped = (again, again * " power ").Chills;\nWorn = (fix, fix).Stopped;"
    for (k = 0; k <= levels; k++)
        print "Warm" k " = " (k < levels ? "(heat, heat * Serves * max(0, " chillers - 1 \
            " - Chills) / " chillers - 1 ").Warm" k + 1 : "(trip, relay).Warm" k) \
            (k > 0 ? "\n    + (cool, cool * Chills / " chillers ").Warm" k - 1 : "") ";"
    print "Serves = (dark, T).Halted + (trip, T).Halted;"
    print "Halted = (resume, resume * " power ").Serves;"
    print "((FeedA <storm> FeedB) <storm> Storm) || Ready || Off[" generators "] || Chills[" \
        chillers "]"
    print "|| ((Battery" levels " || Warm0) <dark, trip> Serves)"
}

function feed(name, often)
{
    print "Feed" name " = (fault" name ", " often " * fault).Dead" name \
        " + (storm, T).Dead" name ";"
    print "Dead" name " = (mend" name ", mend / " often ").Feed" name " + (storm, T).Dead" name ";"
}
