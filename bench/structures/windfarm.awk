# Wind turbines at sea, repaired when the weather lets ships out:
#   awk -f windfarm.awk TURBINES STOCK
#
# The gearbox of a turbine wears in stages; sensors tell when it is bad, and it breaks sooner in
# rough weather.  A bad one is overhauled, a broken one replaced from a stock of STOCK gearboxes.
# Either takes one of two ships, which sail and work in calm weather only.  Weather is rougher in
# the winter months.  When half of the stock is used it is filled up again, some months later.
# Source: E. Byon, L. Ntaimo, Y. Ding, "Optimal maintenance strategies for wind turbine systems
# under stochastic weather conditions", IEEE Transactions on Reliability 59 (2010); F. Besnard,
# L. Bertling, "An approach for condition-based maintenance optimization applied to wind turbine
# blades", IEEE Transactions on Sustainable Energy 1 (2010).
# States: 24 (STOCK + 1) (C(n + 3, 3) + C(n + 2, 3) + C(n + 1, 3)), n = TURBINES: 35424 for
# 8 3, 284760 for 14 6.
# Easy: the year is a ring of twelve months, everything else follows it; days to decades.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2 || ARGV[2] < 2) {
        print "usage: awk -f windfarm.awk TURBINES (from 2) STOCK (from 2)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    stock = ARGV[2] + 0
    print "// Per month."
    print "wear = 0.02; worsen = 0.04; snap = 0.15; sail = 3; work = 2; blow = 5; settle = 6;"
    print "deliver = 0.4; month = 1;"
    print "Good = (wear, wear).Worn;\nWorn = (worsen, worsen).Bad;"
    print "Bad = (snap, snap * (1 + 2 * Rough)).Broken + (overhaul, T).Mended;"
    print "Broken = (replace, T).Mended;\nMended = (finish, T).Good;"
    print "Port = (overhaul, sail * Calm).Sea + (replace, 2 * sail * Calm).Sea;"
    print "Sea = (finish, work * Calm).Port;"
    for (k = 0; k <= stock; k++)
        print "Stock" k " = " (k > 0 ? "(replace, T).Stock" k - 1 : "") \
            (k > 0 && k <= stock / 2 ? " + " : "") \
            (k <= stock / 2 ? "(deliver, deliver).Stock" stock : "") ";"
    for (m = 1; m <= 12; m++)
        print "Month" m " = (month, month).Month" m % 12 + 1 ";"
    print "Calm = (blow, blow * (1 + 3 * (Month1 + Month2 + Month12) + Month3 + Month11)).Rough;"
    print "Rough = (settle, settle).Calm;"
    print "((Good[" n "] <overhaul, replace, finish> Port[2]) <replace> Stock" stock \
        ") || Month1 || Calm"
}
