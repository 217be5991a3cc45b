# A call centre whose groups each know their own calls and those of the next group:
#   awk -f chaining.awk GROUPS AGENTS ROOM
#
# There are as many kinds of calls as groups, in a circle.  Each group has AGENTS agents, who prefer
# the calls of their own kind, but take those of the next kind too and are slower with them.  A call
# that finds ROOM of its kind waiting is lost; those who wait lose patience.
# Source: W. C. Jordan, S. C. Graves, "Principles on the benefits of manufacturing process
# flexibility", Management Science 41 (1995); R. B. Wallace, W. Whitt, "A staffing algorithm for
# call centers with skill-based routing", Manufacturing and Service Operations Management 7 (2005).
# States: ((ROOM + 1) C(AGENTS + 2, 2))^GROUPS: 46656 for 3 2 5, 810000 for 4 2 4.
# Hard: a circle of populations and queues by turns, so that too many calls of one kind push the
# agents of all groups round; the load is 1.05, and more with the slower help.
BEGIN {
    if (ARGC != 4 || ARGV[1] < 3) {
        print "usage: awk -f chaining.awk GROUPS (from 3) AGENTS ROOM" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    agents = ARGV[2] + 0
    room = ARGV[3] + 0
    print "// Per minute."
    print "answer = 12; talk = 0.25; slow = 0.2; patience = 0.1; load = 1.05;"
    for (i = 1; i <= n; i++) {
        next_kind = i % n + 1
        print "call" i " = load * talk * " agents * (1 + 0.4 * ((i - 1) / (n - 1) - 0.5)) ";"
        print "Agent" i " = (own" i ", answer).Own" i " + (help" next_kind \
            ", answer / 4).Help" i ";"
        print "Own" i " = (talk" i ", talk).Agent" i ";"
        print "Help" i " = (slow" i ", slow).Agent" i ";"
        for (k = 0; k <= room; k++)
            print "Calls" i "_" k " = " \
                (k < room ? "(call" i ", call" i ").Calls" i "_" k + 1 : "") \
                (k > 0 && k < room ? " + " : "") \
                (k > 0 ? "(own" i ", T).Calls" i "_" k - 1 " + (help" i ", T).Calls" i "_" k - 1 \
                " + (giveUp" i ", " k " * patience).Calls" i "_" k - 1 : "") ";"
        centre = centre (i > 1 ? " <*> " : "") "Calls" i "_0 <*> Agent" i "[" agents "]"
    }
    print centre
}
