# Trains both ways on a single track with passing loops:  awk -f singletrack.awk STATIONS ROOM
#
# STATIONS stations have one track for each direction; a single track joins each two, and both ends
# to yards.  A train goes on when the section ahead is free and its track in the next station too,
# which it then holds (so there is no deadlock).  ROOM trains wait in each yard at most.
# Source: O. Frank, "Two-way traffic on a single line of railway", Operations Research 14 (1966);
# E. R. Petersen, A. J. Taylor, "A structured model for rail line simulation and optimization",
# Transportation Science 16 (1982).
# States: (ROOM + 1)^2 times 1485 for 3 stations and 11664 for 4: 53460 for 3 5, 419904 for 4 5.
# Hard: three components take part in each departure, trains of both directions hold each other up
# along the whole line, and all rates are of one order.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f singletrack.awk STATIONS ROOM" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    room = ARGV[2] + 0
    print "dwell = 20; express = 2.2; freight = 1.8;  // per hour"
    for (j = 0; j <= n; j++) {
        print "run" j " = " 60 / (6 + 3 * (j * j % 4)) ";"
        print "Section" j " = (east" j ", T).East" j " + (west" j ", T).West" j ";"
        print "East" j " = (endEast" j ", run" j ").Section" j ";"
        print "West" j " = (endWest" j ", 0.8 * run" j ").Section" j ";"
        sections = sections (j > 0 ? " || " : "") "Section" j
    }
    for (i = 1; i <= n; i++) {
        track("E" i, "east" i - 1, "endEast" i - 1, "east" i)
        track("W" i, "west" i, "endWest" i, "west" i - 1)
        east = east (i > 1 ? " <*> " : "") "E" i
        west = west (i > 1 ? " <*> " : "") "W" i
    }
    yard("YardE", "express", "east0")
    yard("YardW", "freight", "west" n)
    print "(" sections ") <*> ((YardE0 <*> " east ") || (" west " <*> YardW0))"
}

function track(name, comes, arrives, leaves)
{
    print name " = (" comes ", T)." name "Held;"
    print name "Held = (" arrives ", T)." name "Stop;"
    print name "Stop = (" leaves ", dwell)." name ";"
}

function yard(name, come, leave,    k)
{
    for (k = 0; k <= room; k++)
        print name k " = " (k < room ? "(" come ", " come ")." name k + 1 : "") \
            (k > 0 && k < room ? " + " : "") (k > 0 ? "(" leave ", dwell)." name k - 1 : "") ";"
}
