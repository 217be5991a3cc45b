# Routers of a backbone that pass packets on:  awk -f backbone.awk ROUTERS ROOM
#
# ROUTERS routers form a ring with one line across it.  Packets come in at every router.  Each one
# forwards two in five of its packets to its own subscribers and the others to its neighbours, all
# of them alike.  A router with ROOM packets drops those that come.
# Source: J. R. Jackson, "Networks of waiting lines", Operations Research 5 (1957); L. Kleinrock,
# "Communication Nets: Stochastic Message Flow and Delay" (1964).
# States: (ROOM + 1)^ROUTERS: 32768 for 5 7, 1000000 for 6 9.
# Easy: every router is used to about two fifths, so drops are rare and the queues are nearly
# independent of each other.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 4 || ARGV[2] < 1) {
        print "usage: awk -f backbone.awk ROUTERS (from 4) ROOM" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    room = ARGV[2] + 0
    print "// Packets per millisecond."
    print "local = 0.4;"
    for (i = 1; i <= n; i++) {
        join(i, i % n + 1)
        if (i == int(n / 2) + 1)
            join(1, i)
    }
    for (i = 1; i <= n; i++) {
        print "enter" i " = " 1.5 + i % 2 "; line" i " = " 8 + 2 * degree[i] ";"
        for (k = 0; k <= room; k++)
            router(i, k)
        network = network (i > 1 ? " <*> " : "") "Router" i "_0"
    }
    print network
}

# A line between two routers carries packets both ways.
function join(a, b)
{
    near[a, ++degree[a]] = b
    near[b, ++degree[b]] = a
}

function router(i, k,    text, next_level, d, j)
{
    next_level = k < room ? k + 1 : k
    if (k < room)
        text = " + (enter" i ", enter" i ").Router" i "_" k + 1
    for (d = 1; d <= degree[i]; d++) {
        j = near[i, d]
        text = text " + (hop" j "_" i ", T).Router" i "_" next_level
        if (k > 0)
            text = text " + (hop" i "_" j ", line" i " * (1 - local) / " degree[i] ").Router" i \
                "_" k - 1
    }
    if (k > 0)
        text = text " + (deliver" i ", line" i " * local).Router" i "_" k - 1
    print "Router" i "_" k " = " substr(text, 4) ";"
}
