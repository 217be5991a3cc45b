# A token ring whose stations fail and whose token is lost:  awk -f ring.awk STATIONS
#
# A station is idle, ready or down.  The token visits them in order: an idle or failed one is passed
# by, a ready one sends a frame.  The token is lost now and then, or with a station that
# fails while it sends; after a timeout the monitor makes a new one at station 1.
# Source: W. Bux, "Token-ring local-area networks and their performance", Proceedings of the IEEE 77
# (1989); IEEE Standard 802.5 (1989).
# States: 3^STATIONS (STATIONS + 1) + STATIONS 3^(STATIONS - 1): 76545 for 8, 846369 for 10.
# Hard: passing the token takes a hundredth of a frame, failures come a million times more seldom; a
# ring in the product of 3^STATIONS states, no two of its stations alike.
BEGIN {
    if (ARGC != 2) {
        print "usage: awk -f ring.awk STATIONS" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "hop = 100; send = 1; fail = 1e-4; lose = 1e-3; recover = 0.01; timeout = 0.05;"
    for (i = 1; i <= n; i++) {
        print "ready" i " = " 0.03 + 0.02 * (i % 4) ";"
        print "Idle" i " = (ready" i ", ready" i ").Ready" i " + (by" i ", T).Idle" i \
            " + (fail" i ", fail).Down" i ";"
        print "Ready" i " = (take" i ", T).Send" i " + (fail" i ", fail).Down" i ";"
        print "Send" i " = (send" i ", send).Idle" i " + (crash" i ", fail).Down" i ";"
        print "Down" i " = (by" i ", T).Down" i " + (recover" i ", recover).Idle" i ";"
        print "Token" i " = (by" i ", hop).Token" i % n + 1 " + (take" i ", hop).Used" i \
            " + (lose, lose).Lost;"
        print "Used" i " = (send" i ", T).Token" i % n + 1 " + (crash" i ", T).Lost;"
        stations = stations (i > 1 ? " || " : "") "Idle" i
        shared = shared (i > 1 ? ", " : "") "by" i ", take" i ", send" i ", crash" i
    }
    print "Lost = (renew, timeout).Token1;"
    print "(" stations ") <" shared "> Token1"
}
