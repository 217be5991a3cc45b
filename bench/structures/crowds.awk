# Populations at random, joined at random:  awk -f crowds.awk SEED CROWDS COPIES DECADES
#
# Each crowd has COPIES copies of a component of 2 to 4 local states in a ring.  Some steps need a
# unit of a resource, which a chain of 4 to 12 units keeps and refills; others go faster the more
# members of another crowd are in their first local state.
# Source: counted populations as in J. Hillston, "Fluid flow approximation of PEPA models",
# QEST 2005; the generator of S. K. Park, K. W. Miller, "Random number generators: good ones are
# hard to find", Communications of the ACM 31 (1988).
# States: the product over crowds of C(COPIES + s - 1, s - 1), s their local states, and over the
# resources of their units and one: 115248 for 5 4 6 6.
# Hard: which counts and rates matter is not known before; DECADES decades of rates.
BEGIN {
    if (ARGC != 5) {
        print "usage: awk -f crowds.awk SEED CROWDS COPIES DECADES" > "/dev/stderr"
        exit 2
    }
    state = 1000 + 7919 * ARGV[1]
    n = ARGV[2] + 0
    copies = ARGV[3] + 0
    decades = ARGV[4] + 0
    for (i = 0; i < 10; i++)
        random(1)
    for (i = 1; i <= n; i++)
        size[i] = 2 + int(random(3))
    for (i = 1; i <= n; i++) {
        for (k = 0; k < size[i]; k++)
            member(i, k)
        crowds = crowds (i > 1 ? " || " : "") "C" i "_0[" copies "]"
    }
    print needs == "" ? crowds : "(" crowds ") <" substr(needs, 3) "> (" substr(resources, 5) ")"
}

function random(high)
{
    state = (state * 16807) % 2147483647
    return high * state / 2147483647
}

function rate()
{
    return sprintf("%.4g", exp(log(10) * (random(decades) - decades / 2)))
}

# Local state k of crowd i: alone, by the number in another crowd, or with a resource of its own.
function member(i, k,    kind, action, r, units, u)
{
    kind = random(1)
    action = "step" i "_" k
    r = rate()
    if (kind < 0.3 && n > 1)
        r = r " * (0.1 + C" (i + int(random(n - 1))) % n + 1 "_0)"
    else if (kind > 0.8) {
        needs = needs ", " action
        resources = resources " || Has" i "_" k "_0"
        units = 4 + int(random(9))
        for (u = 0; u <= units; u++)
            print "Has" i "_" k "_" u " = " (u > 0 ? "(" action ", T).Has" i "_" k "_" u - 1 : "") \
                (u > 0 && u < units ? " + " : "") \
                (u < units ? "(fill" i "_" k ", " rate() ").Has" i "_" k "_" u + 1 : "") ";"
    }
    print "C" i "_" k " = (" action ", " r ").C" i "_" (k + 1) % size[i] ";"
}
