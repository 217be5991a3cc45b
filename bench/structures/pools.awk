# Threads that need a connection to the database:  awk -f pools.awk THREADS CONNECTIONS ROOM
#
# Requests wait, at most ROOM of them, for one of THREADS threads.  A thread parses, and renders a
# page that is cached; else it holds a connection while the database works, and renders then.
# Connections are opened slowly, closed when idle for long, and break now and then.  The database
# can do four queries at a time, more slowly while it writes a checkpoint.
# Source: J. A. Rolia, K. C. Sevcik, "The method of layers", IEEE Transactions on Software
# Engineering 21 (1995); G. Franks, T. Al-Omari, M. Woodside, O. Das, S. Derisavi, "Enhanced
# modeling and solution of layered queueing networks", IEEE Transactions on Software Engineering 35
# (2009).
# States: 33558 for 6 4 20, 696836 for 12 6 40.
# Hard: as many connections are in use as threads query, one resource held while another is waited
# for; from milliseconds to parse over minutes to close to days to break.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f pools.awk THREADS CONNECTIONS ROOM" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    room = ARGV[3] + 0
    print "// Per second."
    print "come = min(11 * " n ", 100); take = 2000; parse = 200; cached = 60; grab = 1000;"
    print "query = 20; render = 50; work = 80; slowly = 25; checkpoint = 3e-3; done = 0.05;"
    print "connect = 2; close = 0.02; broken = 1e-5;"
    print "Thread = (take, take).Parsing;"
    print "Parsing = (parse, parse).Wanting + (cached, cached).Rendering;"
    print "Wanting = (grab, T).Querying;"
    print "Querying = (query, query).Rendering + (broken, broken).Wanting;"
    print "Rendering = (render, render).Thread;"
    print "Closed = (connect, connect).Idle;"
    print "Idle = (grab, grab).Used + (close, close).Closed;"
    print "Used = (query, T).Idle + (broken, T).Closed;"
    print "Database = (query, work).Database + (checkpoint, checkpoint).Writing;"
    print "Writing = (query, slowly).Writing + (done, done).Database;"
    for (k = 0; k <= room; k++)
        print "Queue" k " = " (k < room ? "(come, come).Queue" k + 1 : "") \
            (k > 0 && k < room ? " + " : "") (k > 0 ? "(take, T).Queue" k - 1 : "") ";"
    print "(Queue0 <take> (Thread[" n "] <grab, query, broken> Closed[" ARGV[2] "]))"
    print "<query> Database"
}
