# An interactive computer with paging, nearly completely decomposable:
#   awk -f paging.awk USERS DECADES
#
# USERS users think, then work: their programs alternate between the processor, a paging drum and a
# file disc.  The more programs are in memory, the less of it each one has and the sooner its next
# page fault.  Thinking and the end of a program's work are 10^DECADES times slower than paging.
# Source: W. J. Stewart, "Introduction to the Numerical Solution of Markov Chains" (1994), the
# example of near complete decomposability; P. J. Courtois, "Decomposability" (1977).
# States: C(USERS + 3, 3): 23426 for 50, 176851 for 100, 1373701 for 200.
# Hard: blocks by the number of programs in memory are joined by rates 6 to 9 decades below those
# within them, so iterations that do not see the blocks stall.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f paging.awk USERS DECADES" > "/dev/stderr"
        exit 2
    }
    users = ARGV[1] + 0
    print "// Rates per millisecond; the mean time to a page fault falls with the 1.5th power."
    print "slow = 1e-" ARGV[2] "; finish = 0.5 * slow; think = slow / " users ";"
    print "drum = 0.2; disc = 0.03; file = 0.008; memory = " 2 * users "; life = 2;"
    print "User = (think, think).Running;"
    print "Running = (fault, T).Paging + (open, T).Filing + (finish, T).User;"
    print "Paging = (page, T).Running;"
    print "Filing = (access, T).Running;"
    print "Processor = (fault, pow((Running + Paging + Filing) / memory, 1.5) / life).Processor"
    print "    + (open, file).Processor + (finish, finish).Processor;"
    print "Drum = (page, drum).Drum;"
    print "Disc = (access, disc).Disc;"
    print "User[" users "] <fault, open, finish, page, access> (Processor || Drum || Disc)"
}
