# Sensors that pass what they measure up a tree of sleepy nodes:  awk -f sinktree.awk NODES
#
# NODES nodes form a tree in which each has up to three below it.  A node at the edge has a packet
# or none.  One inside sleeps, listens, or has a packet, its own or another's, which it sends on
# when the node above listens; if that has a packet already, the two may be added into one.
# The first node sends to a gateway that is out of reach at times.
# Source: O. Gnawali, R. Fonseca, K. Jamieson, D. Moss, P. Levis, "Collection tree protocol", SenSys
# (2009); J. Polastre, J. Hill, D. Culler, "Versatile low power media access for wireless sensor
# networks", SenSys (2004).
# States: 2 3^i 2^(NODES - i), i = int((NODES + 1) / 3) those inside: 41472 for 12,
# 995328 for 16.
# Hard: while the gateway is away the whole tree fills, branch by branch, four decades slower than a
# packet is sent.
BEGIN {
    if (ARGC != 2 || ARGV[1] < 2) {
        print "usage: awk -f sinktree.awk NODES (from 2)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    inside = int((n + 1) / 3)
    print "send = 30; add = 2; sleep = 5; wake = 1;"
    for (i = 1; i <= n; i++) {
        print "measure" i " = " 0.02 * (1 + i % 4) ";"
        first = 3 * i - 1
        last = first + 2 < n ? first + 2 : n
        get = merge = below = names = ""
        for (j = first; j <= last; j++) {
            get = get " + (up" j ", T).Full" i
            merge = merge " + (add" j ", T).Full" i
            names = names (j > first ? ", " : "") "up" j ", add" j
        }
        if (i <= inside) {
            print "Sleeps" i " = (wake, wake).Hears" i " + (measure, measure" i ").Full" i ";"
            print "Hears" i " = (doze, sleep).Sleeps" i get ";"
        } else
            print "Sleeps" i " = (measure, measure" i ").Full" i ";"
        print "Full" i " = (up" i ", send).Sleeps" i (i > 1 ? " + (add" i ", add).Sleeps" i : "") \
            merge ";"
        shared[i] = names
    }
    print "Reach = (up1, T).Reach + (leave, 0.0005).Away;"
    print "Away = (return, 0.003).Reach;"
    print tree(1) " <up1> Reach"
}

function tree(i,    j, text)
{
    if (i > inside)
        return "Sleeps" i
    for (j = 3 * i - 1; j <= 3 * i + 1 && j <= n; j++)
        text = text (j > 3 * i - 1 ? " || " : "") tree(j)
    return "(Sleeps" i " <" shared[i] ">\n    (" text "))"
}
