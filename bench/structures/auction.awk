# An auction that ends with each price once for each bidder:  awk -f auction.awk PRICES
#
# Three bidders raise the price in turn or leave; the one who bid last gets it, and then pays and rests for ever.
# States: 36 PRICES + 8: 180008 for 5000, 720008 for 20000.
# Hard: 3 PRICES + 1 bottom components, of two states each.
BEGIN {
    if (ARGC != 2) {
        print "usage: awk -f auction.awk PRICES" > "/dev/stderr"
        exit 2
    }
    prices = ARGV[1] + 0
    for (b = 1; b <= 3; b++) {
        one = b % 3 + 1
        two = one % 3 + 1
        heard = "(bid" one ", T).In" b " + (bid" two ", T).In" b
        print "In" b " = (bid" b ", 1 / " b ").High" b " + (leave" b ", 0.05 * " b ").Out" b " + " heard ";"
        print "High" b " = " heard " + (hammer, 0.1).Won" b ";"
        print "Won" b " = (send" b ", 2).Won" b ";"
        print "Out" b " = (bid" one ", T).Out" b " + (bid" two ", T).Out" b ";"
    }
    for (p = 0; p <= prices; p++) {
        rate = 1 / (1 + p / prices)
        if (p < prices)
            print "P" p " = (bid1, " rate ").P" p + 1 " + (bid2, " rate ").P" p + 1 " + (bid3, " rate ").P" p + 1 \
                " + (hammer, T).S" p ";"
        else
            print "P" p " = (hammer, T).S" p ";"
        print "S" p " = (pay, " p + 1 ").R" p ";"
        print "R" p " = (rest, 1).S" p ";"
    }
    print "(In1 <bid1, bid2, bid3> In2 <bid1, bid2, bid3> In3) <bid1, bid2, bid3, hammer> P0"
}
