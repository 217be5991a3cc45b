# Cells round a tube that keep their neighbours from their own fate:  awk -f notch.awk CELLS
#
# A cell shows Delta on its skin or not.  Notch of a cell binds the Delta of either neighbour, which
# is used up by that; it is cut, moves to the nucleus, and there stops the cell from making Delta,
# until it decays.  A cell that shows Delta itself hardly feels that of others.
# Source: J. R. Collier, N. A. M. Monk, P. K. Maini, J. H. Lewis, "Pattern formation by lateral
# inhibition with feedback: a mathematical model of Delta-Notch intercellular signalling", Journal
# of Theoretical Biology 183 (1996); D. Sprinzak et al., "Cis-interactions between Notch and Delta
# generate mutually exclusive signalling states", Nature 465 (2010).
# States: 6^CELLS: 46656 for 6, 279936 for 7.
# Hard: with an even number of cells every other one shows Delta, in one of two patterns that last;
# with an odd number a fault wanders round the tube.
BEGIN {
    if (ARGC != 2 || ARGV[1] < 3) {
        print "usage: awk -f notch.awk CELLS (from 3)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "// Per hour."
    print "make = 30; stray = 0.02; shed = 0.5; bind = 6; cis = 0.02; cut = 8; decay = 0.4;"
    for (i = 1; i <= n; i++) {
        left = i > 1 ? i - 1 : n
        right = i % n + 1
        print "Bare" i " = (make" i ", stray + make * Idle" i ").Delta" i ";"
        print "Delta" i " = (shed" i ", shed * (1 + 20 * Nuclear" i ")).Bare" i
        print "    + (bind" i "_" left ", T).Bare" i " + (bind" i "_" right ", T).Bare" i ";"
        feel = "bind * (cis + Bare" i ")"
        print "Idle" i " = (bind" left "_" i ", " feel ").Bound" i
        print "    + (bind" right "_" i ", " feel ").Bound" i ";"
        print "Bound" i " = (cut" i ", cut).Nuclear" i ";"
        print "Nuclear" i " = (decay" i ", decay).Idle" i ";"
        deltas = deltas (i > 1 ? " || " : "") "Bare" i
        notches = notches (i > 1 ? " || " : "") "Idle" i
    }
    print "(" deltas ") <*> (" notches ")"
}
