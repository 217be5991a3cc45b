# A re-entrant line with a constant number of jobs:  awk -f reentrant.awk JOBS
#
# Each job passes two machines in the order A B A B A, then a new one begins (CONWIP).  A machine
# takes the job that has come furthest (last buffer first served), with preemption.
# Source: P. R. Kumar, "Re-entrant lines", Queueing Systems 13 (1993); M. L. Spearman,
# D. L. Woodruff, W. J. Hopp, "CONWIP: a pull alternative to kanban", International Journal of
# Production Research 28 (1990).
# States: C(JOBS + 4, 4): 46376 for 30, 635376 for 60.
# Hard: priorities leave most buffers nearly empty, while the jobs pile up in one or two that take
# long to move; which buffers have jobs decides what can happen.
BEGIN {
    if (ARGC != 2) {
        print "usage: awk -f reentrant.awk JOBS" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "do1 = 1; do2 = 1.4; do3 = 3; do4 = 1.1; do5 = 2;"
    print "A = (do1, do1).A + (do3, do3).A + (do5, do5).A;"
    print "B = (do2, do2).B + (do4, do4).B;"
    # What a buffer lets pass only while it is empty.
    lower[3] = "do1"
    lower[4] = "do2"
    lower[5] = "do1 do3"
    for (i = 1; i <= 5; i++)
        for (k = 0; k <= n; k++)
            buffer()
    print "(A || B) <*> (B1_" n " <*> B2_0 <*> B3_0 <*> B4_0 <*> B5_0)"
}

# Buffer i while k jobs are in it.
function buffer(    text, many, other, j)
{
    if (k < n)
        text = text " + (do" (i > 1 ? i - 1 : 5) ", T).B" i "_" k + 1
    if (k > 0)
        text = text " + (do" i ", T).B" i "_" k - 1
    else {
        many = split(lower[i], other, " ")
        for (j = 1; j <= many; j++)
            text = text " + (" other[j] ", T).B" i "_0"
    }
    print "B" i "_" k " = " substr(text, 4) ";"
}
