# Crowds of random habits that meet and take fright:
#   awk -f encounters.awk SEED CROWDS COPIES
#
# A member of a crowd has 3 to 5 local states in a random tree; it goes up the tree by itself and
# falls back to its root or one step.  Members of two crowds meet where each is willing, at the pace
# of the slower side, and both change by it.  At an alarm all members of half of the crowds go back
# to their roots, and for a while no alarm follows.
# Source: J. Hillston, "Fluid flow approximation of PEPA models", QEST 2005, for counted crowds;
# J. T. Bradley, S. T. Gilmore, J. Hillston, "Analysing distributed Internet worm attacks using
# continuous state-space approximation of process algebra models", Journal of Computer and System
# Sciences 74 (2008).
# States: 2 times the product over crowds of C(COPIES + s - 1, s - 1), s the local states: 40000 for
# 5 4 3, 1778112 for 2 3 5.
# Hard: an alarm moves whole crowds at once; which meetings hold up which crowd is not known before;
# rates in three decades.
BEGIN {
    if (ARGC != 4 || ARGV[2] < 2 || ARGV[3] < 1) {
        print "usage: awk -f encounters.awk SEED CROWDS (from 2) COPIES" > "/dev/stderr"
        exit 2
    }
    seed = 4711 * ARGV[1] + 17
    n = ARGV[2] + 0
    for (i = 0; i < 10; i++)
        draw(2)
    for (c = 1; c <= n; c++) {
        size[c] = 3 + draw(3)
        shy[c] = c % 2
        for (k = 1; k < size[c]; k++) {
            up = draw(k)
            add(c, up, "go" c "_" k, pace(), k)
            back = draw(2) ? up : 0
            add(c, k, "fall" c "_" k, pace(), back)
        }
        if (shy[c])
            for (k = 0; k < size[c]; k++)
                add(c, k, "alarm", "T", 0)
    }
    for (m = 1; m <= 2 * n; m++) {
        c = 1 + draw(n)
        d = 1 + (c + draw(n - 1)) % n
        meet(c)
        meet(d)
    }
    for (c = 1; c <= n; c++) {
        for (k = 0; k < size[c]; k++)
            print "Crowd" c "_" k " = " substr(text[c, k], 4) ";"
        crowds = crowds (c > 1 ? " <*> " : "") "Crowd" c "_0[" ARGV[3] + 0 "]" \
            (shy[c] ? "{alarm}" : "")
    }
    print "Calm = (alarm, 0.02).Alert;\nAlert = (settle, 0.1).Calm;"
    print "(" crowds ") <alarm> Calm"
}

function add(c, from, action, rate, to)
{
    text[c, from] = text[c, from] " + (" action ", " rate ").Crowd" c "_" to
}

# One side of meeting m, from one local state at random to another.
function meet(c,    from, to)
{
    from = draw(size[c])
    to = (from + 1 + draw(size[c] - 1)) % size[c]
    add(c, from, "meet" m, pace(), to)
}

# From 0.01 to 9.
function pace(    digit, decade)
{
    digit = 1 + draw(9)
    decade = draw(3)
    return decade == 0 ? digit : (decade == 1 ? digit / 10 : digit / 100)
}

# Multiplicative congruential numbers with an increment, exact in every awk: whole from 0 to below
# high.
function draw(high)
{
    seed = (seed * 69069 + 12345) % 4294967296
    return int(seed / 4294967296 * high)
}
