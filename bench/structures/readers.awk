# Readers and writers of one file, writers first:  awk -f readers.awk READERS WRITERS
#
# Readers read together while no writer waits or writes; one writer writes alone.  Both wait
# otherwise.
# Source: P. J. Courtois, F. Heymans, D. L. Parnas, "Concurrent control with readers and writers",
# Communications of the ACM 14 (1971).
# States: n readers: C(n + 2, 2) (WRITERS + 1) while no writer is at work, and (n + 1) WRITERS while
# one is: 27921 for 40 30, 709096 for 150 60.
# Hard: two populations, where what one may do depends on whether any of the other waits; readers
# pile up and are let in together.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f readers.awk READERS WRITERS" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    m = ARGV[2] + 0
    print "ask = 0.1; open = 50; read = 0.5; want = " 1.2 / m "; write = 2; lock = 50;"
    print "Reader = (ask, ask).Asking;"
    print "Asking = (open, open).Reading;"
    print "Reading = (read, read).Reader;"
    print "Writer = (want, want).Waiting;"
    print "Waiting = (lock, lock).Writing;"
    print "Writing = (write, write).Writer;"
    # Who waits to write, and how many read.
    for (k = 0; k <= m; k++)
        print "Queue" k " = " (k < m ? "(want, T).Queue" k + 1 : "") (k > 0 && k < m ? " + " : "") \
            (k > 0 ? "(lock, T).Queue" k - 1 : " + (open, T).Queue0") ";"
    for (k = 0; k <= n; k++)
        print "File" k " = " (k < n ? "(open, T).File" k + 1 : "") (k > 0 && k < n ? " + " : "") \
            (k > 0 ? "(read, T).File" k - 1 : " + (lock, T).Locked") ";"
    print "Locked = (write, T).File0;"
    print "((Reader[" n "] || Writer[" m "]) <want, open, lock> Queue0)"
    print "<open, read, lock, write> File0"
}
