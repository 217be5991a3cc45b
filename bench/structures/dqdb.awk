# Nodes on a dual bus that queue for slots by counting requests (DQDB):  awk -f dqdb.awk NODES COUNT
#
# Empty slots come down one bus; a request goes up the other and is counted, to COUNT, by all NODES
# nodes before.  A node lets one empty slot pass for each request it has counted.  With a segment of
# its own it first lets pass as many as were counted until then, then takes the next; meanwhile it
# counts the later ones apart.  One slot is looked at a time.
# Source: IEEE Standard 802.6 (1990); E. L. Hahne, A. K. Choudhury, N. F. Maxemchuk, "DQDB networks
# with and without bandwidth balancing", IEEE Transactions on Communications 40 (1992).
# States: counted, as what a node has counted is what others have asked: 20728 for 4 3,
# 469972 for 5 3.
# Hard: more segments than slots, and a request changes all nodes before it at once; what one node
# has counted is known, if at all, from all others.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2 || ARGV[2] < 1) {
        print "usage: awk -f dqdb.awk NODES (from 2) COUNT (from 1)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    most = ARGV[2] + 0
    print "slot = 1; hop = 25; ask = 4;"
    for (i = 1; i <= n; i++) {
        # Nobody is behind the last node, so that it counts nothing.
        top = i < n ? most : 0
        print "segment" i " = " 0.3 + 0.05 * (i % 3) ";"
        for (c = 0; c <= top; c++) {
            print "Idle" i "_" c " = (segment" i ", segment" i ").Asks" i "_" c "_0 + (pass" i \
                ", T).Idle" i "_" (c > 0 ? c - 1 : 0) counts("Idle" i, c) ";"
            for (r = 0; r <= top; r++) {
                # Who has not asked yet may be served before, and forgets the request then.
                for (a = 0; a < 2; a++) {
                    me = (a ? "Waits" : "Asks") i
                    print me "_" c "_" r " = " \
                        (a ? "" : "(ask" i ", ask).Waits" i "_" c "_" r " + ") \
                        (c > 0 ? "(pass" i ", T)." me "_" c - 1 "_" r \
                        : "(take" i ", T).Idle" i "_" r) counts(me "_" c, r) ";"
                }
            }
        }
        print "Empty" i " = (pass" i ", hop)." (i < n ? "Empty" i + 1 : "Gone") " + (take" i \
            ", hop).Gone;"
        moves = moves (i > 1 ? ", " : "") "pass" i ", take" i
        asks = ""
        for (j = i; j <= n; j++)
            asks = asks (j > i ? ", " : "") "ask" j
        start = "Idle" i "_0"
        nodes = i > 1 ? "(" nodes " <" asks "> " start ")" : start
    }
    print "Gone = (slot, slot).Empty1;"
    print nodes "\n<" moves "> Gone"
}

# What a node does on the requests of those behind it.
function counts(me, now,    j, text)
{
    for (j = i + 1; j <= n; j++)
        text = text "\n    + (ask" j ", T)." me "_" (now < top ? now + 1 : now)
    return text
}
