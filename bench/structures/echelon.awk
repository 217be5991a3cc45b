# A factory, a warehouse and shops that order in batches:  awk -f echelon.awk SHOPS BATCH LOTS
#
# A shop sells one by one and loses the customer who finds nothing.  When one piece is left it
# orders BATCH pieces, which the warehouse ships when it has them; the way takes two stages.  The
# warehouse has up to 2 LOTS batches, and orders LOTS of them from the factory when half or less
# is left.  The factory makes the order in four stages and delivers all of it.
# Source: A. J. Clark, H. Scarf, "Optimal policies for a multi-echelon inventory problem",
# Management Science 6 (1960); S. Axsater, "Exact analysis of continuous review (R, Q) policies in
# two-echelon inventory systems with compound Poisson demand", Operations Research 48 (2000).
# States: (BATCH + 6)^SHOPS (6 LOTS + 5): 21141 for 3 3 4, 410000 for 4 4 6.
# Easy: the shops meet only at the warehouse, which has stock nearly always; days for everything but
# the ordering.
BEGIN {
    if (ARGC != 4 || ARGV[2] < 2 || ARGV[3] < 1) {
        print "usage: awk -f echelon.awk SHOPS BATCH (from 2) LOTS" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    batch = ARGV[2] + 0
    lots = ARGV[3] + 0
    demand = 0
    for (i = 1; i <= n; i++)
        demand += 1 + 0.5 * (i % 3)
    print "// Per day.  The factory can make 1.4 times what the shops ask for."
    print "pick = 24; drive = 2; call = 50; make = " 4 * 1.4 * demand / batch / lots ";"
    for (i = 1; i <= n; i++) {
        print "sell" i " = " 1 + 0.5 * (i % 3) ";"
        for (k = 2; k <= batch + 1; k++)
            print "Shop" i "_" k " = (sell" i ", sell" i ")." (k > 2 ? "Shop" i "_" k - 1 : \
                "Asks" i "_1") ";"
        for (k = 0; k <= 1; k++) {
            sell = k > 0 ? " + (sell" i ", sell" i ")." : ""
            print "Asks" i "_" k " = (ship" i ", T).Far" i "_" k (k ? sell "Asks" i "_0" : "") ";"
            print "Far" i "_" k " = (way" i ", drive).Near" i "_" k (k ? sell "Far" i "_0" : "") ";"
            print "Near" i "_" k " = (unload" i ", drive).Shop" i "_" k + batch \
                (k ? sell "Near" i "_0" : "") ";"
        }
        shops = shops (i > 1 ? " || " : "") "Shop" i "_" batch + 1
    }
    for (k = 0; k <= 2 * lots; k++) {
        text = ""
        for (i = 1; i <= n && k > 0; i++)
            text = text " + (ship" i ", pick).Store" k - 1
        if (k <= lots)
            text = text " + (order, T).Store" k " + (deliver, T).Store" k + lots
        print "Store" k " = " substr(text, 4) ";"
    }
    print "Factory = (order, call).Make1;"
    for (s = 1; s < 4; s++)
        print "Make" s " = (make, make).Make" s + 1 ";"
    print "Make4 = (deliver, make).Factory;"
    print "(" shops ") <*> (Store" 2 * lots " <order, deliver> Factory)"
}
