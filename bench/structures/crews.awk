# Crews that go round the places of work, each at its own pace:  awk -f crews.awk PLACES CREWS ROOM
#
# CREWS crews visit PLACES queues in order, independently.  A crew that comes to a queue serves one
# job of it, if one waits, and walks on; several crews can be at one queue.  A job that finds ROOM
# jobs waiting is lost.
# Source: R. J. T. Morris, Y. T. Wang, "Some results for multi-queue systems with multiple cyclic
# servers", Performance of Computer-Communication Systems (1984); R. D. van der Mei, S. C. Borst,
# "Analysis of multiple-server polling systems by means of the power-series algorithm", Stochastic
# Models 13 (1997).
# States: (ROOM + 1)^PLACES C(CREWS + 2 PLACES - 1, CREWS): 21000 for 3 2 9, 491520 for 4 3 7.
# Hard: a population of two local states for each place, and the crews tend to walk together;
# rates are about equal and the load with walking is 0.97 at the first place.
BEGIN {
    if (ARGC != 4 || ARGV[1] < 2) {
        print "usage: awk -f crews.awk PLACES (from 2) CREWS ROOM" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    crews = ARGV[2] + 0
    room = ARGV[3] + 0
    print "walk = 2; serve = 1;"
    for (i = 1; i <= n; i++) {
        # Each crew serves one job of each place in a round of n (1 / walk + 1 / serve).
        print "come" i " = " 0.97 * crews / (1.5 * n) * (1 - 0.1 * (i - 1)) ";"
        print "Walk" i " = (begin" i ", walk).Serve" i " + (pass" i ", walk).Walk" i % n + 1 ";"
        print "Serve" i " = (serve" i ", serve).Walk" i % n + 1 ";"
        q = "Queue" i "_"
        for (k = 0; k <= room; k++)
            print q k " = " (k < room ? "(come" i ", come" i ")." q k + 1 " + " : "") \
                (k > 0 ? "(begin" i ", T)." q k - 1 : "(pass" i ", T)." q 0) ";"
        queues = queues (i > 1 ? " || " : "") q 0
        actions = actions (i > 1 ? ", " : "") "begin" i ", pass" i
    }
    print "Walk1[" crews "] <" actions "> (" queues ")"
}
