# Vehicles that carry parts round a loop of zones:  awk -f agv.awk ZONES VEHICLES ROOM
#
# A zone has room for one of VEHICLES vehicles, which moves on when the next zone is free.  In zone
# 1 it waits for a part, of kind A or B.  The machine of each kind stands along the loop; there the
# vehicle waits for one of ROOM places, leaves the part and goes on empty.
# Source: P. J. Egbelu, J. M. A. Tanchoco, "Characterization of automatic guided vehicle dispatching
# rules", International Journal of Production Research 22 (1984); I. F. A. Vis, "Survey of research
# in the design and control of automated guided vehicle systems", European Journal of Operational
# Research 170 (2006).
# States: 64064 for 8 4 3, 399384 for 9 4 5.
# Hard: vehicles do not overtake, so one that waits holds up all; their order is kept, and
# every zone cooperates with two others.
BEGIN {
    zones = ARGV[1] + 0
    vehicles = ARGV[2] + 0
    room = ARGV[3] + 0
    stop["A"] = 1 + int(zones / 3)
    stop["B"] = 1 + int(2 * zones / 3)
    if (ARGC != 4 || zones < 5 || vehicles > zones - stop["A"]) {
        print "usage: awk -f agv.awk ZONES (from 5) VEHICLES (at most two thirds) ROOM" > \
            "/dev/stderr"
        exit 2
    }
    print "move = 3; load = 5; come = 0.95; workA = 0.5; workB = 0.5;"
    for (i = 1; i <= zones; i++) {
        zone(i, i % zones + 1)
        name = (i > zones - vehicles ? "Empty" : "Free") i
        loop = i == 1 ? name : "(" loop " <*> " name ")"
    }
    queue("Parts", "come", "come", "load")
    queue("A", "putA", "T", "workA")
    queue("B", "putB", "T", "workB")
    print "(Parts0 <*> " loop ") <*> (A0 || B0)"
}

# Zone i, before zone j: free, or with a vehicle that is empty or carries a part to A or B.
function zone(i, j,    free, text, kind, s)
{
    if (i == 1)
        print "Empty1 = (loadA, load / 2).A_1 + (loadB, load / 2).B_1;"
    else if (i >= stop["A"]) {
        free = " + (empty" (i == stop["A"] ? "" : i - 1) ", T).Empty" i
        if (i > stop["A"])
            text = free
        print "Empty" i " = (empty" i ", move).Free" i ";"
    }
    if (i == 1)
        text = " + (empty" zones ", T).Empty1"
    for (s = 1; s <= 2; s++) {
        kind = s == 1 ? "A" : "B"
        if (i < stop[kind]) {
            print kind "_" i " = (go" kind i ", move).Free" i ";"
            if (i > 1)
                text = text " + (go" kind i - 1 ", T)." kind "_" i
        } else if (i == stop[kind]) {
            print kind "_" i " = (put" kind ", load).Empty" i ";"
            text = text " + (go" kind i - 1 ", T)." kind "_" i
        }
    }
    print "Free" i " = " substr(text, 4) ";"
}

function queue(name, enter, rate, leave,    k, text)
{
    for (k = 0; k <= room; k++) {
        text = k < room ? " + (" enter ", " rate ")." name k + 1 : ""
        if (k > 0)
            text = text (name == "Parts" ? " + (loadA, T).Parts" k - 1 " + (loadB, T).Parts" k - 1 \
                : " + (" leave ", " leave ")." name k - 1)
        print name k " = " substr(text, 4) ";"
    }
}
