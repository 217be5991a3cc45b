# Nodes poll their neighbours until all hold the same value:  awk -f agree.awk SEED NODES
#
# Two conflicting updates reach one node each; the others have none yet.  A node takes the value of
# a neighbour that it polls.  The neighbours are those in a ring and NODES / 2 chords at random;
# some nodes poll ten times as often as others.  A client reads the value of a random node.
# Source: Y. Hassin, D. Peleg, "Distributed probabilistic polling and applications to proportionate
# agreement", Information and Computation 171 (2001); P. Clifford, A. Sudbury, "A model for spatial
# conflict", Biometrika 60 (1973); the generator of S. K. Park, K. W. Miller, Communications of the
# ACM 31 (1988).
# States: 58896 for 1 10, 451311 for 2 12, at most 3^NODES 3.
# Hard: two bottom components of two states, one for each value; all other states are left for
# ever (warnings, meant so), but only after the last dissenting node has given in.
BEGIN {
    if (ARGC != 3 || ARGV[2] < 4) {
        print "usage: awk -f agree.awk SEED NODES (at least 4)" > "/dev/stderr"
        exit 2
    }
    state = 1000 + 7919 * ARGV[1]
    n = ARGV[2] + 0
    for (i = 0; i < 10; i++)
        random(1)
    for (i = 1; i <= n; i++)
        join(i, i % n + 1)
    for (i = 1; i <= n / 2; i++) {
        j = 1 + int(random(n))
        join(j, (j + 1 + int(random(n - 3))) % n + 1)
    }
    print "read = 1; forget = 20;"
    for (i = 1; i <= n; i++)
        node(i)
    print "Client = " substr(reads, 4) ";"
    print "ReadA = (forget, forget).Client;\nReadB = (forget, forget).Client;"
    for (i = 1; i <= n; i++)
        nodes = nodes (i > 1 ? " <*> " : "") (i == 1 ? "A" : i == 2 ? "B" : "None") i
    print "(" nodes ") <*> Client"
}

function random(high)
{
    state = (state * 16807) % 2147483647
    return high * state / 2147483647
}

function join(i, j)
{
    near[i, j] = near[j, i] = 1
}

# Node i; askI_J_A is the poll of node i that finds the value A at node j.
function node(i,    rate, j, text, tell)
{
    rate = sprintf("%.3g", exp(log(10) * (random(1) - 0.5)))
    for (j = 1; j <= n; j++)
        if ((i, j) in near) {
            text["A"] = text["A"] " + (ask" i "_" j "_A, " rate ").A" i
            text["B"] = text["B"] " + (ask" i "_" j "_B, " rate ").B" i
            tell["A"] = tell["A"] " + (ask" j "_" i "_A, T).A" i
            tell["B"] = tell["B"] " + (ask" j "_" i "_B, T).B" i
        }
    if (i > 2)
        print "None" i " = " substr(text["A"] text["B"], 4) ";"
    print "A" i " = (read" i "_A, read).A" i text["B"] tell["A"] ";"
    print "B" i " = (read" i "_B, read).B" i text["A"] tell["B"] ";"
    reads = reads " + (read" i "_A, T).ReadA + (read" i "_B, T).ReadB"
}
