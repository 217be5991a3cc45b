# Servers that call servers, a random tree of them (layers):
#   awk -f layers.awk SEED SERVERS USERS
#
# Each server but the first has one above it, chosen at random, which it calls for some of its work
# and waits for; meanwhile nobody else is served.  Servers without any below, and some others, have
# USERS users each, who think, call and wait.  Some servers work on after the reply (second phase).
# Source: C. M. Woodside, J. E. Neilson, D. C. Petriu, S. Majumdar, "The stochastic rendezvous
# network model for performance of synchronous client-server-like distributed software", IEEE
# Transactions on Computers 44 (1995); J. A. Rolia, K. C. Sevcik, "The method of layers", IEEE
# Transactions on Software Engineering 21 (1995).
# States: 38340 for 1 6 2, 351338 for 1 7 3.
# Easy: cooperation nested as the tree is, most calls do not go far; rates within two decades.
# The first server waits for nobody, so there is no deadlock.
BEGIN {
    if (ARGC != 4 || ARGV[2] < 2 || ARGV[3] < 1) {
        print "usage: awk -f layers.awk SEED SERVERS (from 2) USERS" > "/dev/stderr"
        exit 2
    }
    seed = 4711 * ARGV[1] + 17
    n = ARGV[2] + 0
    users = ARGV[3] + 0
    for (i = 0; i < 10; i++)
        draw(2)
    for (i = 2; i <= n; i++) {
        above[i] = 1 + draw(i - 1)
        below[above[i]] = below[above[i]] " s" i
    }
    for (i = 1; i <= n; i++) {
        if (!(i in below) || draw(4) == 0) {
            below[i] = below[i] " u" i
            print "User" i " = (think" i ", 0." 1 + draw(4) ").Calls" i ";"
            print "Calls" i " = (call_u" i ", 30).Waits" i ";"
            print "Waits" i " = (reply_u" i ", T).User" i ";"
        }
        server(i)
    }
    print tree(1)
}

function server(i,    many, who, k, work, more, home, rest)
{
    many = split(below[i], who, " ")
    more = draw(2)
    home = "Server" i " ="
    for (k = 1; k <= many; k++) {
        home = home (k > 1 ? " + " : " ") "(call_" who[k] ", T).Serves" i "_" who[k]
        work = 2 + draw(i == 1 ? 12 : 6)
        ask = 1 + draw(6)
        rest = "Serves" i "_" who[k] " = (work" i ", " work * (i == 1 ? 10 : 10 - ask) / 10 \
            ").Replies" i "_" who[k]
        if (i > 1) {
            rest = rest " + (ask" i ", " work * ask / 10 ").Asks" i "_" who[k]
            print "Asks" i "_" who[k] " = (call_s" i ", 30).Hears" i "_" who[k] ";"
            print "Hears" i "_" who[k] " = (reply_s" i ", T).Replies" i "_" who[k] ";"
        }
        print rest ";"
        print "Replies" i "_" who[k] " = (reply_" who[k] ", 60)." (more ? "Tidies" : "Server") i ";"
    }
    print home ";"
    if (more)
        print "Tidies" i " = (tidy" i ", " 4 + draw(9) ").Server" i ";"
}

# Server i and all below it.
function tree(i,    many, who, k, set, text)
{
    many = split(below[i], who, " ")
    for (k = 1; k <= many; k++) {
        set = set (k > 1 ? ", " : "") "call_" who[k] ", reply_" who[k]
        text = text (k > 1 ? " || " : "") (substr(who[k], 1, 1) == "u" ? \
            "User" i "[" users "]" : tree(substr(who[k], 2) + 0))
    }
    return "(Server" i " <" set "> (" text "))"
}

# Multiplicative congruential numbers with an increment, exact in every awk: whole from 0 to below
# high.
function draw(high)
{
    seed = (seed * 69069 + 12345) % 4294967296
    return int(seed / 4294967296 * high)
}
