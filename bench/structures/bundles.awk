# Jobs that hold several instruments at once, at random:
#   awk -f bundles.awk SEED JOBS INSTRUMENTS
#
# Each job needs two or three instruments, the same each time, chosen at random.  It is prepared,
# begins when all its instruments are free, takes them all together, runs (some in two stages), and
# gives them back.  A third of the instruments are recalibrated now and then when they are free.
# Source: W. Whitt, "Blocking when service is required from several facilities simultaneously", AT&T
# Technical Journal 64 (1985); F. P. Kelly, "Loss networks", Annals of Applied Probability 1 (1991).
# States: 38400 for 1 10 7, 843776 for 3 13 9.
# Hard: the random graph says which jobs exclude which; a start joins up to four components, and
# jobs differ in pace by two decades.
BEGIN {
    if (ARGC != 4 || ARGV[2] < 2 || ARGV[3] < 3) {
        print "usage: awk -f bundles.awk SEED JOBS (from 2) INSTRUMENTS (from 3)" > "/dev/stderr"
        exit 2
    }
    seed = 4711 * ARGV[1] + 17
    n = ARGV[2] + 0
    m = ARGV[3] + 0
    for (i = 0; i < 10; i++)
        draw(2)
    for (i = 1; i <= n; i++) {
        needs = 2 + (draw(3) == 0)
        while (needs > 0) {
            r = 1 + draw(m)
            if (!((i, r) in holds)) {
                holds[i, r] = 1
                take[r] = take[r] " + (start" i ", T).Held" r
                give[r] = give[r] " + (stop" i ", T).Free" r
                needs--
            }
        }
        pace = draw(3)
        pace = pace == 0 ? 0.1 : (pace == 1 ? 1 : 10)
        print "Idle" i " = (prepare" i ", " pace * (1 + draw(4)) / 4 ").Wants" i ";"
        print "Wants" i " = (start" i ", 50).Runs" i ";"
        run = pace * (2 + draw(4))
        if (draw(3) == 0) {
            print "Runs" i " = (half" i ", " 2 * run ").Ends" i ";"
            print "Ends" i " = (stop" i ", " 2 * run ").Idle" i ";"
        } else
            print "Runs" i " = (stop" i ", " run ").Idle" i ";"
        jobs = jobs (i > 1 ? " || " : "") "Idle" i
    }
    for (r = 1; r <= m; r++) {
        if (!(r in take))
            continue
        if (draw(3) == 0) {
            take[r] = take[r] " + (drift" r ", 0.0" 1 + draw(9) ").Off" r
            print "Off" r " = (calibrate" r ", 0." 1 + draw(9) ").Free" r ";"
        }
        print "Free" r " = " substr(take[r], 4) ";"
        print "Held" r " = " substr(give[r], 4) ";"
        instruments = instruments (instruments ? " <*> " : "") "Free" r
    }
    print "(" jobs ") <*> (" instruments ")"
}

# Multiplicative congruential numbers with an increment, exact in every awk: whole from 0 to below
# high.
function draw(high)
{
    seed = (seed * 69069 + 12345) % 4294967296
    return int(seed / 4294967296 * high)
}
