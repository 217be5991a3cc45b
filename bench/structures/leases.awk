# Clients that keep a file for the term of a lease:  awk -f leases.awk CLIENTS WRITES
#
# A client that reads takes a lease (two stages), in whose second half it may renew it.  While one
# of at most WRITES writes waits, no leases are given, and the holders are asked to give theirs
# back; the write is done when nobody holds one.  A client that crashes keeps its lease to the end.
# Source: C. G. Gray, D. R. Cheriton, "Leases: an efficient fault-tolerant mechanism for
# distributed file cache consistency", Symposium on Operating Systems Principles (1989).
# States: C(CLIENTS + 5, 5) (WRITES + 1): 27027 for 8 20, 387600 for 15 24.
# Hard: a write takes milliseconds, or a whole term if a holder is dead; crashes are rare and long.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f leases.awk CLIENTS WRITES" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    room = ARGV[2] + 0
    print "// Per second."
    print "read = 0.4; renew = 2; half = 0.2; back = 50; crash = 2e-5; restart = 3e-3;"
    print "come = 0.05; write = 100;"
    print "None = (grant, read).First + (crash, crash).Down;"
    print "First = (pass, half).Second + (back, back).None + (crash, crash).DownFirst;"
    print "Second = (pass, half).None + (grant, renew).First + (back, back).None" \
        " + (crash, crash).DownSecond;"
    print "Down = (restart, restart).None;"
    print "DownFirst = (pass, half).DownSecond;"
    print "DownSecond = (pass, half).Down;"
    print "holders = First + Second + DownFirst + DownSecond;"
    print "Server0 = (come, come).Server1 + (grant, T).Server0;"
    for (k = 1; k <= room; k++)
        print "Server" k " = " (k < room ? "(come, come).Server" k + 1 " + " : "") \
            "(back, T).Server" k " + (write, write * max(0, 1 - holders)).Server" k - 1 ";"
    print "None[" n "] <grant, back> Server0"
}
