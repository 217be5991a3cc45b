# Servers that age and are restarted by the clock:  awk -f rejuvenate.awk SERVERS CLOCK ROOM
#
# A server is fresh, aged (slower, about to crash), crashed, or being restarted.  A timer of CLOCK
# stages restarts one after the other, fresh or aged.  Jobs queue in front of all, at most ROOM.
# Source: Y. Huang, C. Kintala, N. Kolettis, N. D. Fulton, "Software rejuvenation: analysis, module
# and applications", FTCS 1995; S. Garg, A. Puliafito, M. Telek, K. S. Trivedi, "Analysis of
# preventive maintenance in transactions based software systems", IEEE Transactions on
# Computers 47 (1998).
# States: CLOCK (ROOM + 1) C(SERVERS + 3, 3): 35280 for 6 20 20, 617760 for 10 60 35.
# Hard: the timer is nearly deterministic; jobs take seconds, the timer hours and ageing days.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f rejuvenate.awk SERVERS CLOCK ROOM" > "/dev/stderr"
        exit 2
    }
    stages = ARGV[2] + 0
    room = ARGV[3] + 0
    print "// Per minute."
    print "come = 6 * " ARGV[1] "; fast = 10; slow = 3; age = 5e-4; crash = 2e-3; repair = 0.02;"
    print "boot = 0.5; tick = " stages / 120 ";"
    print "Fresh = (serve, fast).Fresh + (age, age).Aged + (restart, 1).Restarting;"
    print "Aged = (serve, slow).Aged + (crash, crash).Crashed + (restart, 1).Restarting;"
    print "Crashed = (repair, repair).Fresh;"
    print "Restarting = (boot, boot).Fresh;"
    for (s = 1; s < stages; s++)
        print "Clock" s " = (tick, tick).Clock" s + 1 ";"
    print "Clock" stages " = (restart, T).Clock1;"
    for (k = 0; k <= room; k++)
        print "Jobs" k " = " (k < room ? "(come, come).Jobs" k + 1 : "") \
            (k > 0 && k < room ? " + " : "") (k > 0 ? "(serve, T).Jobs" k - 1 : "") ";"
    print "Fresh[" ARGV[1] "] <serve, restart> (Jobs0 || Clock1)"
}
