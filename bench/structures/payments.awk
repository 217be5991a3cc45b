# Channels that carry payments until one side has no money left:  awk -f payments.awk NODES FUNDS
#
# NODES shops and banks form a ring of payment channels, with one more across.  The two ends of a
# channel share FUNDS coins.  A payment of one coin takes the shortest way and moves one coin to the
# far side of each channel on it, if all have one there; otherwise it fails.  Channels with all
# coins on one side are filled up again on the chain, after a long time.
# Source: J. Poon, T. Dryja, "The Bitcoin Lightning Network: scalable off-chain instant payments"
# (2016); V. Sivaraman and others, "High throughput cryptocurrency routing in payment channel
# networks", NSDI 2020.
# States: (FUNDS + 1)^(NODES + 1): 32768 for 4 7, 531441 for 5 8.
# Hard: payments are as many one way as the other, nearly, so all balances wander; a payment over
# several channels moves each of them, and all rates are of one order but for the chain.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 4 || ARGV[2] < 2) {
        print "usage: awk -f payments.awk NODES (from 4) FUNDS (from 2)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    funds = ARGV[2] + 0
    half = int(funds / 2)
    for (i = 1; i <= n; i++)
        channel(i, i % n + 1)
    channel(1, int(n / 2) + 1)
    print "chain = 0.005;"
    for (s = 1; s <= n; s++) {
        shortest(s)
        for (t = 1; t <= n; t++)
            if (t != s)
                payment(s, t)
    }
    for (c = 1; c <= channels; c++) {
        for (k = 0; k <= funds; k++)
            balance(c, k)
        network = network (c > 1 ? " <*> " : "") "Channel" c "_" half
    }
    print network
}

# The coins of channel c are counted on the side of a.
function channel(a, b)
{
    channels++
    by[a, b] = channels
    by[b, a] = -channels
}

# before[v]: the node before v on a shortest way from s, found breadth first.
function shortest(s,    queue, head, tail, u, v)
{
    for (v = 1; v <= n; v++)
        before[v] = 0
    before[s] = s
    queue[head = tail = 1] = s
    while (head <= tail) {
        u = queue[head++]
        for (v = 1; v <= n; v++)
            if ((u, v) in by && !before[v]) {
                before[v] = u
                queue[++tail] = v
            }
    }
}

# The payer's own channel, the first one, sets the pace.
function payment(s, t,    name, v, c, rate)
{
    name = "pay" s "_" t
    print name " = " 1 + 0.2 * ((s * s + 2 * t) % 3) ";"
    for (v = t; v != s; v = before[v]) {
        c = by[before[v], v]
        rate = before[v] == s ? name : "T"
        if (c > 0)
            gives[c] = gives[c] " " name "," rate
        else
            takes[-c] = takes[-c] " " name "," rate
    }
}

function balance(c, k,    text)
{
    if (k > 0)
        text = text list(gives[c], "Channel" c "_" k - 1)
    if (k < funds)
        text = text list(takes[c], "Channel" c "_" k + 1)
    if (k == 0 || k == funds)
        text = text " + (fill" c ", chain).Channel" c "_" half
    print "Channel" c "_" k " = " substr(text, 4) ";"
}

function list(activities, state,    many, one, i, text)
{
    many = split(activities, one, " ")
    for (i = 1; i <= many; i++)
        text = text " + (" one[i] ")." state
    return text
}
