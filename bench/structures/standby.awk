# Emergency pumps that wait, fail unseen and are tested in turn:  awk -f standby.awk PUMPS STAGES
#
# A pump is ready, failed without anybody knowing, under test, found failed, or mended by the only
# crew.  The pumps are tested one after the other, STAGES stages of time apart.  When the plant
# loses its feed water, pumps are wanted: with none ready the plant is damaged and long shut down.
# With two pumps found failed it may be shut down in time.
# Source: W. E. Vesely, F. F. Goldberg, "FRANTIC: a computer code for time dependent unavailability
# analysis", NUREG-0193 (1977); G. E. Apostolakis, P. P. Bansal, "Effect of human error on the
# availability of periodically inspected redundant systems", IEEE Transactions on Reliability 26
# (1977).
# States: 4 PUMPS STAGES (4^PUMPS + PUMPS 4^(PUMPS - 1)): 24576 for 4 3, 737280 for 6 3.
# A test that finds the pump out of service does nothing (self-loops, meant so).
# Hard: from a test of an hour to failures of the feed water in 10^5 hours; damage is so rare that
# only relative accuracy says anything; the clock never settles.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f standby.awk PUMPS STAGES" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    stages = ARGV[2] + 0
    print "// Per hour; a pump is tested every 2000 hours."
    print "tick = " n * stages / 2000 "; tested = 0.7; forget = 0.01; travel = 0.5;"
    print "loss = 1e-5; recover = 0.3; boil = 6; shut = 0.02; restart = 0.01; rebuild = 3e-5;"
    for (i = 1; i <= n; i++) {
        print "fail" i " = " (2 + i) "e-5; mend" i " = " 0.01 * i ";"
        test = " + (test" i ", T)."
        print "Ready" i " = (fail" i ", fail" i ").Unseen" i test "Test" i ";"
        print "Unseen" i " = (test" i ", T).Found" i ";"
        print "Test" i " = (back" i ", (1 - forget) * tested).Ready" i " + (forget" i \
            ", forget * tested).Unseen" i test "Test" i ";"
        print "Found" i " = (go" i ", T).Mending" i test "Found" i ";"
        print "Mending" i " = (mend" i ", T).Ready" i test "Mending" i ";"
        print "Works" i " = (mend" i ", mend" i ").Crew;"
        crew = crew (i > 1 ? " + " : "") "(go" i ", travel).Works" i
        pumps = pumps (i > 1 ? " || " : "") "Ready" i
        ready = ready (i > 1 ? " + " : "") "Ready" i
        found = found (i > 1 ? " + " : "") "Found" i " + Mending" i
        for (k = 1; k <= stages; k++)
            print "Clock" i "_" k " = (" (k < stages ? "tick, tick).Clock" i "_" k + 1 : \
                "test" i ", tick).Clock" i % n + 1 "_1") ";"
    }
    print "Crew = " crew ";"
    print "Power = (loss, loss).Wanted + (shut, shut * max(0, " found " - 1)).Shut;"
    print "Wanted = (recover, recover).Shut + (damage, boil * max(0, 1 - (" ready "))).Damaged;"
    print "Shut = (restart, restart).Power;"
    print "Damaged = (rebuild, rebuild).Power;"
    print "((" pumps ") <*> (Crew || Clock1_1)) || Power"
}
