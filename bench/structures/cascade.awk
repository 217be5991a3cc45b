# A signalling cascade of three tiers of kinases:  awk -f cascade.awk FIRST SECOND THIRD
#
# FIRST, SECOND, THIRD: molecules of each kinase.  The first takes one phosphate, the others two.
# Each tier is phosphorylated in proportion to the active molecules of the one before it, by the law
# of mass action, and loses phosphates to phosphatases.  A receptor turns on and off; the last tier
# turns it off (negative feedback).
# Source: C.-Y. F. Huang, J. E. Ferrell, "Ultrasensitivity in the mitogen-activated protein kinase
# cascade", PNAS 93 (1996); B. N. Kholodenko (2000) for the feedback.
# States: 2 (FIRST + 1) C(SECOND + 2, 2) C(THIRD + 2, 2): 24200 for 3 9 9, 350892 for 5 17 17.
# Hard: populations of two and three local states that no action joins: they act on each other only
# by functional rates, so nearly every state has rates of its own.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f cascade.awk FIRST SECOND THIRD" > "/dev/stderr"
        exit 2
    }
    print "raf = " ARGV[1] "; mek = " ARGV[2] "; erk = " ARGV[3] ";"
    print "basal = 0.001; on = 0.2; off = 0.05; inhibit = 0.5; act = 2; relax1 = 0.8;"
    print "kinase2 = 3; relax2 = 0.6; kinase3 = 2; relax3 = 0.5;"
    print "Receptor = (bind, on).Bound;"
    print "Bound = (unbind, off + inhibit * ErkPP / erk).Receptor;"
    print "Raf = (activate, basal + act * Bound).RafP;"
    print "RafP = (deactivate, relax1).Raf;"
    tier("Mek", "kinase2 * RafP / raf", "relax2")
    tier("Erk", "kinase3 * MekPP / mek", "relax3")
    print "Receptor || Raf[raf] || Mek[mek] || Erk[erk]"
}

function tier(name, up, down)
{
    print name " = (phosphorylate" name ", basal + " up ")." name "P;"
    print name "P = (phosphorylate" name ", basal + " up ")." name "PP"
    print "    + (dephosphorylate" name ", " down ")." name ";"
    print name "PP = (dephosphorylate" name ", " down ")." name "P;"
}
