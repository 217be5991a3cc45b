# Processors that reach shared memories over a few buses:
#   awk -f multibus.awk PROCESSORS MEMORIES BUSES
#
# A processor computes in its own cache until it misses, then waits for one of MEMORIES memory
# modules.  A free module and a free bus are taken together and given back together after one
# memory cycle.  The last module holds the tables of the system and is used most.
# Source: M. Ajmone Marsan, M. Gerla, "Markov models for multiple bus multiprocessor systems", IEEE
# Transactions on Computers 31 (1982); M. Ajmone Marsan, G. Balbo, G. Conte, "Performance Models of
# Multiprocessor Systems" (1986).
# States: the sum over k = 0 to BUSES of C(MEMORIES, k) C(PROCESSORS - k + MEMORIES, MEMORIES):
# 13685 for 22 3 2, 425816 for 30 4 2.
# Easy: a closed system in two or three decades, whose buses would be taken to 95 percent if nobody
# had to wait.
BEGIN {
    if (ARGC != 4 || ARGV[3] > ARGV[2] || ARGV[3] > ARGV[1]) {
        print "usage: awk -f multibus.awk PROCESSORS MEMORIES BUSES (at most as many)" \
            > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    memories = ARGV[2] + 0
    buses = ARGV[3] + 0
    print "miss = 0.95 * " buses " / " n "; arbitrate = 40; cycle = 1;"
    for (m = 1; m <= memories; m++) {
        misses = misses (m > 1 ? " + " : "") "(miss" m ", miss * " \
            (m == memories ? 2 : 1) / (memories + 1) ").Waits" m
        print "Waits" m " = (grant" m ", T).Served;"
        print "Free" m " = (grant" m ", arbitrate).Cycle" m ";"
        print "Cycle" m " = (end" m ", cycle * " 1 + 0.1 * (m % 3) ").Free" m ";"
        grants = grants (m > 1 ? ", " : "") "grant" m
        ends = ends (m > 1 ? ", " : "") "end" m
        served = served (m > 1 ? " + " : "") "(end" m ", T).Computes"
        grabs = grabs (m > 1 ? " + " : "") "(grant" m ", T).Held"
        frees = frees (m > 1 ? " + " : "") "(end" m ", T).Bus"
        modules = modules (m > 1 ? " || " : "") "Free" m
    }
    print "Computes = " misses ";\nServed = " served ";"
    print "Bus = " grabs ";\nHeld = " frees ";"
    print "(Computes[" n "] <" grants ", " ends "> (" modules ")) <" grants ", " ends "> Bus[" \
        buses "]"
}
