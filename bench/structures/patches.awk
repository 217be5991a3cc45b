# A butterfly on meadows that grow over, while the land is sold or saved:
# awk -f patches.awk SEED MEADOWS
#
# Each of MEADOWS meadows is overgrown, has the food plant, or has the butterfly too.  Butterflies
# reach a meadow from the others, the less the farther it is, and in bad summers less and die out
# more; a stray comes from far away once in centuries.  Some day the land becomes a reserve, or is
# drained, for ever.
# Source: I. Hanski, "A practical model of metapopulation dynamics", Journal of Animal Ecology 63
# (1994); K. Johst, R. Brandl, S. Eber, "Metapopulation persistence in dynamic landscapes: the role
# of dispersal distance", Oikos 98 (2002); the generator of S. K. Park, K. W. Miller, "Random number
# generators: good ones are hard to find", Communications of the ACM 31 (1988).
# States: 6 3^MEADOWS, a third of them left for ever: 39366 for 1 8, 354294 for 2 10.  The ends do
# something at times, to be seen (self-loops, meant so).
# Hard: two ends, each a third of all states; in each the butterfly is long here and long gone;
# every rate depends on all meadows.
BEGIN {
    if (ARGC != 3 || ARGV[2] < 2) {
        print "usage: awk -f patches.awk SEED MEADOWS (from 2)" > "/dev/stderr"
        exit 2
    }
    state = 1000 + 7919 * ARGV[1]
    n = ARGV[2] + 0
    for (i = 0; i < 10; i++)
        random(1)
    for (i = 1; i <= n; i++) {
        x[i] = random(4)
        y[i] = random(4)
        area[i] = 0.4 + random(1.2)
    }
    print "// Per year; places in kilometres."
    print "settle = 0.9; stray = 2e-4; plant = 0.1; overgrow = 0.03; bad = 0.15; good = 0.5;"
    print "save = 0.01; drain = 0.015;"
    for (i = 1; i <= n; i++) {
        near = ""
        for (j = 1; j <= n; j++)
            if (j != i)
                near = near (near != "" ? " + " : "") sprintf("%.3g * Flown%d", \
                    area[j] * exp(-sqrt((x[i] - x[j]) ^ 2 + (y[i] - y[j]) ^ 2)), j)
        printf "die%d = %.3g;\n", i, 0.15 / area[i]
        grow = "(overgrow" i ", overgrow * (1 + 2 * Drained - 0.7 * Reserve)).Wild" i
        print "Wild" i " = (plant" i ", plant * (1 + 2 * Reserve - 0.8 * Drained)).Plant" i ";"
        print "Plant" i " = " grow "\n    + (settle" i ", stray + settle * (1 - 0.7 * Bad) * (" \
            near ")).Flown" i ";"
        print "Flown" i " = " grow " + (die" i ", die" i " * (1 + 2 * Bad)).Plant" i ";"
        meadows = meadows (i > 1 ? " || " : "") (i % 3 ? "Flown" : "Wild") i
    }
    print "Good = (bad, bad).Bad;"
    print "Bad = (good, good).Good;"
    print "Unsure = (save, save).Reserve + (drain, drain).Drained;"
    print "Reserve = (visit, 1).Reserve;"
    print "Drained = (mow, 2).Drained;"
    print meadows " || Good || Unsure"
}

function random(high)
{
    state = (state * 16807) % 2147483647
    return high * state / 2147483647
}
