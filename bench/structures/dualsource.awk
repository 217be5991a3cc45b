# Spare parts from a cheap source by sea and a dear one by air:  awk -f dualsource.awk PARTS ORDERS
#
# For each part that is sold another one is ordered, so that PARTS parts are always on the shelf, to
# be ordered, or under way.  The cheap source makes one after the other, ships them, and the customs
# clear them; its factory is on strike at times.  The dear one sends them by air, and is asked the
# more the emptier the shelf is.  Customers wait, ORDERS of them at most; there are promotions and
# slack times.
# Source: S. Minner, "Multiple-supplier inventory models in supply chain management: a review",
# International Journal of Production Economics 81-82 (2003); P. H. Zipkin, "Foundations of
# Inventory Management" (2000).
# States: C(PARTS + 5, 5) (ORDERS + 1) 6: 28512 for 7 5, 558144 for 14 7.
# A customer who finds too many waiting is lost (self-loops, meant so).
# Easy: a closed network of one class with a queue beside it; rates in three decades.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f dualsource.awk PARTS ORDERS" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    orders = ARGV[2] + 0
    print "// Per day."
    print "pick = 6; call = 1; urgent = 2; land = " 1 / 24 "; clear = 1.2; fly = 0.35;"
    print "make = " 0.05 * n "; strike = 0.006; settle = 0.06;"
    print "some = " 0.03 * n "; promote = 0.02; end = 0.1; slacken = 0.01; pick_up = 0.03;"
    print "Shelf = (sell, pick).Ask;"
    print "Ask = (call, call).Made + (express, urgent * max(0, 1 - 4 * Shelf / " n ")).Air;"
    print "Made = (make, T).Sea;"
    print "Sea = (land, land).Customs;"
    print "Customs = (clear, T).Shelf;"
    print "Air = (fly, fly).Shelf;"
    print "Factory = (make, make).Factory + (strike, strike).Strike;"
    print "Strike = (settle, settle).Factory;"
    print "Officer = (clear, clear).Officer;"
    print "Usual = (come, some).Usual + (promote, promote).Promotion + (slacken, slacken).Slack;"
    print "Promotion = (come, 3 * some).Promotion + (end, end).Usual;"
    print "Slack = (come, 0.4 * some).Slack + (pick_up, pick_up).Usual;"
    for (k = 0; k <= orders; k++)
        print "Wait" k " = (come, T).Wait" (k < orders ? k + 1 : k) \
            (k > 0 ? " + (sell, T).Wait" k - 1 : "") ";"
    print "(Shelf[" n "] <make, clear> (Factory || Officer)) <sell> (Wait0 <come> Usual)"
}
