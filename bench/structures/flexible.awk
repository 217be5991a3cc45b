# A flexible manufacturing system with three kinds of parts:  awk -f flexible.awk PALLETS
#
# PALLETS pallets circulate for each kind.  Kind 1 is milled on three mills, kinds 2 and 3 share two
# lathes.  Some finished parts of kinds 1 and 2 are joined in pairs and assembled by one of two
# robots; the others are shipped as they are.  A shipped pallet comes back with a new part.
# Source: G. Ciardo, K. S. Trivedi, "A decomposition approach for stochastic reward net models",
# Performance Evaluation 18 (1993).
# States: C(n + 2, 2) times the sum of C(n - k + 3, 3)^2 for k from 0 to n: 26130 for 4, 102438 for
# 5, 948024 for 7, 2410155 for 8.  Paired parts are counted in both kinds, always as many.
# Hard: populations of 5, 5 and 3 local states; loading and shipping are slow beside the machines.
BEGIN {
    if (ARGC != 2) {
        print "usage: awk -f flexible.awk PALLETS" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "load1 = 1; load2 = 0.7; load3 = 0.5; ship = 0.2;"
    print "mill = 0.4; turn = 0.8; pair = 3; assemble = 0.25; alone1 = 0.8; alone2 = 0.6;"
    part(1, "mill")
    part(2, "turn")
    print "Load3 = (load3, load3).Turn3;"
    print "Turn3 = (turn, turn).Ready3;"
    print "Ready3 = (ship3, ship).Load3;"
    print "Mill = (mill, mill).Mill;"
    print "Lathe = (turn, turn).Lathe;"
    print "Robot = (assemble, assemble).Robot;"
    print "((Load1[" n "] <pair, assemble> Load2[" n "]) || Load3[" n "])"
    print "<mill, turn, assemble> (Mill[3] || Lathe[2] || Robot[2])"
}

function part(i, machine,    work)
{
    work = (i == 1 ? "Mill" : "Turn") i
    print "Load" i " = (load" i ", load" i ")." work ";"
    print work " = (" machine ", alone" i " * " machine ").Ready" i
    print "    + (" machine ", (1 - alone" i ") * " machine ").Single" i ";"
    print "Single" i " = (pair, pair).Paired" i ";"
    print "Paired" i " = (assemble, assemble).Ready" i ";"
    print "Ready" i " = (ship" i ", ship).Load" i ";"
}
