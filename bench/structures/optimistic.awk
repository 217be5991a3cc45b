# Transactions that do not lock but check at their end:  awk -f optimistic.awk READERS WRITERS
#
# A reader reads pages at its leisure and then checks, alone in the critical section, that none of
# them has changed.  A writer prepares its pages and installs them, alone there too; each reader at
# work has read one of them with probability 0.15 and will find so when it comes to check.  It then
# waits a while and reads again.
# Source: H. T. Kung, J. T. Robinson, "On optimistic methods for concurrency control", ACM
# Transactions on Database Systems 6 (1981).
# States: (W + 1) (C(R + 3, 3) + C(R + 2, 3)) + W C(R + 3, 3) for R readers and W writers:
# 33803 for 20 6, 217355 for 28 16.
# Easy: all readers take part in each installation, which spoils a random number of them.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f optimistic.awk READERS WRITERS" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    writers = ARGV[2] + 0
    print "begin = 0.8; read = 1.2; check = " 2 * n "; retry = 3; write = " 2 / writers ";"
    print "enter = " n "; install = 10;"
    print "Idle = (begin, begin).Reads + (install, T).Idle;"
    print "Reads = (enter, read).Checks + (install, 0.85 * infty).Reads"
    print "    + (install, 0.15 * infty).Spoilt;"
    print "Spoilt = (abort, read).Waits + (install, T).Spoilt;"
    print "Waits = (retry, retry).Reads + (install, T).Waits;"
    print "Checks = (commit, check).Idle;"
    print "Plans = (write, write).Ready;"
    print "Ready = (lock, enter).Installs;"
    print "Installs = (install, install).Plans;"
    print "Section = (enter, T).Checked + (lock, T).Locked;"
    print "Checked = (commit, T).Section;"
    print "Locked = (install, T).Section;"
    print "(Idle[" n "]{install} <install> Plans[" writers "])"
    print "<enter, commit, lock, install> Section"
}
