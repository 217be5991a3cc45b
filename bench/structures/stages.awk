# A tandem of two servers with bursty arrivals and service in phases, blocked after service:
#   awk -f stages.awk FIRST SECOND
#
# Arrivals are a Markovian arrival process of four phases: a modulated Poisson process in three time
# scales, where some changes of phase bring an arrival.  The first service is hyperexponential, the
# second Erlang-4.  A job that finds room for SECOND jobs full stays and blocks the first server.
# Source: M. F. Neuts, "Matrix-Geometric Solutions in Stochastic Models" (1981); A. Gomez-Corral,
# "A tandem queue with blocking and Markovian arrival process", Queueing Systems 41 (2002).
# States: 16 (FIRST + 1) (4 SECOND + 1): 50096 for 30 25, 621456 for 120 80.
# Hard: a burst lasts a thousand services and fills both queues; between bursts they are empty.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f stages.awk FIRST SECOND" > "/dev/stderr"
        exit 2
    }
    first = ARGV[1] + 0
    second = ARGV[2] + 0
    print "Calm = (enter, 0.3).Calm + (up, 0.001).Busy;"
    print "Busy = (enter, 0.9).Busy + (enter, 0.01).Rush + (down, 0.002).Calm;"
    print "Rush = (enter, 1.6).Rush + (enter, 0.02).Busy + (halt, 0.0005).Silent;"
    print "Silent = (restart, 0.001).Calm;"
    print "Wait0 = (enter, T).Wait1;"
    for (k = 1; k <= first; k++)
        print "Wait" k " = (start, T).Wait" k - 1 (k < first ? " + (enter, T).Wait" k + 1 : "") ";"
    print "Free = (start, 80).Short + (start, 20).Long;"
    print "Short = (end, 2).Done;\nLong = (end, 0.25).Done;\nDone = (pass, 100).Free;"
    print "Next0 = (pass, T).Next1_1;"
    for (k = 1; k <= second; k++)
        for (s = 1; s <= 4; s++)
            print "Next" k "_" s " = (stage, 4)." (s < 4 ? "Next" k "_" s + 1 : \
                k > 1 ? "Next" k - 1 "_1" : "Next0") \
                (k < second ? " + (pass, T).Next" k + 1 "_" s : "") ";"
    print "Calm <enter> Wait0 <start> Free <pass> Next0"
}
