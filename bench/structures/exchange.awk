# Processes that exchange data with neighbours in a random graph:
#   awk -f exchange.awk SEED PROCESSES EDGES
#
# In each round a process works, then exchanges with its neighbours one after the other, in the
# order of the edges (so there is no deadlock).  It may find its data in order after the work, or
# have to refine them first, which is slow.  The graph is a random tree with more edges at random,
# EDGES in all.
# Source: F. Commoner, A. W. Holt, S. Even, A. Pnueli, "Marked directed graphs", Journal of Computer
# and System Sciences 5 (1971); C. A. R. Hoare, "Communicating sequential processes", Communications
# of the ACM 21 (1978); the generator of S. K. Park, K. W. Miller, Communications of the ACM 31.
# States: 41634 for 1 9 11, 584658 for 3 11 14.
# Hard: each action joins two of many components and nothing else does; neighbours are never more
# than a round apart, so few states of the product are reachable.
BEGIN {
    if (ARGC != 4 || ARGV[3] < ARGV[2] - 1) {
        print "usage: awk -f exchange.awk SEED PROCESSES EDGES (from PROCESSES - 1)" > "/dev/stderr"
        exit 2
    }
    state = 1000 + 7919 * ARGV[1]
    n = ARGV[2] + 0
    edges = ARGV[3] + 0
    for (i = 0; i < 10; i++)
        random(1)
    for (e = 1; e <= edges; e++) {
        if (e < n) {
            i = e
            j = int(random(e))
        } else
            do {
                i = int(random(n))
                j = int(random(n))
            } while (i == j || joined[i, j])
        joined[i, j] = joined[j, i] = 1
        step[i, count[i]++] = step[j, count[j]++] = e
        print "exchange" e " = " rate(2, 20) ";"
    }
    for (i = 0; i < n; i++) {
        print "work" i " = " rate(0.5, 5) "; refine" i " = " rate(0.02, 0.2) ";"
        print "Work" i " = (work" i ", 0.9 * work" i ").Turn" i "_0 + (find" i ", 0.1 * work" i \
            ").Refine" i ";"
        print "Refine" i " = (refine" i ", refine" i ").Turn" i "_0;"
        for (k = 0; k < count[i]; k++)
            print "Turn" i "_" k " = (swap" step[i, k] ", exchange" step[i, k] ")." \
                (k + 1 < count[i] ? "Turn" i "_" k + 1 : "Work" i) ";"
        system_text = system_text (i > 0 ? " <*> " : "") "Work" i
    }
    print system_text
}

function random(high)
{
    state = (state * 16807) % 2147483647
    return high * state / 2147483647
}

function rate(low, high)
{
    return sprintf("%.4g", low + random(high - low))
}
