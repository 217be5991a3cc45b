# A store filled and emptied by a regime that changes at random:
#   awk -f regimes.awk SEED REGIMES ROOM CLOSED
#
# There are REGIMES regimes in clusters of eight.  In a cluster they change in a ring and by chords;
# to another cluster seldom, at paces over seven decades.  Each regime has its own pace of units
# that come and go, one by one and, in some, in batches of 7 and 10.  The store has ROOM places.
# CLOSED clusters (0 for none) are never left.
# Source: M. F. Neuts, "Matrix-Geometric Solutions in Stochastic Models" (1981); G. Latouche,
# V. Ramaswami, "Introduction to Matrix Analytic Methods in Stochastic Modeling" (1999).
# States: REGIMES (ROOM + 1): 24000 for 1 24 999 0, 512064 for 2 64 8000 3.
# Hard: two components, one large; some regimes overload the store and some empty it, each for
# longer than it takes.  What is full or empty stays so (self-loops).  With closed clusters there
# are as many bottom components (warnings, meant so).
BEGIN {
    if (ARGC != 5 || ARGV[2] < 16 || ARGV[3] < 10 || ARGV[4] >= int((ARGV[2] + 7) / 8)) {
        print "usage: awk -f regimes.awk SEED REGIMES (from 16) ROOM (from 10) CLOSED" \
            " (fewer than clusters)" > "/dev/stderr"
        exit 2
    }
    seed = 4711 * ARGV[1] + 17
    n = ARGV[2] + 0
    room = ARGV[3] + 0
    clusters = int((n + 7) / 8)
    open = clusters - ARGV[4]
    for (i = 0; i < 10; i++)
        draw(2)
    for (i = 0; i < n; i++) {
        c = int(i / 8)
        size = n - 8 * c < 8 ? n - 8 * c : 8
        change(i, 8 * c + (i + 1) % 8 % size, 0)
        if (draw(2))
            change(i, 8 * c + draw(size), 1)
        come = 1 + draw(9)
        go = 1 + draw(9)
        text[i] = text[i] " + (come, " come ").Regime" i " + (go, " go ").Regime" i
        if (draw(4) == 0)
            text[i] = text[i] " + (batch, 0." 1 + draw(9) ").Regime" i
        if (draw(4) == 0)
            text[i] = text[i] " + (clear, 0." 1 + draw(9) ").Regime" i
    }
    for (c = 0; c < open; c++) {
        change(8 * c, 8 * ((c + 1) % clusters), 2 + draw(7))
        d = draw(clusters)
        change(8 * c + 1, 8 * d, 2 + draw(7))
        if (c == open - 1)
            for (d = open + 1; d < clusters; d++)
                change(8 * c, 8 * d, 2 + draw(7))
    }
    for (i = 0; i < n; i++)
        print "Regime" i " = " substr(text[i], 4) ";"
    for (k = 0; k <= room; k++)
        print "Store" k " = (come, T).Store" least(k + 1) " + (go, T).Store" (k > 0 ? k - 1 : 0) \
            " + (batch, T).Store" least(k + 7) " + (clear, T).Store" (k > 10 ? k - 10 : 0) ";"
    print "Regime0 <come, go, batch, clear> Store0"
}

function least(k)
{
    return k < room ? k : room
}

function change(from, to, decades)
{
    if (from != to)
        text[from] = text[from] " + (change, " 1 + draw(9) "e-" decades + 1 ").Regime" to
}

# Multiplicative congruential numbers with an increment, exact in every awk: whole from 0 to below
# high.
function draw(high)
{
    seed = (seed * 69069 + 12345) % 4294967296
    return int(seed / 4294967296 * high)
}
