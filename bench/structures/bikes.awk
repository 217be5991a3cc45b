# Stations where bicycles are rented and brought back:  awk -f bikes.awk STATIONS PLACES FLEET
#
# FLEET bicycles stand at STATIONS stations of PLACES places each, or are ridden.  A rider who finds
# the station full rides on and tries again.  Nobody waits at an empty station.  Stations differ in
# demand and in how many riders go there.
# Source: C. Fricker, N. Gast, "Incentives and redistribution in homogeneous bike-sharing systems
# with stations of finite capacity", EURO Journal on Transportation and Logistics 5 (2016);
# D. K. George, C. H. Xia, "Fleet-sizing and service availability for a vehicle rental system via
# closed queueing networks", European Journal of Operational Research 211 (2011).
# States: (PLACES + 1)^STATIONS without those of more than FLEET bicycles in all: 17891 for 4 12 26,
# 227997 for 5 12 32.
# Hard: one number is kept, the fleet, and each trip meets the same counter of riders; some
# stations are nearly always empty and some full.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f bikes.awk STATIONS PLACES FLEET" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    places = ARGV[2] + 0
    fleet = ARGV[3] + 0
    print "trip = 2;"
    for (i = 1; i <= n; i++) {
        print "rent" i " = " 1 + 0.4 * (i % 3) "; share" i " = " (0.8 + 0.4 * (i % 2)) / n ";"
        for (k = 0; k <= places; k++)
            print "Place" i "_" k " = " (k < places ? "(bring" i ", T).Place" i "_" k + 1 : "") \
                (k > 0 && k < places ? " + " : "") \
                (k > 0 ? "(rent" i ", rent" i ").Place" i "_" k - 1 : "") ";"
        start = int(fleet * i / n) - int(fleet * (i - 1) / n)
        if (start > places)
            start = places
        ridden += start
        stations = stations (i > 1 ? " || " : "") "Place" i "_" start
        shared = shared (i > 1 ? ", " : "") "rent" i ", bring" i
    }
    for (k = 0; k <= fleet; k++) {
        text = ""
        for (i = 1; i <= n; i++)
            text = text (k < fleet ? " + (rent" i ", T).Ridden" k + 1 : "") \
                (k > 0 ? " + (bring" i ", " k " * trip * share" i ").Ridden" k - 1 : "")
        print "Ridden" k " = " substr(text, 4) ";"
    }
    print "(" stations ") <" shared "> Ridden" fleet - ridden
}
