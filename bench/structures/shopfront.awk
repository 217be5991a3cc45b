# The servers behind a shop on the web, as an open network of queues:  awk -f shopfront.awk ROOM
#
# A request passes the front end and goes to the pictures or to the application, which asks the
# database, several times perhaps; what the database has done goes back to the application.  Each of
# the four has room for ROOM requests, of which it serves one or two, or four, at once; a request
# that finds no room gets an error page and is gone.
# Source: J. R. Jackson, "Networks of waiting lines", Operations Research 5 (1957); B. Urgaonkar,
# G. Pacifici, P. Shenoy, M. Spreitzer, A. Tantawi, "An analytical model for multi-tier internet
# services and its applications", SIGMETRICS (2005).
# States: (ROOM + 1)^4: 14641 for 10, 390625 for 24.
# Easy: an ordinary network at loads of 0.3 to 0.7; hardly anything is lost.  (Self-loops: lost.)
BEGIN {
    if (ARGC != 2 || ARGV[1] < 4) {
        print "usage: awk -f shopfront.awk ROOM (from 4)" > "/dev/stderr"
        exit 2
    }
    room = ARGV[1] + 0
    print "visit = 30; accept = 50; draw = 18; script = 22; query = 80;"
    print "Shoppers = (visit, visit).Shoppers;"
    queue("Front", "visit", "", 1, "accept", "picture 0.4 page 0.6")
    queue("Pictures", "picture", "", 1, "draw", "drawn 1")
    queue("Scripts", "page", "result", 4, "script", "query 0.6 reply 0.4")
    queue("Tables", "query", "", 2, "0.5 * query", "result 0.9 commit 0.1")
    print "Shoppers <visit> (Front0 <picture, page>"
    print "    (Pictures0 || (Scripts0 <query, result> Tables0)))"
}

# A queue fed by one or two actions, whose servers end with one of the actions in outs.
function queue(name, in1, in2, servers, rate, outs,    many, out, k, i, text, busy)
{
    many = split(outs, out, " ")
    for (k = 0; k <= room; k++) {
        text = "(" in1 ", T)." name (k < room ? k + 1 : k)
        if (in2)
            text = text " + (" in2 ", T)." name (k < room ? k + 1 : k)
        busy = k < servers ? k : servers
        if (k > 0)
            for (i = 1; i < many; i += 2)
                text = text "\n    + (" out[i] ", " busy " * " out[i + 1] " * " rate ")." name k - 1
        print name k " = " text ";"
    }
}
