# Two genes that repress each other (a toggle switch):  awk -f toggle.awk MOLECULES
#
# The operator is free or bound by a pair of molecules of one protein or the other, and then makes
# only that one.  Proteins are made one at a time and decay; at most MOLECULES of each count.
# Source: T. S. Gardner, C. R. Cantor, J. J. Collins, "Construction of a genetic toggle switch in
# Escherichia coli", Nature 403 (2000); P. B. Warren, P. R. ten Wolde, "Chemical models of genetic
# toggle switches", Journal of Physical Chemistry B 109 (2005).
# States: 3 (MOLECULES + 1)^2: 30603 for 100, 271803 for 300.
# Hard: two metastable states; the switch flips so seldom that the chain is nearly two chains, and
# states far from both are next to impossible.  What is full stays so (self-loops, meant so).
BEGIN {
    if (ARGC != 2) {
        print "usage: awk -f toggle.awk MOLECULES" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "make = " n / 4 "; bind = 0.02; unbind = 0.5;"
    print "Free = (makeU, make).Free + (makeV, make).Free + (bindU, T).ByU + (bindV, T).ByV;"
    print "ByU = (makeU, make).ByU + (freeU, unbind).Free;"
    print "ByV = (makeV, make).ByV + (freeV, unbind).Free;"
    protein("U")
    protein("V")
    print "(U0 || V0) <makeU, makeV, bindU, bindV, freeU, freeV> Free"
}

# Molecules that are bound do not count and do not decay.
function protein(p,    k)
{
    for (k = 0; k <= n; k++)
        print p k " = (make" p ", T)." p (k < n ? k + 1 : k) " + (free" p ", T)." p \
            (k + 2 < n ? k + 2 : n) (k > 0 ? " + (decay" p ", " k ")." p k - 1 : "") \
            (k > 1 ? " + (bind" p ", " k * (k - 1) " * bind)." p k - 2 : "") ";"
}
