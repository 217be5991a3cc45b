# Lorries of an open-pit mine between two shovels and a crusher:  awk -f mine.awk LORRIES
#
# An empty lorry is sent to the shovel with fewer lorries, mostly.  Shovels and the crusher take one
# lorry at a time; shovels break down.  Once a shift there is blasting: all lorries at the shovels
# leave them at once, and nobody goes in until it is over.
# Source: E. Koenigsberg, "Cyclic queues", Operational Research Quarterly 9 (1958);
# E. Koenigsberg, R. C. Lam, "Cyclic queue models of fleet operations", Operations Research 24
# (1976); D. G. Carmichael, "Engineering Queues in Construction and Mining" (1987).
# States: 4 C(LORRIES + 4, 4) + 4 C(LORRIES + 2, 2): 19992 for 16, 368372 for 36.
# Easy: an ordinary closed network; a population of five local states, minutes to hours.
BEGIN {
    if (ARGC != 2 || ARGV[1] < 1) {
        print "usage: awk -f mine.awk LORRIES" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "// Per minute."
    print "drive = 0.125; haul = 0.08; dump = " 0.045 * n "; scoop1 = " 0.025 * n "; scoop2 = " \
        0.02 * n "; fail = 0.002; mend = 0.02;"
    print "blast = 0.002; over = 0.03;"
    print "Empty = (to1, drive * (1 - Blasting) * (At2 + 1) / (At1 + At2 + 2)).At1"
    print "    + (to2, drive * (1 - Blasting) * (At1 + 1) / (At1 + At2 + 2)).At2"
    print "    + (blast, T).Empty;"
    print "At1 = (scoop1, T).Loaded + (blast, T).Empty;"
    print "At2 = (scoop2, T).Loaded + (blast, T).Empty;"
    print "Loaded = (haul, haul).Crusher + (blast, T).Loaded;"
    print "Crusher = (dump, T).Empty + (blast, T).Crusher;"
    print "Dumps = (dump, dump).Dumps;"
    for (i = 1; i <= 2; i++) {
        print "Shovel" i " = (scoop" i ", scoop" i ").Shovel" i " + (fail" i ", fail).Broken" i ";"
        print "Broken" i " = (mend" i ", mend).Shovel" i ";"
    }
    print "Drilling = (blast, blast).Blasting;\nBlasting = (over, over).Drilling;"
    print "Empty[" n "]{blast} <blast, scoop1, scoop2, dump>"
    print "(Drilling || Shovel1 || Shovel2 || Dumps)"
}
