# Stations in a row that keep silent while they hear another:  awk -f adhoc.awk STATIONS RANGE
#
# Each station always has a frame to send.  It hears the RANGE stations on either side, and begins
# after a random time in which all of these are silent (or else they would collide).
# Source: R. R. Boorstyn, A. Kershenbaum, B. Maglaris, V. Sahin, "Throughput analysis in multihop
# CSMA packet radio networks", IEEE Transactions on Communications 35 (1987); X. Wang, K. Kar,
# "Throughput modelling and fairness issues in CSMA/CA based ad-hoc networks", INFOCOM 2005.
# The distribution has product form.
# States: a(n) = a(n - 1) + a(n - RANGE - 1) for n STATIONS, a(n) = n + 1 for the first RANGE + 1:
# 58425 for 28 2, 571388 for 40 3.
# Hard: many components of two local states; with frames thirty times as long as the wait, the
# row is packed with senders, and to pack it in another way many have to stop.
BEGIN {
    if (ARGC != 3 || ARGV[2] < 1 || ARGV[1] <= ARGV[2]) {
        print "usage: awk -f adhoc.awk STATIONS RANGE (less)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    range = ARGV[2] + 0
    print "// Per millisecond."
    print "frame = 0.5;"
    for (i = 1; i <= n; i++) {
        print "wait" i " = " 15 + 3 * (i % 3) ";"
        text = "Silent" i " = (begin" i ", wait" i ").Sends" i
        for (j = i - range; j <= i + range; j++)
            if (j != i && j >= 1 && j <= n)
                text = text " + (begin" j ", T).Silent" i
        print text ";\nSends" i " = (end" i ", frame).Silent" i ";"
        row = row (i > 1 ? " <*> " : "") "Silent" i
    }
    print row
}
