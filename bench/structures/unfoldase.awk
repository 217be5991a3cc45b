# A ring of subunits that pull a protein through it:  awk -f unfoldase.awk SUBUNITS LENGTH
#
# A subunit is open, holds ATP, or is spent.  It fires sooner when the next one holds ATP, and lets
# go of what is spent sooner when the one before it does.  The first subunit is a mutant that hardly
# fires.  A shot seldom unfolds the protein that is held; from then on most shots pull it on by one
# of LENGTH steps, until it is through.  Shots without a protein are wasted.
# Source: A. Martin, T. A. Baker, R. T. Sauer, "Rebuilt AAA+ motors reveal operating principles for
# ATP-fuelled machines", Nature 437 (2005).
# States: 3^SUBUNITS (LENGTH + 2): 21870 for 7 8, 826686 for 10 12.
# Hard: a ring in which rates depend on both neighbours, and one component that all act on; the
# protein is folded for hundreds of shots.  A shot changes the ring in any case.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 3 || ARGV[2] < 1) {
        print "usage: awk -f unfoldase.awk SUBUNITS (from 3) LENGTH" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    steps = ARGV[2] + 0
    print "// Per second."
    print "bind = 8; slip = 0.4; release = 5; denature = 0.004; pull = 0.9;"
    print "catch = 0.6; lose = 0.01;"
    for (i = 1; i <= n; i++) {
        print "fire" i " = " (i == 1 ? 0.02 : 1.2) ";"
        after = i % n + 1
        before = (i + n - 2) % n + 1
        print "Open" i " = (bind" i ", bind).Loaded" i ";"
        print "Loaded" i " = (fire, fire" i " * (1 + 4 * Loaded" after ")).Spent" i \
            " + (slip" i ", slip).Open" i ";"
        print "Spent" i " = (release" i ", release * (0.1 + Loaded" before ")).Open" i ";"
        ring = ring (i > 1 ? " || " : "") "Open" i
    }
    print "None = (fire, T).None + (catch, catch).Folded;"
    print "Folded = (fire, (1 - denature) * T).Folded + (fire, denature * T).Thread1" \
        " + (lose, lose).None;"
    for (k = 1; k <= steps; k++)
        print "Thread" k " = (fire, pull * T)." (k < steps ? "Thread" k + 1 : "None") \
            " + (fire, (1 - pull) * T).Thread" k ";"
    print "(" ring ") <fire> None"
}
