# A web server with a database, and its browsers:  awk -f browsers.awk BROWSERS THREADS
#
# Each browser shows a page, waits to be accepted, or loads.  One of THREADS threads accepts it,
# parses, asks the database, and sends the page.  All threads share two processors, one database
# that is sometimes backed up, and one line.
# Source: D. A. Menasce, V. A. F. Almeida, "Capacity Planning for Web Services" (2002), for the
# queueing network of a site; browsers that read, ask and wait are common in models in PEPA.
# States: twice the sum of C(k + 2, 2) (n - k + 1) for k from 0 to THREADS, n browsers: 24882 for
# 50 10, 2166032 for 220 30.
# Hard: as many browsers load as threads are busy, so few states of the product are reachable;
# processors and line are components of one local state that only fix rates.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f browsers.awk BROWSERS THREADS" > "/dev/stderr"
        exit 2
    }
    print "// Per second."
    print "read = 0.1; accept = 200; parse = 25; ask = 12; slowly = 2; send = 5; line = 20;"
    print "backup = 1e-3; ready = 0.01;"
    print "Browser = (click, read).Waiting;"
    print "Waiting = (accept, T).Loading;"
    print "Loading = (send, T).Browser;"
    print "Thread = (accept, accept).Parsing;"
    print "Parsing = (parse, parse).Asking;"
    print "Asking = (ask, T).Sending;"
    print "Sending = (send, send).Thread;"
    print "Processor = (parse, parse).Processor;"
    print "Database = (ask, ask).Database + (backup, backup).Saving;"
    print "Saving = (ask, slowly).Saving + (ready, ready).Database;"
    print "Line = (send, line).Line;"
    print "(Browser[" ARGV[1] "] <accept, send> Thread[" ARGV[2] "])"
    print "<parse, ask, send> (Processor[2] || Database || Line)"
}
