# A multicast down a tree whose acknowledgements are merged on the way up:  awk -f ackwave.awk NODES
#
# NODES nodes form a binary tree.  The root begins a message; a node that has it sends it to each
# child, one by one, and acknowledges it when all its children have.  A leaf acknowledges as it
# receives.  When the root knows that all have it, all forget it together, and the next follows.
# Every fifth line is long, and ten or a hundred times slower.
# Source: E. J. H. Chang, "Echo algorithms: depth parallel operations on general graphs", IEEE
# Transactions on Software Engineering 8 (1982); B. N. Levine, J. J. Garcia-Luna-Aceves, "A
# comparison of reliable multicast protocols", Multimedia Systems 6 (1998).
# States: t(root), t = 2 for a leaf, else 2 + the product of t over the children: 54950
# for 23, 552374 for 28.
# Hard: goes round in one direction, in step, with many orders of the same steps.
BEGIN {
    if (ARGC != 2 || ARGV[1] < 3) {
        print "usage: awk -f ackwave.awk NODES (from 3)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "forget = 5; begin = 1;"
    for (i = 1; i <= n; i++) {
        leaf = 2 * i > n
        if (i > 1)
            print "send" i " = " (i % 5 ? 20 + i % 4 : i % 2 ? 2 : 0.2) ";"
        if (!leaf)
            print "ack" i " = " 30 + i % 7 ";"
        print "Wait" i " = " (i == 1 ? "(begin, begin)" : "(send" i ", T)") "." \
            (leaf ? "Done" : "Has") i ";"
        if (!leaf) {
            text = "(ack" i ", ack" i ").Done" i
            for (j = 2 * i; j <= 2 * i + 1 && j <= n; j++)
                text = text " + (send" j ", send" j ").Has" i
            print "Has" i " = " text ";"
        }
        print "Done" i " = " (i == 1 ? "(forget, forget)" : "(forget, T)") ".Wait" i \
            (i > 1 ? " + (ack" int(i / 2) ", T).Done" i : "") ";"
        nodes = nodes (i > 1 ? " <*> " : "") "Wait" i
    }
    print nodes
}
