# Ambulances sent by preference (hypercube model):  awk -f ambulance.awk UNITS ROOM
#
# Each of UNITS districts along a road has a unit.  A call gets the nearest free unit; if all are
# busy it waits, one of ROOM at most, for the first that is free.  A unit drives out, works at the
# scene, and in two cases of three brings the patient to hospital.
# Source: R. C. Larson, "A hypercube queuing model for facility location and redistricting in urban
# emergency services", Computers and Operations Research 1 (1974).
# States: 4^UNITS + ROOM 3^UNITS: 38254 for 7 10, 458974 for 9 10.
# Hard: no two units are alike, and a call to a far unit is an activity that all nearer ones share;
# minutes to an hour, load about 0.7.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2) {
        print "usage: awk -f ambulance.awk UNITS (from 2) ROOM" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    room = ARGV[2] + 0
    print "drive = 6; scene = 2.5; bring = 1.5;  // per hour"
    town = "(wait, call)"
    for (u = 1; u <= n; u++)
        unit()
    print "call = " n " * 0.7;\nTown = " town ".Town" calls ";"
    for (k = 0; k <= room; k++) {
        text = k < room ? " + (wait, T).Queue" k + 1 : ""
        for (u = 1; u <= n; u++)
            text = text (k > 0 ? " + (next" u ", T).Queue" k - 1 : " + (free" u ", T).Queue0")
        print "Queue" k " = " substr(text, 4) ";"
    }
    print "((" units ") <*> Town) <*> Queue0"
}

# Unit v is sent to district d before unit u.
function before(d, v, u,    near, far)
{
    near = v < d ? d - v : v - d
    far = u < d ? d - u : u - d
    return near < far || (near == far && v < u)
}

function unit(    d, text)
{
    for (d = 1; d <= n; d++) {
        text = text " + (send" d "_" u ", T).Drive" u
        calls = calls "\n    + (send" d "_" u ", call / " n ").Town"
    }
    print "Free" u " = " substr(text, 4) ";"
    busy("Drive" u, "(arrive" u ", " 1 + 0.05 * (u % 3) " * drive).Scene" u)
    busy("Scene" u, over("scene / 3") " + (load" u ", scene * 2 / 3).Bring" u)
    busy("Bring" u, over("bring"))
    units = units (u > 1 ? " <*> " : "") "Free" u
}

# The end of a call: the unit is free, or goes to the next call that waits.
function over(rate)
{
    return "(free" u ", " rate ").Free" u " + (next" u ", " rate ").Drive" u
}

# What unit u does in a busy state, and what may happen without it.
function busy(name, text,    d, v)
{
    text = text " + (wait, T)." name
    for (d = 1; d <= n; d++)
        for (v = 1; v <= n; v++)
            if (before(d, u, v))
                text = text "\n    + (send" d "_" v ", T)." name
    print name " = " text ";"
}
