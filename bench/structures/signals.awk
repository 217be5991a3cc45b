# A fixed-cycle traffic light where two roads cross:  awk -f signals.awk STAGES ROOM
#
# The light goes round: green for one road, all red, green for the other, all red.  Each period is
# Erlang-distributed, STAGES stages in a green and a quarter of that in a red, so that for many
# stages the cycle is nearly deterministic.  Cars come as Poisson streams and leave at a constant
# rate while they have green; each road has room for ROOM of them.
# Source: J. N. Darroch, "On the traffic-light queue", Annals of Mathematical Statistics 35 (1964);
# F. V. Webster, "Traffic signal settings" (1958).
# States: 5/2 STAGES (ROOM + 1)^2 for STAGES a multiple of 4: 20000 for 20 19, 2007040 for 64 111.
# Hard: the light is a ring, so the chain is nearly periodic: it turns for many cycles before it
# forgets where it began.
BEGIN {
    if (ARGC != 3 || ARGV[1] % 4) {
        print "usage: awk -f signals.awk STAGES ROOM (STAGES a multiple of 4)" > "/dev/stderr"
        exit 2
    }
    stages = ARGV[1] + 0
    room = ARGV[2] + 0
    print "stages = " stages "; green = 30; red = 7.5;  // seconds"
    print "leave = 0.5; north = 0.18; east = 0.17;      // cars per second"
    period("North", stages, "turn, stages / green", "(leaveNorth, leave)", "Clear")
    period("Clear", stages / 4, "turn, stages / 4 / red", "", "East")
    period("East", stages, "turn, stages / green", "(leaveEast, leave)", "Empty")
    period("Empty", stages / 4, "turn, stages / 4 / red", "", "North")
    road("North", "north")
    road("East", "east")
    print "(RoadNorth0 || RoadEast0) <leaveNorth, leaveEast> North1"
}

function period(name, count, turn, cross, following,    k)
{
    for (k = 1; k <= count; k++)
        print name k " = (" turn ")." (k < count ? name k + 1 : following 1) \
            (cross != "" ? " + " cross "." name k : "") ";"
}

function road(name, rate,    k)
{
    for (k = 0; k <= room; k++)
        print "Road" name k " = " (k < room ? "(come" name ", " rate ").Road" name k + 1 : "") \
            (k > 0 && k < room ? " + " : "") \
            (k > 0 ? "(leave" name ", T).Road" name k - 1 : "") ";"
}
