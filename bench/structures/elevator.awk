# An elevator that brings people down at the end of the day:
#   awk -f elevator.awk FLOORS ROOM CABIN
#
# People come to FLOORS upper floors and want to leave; ROOM wait on each at most.  The cabin goes
# up to the top, stops at each floor on the way down until all are in or it has CABIN people, and
# empties at the ground.
# Source: D. L. Pepyne, C. G. Cassandras, "Optimal dispatching control for elevator systems during
# uppeak traffic", IEEE Transactions on Control Systems Technology 5 (1997); G. C. Barney,
# "Elevator Traffic Handbook" (2003).
# States: (ROOM + 1)^FLOORS (FLOORS (CABIN + 2) + CABIN): 115248 for 4 6 8, 1410048 for 4 11 12.
# Hard: the cabin is a ring that visits the queues; boarding is fast beside travelling and arrivals,
# and an upper floor takes the room of a lower one.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f elevator.awk FLOORS ROOM CABIN" > "/dev/stderr"
        exit 2
    }
    floors = ARGV[1] + 0
    room = ARGV[2] + 0
    cabin = ARGV[3] + 0
    print "come = " 0.06 * cabin / floors "; board = 5; move = 1; alight = 4;"
    for (f = 1; f <= floors; f++) {
        for (k = 0; k <= room; k++)
            print "Floor" f "_" k " = " (k < room ? "(come" f ", come).Floor" f "_" k + 1 : "") \
                (k > 0 && k < room ? " + " : "") (k > 0 ? "(board" f ", T).Floor" f "_" k - 1 : \
                " + (down" f ", T).Floor" f "_0") ";"
        for (k = 0; k <= cabin; k++)
            print "Down" f "_" k " = " (k < cabin ? "(board" f ", board).Down" f "_" k + 1 \
                " + (down" f : "(full" f) ", move)." (f > 1 ? "Down" f - 1 "_" : "Ground") k ";"
        if (f < floors)
            print "Up" f " = (up, move)." (f + 1 < floors ? "Up" f + 1 : "Down" floors "_0") ";"
        queues = queues (f > 1 ? " || " : "") "Floor" f "_0"
        shared = shared (f > 1 ? ", " : "") "board" f ", down" f
    }
    for (k = 0; k <= cabin; k++)
        print "Ground" k " = " (k > 0 ? "(alight, alight).Ground" k - 1 : \
            "(up, move)." (floors > 1 ? "Up1" : "Down1_0")) ";"
    print "(" queues ") <" shared "> Ground0"
}
