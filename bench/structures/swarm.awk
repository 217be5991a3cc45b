# Peers that share a file in pieces:  awk -f swarm.awk PEERS
#
# A peer is away, has none, one or two of the three pieces, or all.  What it gets depends on what
# the others can upload and on its own line.  Peers give up, and seeds leave.
# Source: D. Qiu, R. Srikant, "Modeling and performance analysis of BitTorrent-like peer-to-peer
# networks", SIGCOMM 2004; L. Massoulie, M. Vojnovic, "Coupon replication systems", SIGMETRICS 2005.
# States: C(PEERS + 4, 4): 46376 for 30, 635376 for 60.
# Hard: one population of five local states, and each rate depends on all of the others by a
# minimum; a server uploads so little that the swarm dies and starts again.
BEGIN {
    if (ARGC != 2) {
        print "usage: awk -f swarm.awk PEERS" > "/dev/stderr"
        exit 2
    }
    print "server = 0.2; upload = 1; download = 2; abort = 0.05; come = 0.04; leave = 0.6;"
    share = "min(download, (server + upload * (0.3 * One + 0.6 * Two + Seed)) / (None + One + Two))"
    print "Away = (come, come).None;"
    print "None = (get, " share ").One + (abort, abort).Away;"
    print "One = (get, " share ").Two + (abort, abort).Away;"
    print "Two = (get, " share ").Seed + (abort, abort).Away;"
    print "Seed = (leave, leave).Away;"
    print "Away[" ARGV[1] "]"
}
