# Kits of parts from suppliers that may stop:  awk -f kitting.awk PARTS ROOM
#
# Each of PARTS suppliers sends parts to its own bin of ROOM places, but for the rare months when
# it cannot.  A kit takes one part of each bin, two of the last, all together; it is packed and
# tested (two stages) before the next is begun.
# Source: J. M. Harrison, "Assembly-like queues", Journal of Applied Probability 10 (1973);
# P. Som, W. E. Wilhelm, R. L. Disney, "Kitting process in a stochastic assembly system", Queueing
# Systems 17 (1994).
# States: 3 (2 (ROOM + 1))^PARTS: 24000 for 3 9, 480000 for 4 9.
# Hard: no supplier knows of the others, so all bins but one fill up, which one changes slowly;
# disruptions are four decades slower than parts.
BEGIN {
    if (ARGC != 3 || ARGV[2] < 2) {
        print "usage: awk -f kitting.awk PARTS ROOM (from 2)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    room = ARGV[2] + 0
    print "pack = 4; test = 5;"
    for (i = 1; i <= n; i++) {
        need = i == n ? 2 : 1
        print "send" i " = " need * (1 + 0.02 * (i % 3)) "; stop" i " = " 0.0001 * (1 + i % 2) \
            "; resume" i " = " 0.002 / i ";"
        print "Sends" i " = (send" i ", send" i ").Sends" i " + (stop" i ", stop" i ").Stops" i ";"
        print "Stops" i " = (resume" i ", resume" i ").Sends" i ";"
        for (k = 0; k <= room; k++)
            print "Bin" i "_" k " = " (k < room ? "(send" i ", T).Bin" i "_" k + 1 : "") \
                (k >= need && k < room ? " + " : "") \
                (k >= need ? "(kit, T).Bin" i "_" k - need : "") ";"
        bins = bins (i > 1 ? " <kit> " : "") "(Sends" i " <send" i "> Bin" i "_0)"
    }
    print "Station = (kit, 20).Packing;\nPacking = (pack, pack).Testing;"
    print "Testing = (test, test).Station;"
    print "(" bins ") <kit> Station"
}
