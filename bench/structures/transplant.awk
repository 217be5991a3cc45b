# Waiting lists for a transplant, by blood group:  awk -f transplant.awk LIST STOCK
#
# Patients of group O, A or B join a list of LIST places and may die on it.  Organs of each group
# come, at most STOCK at a time, and spoil within a day.  An organ is given to a patient of its
# group; one of group O goes to A or B while no patient of group O waits.
# Source: S. A. Zenios, "Modeling the transplant waiting list: a queueing model with reneging",
# Queueing Systems 31 (1999); O. J. Boxma, I. David, D. Perry, W. Stadje, "A new look at organ
# transplantation models and double matching queues", Probability in the Engineering and
# Informational Sciences 25 (2011).
# States: (LIST + 1)^3 (STOCK + 1)^3: 46656 for 11 2, 421875 for 24 2.
# Hard: organs are given within the hour, patients come every two weeks and die after years, so
# rates span four decades; either the lists or the stocks are empty, mostly.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f transplant.awk LIST STOCK" > "/dev/stderr"
        exit 2
    }
    list = ARGV[1] + 0
    stock = ARGV[2] + 0
    print "give = 40; spoil = 1.2; die = 0.0008;  // per day"
    group("O", 0.075, 0.07)
    group("A", 0.065, 0.055)
    group("B", 0.022, 0.014)
    print "(ListO_0 <giveA, giveB> (ListA_0 || ListB_0)) <giveOO, giveAA, giveBB, giveA, giveB>"
    print "(StockO_0 || StockA_0 || StockB_0)"
}

# giveA, giveB: an organ of group O for a patient of another group.
function group(g, come, organ,    k, l, s)
{
    l = "List" g "_"
    s = "Stock" g "_"
    print "come" g " = " come "; organ" g " = " organ ";"
    for (k = 0; k <= list; k++)
        print l k " = " (k < list ? "(come" g ", come" g ")." l k + 1 : "") \
            (k > 0 && k < list ? " + " : "") (k > 0 ? "(die" g ", " k " * die)." l k - 1 \
            " + (give" g g ", T)." l k - 1 (g == "O" ? "" : " + (give" g ", T)." l k - 1) : \
            g == "O" ? " + (giveA, T)." l 0 " + (giveB, T)." l 0 : "") ";"
    for (k = 0; k <= stock; k++)
        print s k " = " (k < stock ? "(organ" g ", organ" g ")." s k + 1 : "") \
            (k > 0 && k < stock ? " + " : "") (k > 0 ? "(spoil" g ", " k " * spoil)." s k - 1 \
            " + (give" g g ", give)." s k - 1 (g == "O" ? " + (giveA, give)." s k - 1 \
            " + (giveB, give)." s k - 1 : "") : "") ";"
}
