# A line of workers who take over the work from each other (bucket brigade):
#   awk -f brigade.awk WORKERS STATIONS
#
# Each item passes STATIONS stations, which hold one worker each.  A worker carries his item from
# station to station and waits when the next one is taken.  Who has finished the last station walks
# back to the worker before him and takes over his item where it is; that one walks back in turn,
# and the first worker begins a new item.  Nobody overtakes; the slowest worker is first.
# Source: J. J. Bartholdi III, D. D. Eisenstein, "A production line that balances itself",
# Operations Research 44 (1996); J. J. Bartholdi III, D. D. Eisenstein, R. D. Foley, "Performance of
# bucket brigades when work is stochastic", Operations Research 49 (2001).
# States: C(WORKERS + STATIONS, WORKERS): 20349 for 5 16, 593775 for 6 24.
# Easy: a closed line, rates within two decades, no rare events.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2 || ARGV[2] < 3) {
        print "usage: awk -f brigade.awk WORKERS (from 2) STATIONS (from 3)" > "/dev/stderr"
        exit 2
    }
    workers = ARGV[1] + 0
    stations = ARGV[2] + 0
    print "// Per minute.  begin is the first station, done the last one finished."
    print "walk = 20;"
    for (i = 1; i <= workers; i++)
        worker(i)
    for (p = 1; p <= stations; p++) {
        enter = p > 1 ? "to" p : "begin"
        leave = p < stations ? "to" p + 1 : "done"
        print "Free" p " = (" enter ", T).Taken" p ";"
        print "Taken" p " = (" leave ", T).Free" p ";"
        line = line (p > 1 ? " <" enter "> " : "") "Free" p
        moves = moves enter ", "
    }
    print "(" brigade ") <" moves "done> (" line ")"
}

# Worker i, and how he joins the ones before.  The work of a station differs by up to a half.
function worker(i,    p, next_one, takes, set)
{
    printf "speed%d = %.3g;\n", i, 1 + 1.5 * (i - 1) / (workers - 1)
    for (p = 1; p <= stations; p++) {
        next_one = p < stations ? "(to" p + 1 ", " : "(done, "
        print "At" i "_" p " = " next_one "speed" i " / " 0.75 + 0.25 * (p * 7 % 4) ")." \
            (p < stations ? "At" i "_" p + 1 : "Back" i) \
            (i < workers ? " + (meet" i + 1 "_" p ", T).Back" i : "") ";"
        takes = takes (p > 1 ? " + " : "") "(meet" i "_" p ", walk).At" i "_" p
        set = set (p > 1 ? ", " : "") "meet" i "_" p
    }
    print "Back" i " = " (i > 1 ? takes : "(begin, walk).At1_1") ";"
    brigade = i > 1 ? "(" brigade ") <" set "> Back" i : "Back1"
}
