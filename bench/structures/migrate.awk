# Virtual machines that move between two hosts by day and by night:  awk -f migrate.awk MACHINES
#
# A machine is idle or at work on one of two hosts, or it is being moved (one at a time).  Those at
# work share the cores of their host.  By day the controller moves machines off a host the sooner
# the fuller it is; by night it packs all on the first, to save power.  The busier both are, the
# longer a move takes, since more pages are written meanwhile.
# Source: C. Clark, K. Fraser, S. Hand, J. G. Hansen, E. Jul, C. Limpach, I. Pratt, A. Warfield,
# "Live migration of virtual machines", NSDI 2005; A. Beloglazov, R. Buyya, "Optimal online
# deterministic algorithms and adaptive heuristics for energy and performance efficient dynamic
# consolidation of virtual machines", Concurrency and Computation 24 (2012).
# States: 59122 for 40, 449442 for 80.
# Hard: a population of six local states whose rates all depend on the others; work takes a second,
# a move a minute, and day and night are 10^5 seconds.
BEGIN {
    if (ARGC != 2) {
        print "usage: awk -f migrate.awk MACHINES" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "// Per second."
    print "begin = 0.3; work = 1; cores = " 0.2 * n "; decide = 0.1; day = 2e-5; copy = 0.03;"
    print "total = IdleA + BusyA + IdleB + BusyB + 1; dirty = 1 + 2 * (BusyA + BusyB) / total;"
    host("A", "B")
    host("B", "A")
    print "ToA = (arriveA, copy / dirty).IdleA;\nToB = (arriveB, copy / dirty).IdleB;"
    print "Day = (moveToB, decide * (IdleA + BusyA + 0.01) / total).DayMove"
    print "    + (moveToA, decide * (IdleB + BusyB + 0.01) / total).DayMove + (dusk, day).Night;"
    print "DayMove = (arriveA, T).Day + (arriveB, T).Day;"
    print "Night = (moveToA, decide).NightMove + (dawn, day).Day;"
    print "NightMove = (arriveA, T).Night;"
    print "IdleA[" n "] <moveToA, moveToB, arriveA, arriveB> Day"
}

function host(a, b)
{
    print "Idle" a " = (begin" a ", begin).Busy" a " + (moveTo" b ", T).To" b ";"
    print "Busy" a " = (finish" a ", work * min(1, cores / Busy" a ")).Idle" a \
        " + (moveTo" b ", T).To" b ";"
}
