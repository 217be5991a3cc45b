# Three types compete until one is left (Moran process):  awk -f moran.awk PEOPLE SEASONS
#
# In a population of PEOPLE individuals each is replaced, one at a time, by the offspring of another
# in proportion to numbers and fitness.  Fitness depends on the season; there are SEASONS of them,
# in a ring.  At the beginning nobody has a type yet; each gets one, the first twice as often.
# Source: P. A. P. Moran, "Random processes in genetics", Proceedings of the Cambridge Philosophical
# Society 54 (1958); W. J. Ewens, "Mathematical Population Genetics" (2004).
# States: SEASONS C(PEOPLE + 3, 3): 79422 for 60 2, 707404 for 100 4.
# Hard: three bottom components, one for each type that is left (the rest is left for ever, meant
# so), and a transient start; the way takes as many generations as there are individuals.  Many
# are replaced by their like (self-loops, meant so).
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f moran.awk PEOPLE SEASONS" > "/dev/stderr"
        exit 2
    }
    seasons = ARGV[2] + 0
    print "n = " ARGV[1] "; turn = 0.3;"
    for (s = 1; s <= seasons; s++) {
        print "Season" s " = (turn" s ", turn).Season" s % seasons + 1 ";"
        a = a " + " 1 + 0.05 * (s % 2) " * Season" s
        b = b " + " 1.06 - 0.03 * (s % 3) " * Season" s
        c = c " + " 0.98 + 0.02 * s / seasons " * Season" s
    }
    born = "(bornA, (" substr(a, 4) ") * A / n).A + (bornB, (" substr(b, 4) ") * B / n).B" \
        " + (bornC, (" substr(c, 4) ") * C / n).C;"
    print "A = " born "\nB = " born "\nC = " born
    print "New = (typeA, 1).A + (typeB, 0.5).B + (typeC, 0.5).C;"
    print "Season1 || New[n]"
}
