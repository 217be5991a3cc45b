# Threads of several sockets that pass a lock on within the socket:
#   awk -f cohort.awk SOCKETS THREADS BATCH
#
# Each of SOCKETS sockets has THREADS threads, which work, wait for the lock, and hold it.  A thread
# that releases the lock hands it to one that waits on its own socket, which is cheap, but no more
# than BATCH times in a row; then, or when none waits, the lock is free for any socket.  The system
# may put the holder to sleep.
# Source: D. Dice, V. J. Marathe, N. Shavit, "Lock cohorting: a general technique for designing NUMA
# locks", PPoPP 2012; T. E. Anderson, "The performance of spin lock alternatives for shared-memory
# multiprocessors", IEEE Transactions on Parallel and Distributed Systems 1 (1990).
# States: (t + 1)^s + s (t + 1)^(s - 1) (BATCH + 1) (3 t + 1), s sockets of t threads: 25029 for
# 3 8 3, 1004905 for 4 10 5.
# Hard: the lock is nearly always wanted on some sockets; a pass takes a tenth of a microsecond, and
# a holder sleeps for milliseconds, seldom, while all others pile up.
BEGIN {
    if (ARGC != 4 || ARGV[1] < 1 || ARGV[2] < 2 || ARGV[3] < 1) {
        print "usage: awk -f cohort.awk SOCKETS THREADS (from 2) BATCH" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    batch = ARGV[3] + 0
    print "// Per microsecond."
    print "hold = 2; pass = 10; grab = 1.2; release = 5; sleep = 1e-5; wake = 2e-4;"
    for (s = 1; s <= n; s++) {
        print "work" s " = " 2 / ARGV[2] / n * (0.4 + 0.3 * s) ";"
        print "Works" s " = (want" s ", work" s ").Waits" s ";"
        print "Waits" s " = (grab" s ", T).Holds" s " + (pass" s ", T).Holds" s ";"
        print "Holds" s " = (leave" s ", hold).Works" s " + (sleep" s ", sleep).Sleeps" s ";"
        print "Sleeps" s " = (wake" s ", wake).Holds" s ";"
        print "Out" s " = (grab" s ", grab).In" s "_0;"
        for (b = 0; b <= batch; b++) {
            print "In" s "_" b " = (leave" s ", T).Next" s "_" b ";"
            print "Next" s "_" b " = " (b < batch ? "(pass" s ", pass).In" s "_" b + 1 \
                " + (release" s ", release * max(0, 1 - Waits" s ")).Out" s \
                : "(release" s ", release).Out" s) ";"
        }
        sockets = sockets (s > 1 ? " || " : "") "(Works" s "[" ARGV[2] "] <grab" s ", pass" s \
            ", leave" s "> Out" s ")"
        grabs = grabs " + (grab" s ", T).Taken"
        releases = releases " + (release" s ", T).Lock"
    }
    print "Lock = " substr(grabs, 4) ";\nTaken = " substr(releases, 4) ";"
    print "(" sockets ") <*> Lock"
}
