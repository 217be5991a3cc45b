# One machine that makes several products in lots for stock:  awk -f lots.awk PRODUCTS STOCK
#
# A product is made until STOCK pieces are there, then the machine is set up (Erlang-2) for one
# whose stock is down to a third, if there is any.  A customer who finds no piece is lost.
# The machine fails while it makes.
# Source: C. R. Sox, P. L. Jackson, A. Bowman, J. A. Muckstadt, "A review of the stochastic lot
# scheduling problem", International Journal of Production Economics 62 (1999); M. H. Veatch,
# L. M. Wein, "Scheduling a make-to-stock queue: index policies and hedging points", Operations
# Research 44 (1996).
# States: 2 PRODUCTS (STOCK + 1)^(PRODUCTS - 1) (STOCK + s + 2), s a third of STOCK: 27000 for
# 3 14, 316368 for 4 12.
# Hard: one stock rises while the others fall, by turns, and where the machine goes next depends on
# all of them; with setups and failures it can just meet the demand.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2 || ARGV[2] < 3) {
        print "usage: awk -f lots.awk PRODUCTS (from 2) STOCK (from 3)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    full = ARGV[2] + 0
    order = int(full / 3)
    print "turn = 20; setup = 4; fail = 0.005; repair = 0.1;"
    for (i = 1; i <= n; i++) {
        print "make" i " = " 4 + i % 3 "; sell" i " = " (4 + i % 3) * 0.75 / n ";"
        make = "Make" i " = (make" i ", make" i ").Make" i " + (fail" i ", fail).Down" i
        for (j = 1; j <= n; j++)
            if (j != i)
                make = make " + (turn" i "_" j ", turn).Setup" j
        print make ";\nDown" i " = (repair" i ", repair).Make" i ";"
        print "Setup" i " = (setup" i ", setup).Ready" i ";"
        print "Ready" i " = (ready" i ", setup).Make" i ";"
        for (k = 0; k <= full; k++)
            print level() ";"
        levels = levels (i > 1 ? " <*> " : "") "Level" i "_" full
    }
    print "(" levels ") <*> Make1"
}

# Level k of product i: full, the machine may turn to another; low, another may turn to it.
function level(    text, j)
{
    if (k < full)
        text = text " + (make" i ", T).Level" i "_" k + 1
    if (k > 0)
        text = text " + (sell" i ", sell" i ").Level" i "_" k - 1
    for (j = 1; j <= n; j++)
        if (j != i && k == full)
            text = text " + (turn" i "_" j ", T).Level" i "_" k
        else if (j != i && k <= order)
            text = text " + (turn" j "_" i ", T).Level" i "_" k
    return "Level" i "_" k " = " substr(text, 4)
}
