# A buyer who mines a secret chain to get a payment back:  awk -f doublespend.awk POOLS BEHIND
#
# Each of POOLS pools of miners is honest, bribed by the buyer, or off the net.  The merchant ships
# after six blocks.  The buyer, when ahead and the goods are out, shows his own chain and has won;
# BEHIND blocks behind he may give up.  While the net is split half the honest blocks are wasted.
# Source: S. Nakamoto, "Bitcoin: a peer-to-peer electronic cash system" (2008); M. Rosenfeld,
# "Analysis of hashrate-based double-spending", arXiv:1402.2009 (2014).
# States: some 3^POOLS 9 (BEHIND + 4), for who ships late is far behind: 35235 for
# 5 12, 387099 for 7 20.
# Two bottoms, won and given up, in which the pools go on; blocks then change nothing (self-loops).
# Hard: what is asked is which bottom; pools change over days, blocks come in minutes.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f doublespend.awk POOLS BEHIND" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    behind = ARGV[2] + 0
    ahead = -3
    deep = 6
    print "// Per hour."
    print "leave = 0.1; off = 0.01; on = 0.2; ship = 2;"
    print "show = 60; quit = 0.05; split = 0.02; heal = 0.5;"
    for (i = 1; i <= n; i++)
        sum += 1 / i
    for (i = 1; i <= n; i++) {
        printf "power%d = %.4g; bribe%d = %.4g;\n", i, 6 / i / sum, i, 0.008 * i
        print "Honest" i " = (block, power" i ").Honest" i " + (bribe, bribe" i ").Bribed" i \
            " + (off" i ", off).Off" i ";"
        print "Bribed" i " = (secret, power" i ").Bribed" i " + (leave" i ", leave).Honest" i \
            " + (off" i ", off).Off" i ";"
        print "Off" i " = (on" i ", on).Honest" i ";"
        pools = pools (i > 1 ? " || " : "") "Honest" i
    }
    for (k = 0; k <= deep; k++)
        print "Seen" k " = " (k < deep ? "(block, T).Seen" k + 1 : \
            "(block, T).Seen" k " + (ship, ship).Shipped") ";"
    print "Shipped = (block, T).Shipped + (show, T).Robbed;"
    print "Robbed = (block, T).Robbed;"
    for (k = ahead; k <= behind; k++) {
        next_block = k < behind ? k + 1 : k
        common = " + (secret, T).X" name(k > ahead ? k - 1 : k) " + (bribe, T).X" name(k) \
            (k < 0 ? " + (show, show).Won" : "") (k == behind ? " + (quit, quit).Quit" : "")
        text = "(block, T).X" name(next_block) " + (split, split).Split" name(k) common
        gsub(/X/, "Race", text)
        print "Race" name(k) " = " text ";"
        text = "(block, infty).X" name(k) \
            (k < behind ? " + (block, infty).X" name(next_block) : "") \
            " + (heal, heal).Race" name(k) common
        gsub(/X/, "Split", text)
        print "Split" name(k) " = " text ";"
    }
    print "Won = (block, T).Won + (secret, T).Won;"
    print "Quit = (block, T).Quit + (secret, T).Quit;"
    print "(" pools ") <block, secret, bribe> (Seen0 <block, show> Race0)"
}

function name(k)
{
    return k < 0 ? "m" (-k) : k
}
