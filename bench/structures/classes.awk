# A closed network of queues with three classes of jobs:  awk -f classes.awk A B C
#
# A, B, C: interactive, batch and input-output jobs.  All share one processor and two discs.  Each
# station is one server that serves its jobs in random order, so a class gets the share of the
# station that it has of the jobs there.  Classes differ in where they go next.
# Source: F. Baskett, K. M. Chandy, R. R. Muntz, F. Palacios, "Open, closed, and mixed networks of
# queues with different classes of customers", JACM 22 (1975).
# The distribution has product form.
# States: C(A + 2, 2) C(B + 2, 2) C(C + 2, 2): 21952 for 6 6 6, 287496 for 10 10 10.
# Hard: populations of three local states share every action; the stations are nearly balanced, so
# jobs drift slowly from one queue to the other.  A job may run on (self-loops, meant so).
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f classes.awk A B C" > "/dev/stderr"
        exit 2
    }
    print "// Processor and two discs, per second."
    print "processor = 50; fast = 20; slow = 16;"
    print "// Out of 10: go to the fast disc, to the slow one, or run on."
    jobs("Interactive", 5, 3, 2)
    jobs("Batch", 2, 1, 7)
    jobs("Copying", 4, 5, 1)
    print "Processor = (run, processor).Processor;"
    print "Fast = (readFast, fast).Fast;"
    print "Slow = (readSlow, slow).Slow;"
    print "(Interactive[" ARGV[1] "] || Batch[" ARGV[2] "] || Copying[" ARGV[3] "])"
    print "<run, readFast, readSlow> (Processor || Fast || Slow)"
}

function jobs(name, toFast, toSlow, again)
{
    print name " = (run, " toFast " * T)." name "Fast + (run, " toSlow " * T)." name "Slow"
    print "    + (run, " again " * T)." name ";"
    # A station serves each job there with the same probability: equal weights.
    print name "Fast = (readFast, T)." name ";"
    print name "Slow = (readSlow, T)." name ";"
}
