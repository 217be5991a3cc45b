# A web service that stops calling a sick one (circuit breaker):
#   awk -f breaker.awk THREADS WORKERS ROOM
#
# Requests, at most ROOM of them, wait for one of THREADS threads.  A thread prepares, calls one of
# WORKERS workers of the service behind, and waits for it, at most for a time, and for the answer.
# Four calls failed one after the other open the breaker: threads then answer from an old copy.
# After a while (two stages) it lets one call through, which closes it or opens it again.  The
# service behind is well, slow, or down.
# Source: M. T. Nygard, "Release It! Design and Deploy Production-Ready Software" (2007);
# F. Montesi, J. Weber, "From the decorator pattern to circuit breakers in microservices", ACM
# Symposium on Applied Computing (2018).
# States: the sum over b = 0 to WORKERS of C(THREADS - b + 3, 3), times 24 (ROOM + 1), less those
# that the breaker keeps away: 30852 for 5 2 11, 445137 for 8 4 40.
# Hard: answers take milliseconds, sickness begins every few hours; sick, the queue is overloaded.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f breaker.awk THREADS WORKERS ROOM" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    workers = ARGV[2] + 0
    room = ARGV[3] + 0
    print "// Per second."
    print "come = " 12 * n "; take = 1000; prepare = 100; start = 500; old = 60; patience = 4;"
    print "answer = 50; lame = 0.02; error = 0.05; dead = 20;"
    print "slow = 1e-4; down = 2e-5; better = 0.01; repair = 2e-3; rest = 0.4;"
    print "Free = (take, take).Prepares;"
    print "Prepares = (call, prepare).Calls + (refuse, prepare).Old;"
    print "Calls = (start, T).Waits + (fail, patience).Old;"
    print "Waits = (answer, T).Free + (lost, T).Old;"
    print "Old = (old, old).Free;"
    print "Idle = (start, start).Busy;"
    print "Busy = (answer, answer * (Well + lame * Slow + 1e-6 * Down)).Idle" \
        " + (lost, error * Well + patience * Slow + dead * Down).Idle;"
    print "Well = (slow, slow).Slow + (down, down).Down;"
    print "Slow = (better, better).Well + (down, 10 * down).Down;"
    print "Down = (repair, repair).Well;"
    for (k = 0; k < 4; k++)
        print "Closed" k " = (call, T).Closed" k " + (answer, T).Closed0 + (fail, T)." after(k) \
            " + (lost, T)." after(k) ";"
    for (k = 1; k <= 2; k++)
        print "Open" k " = (refuse, T).Open" k " + (answer, T).Open" k " + (fail, T).Open" k \
            " + (lost, T).Open" k " + (rest, rest)." (k == 1 ? "Open2" : "Half") ";"
    print "Half = (call, T).Probe + (answer, T).Half + (fail, T).Half + (lost, T).Half;"
    print "Probe = (refuse, T).Probe + (answer, T).Closed0 + (fail, T).Open1 + (lost, T).Open1;"
    for (k = 0; k <= room; k++)
        print "Queue" k " = " (k < room ? "(come, come).Queue" k + 1 : "") \
            (k > 0 && k < room ? " + " : "") (k > 0 ? "(take, T).Queue" k - 1 : "") ";"
    print "((Queue0 <take> Free[" n "]) <start, answer, lost> (Idle[" workers "] || Well))" \
        " <call, refuse, answer, fail, lost> Closed0"
}

function after(k)
{
    return k < 3 ? "Closed" k + 1 : "Open1"
}
