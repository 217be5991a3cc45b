# One server polls queues by a table in which one has priority:  awk -f polling.awk QUEUES ROOM
#
# The server goes to queue 1 between any two others: 1 2 1 3 1 4 ...  It serves a queue until it is
# empty, then walks to the next of the table.  Customers that find ROOM in their queue are lost.
# Source: H. Takagi, "Analysis of Polling Systems" (1986); O. J. Boxma, H. Levy, J. A. Weststrate,
# "Efficient visit frequencies for polling tables", Queueing Systems 9 (1991).
# States: 2 (QUEUES - 1) (ROOM + 1)^QUEUES: 60000 for 4 9, 629856 for 4 17.
# Hard: the table is a ring that turns fast while little is to do, and each queue waits for the
# server to empty the others; the load is 0.95.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2) {
        print "usage: awk -f polling.awk QUEUES (from 2) ROOM" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    room = ARGV[2] + 0
    print "walk = 10; serve = 1; load = 0.95;"
    for (i = 1; i <= n; i++) {
        print "come" i " = load * " i / (n * (n + 1) / 2) ";"
        for (k = 0; k <= room; k++)
            print "Q" i "_" k " = " (k < room ? "(come" i ", come" i ").Q" i "_" k + 1 : "") \
                (k > 0 && k < room ? " + " : "") (k > 0 ? "(serve" i ", T).Q" i "_" k - 1 : \
                " + (leave" i ", T).Q" i "_0") ";"
        queues = queues (i > 1 ? " || " : "") "Q" i "_0"
        actions = actions (i > 1 ? ", " : "") "serve" i ", leave" i
    }
    places = 2 * (n - 1)
    for (p = 0; p < places; p++) {
        i = p % 2 ? (p + 3) / 2 : 1
        print "At" p " = (serve" i ", serve).At" p " + (leave" i ", walk).At" (p + 1) % places ";"
    }
    print "(" queues ") <" actions "> At0"
}
