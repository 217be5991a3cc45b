# A time-sharing scheduler with levels of priority and a periodic boost:
#   awk -f feedback.awk INTERACTIVE BATCH STAGES
#
# A process starts on the high level; one that uses up its quantum sinks to the next.  Two cores
# work for the high level first, then for the middle, then for the low one.  Interactive programs
# mostly wait for a key before their quantum ends; batch programs compute.  So that no program
# starves, a clock of STAGES stages brings all of them back to the high level each second.
# Source: F. J. Corbato, M. Merwin-Daggett, R. C. Daley, "An experimental time-sharing system",
# Spring Joint Computer Conference 1962; L. Kleinrock, "Queueing Systems, Volume 2: Computer
# Applications" (1976).
# States: STAGES C(INTERACTIVE + 2, 2) (C(BATCH + 3, 3) - C(BATCH, 3)), since no batch program sinks
# to the low level while two are high: 30360 for 10 5 10, 251790 for 20 8 10.
# Easy: a boost shared by every copy at once, between boosts a drift downwards; milliseconds to
# seconds.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f feedback.awk INTERACTIVE BATCH STAGES" > "/dev/stderr"
        exit 2
    }
    stages = ARGV[3] + 0
    high = "min(1, cores / max(1, EditHigh + RunHigh))"
    middle = "min(1, max(0, cores - EditHigh - RunHigh) / max(1, EditMiddle + RunMiddle))"
    low = "min(1, max(0, cores - EditHigh - RunHigh - EditMiddle - RunMiddle) / max(1, RunLow))"
    print "// Per second."
    print "cores = 2; quantum = 100; long = 25; key = 1.5; answer = 150; disc = 80; read = 4;"
    print "tick = " stages ";"
    print "EditHigh = (answer, answer * " high ").EditWaits"
    print "    + (expire, quantum * " high ").EditMiddle + (boost, T).EditHigh;"
    print "EditMiddle = (answer, answer * " middle ").EditWaits + (boost, T).EditHigh;"
    print "EditWaits = (key, key).EditHigh + (boost, T).EditWaits;"
    print "RunHigh = (read, read * " high ").RunWaits"
    print "    + (expire, quantum * " high ").RunMiddle + (boost, T).RunHigh;"
    print "RunMiddle = (read, read * " middle ").RunWaits"
    print "    + (expire, long * " middle ").RunLow + (boost, T).RunHigh;"
    print "RunLow = (read, read * " low ").RunWaits + (boost, T).RunHigh;"
    print "RunWaits = (ready, disc).RunMiddle + (boost, T).RunWaits;"
    for (s = 1; s <= stages; s++)
        print "Clock" s " = " (s < stages ? "(tick, tick).Clock" s + 1 : "(boost, tick).Clock1") ";"
    print "(EditHigh[" ARGV[1] "]{boost} <boost> RunHigh[" ARGV[2] "]{boost}) <boost> Clock1"
}
