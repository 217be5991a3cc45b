# Ferries between two ports with one berth each:  awk -f ferry.awk FERRIES CARS ROOM
#
# Cars wait at a port, at most ROOM; they come faster at one than at the other.  A ferry loads one
# by one, sails when it has CARS or by the timetable, crosses, waits for the berth, and unloads.
# Nothing sails in a storm.
# Source: N. T. J. Bailey, "On queueing processes with bulk service", Journal of the Royal
# Statistical Society B 16 (1954); R. K. Deb, R. F. Serfozo, "Optimal control of batch service
# queues", Advances in Applied Probability 5 (1973).
# States: 2 (ROOM + 1)^2 times the multisets of FERRIES of 6 CARS + 4 local states in which no two
# are in one port: 81664 for 2 6 7, 682760 for 3 4 12.
# Hard: customers wait for one of few ferries of very many local states, which go round; a storm
# fills both ports to the last place.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f ferry.awk FERRIES CARS ROOM" > "/dev/stderr"
        exit 2
    }
    cars = ARGV[2] + 0
    room = ARGV[3] + 0
    print "// Per hour."
    print "board = 90; drive = 150; sail = 4; full = 30; cross = 2.5; storm = 0.01; calm = 0.1;"
    trips = ARGV[1] * cars
    port("A", "B", 0.9 * trips)
    port("B", "A", 0.6 * trips)
    print "Calm = (sailA, T).Calm + (sailB, T).Calm + (storm, storm).Storm;"
    print "Storm = (calm, calm).Calm;"
    print "ToA0[" ARGV[1] "] <boardA, boardB, sailA, sailB, landA, landB>"
    print "((FreeA || FreeB) <sailA, sailB> Calm || WaitA0 || WaitB0)"
}

function port(p, other, come,    k)
{
    print "come" p " = " come ";"
    for (k = 0; k <= cars; k++) {
        print "To" p k " = (land" p ", cross)." (k > 0 ? "Unload" : "Load") p k ";"
        if (k > 0)
            print "Unload" p k " = (drive" p ", drive)." (k > 1 ? "Unload" : "Load") p k - 1 ";"
        print "Load" p k " = " (k < cars ? "(board" p ", board).Load" p k + 1 " + " : "") \
            "(sail" p ", " (k < cars ? "sail" : "full") ").To" other k ";"
    }
    print "Free" p " = (land" p ", T).Taken" p ";"
    print "Taken" p " = (sail" p ", T).Free" p ";"
    for (k = 0; k <= room; k++)
        print "Wait" p k " = " (k < room ? "(come" p ", come" p ").Wait" p k + 1 : "") \
            (k > 0 && k < room ? " + " : "") (k > 0 ? "(board" p ", T).Wait" p k - 1 : "") ";"
}
