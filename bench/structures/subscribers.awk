# Subscribers of a small exchange who call each other:  awk -f subscribers.awk SUBSCRIBERS
#
# A subscriber lifts the receiver and dials one of the others, neighbours rather than those further
# off.  If that one is idle the bell rings there until it is answered or the caller gives up;
# otherwise the caller hears the busy tone, and tries somebody else or hangs up.  Either of the two
# who talk ends the call.  No two subscribers call equally often.
# Source: R. Syski, "Introduction to Congestion Theory in Telephone Systems" (1960); V. E. Benes,
# "Mathematical Theory of Connecting Networks and Telephone Traffic" (1965).
# States: the sum over k pairs of n! / (k! (n - 2 k)! 2^k) 2^(n - 2 k) 3^k, n = SUBSCRIBERS:
# 15374 for 7, 548450 for 9.
# Hard: every subscriber may be joined with every other, so there is no order in the system, and the
# local states are as many as subscribers, three times.
BEGIN {
    if (ARGC != 2 || ARGV[1] < 3) {
        print "usage: awk -f subscribers.awk SUBSCRIBERS (from 3)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "// Per minute."
    print "dial = 6; answer = 4; nobody = 1.5; hang = 2;"
    for (i = 1; i <= n; i++)
        subscriber()
    print exchange
}

function subscriber(    j, idle, dialling, far, pair)
{
    printf "lift%d = %.3g; talk%d = %.3g;\n", i, 0.03 + 0.25 / i, i, 0.1 + 0.06 * (i % 5)
    idle = "(lift" i ", lift" i ").Dials" i
    dialling = "(hang" i ", hang).Idle" i
    for (j = 1; j <= n; j++)
        if (j != i) {
            far = (j - i + n) % n
            if (far > n - far)
                far = n - far
            pair = i < j ? i "_" j : j "_" i
            idle = idle " + (ring" j "_" i ", T).Rung" i "_" j
            dialling = dialling " + (ring" i "_" j ", dial / " far * far + 1 ").Rings" i "_" j
            print "Rings" i "_" j " = (answer" i "_" j ", T).Talks" i "_" j \
                " + (drop" i "_" j ", nobody).Idle" i ";"
            print "Rung" i "_" j " = (answer" j "_" i ", answer).Talks" i "_" j \
                " + (drop" j "_" i ", T).Idle" i ";"
            print "Talks" i "_" j " = (end" pair ", " \
                (i < j ? "talk" i " + talk" j : "T") ").Idle" i ";"
        }
    print "Idle" i " = " idle ";"
    print "Dials" i " = " dialling ";"
    exchange = exchange (i > 1 ? " <*> " : "") "Idle" i
}
