# Machines in a ring that recover from any state by themselves:  awk -f stabilise.awk MACHINES
#
# Each machine has a number below 8.  A machine takes the number of the one before it when that
# differs; the first one adds 1 modulo 8 when it has the number of the last one.  From any state
# this ends with a single privilege that goes round.  Faults flip a bit of a number.
# Source: E. W. Dijkstra, "Self-stabilizing systems in spite of distributed control", Communications
# of the ACM 17 (1974); M. Schneider, "Self-stabilization", ACM Computing Surveys 25 (1993).
# States: 8^MACHINES: 32768 for 5, 262144 for 6.
# Hard: nearly all of the probability is in a ring of 8 MACHINES states; faults are 10^7 steps
# apart, so states with many privileges are rare in many degrees.
BEGIN {
    if (ARGC != 2 || ARGV[1] < 2 || ARGV[1] > 8) {
        print "usage: awk -f stabilise.awk MACHINES (2 to 8)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "fault = 1e-7;"
    for (i = 1; i <= n; i++) {
        print "step" i " = " 1 + 0.2 * (i % 3) ";"
        for (v = 0; v < 8; v++)
            print "M" i "_" v " = " substr(steps(i, i % n + 1, v) faults(i, v), 4) ";"
        ring = ring (i > 1 ? " <*> " : "") "M" i "_" (i * i) % 8
    }
    print ring
}

# What machine i does at number v, and what it lets its successor j do.  takeJ_V_W: machine j
# takes V for its own W.
function steps(i, j, v,    w, text)
{
    for (w = 0; w < 8; w++)
        if (w != v) {
            if (i > 1)
                text = text " + (take" i "_" w "_" v ", step" i ").M" i "_" w
            if (i < n)
                text = text " + (take" j "_" v "_" w ", T).M" i "_" v
        }
    if (i == 1)
        text = text " + (turn" v ", step1).M1_" (v + 1) % 8
    if (i == n)
        text = text " + (turn" v ", T).M" n "_" v
    return text
}

function faults(i, v,    bit, text)
{
    for (bit = 1; bit < 8; bit *= 2)
        text = text " + (fault" i ", fault).M" i "_" (int(v / bit) % 2 ? v - bit : v + bit)
    return text
}
