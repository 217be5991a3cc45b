# A retrial queue with servers that break down:  awk -f retrial.awk SERVERS ORBIT
#
# A call takes a free server.  If all are busy or broken it joins the orbit and tries again after a
# random time; a new call is lost if ORBIT calls are there.  Servers break, idle or busy; a busy one
# sends its call into the orbit.  One repairer mends them.
# Source: G. I. Falin, J. G. C. Templeton, "Retrial Queues" (1997); J. R. Artalejo,
# A. Gomez-Corral, "Retrial Queueing Systems" (2008).
# States: (ORBIT + 1) C(SERVERS + 2, 2): 13230 for 4 881, 462231 for 20 2000.
# Hard: the rate of retrials grows with the orbit, and the load is near what the servers can carry,
# so the orbit wanders over its whole length.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f retrial.awk SERVERS ORBIT" > "/dev/stderr"
        exit 2
    }
    c = ARGV[1] + 0
    room = ARGV[2] + 0
    print "call = 0.93 * " c "; serve = 1; retry = 0.2; crash = 0.002; mend = 0.1;"
    for (b = 0; b <= c; b++)
        for (d = 0; b + d <= c; d++)
            bank()
    for (k = 0; k <= room; k++)
        print "Orbit" k " = " (k < room ? "(join, T).Orbit" k + 1 " + (drop, T).Orbit" k + 1 \
            : "(drop, T).Orbit" k) (k > 0 ? " + (retry, " k " * retry).Orbit" k - 1 : "") ";"
    print "Bank0_0 <join, drop, retry> Orbit0"
}

# The servers while b are busy and d are broken.
function bank(    text)
{
    text = b + d < c ? " + (call, call).Bank" b + 1 "_" d " + (retry, T).Bank" b + 1 "_" d \
        " + (crash, " c - b - d " * crash).Bank" b "_" d + 1 : " + (join, call).Bank" b "_" d
    if (b > 0)
        text = text " + (serve, " b " * serve).Bank" b - 1 "_" d \
            " + (drop, " b " * crash).Bank" b - 1 "_" d + 1
    if (d > 0)
        text = text " + (mend, mend).Bank" b "_" d - 1
    print "Bank" b "_" d " = " substr(text, 4) ";"
}
