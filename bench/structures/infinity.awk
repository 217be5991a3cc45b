# Routers in a row that count to infinity (distance vectors):  awk -f infinity.awk ROUTERS INFINITY
#
# The first of ROUTERS routers has a line to the outside; lines join each to the next.  A router
# tells its neighbours its distance from the outside, line by line.  It believes the neighbour it
# routes by, whatever it says, and any other that is nearer.  INFINITY means there is no way.  Lines
# fail; a router that hears nothing over the line it routes by gives up the route after a while.
# Source: C. L. Hedrick, "Routing Information Protocol", RFC 1058 (1988); D. Bertsekas,
# R. Gallager, "Data Networks" (1992), chapter 5.
# States: those the counting reaches: 21504 for 5 7, 418368 for 5 12.
# A router that learns nothing new stays as it is (self-loops, meant so).
# Hard: nearly always all is in order; lines fail every few months and tell every half minute.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2 || ARGV[2] <= ARGV[1]) {
        print "usage: awk -f infinity.awk ROUTERS (from 2) INFINITY (more)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    inf = ARGV[2] + 0
    print "// Per minute."
    print "tell = 2; forget = 0.3;"
    for (i = 0; i < n; i++)
        print "fail" i " = " 1 + i % 3 "e-5; mend" i " = " 0.02 / (1 + i % 2) ";"
    # Line i joins routers i and i + 1; line 0 goes outside.
    print "Line0 = (hello, tell).Line0 + (fail0, fail0).Cut0;"
    print "Cut0 = (forget0r, forget).Cut0 + (mend0, mend0).Line0;"
    for (i = 1; i < n; i++) {
        text = ""
        for (d = i; d <= inf; d++)
            text = text (can(i, d) ? " + (right" i "_" d ", T).Line" i : "") \
                (can(i + 1, d) ? " + (left" i + 1 "_" d ", T).Line" i : "")
        print "Line" i " = (fail" i ", fail" i ").Cut" i text ";"
        print "Cut" i " = (mend" i ", mend" i ").Line" i " + (forget" i "r, forget).Cut" i \
            " + (forget" i "l, forget).Cut" i ";"
    }
    text = "Line0"
    for (i = 1; i <= n; i++) {
        for (d = i; d < inf; d += 2) {
            if (i > 1 || d == 1)
                router(d, "l")
            if (i < n && d > i + 1)
                router(d, "r")
        }
        router(inf, "")
        text = text " <*> Router" i "_" i "l" (i < n ? " <*> Line" i : "")
    }
    print text
}

# Can router i be at distance d?  Each detour adds two to the length of the row itself.
function can(i, d)
{
    return d == inf || (d >= i && (d - i) % 2 == 0)
}

# Router i at distance d by way of the left (l), the right (r), or none.
function router(d, way,    out, e)
{
    out = ""
    if (i == 1)
        out = out " + (hello, T).Router1_1l"
    else
        for (e = i - 1; e <= inf; e++)
            if (can(i - 1, e))
                out = out " + (right" i - 1 "_" e ", T)." hear(d, way, e + 1, "l")
    if (i < n)
        for (e = i + 1; e <= inf; e++)
            if (can(i + 1, e))
                out = out " + (left" i + 1 "_" e ", T)." hear(d, way, e + 1, "r")
    if (i > 1)
        out = out " + (left" i "_" d ", tell).Router" i "_" d way
    if (i < n)
        out = out " + (right" i "_" d ", tell).Router" i "_" d way
    if (way == "l")
        out = out " + (forget" i - 1 "r, T).Router" i "_" inf
    if (way == "r")
        out = out " + (forget" i "l, T).Router" i "_" inf
    print "Router" i "_" d way " = " substr(out, 4) ";"
}

function hear(d, way, e, from)
{
    if (from != way && e >= d)
        return "Router" i "_" d way
    return "Router" i "_" (e >= inf ? inf : e from)
}
