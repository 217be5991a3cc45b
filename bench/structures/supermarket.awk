# Tills of a supermarket, of which a shopper looks at two:  awk -f supermarket.awk TILLS
#
# A shopper looks at two open tills at random and joins the shorter queue; who sees three at both
# leaves.  A till without shoppers may close, the sooner the more of them have none; it opens again
# the sooner the more queues are long.
# Source: N. D. Vvedenskaya, R. L. Dobrushin, F. I. Karpelevich, "Queueing system with selection of
# the shortest of two queues: an asymptotic approach", Problems of Information Transmission 32
# (1996); M. Mitzenmacher, "The power of two choices in randomized load balancing", IEEE
# Transactions on Parallel and Distributed Systems 12 (2001).
# States: C(TILLS + 4, 4): 46376 for 30, 635376 for 60.
# Easy: one population of five local states, about two thirds of the tills are busy, and rates are
# within two decades.
BEGIN {
    if (ARGC != 2 || ARGV[1] < 2) {
        print "usage: awk -f supermarket.awk TILLS (from 2)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "// Per minute."
    print "shoppers = " 0.4 * n "; serve = 0.6; close = 0.05; open = 0.5;"
    print "tail1 = One + Two + Three; tail2 = Two + Three; tail3 = Three;"
    print "tills = None + tail1;"
    # The shorter of two queues of k or more, less those of more than k, for each till of k.
    print "None = (join0, shoppers * (tills + tail1) / (tills * tills)).One"
    print "    + (close, close * None / tills).Closed;"
    print "One = (join1, shoppers * (tail1 + tail2) / (tills * tills)).Two + (serve, serve).None;"
    print "Two = (join2, shoppers * (tail2 + tail3) / (tills * tills)).Three + (serve, serve).One;"
    print "Three = (serve, serve).Two;"
    print "Closed = (open, open * (0.02 + Two + 2 * Three) / " n ").None;"
    print "None[" n "]"
}
