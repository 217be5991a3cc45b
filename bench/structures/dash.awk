# Viewers of films whose players choose the quality by what they have in store:
#   awk -f dash.awk VIEWERS STORE
#
# A player keeps at most STORE segments of four seconds.  It changes to high quality when two thirds
# are there and back to low when fewer than a third are; it stalls when none is left, until it has
# two.  Now and then the viewer jumps to another scene.  All fetch through one radio link, which is
# good, fair or bad, and is shared in proportion to what each could fetch alone.
# Source: T.-Y. Huang, R. Johari, N. McKeown, M. Trunnell, M. Watson, "A buffer-based approach to
# rate adaptation: evidence from a large video streaming service", SIGCOMM (2014).
# States: 3 (2 + STORE + STORE / 3)^VIEWERS for a multiple of 3: 31944 for 3 15,
# 702768 for 4 15.
# Hard: in all its states the link is near what the viewers need, since they choose so; it stays in
# one of them for minutes.
BEGIN {
    if (ARGC != 3 || ARGV[2] < 9 || ARGV[2] % 3) {
        print "usage: awk -f dash.awk VIEWERS STORE (a multiple of 3, from 9)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    store = ARGV[2] + 0
    low = store / 3
    high = 2 * store / 3
    print "play = 0.25; seek = 0.004; sharp = 0.35; plain = 1.2;"
    print "good = " 0.35 * n "; fair = " 0.22 * n "; bad = " 0.1 * n ";"
    for (i = 1; i <= n; i++) {
        v = "Viewer" i "_"
        print "seek" i " = seek * " i ";"
        print v "Stall0 = (fetch, plain)." v "Stall1;"
        print v "Stall1 = (fetch, plain)." v "Low2;"
        for (k = 1; k < high; k++)
            print v "Low" k " = (fetch, plain)." v (k + 1 < high ? "Low" : "High") k + 1 \
                " + (play, play)." v (k > 1 ? "Low" k - 1 : "Stall0") " + (seek, seek" i ")." v \
                "Stall0;"
        for (k = low; k <= store; k++)
            print v "High" k " = " (k < store ? "(fetch, sharp)." v "High" k + 1 " + " : "") \
                "(play, play)." v (k > low ? "High" : "Low") k - 1 " + (seek, seek" i ")." v \
                "Stall0;"
        viewers = viewers (i > 1 ? " || " : "") v "Stall0"
    }
    print "Good = (fetch, good).Good + (fade, 0.01).Fair;"
    print "Fair = (fetch, fair).Fair + (fade, 0.005).Bad + (clear, 0.01).Good;"
    print "Bad = (fetch, bad).Bad + (clear, 0.02).Fair;"
    print "(" viewers ") <fetch> Good"
}
