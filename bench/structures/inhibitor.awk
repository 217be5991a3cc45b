# An enzyme whose site two inhibitors compete for:
#   awk -f inhibitor.awk ENZYMES MOLECULES INHIBITORS
#
# A molecule of substrate comes, is bound by a free enzyme, and is turned into product or let go.
# The product leaves slowly, and meanwhile binds to the same site; so does an inhibitor that comes
# and is washed out.  All by the law of mass action.
# Source: A. Cornish-Bowden, "Fundamentals of Enzyme Kinetics" (2012); C. V. Rao, A. P. Arkin,
# "Stochastic chemical kinetics and the quasi-steady-state assumption: application to the Gillespie
# algorithm", Journal of Chemical Physics 118 (2003).
# States: the sum of C(m - s - p + 2, 2) (i - b + 1) over s substrates, p products, b inhibitors
# bound, s + p + b at most ENZYMES, for m MOLECULES and i INHIBITORS: 33264 for 6 15 5,
# 376701 for 10 24 8.
# Hard: populations of 3, 5 and 3 local states that count the complexes twice; binding is ten
# thousand times as fast as washing out.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f inhibitor.awk ENZYMES MOLECULES INHIBITORS" > "/dev/stderr"
        exit 2
    }
    print "// Per second."
    print "come = 0.2; bind = 5; loose = 10; turn = 4; leave = 0.1;"
    print "bindP = 0.5; looseP = 20; bindI = 2; looseI = 0.5; comeI = 0.0005; wash = 0.001;"
    print "Enzyme = (bindS, bind * Substrate).WithS + (bindP, bindP * Product).WithP" \
        " + (bindI, bindI * Inhibitor).WithI;"
    print "WithS = (looseS, loose).Enzyme + (turn, turn).Enzyme;"
    print "WithP = (looseP, looseP).Enzyme;"
    print "WithI = (looseI, looseI).Enzyme;"
    print "Absent = (come, come).Substrate;"
    print "Substrate = (bindS, T).Complex;"
    print "Complex = (looseS, T).Substrate + (turn, T).Product;"
    print "Product = (leave, leave).Absent + (bindP, T).Held;"
    print "Held = (looseP, T).Product;"
    print "Outside = (comeI, comeI).Inhibitor;"
    print "Inhibitor = (bindI, T).Blocking + (wash, wash).Outside;"
    print "Blocking = (looseI, T).Inhibitor;"
    print "Enzyme[" ARGV[1] "] <bindS, looseS, turn, bindP, looseP, bindI, looseI>"
    print "(Absent[" ARGV[2] "] || Outside[" ARGV[3] "])"
}
