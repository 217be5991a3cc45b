# Boats and water in a flight of canal locks:  awk -f canal.awk LOCKS WATER
#
# A boat going down needs a full lock and empties it; one going up needs an empty lock, and fills it
# with water of the pound above.  An empty boatless lock is filled for a boat above it, and a full
# one emptied for one below it.  Between two locks, and above the first, is a pound that holds WATER
# lockfuls, one boat going up and one going down.  Pounds leak, keepers let water down, and the
# feeder at the summit runs well in winter and poorly in summer.
# Source: M. D. Petersen, A. J. Taylor, "An optimal scheduling system for the Welland Canal",
# Transportation Science 22 (1988); P. A. P. Moran, "The Theory of Storage" (1959).
# States: 2 (8 (WATER + 1))^LOCKS: 27648 for 3 2, 663552 for 4 2.
# Hard: each passage joins four components along the chain; boats in minutes, water in hours,
# seasons in months, and a dry pound stops all.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2) {
        print "usage: awk -f canal.awk LOCKS (from 2) WATER" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    water = ARGV[2] + 0
    print "// Per hour.  Water, Down: above the lock.  Up: below it."
    print "pass = 4; turn = 3; come = 0.5; leak = 0.02; let = 0.1; season = 0.00023;"
    for (i = 1; i <= n; i++) {
        for (k = 0; k <= water; k++) {
            text = ""
            more = "Water" i "_" (k < water ? k + 1 : k)
            if (i > 1)
                text = " + (down" i - 1 ", T)." more " + (empty" i - 1 ", T)." more
            if (k < water)
                text = text " + (let" i - 1 ", T)." more
            if (k > 0) {
                less = "Water" i "_" k - 1
                text = text "\n    + (up" i ", T)." less " + (fill" i ", T)." less \
                    (i < n ? " + (let" i ", T)." less : "") " + (leak" i ", leak)." less
            }
            sub(/^[ \n+]*/, "", text)
            print "Water" i "_" k " = " text ";"
        }
        print "NoDown" i " = (down" i - 1 ", T).Down" i ";"
        print "Down" i " = (down" i ", T).NoDown" i ";"
        print "NoUp" i " = (up" i + 1 ", T).Up" i ";"
        print "Up" i " = (up" i ", T).NoUp" i ";"
        print "Full" i " = (down" i ", pass).Empty" i " + (empty" i ", turn * Up" i \
            " * (1 - Down" i ")).Empty" i ";"
        print "Empty" i " = (up" i ", pass).Full" i " + (fill" i ", turn * Down" i ").Full" i ";"
        if (i < n)
            print "Keeper" i " = (let" i ", let).Keeper" i ";"
        flight = flight (i > 1 ? "\n    <*> " : "") "(Water" i "_" water " || NoDown" i \
            " || NoUp" i ") <*> Full" i (i < n ? " <*> Keeper" i : "")
    }
    print "Winter = (let0, 3).Winter + (down0, come / 4).Winter + (up" n + 1 ", come / 4).Winter"
    print "    + (spring, season).Summer;"
    print "Summer = (let0, 0.8).Summer + (down0, come).Summer + (up" n + 1 ", come).Summer"
    print "    + (autumn, season).Winter;"
    print flight " <*> Winter"
}
