# Networks round a provider that prefer to reach it by a neighbour (BGP):  awk -f bgp.awk NETWORKS
#
# NETWORKS networks form a ring, each with a line of its own to the provider.  One sends its traffic
# straight over its line, but prefers the next network of the ring as long as it believes that this
# one goes straight.  It learns with delay what the next one does, by announcement or withdrawal.
# At the beginning nobody has a route.
# Source: T. G. Griffin, F. B. Shepherd, G. Wilfong, "The stable paths problem and interdomain
# routing", IEEE/ACM Transactions on Networking 10 (2002); K. Varadhan, R. Govindan, D. Estrin,
# "Persistent route oscillations in inter-domain routing", Computer Networks 32 (2000).
# States: 23707 for 7, 1798169 for 10.
# Hard: every network with a route is never without one again, so most states are left for ever
# (warnings, meant so).  For an even number there are two bottom components of one state, in which
# every other network goes straight, and for an odd one the routes change for ever.  Traffic carried
# is counted by self-loops.
BEGIN {
    if (ARGC != 2 || ARGV[1] < 3) {
        print "usage: awk -f bgp.awk NETWORKS (from 3)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "// Per second."
    print "learn = 0.1; decide = 2; advertise = 0.2; traffic = 1;"
    for (i = 1; i <= n; i++) {
        before = (i + n - 2) % n + 1
        print "pace" i " = " 1 + 0.3 * (i % 4) ";"
        print "None" i " = (learn" i ", learn * pace" i ").Direct" i " + (prefer" i \
            ", decide).Via" i ";"
        print "Direct" i " = (prefer" i ", decide).Via" i " + (announce" before \
            ", advertise * pace" i ").Direct" i " + (straight" i ", traffic).Direct" i ";"
        print "Via" i " = (return" i ", decide).Direct" i " + (withdraw" before \
            ", advertise * pace" i ").Via" i " + (round" i ", traffic).Via" i ";"
        # What network i believes of the next one.
        print "Unheard" i " = (announce" i ", T).Heard" i " + (return" i ", T).Unheard" i ";"
        print "Heard" i " = (withdraw" i ", T).Unheard" i " + (prefer" i ", T).Heard" i ";"
        networks = networks (i > 1 ? " <*> " : "") "(None" i " <prefer" i ", return" i "> Unheard" \
            i ")"
    }
    print networks
}
