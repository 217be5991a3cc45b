# Three finite queues in series with blocking:  awk -f blocking.awk ROOM LOAD
#
# Jobs come as a Poisson stream of rate LOAD (0.99 to 1.01, say) and pass three servers of mean
# service time 1.  Each queue has room for ROOM jobs with the one in service.  A job that finds the
# first queue full is lost; a server does not begin while the queue behind it is full
# (communication blocking).
# Source: H. G. Perros, "Queueing Networks with Blocking" (1994); T. Altiok, H. G. Perros, "Open
# networks of queues with blocking: split and merge configurations", IIE Transactions 18 (1986).
# States: (ROOM + 1)^3: 27000 for 29, 1000000 for 99.
# Hard: at load 1 nothing drives the queues to one end, so a chain of a million states mixes in
# the order of ROOM^2 services.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f blocking.awk ROOM LOAD" > "/dev/stderr"
        exit 2
    }
    room = ARGV[1] + 0
    print "lambda = " ARGV[2] "; mu = 1;"
    print "Source = (enter, lambda).Source;"
    queue("First", "enter", "forward")
    queue("Second", "forward", "onward")
    queue("Third", "onward", "leave")
    print "Source <enter> First0 <forward> Second0 <onward> Third0"
}

# The server of a queue drives the activity by which jobs leave it.
function queue(name, enter, leave,    k)
{
    for (k = 0; k <= room; k++)
        print name k " = " (k < room ? "(" enter ", T)." name k + 1 : "") \
            (k > 0 && k < room ? " + " : "") (k > 0 ? "(" leave ", mu)." name k - 1 : "") ";"
}
