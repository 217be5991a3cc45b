# Nodes in a ring elect the one of the highest number (Chang and Roberts):
#   awk -f election.awk NODES
#
# A node that notices that there is no leader sends its number round.  A link holds one message.
# Numbers higher than one's own are passed on; lower ones are dropped by a candidate; who gets its
# own number back leads.  When the leader crashes, what is under way is dropped, and the others
# begin again; a crashed node only passes messages on until it is repaired.
# Source: E. Chang, R. Roberts, "An improved algorithm for decentralized extrema-finding in circular
# configurations of processes", Communications of the ACM 22 (1979); N. A. Lynch, "Distributed
# Algorithms" (1996).
# States: 10645 for 5, 84416 for 6, 719402 for 7.
# Hard: an action for each node and number; a leader leads for 10^5 messages, and a crash changes
# all components at once; far fewer states than the product.
BEGIN {
    if (ARGC != 2 || ARGV[1] < 3) {
        print "usage: awk -f election.awk NODES (at least 3)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "pass = 1; notice = 0.02; send = 5; crash = 1e-5; repair = 2e-4;"
    for (i = 1; i <= n; i++)
        id[i] = i % 2 ? (i + 1) / 2 : n + 1 - i / 2
    for (i = 1; i <= n; i++) {
        node(i, id[i])
        link(i, i % n + 1)
        nodes = nodes (i > 1 ? " <" crashes ">\n" : "") "Asleep" i
        links = links (i > 1 ? " <*> " : "") "Link" i "_0"
    }
    print "(" nodes ")\n<*> (" links ")"
}

# Node i of number d.  Lists of activities, of which it says where they lead.
function node(i, d,    j, crashed, higher, lower, pass, drop, own)
{
    for (j = 1; j <= n; j++) {
        if (i == 1)
            crashes = crashes (j > 1 ? ", " : "") "crash" j
        if (j != i)
            crashed = crashed " + (crash" j ", T)."
        if (j != d) {
            pass = pass " + (pass" i "_" j ", pass)."
            drop = drop " + (drop" i "_" j ", pass)."
        }
        if (j > d)
            higher = higher " + (pass" i "_" j ", pass).Passive" i
        if (j < d)
            lower = lower " + (drop" i "_" j ", pass)."
    }
    own = " + (drop" i "_" d ", pass)."
    print "Asleep" i " = (send" i ", notice).Candidate" i higher to(lower, "Called" i) \
        to(crashed, "Asleep" i) ";"
    if (d > 1)
        print "Called" i " = (send" i ", send).Candidate" i higher to(lower, "Called" i) \
            to(crashed, "Asleep" i) ";"
    print "Candidate" i " = (win" i ", pass).Leader" i higher to(lower, "Candidate" i) \
        to(crashed, "Asleep" i) ";"
    if (d < n)
        print "Passive" i " = " substr(to(pass own, "Passive" i) to(crashed, "Asleep" i), 4) ";"
    print "Leader" i " = (crash" i ", crash).Down" i to(drop, "Leader" i) ";"
    print "Down" i " = (repair" i ", repair).Asleep" i to(pass, "Down" i) to(crashed, "Down" i) ";"
}

# All of a list of activities lead to one state.
function to(list, state)
{
    gsub(/\)\./, ")." state, list)
    return list
}

# The link from node i to node j; the highest number never meets its node passive.
function link(i, j,    m, crashed, filled)
{
    for (m = 1; m <= n; m++) {
        crashed = crashed " + (crash" m ", T).Link" i "_0"
        filled = filled (m == id[i] ? " + (send" i : " + (pass" i "_" m) ", T).Link" i "_" m
    }
    print "Link" i "_0 = " substr(filled crashed, 4) ";"
    for (m = 1; m <= n; m++)
        print "Link" i "_" m " = (" (m == id[j] ? "win" j : "pass" j "_" m) ", T).Link" i "_0" \
            (m < n || m != id[j] ? " + (drop" j "_" m ", T).Link" i "_0" : "") crashed ";"
}
