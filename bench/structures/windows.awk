# Senders that double and halve their windows at one router:  awk -f windows.awk SENDERS ROOM
#
# A sender has a window of 1, 2, 4 or 8 packets, or waits for a timeout.  Its window grows with
# acknowledgements and is halved when the router marks a packet, the more likely the longer its
# queue of at most ROOM; a full queue drops packets and some senders time out.
# Source: S. Floyd, V. Jacobson, "Random early detection gateways for congestion avoidance",
# IEEE/ACM Transactions on Networking 1 (1993); V. Misra, W.-B. Gong, D. Towsley, "Fluid-based
# analysis of a network of AQM routers supporting TCP flows", SIGCOMM 2000.
# States: (ROOM + 1) C(SENDERS + 4, 4): 41041 for 10 40, 648186 for 20 60.
# Hard: queue and windows chase each other in a loop; a population of five local states with one
# long counter.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f windows.awk SENDERS ROOM" > "/dev/stderr"
        exit 2
    }
    room = ARGV[2] + 0
    print "line = 2.5 * " ARGV[1] "; grow = 0.3; timeout = 0.2; mark = 0.5;"
    for (w = 1; w <= 8; w *= 2)
        print "W" w " = (packet, " w ").W" w " + (drop, " w " * 0.3).Timeout" \
            (w < 8 ? " + (grow, grow).W" 2 * w : "") \
            (w > 1 ? " + (mark, mark).W" w / 2 : "") ";"
    print "Timeout = (timeout, timeout).W1;"
    for (k = 0; k <= room; k++) {
        text = k < room ? " + (packet, T).Q" k + 1 : " + (drop, T).Q" k
        text = text (k > 0 ? " + (line, line).Q" k - 1 : "")
        text = text (4 * k > room ? " + (mark, T).Q" k : "")
        print "Q" k " = " substr(text, 4) ";"
    }
    print "W1[" ARGV[1] "] <packet, drop, mark> Q0"
}
