# Dining philosophers who put down the fork they have:  awk -f diners.awk PHILOSOPHERS
#
# A philosopher takes one fork, either one, then the other, and eats.  One who waits too long puts
# the first fork down again and thinks, so no deadlock stays.  They differ in their appetite.
# Source: E. W. Dijkstra, "Hierarchical ordering of sequential processes", Acta Informatica 1
# (1971); D. Lehmann, M. O. Rabin, "On the advantages of free choice", POPL 1981.
# States: the Lucas number of 3 PHILOSOPHERS: 24476 for 7, 439204 for 9, 1860498 for 10.
# Hard: each philosopher shares forks with both neighbours and all are different; states in which
# many hold one fork each are rare and left slowly.
BEGIN {
    if (ARGC != 2 || ARGV[1] < 2) {
        print "usage: awk -f diners.awk PHILOSOPHERS (from 2)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "take = 10; eat = 1; giveUp = 0.1;"
    for (i = 1; i <= n; i++) {
        l = "l" i; r = "r" i; p = i == 1 ? n : i - 1
        print "hungry" i " = " 0.3 + 0.1 * (i % 5) ";"
        print "Think" i " = (hungry" i ", hungry" i ").Hungry" i ";"
        print "Hungry" i " = (" l ", take).Left" i " + (" r ", take).Right" i ";"
        print "Left" i " = (" r ", take).Eat" i " + (put" l ", giveUp).Think" i ";"
        print "Right" i " = (" l ", take).Eat" i " + (put" r ", giveUp).Think" i ";"
        print "Eat" i " = (eat" i ", eat).Think" i ";"
        # Fork i is the left one of philosopher i and the right one of the one before.
        print "Fork" i " = (l" i ", T).ByLeft" i " + (r" p ", T).ByRight" i ";"
        print "ByLeft" i " = (putl" i ", T).Fork" i " + (eat" i ", T).Fork" i ";"
        print "ByRight" i " = (putr" p ", T).Fork" i " + (eat" p ", T).Fork" i ";"
        table = table (i > 1 ? " <*> " : "") "Think" i " <*> Fork" i
    }
    print table
}
