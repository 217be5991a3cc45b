# Replicas that attackers take over, recovered in turn:  awk -f byzantine.awk REPLICAS ROOM
#
# A replica is correct, taken over, crashed, or being recovered.  A watchdog recovers them one after
# the other.  Replicas run one of two systems: a worm takes all correct ones of a system at once.
# The primary orders the requests, of which ROOM wait, while it is correct and more than two thirds
# of all are; a primary that is not is replaced by the next (view change).
# Source: M. Castro, B. Liskov, "Practical Byzantine fault tolerance and proactive recovery", ACM
# Transactions on Computer Systems 20 (2002); P. Sousa, A. N. Bessani, M. Correia, N. F. Neves,
# P. Verissimo, "Highly available intrusion-tolerant services with proactive-reactive recovery",
# IEEE Transactions on Parallel and Distributed Systems 21 (2010).
# States: 4 n 3^(n - 1) n (ROOM + 1), n = REPLICAS: 17280 for 4 9, 714420 for 7 4.
# A worm leaves as they are those it cannot take (self-loops, meant so).
# Hard: requests take milliseconds, views seconds, recovery minutes and attacks days; two rings,
# and no two replicas alike.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f byzantine.awk REPLICAS ROOM" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    room = ARGV[2] + 0
    print "// Per minute."
    print "come = 3000; serve = 6000; timeout = 12; recover = 0.1; back = 0.5; worm = 2e-4;"
    for (i = 1; i <= n; i++) {
        sum = sum (i > 1 ? " + " : "") "Correct" i
        print "attack" i " = " i "e-4; crash" i " = " (n + 1 - i) "e-5;"
        print "Correct" i " = (attack" i ", attack" i ").Taken" i " + (crash" i ", crash" i \
            ").Crashed" i " + (worm" i % 2 ", T).Taken" i " + (recover" i ", T).Recovering" i ";"
        down("Taken" i)
        down("Crashed" i)
        print "Recovering" i " = (back" i ", back).Correct" i \
            " + (worm" i % 2 ", T).Recovering" i ";"
        print "Watch" i " = (recover" i ", recover).Wait" i ";"
        print "Wait" i " = (back" i ", T).Watch" i % n + 1 ";"
        replicas = replicas (i > 1 ? " <*> " : "") "Correct" i
    }
    quorum = n - int((n - 1) / 3)
    for (i = 1; i <= n; i++)
        print "View" i " = (serve, serve * Correct" i " * max(0, min(1, " sum " - " quorum - 1 \
            "))).View" i "\n    + (change, timeout * (1 - Correct" i ")).View" i % n + 1 ";"
    for (k = 0; k <= room; k++)
        print "Request" k " = " (k < room ? "(come, come).Request" k + 1 : "") \
            (k > 0 && k < room ? " + " : "") (k > 0 ? "(serve, T).Request" k - 1 : "") ";"
    print "Attacker = (worm0, worm).Attacker + (worm1, worm).Attacker;"
    print "((" replicas ") <*> (Watch1 || Attacker)) || (View1 <serve> Request0)"
}

function down(name)
{
    print name " = (worm" i % 2 ", T)." name " + (recover" i ", T).Recovering" i ";"
}
