# Nodes of a tree that hand one privilege round on demand:  awk -f raymond.awk NODES
#
# The nodes are a binary tree.  Each knows in which direction the privilege is.  One that wants it,
# or is asked for it by a neighbour, asks once in that direction.  The node that has it uses it or
# hands it on to one of those who asked, in random order, and asks for it back if more did.
# Source: K. Raymond, "A tree-based algorithm for distributed mutual exclusion", ACM Transactions on
# Computer Systems 7 (1989).
# States: 23316 for 7, 324408 for 9.
# Easy: one privilege and many requests, load about 0.4; a tree of cooperations, messages ten times
# faster than work.  The local states of a node are all that its neighbours could put it in.
BEGIN {
    if (ARGC != 2 || ARGV[1] < 3) {
        print "usage: awk -f raymond.awk NODES (from 3)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "message = 10; enter = 20; leave = 1;"
    for (i = 1; i <= n; i++)
        node(i)
    print subtree(1)
}

# Node i and its neighbours near[1], ...; a set of requests is a number, in which bit 0 is its own.
function node(i,    k, set, full)
{
    degree = 0
    if (i > 1)
        near[++degree] = int(i / 2)
    for (k = 2 * i; k <= 2 * i + 1 && k <= n; k++)
        near[++degree] = k
    full = 2 ^ (degree + 1)
    print "want" i " = " 0.5 * (0.6 + 0.2 * (i % 5)) / n ";"
    for (set = 0; set < full; set++) {
        if (!has(set, 0))
            print "Uses" i "_" set " = (leave" i ", leave).Holds" i "_" set \
                asked(i, "Uses" i, set, 0) ";"
        print "Holds" i "_" set " = " substr(hand(i, set) wants(i, "Holds" i, set) \
            asked(i, "Holds" i, set, 0), 4) ";"
        for (k = 1; k <= degree; k++)
            if (!has(set, k))
                away(i, k, set)
    }
}

function has(set, k)
{
    return int(set / 2 ^ k) % 2
}

# What the holder does with its requests.
function hand(i, set,    k, text)
{
    if (has(set, 0))
        text = " + (enter" i ", enter).Uses" i "_" set - 1
    for (k = 1; k <= degree; k++)
        if (has(set, k))
            text = text " + (hand" i "_" near[k] ", message).Away" i "_" k "_" set - 2 ^ k
    return text
}

function wants(i, name, set)
{
    return has(set, 0) ? "" : " + (want" i ", want" i ")." name "_" set + 1
}

# Requests that come from neighbours other than number d.
function asked(i, name, set, d,    k, text)
{
    for (k = 1; k <= degree; k++)
        if (k != d && !has(set, k))
            text = text " + (ask" near[k] "_" i ", T)." name "_" set + 2 ^ k
    return text
}

# The privilege is in the direction of neighbour number d.
function away(i, d, set,    name)
{
    name = "Away" i "_" d
    print name "_" set " = " substr((set ? " + (ask" i "_" near[d] ", message).Asked" i "_" d "_" \
        set : "") wants(i, name, set) asked(i, name, set, d), 4) ";"
    if (set) {
        name = "Asked" i "_" d
        print name "_" set " = (hand" near[d] "_" i ", T).Holds" i "_" set wants(i, name, set) \
            asked(i, name, set, d) ";"
    }
}

function subtree(i,    text, k)
{
    text = (i > 1 ? "Away" i "_1_0" : "Holds1_0")
    for (k = 2 * i; k <= 2 * i + 1 && k <= n; k++)
        text = text " <ask" i "_" k ", ask" k "_" i ", hand" i "_" k ", hand" k "_" i "> " \
            subtree(k)
    return i > 1 ? "(" text ")" : text
}
