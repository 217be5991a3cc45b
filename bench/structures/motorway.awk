# Cars and lorries on a lane of a motorway between two junctions:  awk -f motorway.awk CELLS
#
# The lane has CELLS cells for one vehicle each, which moves on when the next cell is free; nobody
# overtakes.  Vehicles press in at the first cell and, from a slip road, in the middle of the first
# half; some leave by another one in the second half.  The last quarter is narrow.  Rain slows all,
# lorries more.
# Source: B. Derrida, M. R. Evans, V. Hakim, V. Pasquier, "Exact solution of a 1D asymmetric
# exclusion model using a matrix formulation", Journal of Physics A 26 (1993); V. Popkov,
# L. Santen, A. Schadschneider, G. M. Schutz, "Empirical evidence for a boundary-induced
# nonequilibrium phase transition", Journal of Physics A 34 (2001).
# States: 2 3^CELLS: 39366 for 9, 1062882 for 12.
# Hard: more vehicles want in than the narrow part lets out, so a queue reaches back over the slip
# roads and moves in waves; each cell cooperates with the two beside it, and the rain lasts for
# thousands of moves.
BEGIN {
    if (ARGC != 2 || ARGV[1] < 6) {
        print "usage: awk -f motorway.awk CELLS (from 6)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    ramp_on = int((n + 2) / 4)
    ramp_off = n - ramp_on
    print "// Per second."
    print "move = 1.2; enter = 0.6; join = 0.15; leave = 0.1; lorries = 0.2; weather = 3e-4;"
    print "car = move * (1 - 0.2 * Rain); lorry = move * (0.75 - 0.3 * Rain);"
    for (i = 1; i <= n; i++) {
        free = ""
        pace = i > n * 3 / 4 ? " * 0.45" : ""
        if (i == 1)
            free = enters("come", "enter", i)
        else
            free = " + (car" i - 1 ", T).Car" i " + (lorry" i - 1 ", T).Lorry" i
        if (i == ramp_on)
            free = free enters("slip", "join", i)
        print "Free" i " = " substr(free, 4) ";"
        goes("Car" i, "car")
        goes("Lorry" i, "lorry")
        lane = lane (i > 1 ? " <*> " : "") "Free" i
    }
    print "Dry = (rain, weather).Rain;\nRain = (dry, 2 * weather).Dry;"
    print "(" lane ") || Dry"
}

function enters(action, rate, i)
{
    return " + (" action "Car, " rate " * (1 - lorries)).Car" i " + (" action "Lorry, " rate \
        " * lorries).Lorry" i
}

function goes(name, kind)
{
    print name " = (" kind i ", " kind pace ").Free" i \
        (i == ramp_off ? " + (off, leave * " kind ").Free" i : "") ";"
}
