# Microtubules that grow from one pool of tubulin:  awk -f filaments.awk FILAMENTS TUBULIN
#
# A filament grows by units that carry GTP, in proportion to how many are free.  It loses its cap by
# chance and then shrinks fast, until it is rescued or gone; then a new one begins.  What it loses
# carries GDP, and is charged again.
# Source: T. Mitchison, M. Kirschner, "Dynamic instability of microtubule growth", Nature 312
# (1984); M. Dogterom, S. Leibler, "Physical aspects of the growth and regulation of microtubule
# structures", Physical Review Letters 70 (1993).
# States: multisets of FILAMENTS lengths, each growing or shrinking, of sum b at most TUBULIN, times
# TUBULIN - b + 1 for the rest: 56496 for 3 30, 807891 for 3 60.
# Hard: a population of a few copies with very many local states, and all tied to one pool.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f filaments.awk FILAMENTS TUBULIN" > "/dev/stderr"
        exit 2
    }
    n = ARGV[2] + 0
    print "grow = " 8 / n "; begin = " 0.2 / n "; lose = 12; cap = 0.25;"
    print "rescue = 0.1; charge = 0.6;"
    print "Shrinks0 = (add, begin * Gtp).Grows1;"
    for (k = 1; k <= n; k++) {
        print "Grows" k " = " (k < n ? "(add, grow * Gtp).Grows" k + 1 " + " : "") \
            "(cap, cap).Shrinks" k ";"
        print "Shrinks" k " = (lose, lose).Shrinks" k - 1 " + (rescue, rescue).Grows" k ";"
    }
    print "Gtp = (add, T).Bound;"
    print "Bound = (lose, T).Gdp;"
    print "Gdp = (charge, charge).Gtp;"
    print "Shrinks0[" ARGV[1] "] <add, lose> Gtp[" n "]"
}
