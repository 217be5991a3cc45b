# A restaurant with small and large tables, waiters and cooks:  awk -f bistro.awk TWOS FOURS LINE
#
# Couples and families wait at the door in two lines of LINE parties at most, and some give up.
# Couples sit at one of TWOS small tables, or at one of FOURS large ones while no family waits.  A
# table orders, waits for its food, eats, and wants the bill; two waiters see to orders and bills,
# two cooks cook for all, a large table's dishes more slowly.
# Source: G. M. Thompson, "Optimizing a restaurant's seating capacity: use dedicated or combinable
# tables?", Cornell Hotel and Restaurant Administration Quarterly 43 (2002); S. E. Kimes, R. B.
# Chase, S. Choi, P. Y. Lee, E. N. Ngonzi, "Restaurant revenue management: applying yield management
# to the restaurant industry", the same 39 (1998).
# States: C(TWOS + 4, 4) C(FOURS + 4, 4) (LINE + 1)^2: 39200 for 4 3 3,
# 661500 for 6 5 4.
# Easy: two populations and two short lines; all rates within two decades.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f bistro.awk TWOS FOURS LINE" > "/dev/stderr"
        exit 2
    }
    twos = ARGV[1] + 0
    fours = ARGV[2] + 0
    line = ARGV[3] + 0
    print "// Per hour."
    print "couples = " 1.1 * twos "; families = " 0.8 * fours "; usher = 60; renege = 2;"
    print "order = 20; bill = 30; cookTwo = 8; cookFour = 5; eat = 1.4;"
    table("Two", "Free = (seatTwo, T)")
    table("Four", "Free = (seatFour, T).FourLooks + (seatApart, T)")
    print "Waiter = (order, order).Waiter + (bill, bill).Waiter;"
    print "Cook = (cookTwo, cookTwo).Cook + (cookFour, cookFour).Cook;"
    for (k = 0; k <= line; k++) {
        print "Couples" k " = " (k < line ? "(couple, couples).Couples" k + 1 : "") \
            (k > 0 && k < line ? " + " : "") (k > 0 ? "(seatTwo, usher).Couples" k - 1 \
            "\n    + (seatApart, usher / 3 * Families0).Couples" k - 1 \
            " + (leave, " k " * renege).Couples" k - 1 : "") ";"
        print "Families" k " = " (k < line ? "(family, families).Families" k + 1 : "") \
            (k > 0 && k < line ? " + " : "") (k > 0 ? "(seatFour, usher).Families" k - 1 \
            " + (leave, " k " * renege).Families" k - 1 : "") ";"
    }
    print "((TwoFree[" twos "] || FourFree[" fours "])"
    print "    <order, bill, cookTwo, cookFour> (Waiter[2] || Cook[2]))"
    print "    <seatTwo, seatFour, seatApart> (Couples0 || Families0)"
}

function table(size, free)
{
    print size free "." size "Looks;"
    print size "Looks = (order, T)." size "Waits;"
    print size "Waits = (cook" size ", T)." size "Eats;"
    print size "Eats = (eat, eat" (size == "Four" ? " * 0.8" : "") ")." size "Done;"
    print size "Done = (bill, T)." size "Free;"
}
