# Robots that carry racks in a warehouse of random aisles:
#   awk -f warehouse.awk SEED PLACES ROBOTS
#
# The places are joined by aisles: a random tree with at most three aisles at each place, and
# PLACES / 4 more aisles at random.  One robot stands at a place.  It goes to any free neighbour,
# faster without a rack.  Racks are picked up at a third of the places and set down at others.
# Source: F. Spitzer, "Interaction of Markov processes", Advances in Mathematics 5 (1970), for
# exclusion on a graph; D. Roy, A. Krishnamurthy, S. S. Heragu, C. J. Malmborg, "Performance
# analysis and design trade-offs in warehouses with autonomous vehicle technology", IIE Transactions
# 44 (2012).
# States: C(PLACES, ROBOTS) 2^ROBOTS: 16192 for 1 24 3, 1462240 for 2 40 4.
# Hard: many components of three local states, of which few are not empty; each action joins two.
BEGIN {
    if (ARGC != 4 || ARGV[2] < 6 || ARGV[3] < 1 || ARGV[3] >= ARGV[2] + 0) {
        print "usage: awk -f warehouse.awk SEED PLACES (from 6) ROBOTS (fewer)" > "/dev/stderr"
        exit 2
    }
    seed = 4711 * ARGV[1] + 17
    n = ARGV[2] + 0
    for (i = 0; i < 10; i++)
        draw(2)
    for (i = 2; i <= n; i++) {
        do
            j = 1 + draw(i - 1)
        while (aisles[j] == 3)
        aisle(i, j)
    }
    for (k = int(n / 4); k > 0; k--) {
        do {
            i = 1 + draw(n)
            j = 1 + draw(n)
        } while (i == j || (i, j) in joined)
        aisle(i, j)
    }
    for (i = 1; i <= n; i++) {
        if (i % 3 == 1)
            bare[i] = bare[i] " + (pick" i ", 0." 2 + draw(8) ").Laden" i
        else if (i % 3 == 2)
            laden[i] = laden[i] " + (drop" i ", 0." 2 + draw(8) ").Bare" i
        print "Empty" i " = " substr(empty[i], 4) ";"
        print "Bare" i " = " substr(bare[i], 4) ";"
        print "Laden" i " = " substr(laden[i], 4) ";"
        places = places (i > 1 ? " <*> " : "") (i <= ARGV[3] ? "Bare" : "Empty") i
    }
    print places
}

function aisle(i, j)
{
    joined[i, j] = joined[j, i] = 1
    aisles[i]++
    aisles[j]++
    way(i, j)
    way(j, i)
}

# The way from i to j.
function way(i, j,    pace)
{
    pace = 1 + draw(9)
    bare[i] = bare[i] " + (bare" i "_" j ", " pace ").Empty" i
    laden[i] = laden[i] " + (laden" i "_" j ", " pace * 0.6 ").Empty" i
    empty[j] = empty[j] " + (bare" i "_" j ", T).Bare" j " + (laden" i "_" j ", T).Laden" j
}

# Multiplicative congruential numbers with an increment, exact in every awk: whole from 0 to below
# high.
function draw(high)
{
    seed = (seed * 69069 + 12345) % 4294967296
    return int(seed / 4294967296 * high)
}
