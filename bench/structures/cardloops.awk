# Gearboxes assembled under kanban control for waiting customers:  awk -f cardloops.awk CARDS ORDERS
#
# Castings are rough-cut and then finished and inspected; shafts are turned; both meet in assembly.
# Each of the four cells has CARDS cards, one to a full or half-made container.  One forklift moves
# containers to the next cell when a card is free there.  At most ORDERS customers wait.
# Source: D. Mitra, I. Mitrani, "Analysis of a kanban discipline for cell coordination in production
# lines", Management Science 36 (1990); G. Ciardo, M. Tilgner, "On the use of Kronecker operators
# for the solution of generalized stochastic Petri nets", ICASE Report 96-35 (1996).
# States: C(CARDS + 2, 2)^3 C(CARDS + 3, 3) (ORDERS + 1): 21600 for 2 9, 400000 for 3 19.
# Easy: one closed loop of cards for each cell, rates within two decades; with two cards customers
# are sent away at times.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f cardloops.awk CARDS ORDERS" > "/dev/stderr"
        exit 2
    }
    cards = ARGV[1] + 0
    orders = ARGV[2] + 0
    print "// Per hour."
    print "deliver = 6; rough = 2.4; mill = 2.6; inspect = 8; scrap = 0.08; turn = 2.2;"
    print "fit = 2.1; drive = 20; order = 1.3; load = 12;"
    print "RoughCard = (deliver, deliver).RoughWork;"
    print "RoughWork = (rough, T).RoughFull;"
    print "RoughFull = (toMill, T).RoughCard;"
    print "MillCard = (toMill, T).MillWork;"
    print "MillWork = (mill, T).MillCheck;"
    print "MillCheck = (pass, T).MillFull + (again, T).MillWork;"
    print "MillFull = (toFit, T).MillCard;"
    print "ShaftCard = (bars, deliver).ShaftWork;"
    print "ShaftWork = (turn, T).ShaftFull;"
    print "ShaftFull = (toFit, T).ShaftCard;"
    print "FitCard = (toFit, T).FitWork;"
    print "FitWork = (fit, T).Boxed;"
    print "Boxed = (sell, T).FitCard;"
    print "Saw = (rough, rough).Saw;"
    print "Mill = (mill, mill).Mill;"
    print "Inspector = (pass, (1 - scrap) * inspect).Inspector" \
        " + (again, scrap * inspect).Inspector;"
    print "Lathe = (turn, turn).Lathe;"
    print "Bench = (fit, fit).Bench;"
    print "Forklift = (toMill, drive).Forklift + (toFit, drive).Forklift;"
    for (k = 0; k <= orders; k++)
        print "Waiting" k " = " (k < orders ? "(order, order).Waiting" k + 1 : "") \
            (k > 0 && k < orders ? " + " : "") (k > 0 ? "(sell, load).Waiting" k - 1 : "") ";"
    print "Castings = (RoughCard[" cards "] <rough> Saw)"
    print "    <toMill> (MillCard[" cards "] <mill, pass, again> (Mill || Inspector));"
    print "Shafts = ShaftCard[" cards "] <turn> Lathe;"
    print "Assembly = FitCard[" cards "] <fit> Bench;"
    print "((Castings <toFit> Shafts <toFit> Assembly) <toMill, toFit> Forklift) <sell> Waiting0"
}
