# A cloud that opens slots for requests:  awk -f cloud.awk SLOTS SERVERS
#
# Requests come calm or in bursts and go to open slots (virtual machines that boot on demand); they
# are lost while none is open.  A full slot is served by one of SERVERS servers, which crash and are
# mended.  Slots fail, idle or full, and are closed again after repair; idle ones close in time.
# Source: R. Ghosh, K. S. Trivedi, V. K. Naik, D. S. Kim, "End-to-end performability analysis for
# infrastructure-as-a-service cloud: an interacting stochastic models approach", PRDC 2010.
# States: 2 (SERVERS + 1) C(SLOTS + 3, 3): 21252 for 20 5, 518322 for 40 20.
# Hard: time scales from the service (seconds) over boots (minutes) to crashes (weeks).
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f cloud.awk SLOTS SERVERS" > "/dev/stderr"
        exit 2
    }
    print "// Per minute."
    print "calm = 0.6 * " ARGV[2] "; burst = 1.8 * " ARGV[2] "; rise = 0.02; fall = 0.1;"
    print "serve = 1; boot = 0.3; close = 0.05; fail = 1e-4; repair = 0.01;"
    print "crash = 5e-5; mend = 0.02;"
    print "Calm = (arrive, calm).Calm + (rise, rise).Burst;"
    print "Burst = (arrive, burst).Burst + (fall, fall).Calm;"
    print "Slot = (boot, boot).Open;"
    print "Open = (arrive, T).Full + (close, close).Slot + (fail, fail).Failed;"
    print "Full = (serve, serve).Open + (fail, fail).Failed;"
    print "Failed = (repair, repair).Slot;"
    print "Server = (serve, serve).Server + (crash, crash).Crashed;"
    print "Crashed = (mend, mend).Server;"
    print "(Calm <arrive> Slot[" ARGV[1] "]) <serve> Server[" ARGV[2] "]"
}
