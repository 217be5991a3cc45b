# A long computation that saves its state, until it is done or given up:
#   awk -f checkpoint.awk NODES STEPS RESTARTS
#
# A job of STEPS steps runs on NODES nodes, of which it needs three quarters.  It saves its state
# after every six steps.  When a node fails the job falls back to what was saved last, and starts
# again when enough nodes are up; after RESTARTS restarts it is given up.  Hot nodes slow it down.
# Source: J. W. Young, "A first order approximation to the optimum checkpoint interval",
# Communications of the ACM 17 (1974); J. T. Daly, "A higher order estimate of the optimum
# checkpoint interval for restart dumps", Future Generation Computer Systems 22 (2006).
# States: at most (RESTARTS + 1) (7/6 STEPS a + 1/6 STEPS b) + 2 b with b = C(NODES + 2, 2) and a of
# these with enough nodes up: 20115 for 8 60 9, 336929 for 12 240 20.
# Easy: the job only moves on or gives up restarts, and has two ends (meant so, with the warnings of
# what is left for ever): done or abandoned, where only the nodes go on failing.
BEGIN {
    if (ARGC != 4 || ARGV[2] % 6 || ARGV[2] < 12) {
        print "usage: awk -f checkpoint.awk NODES STEPS (a multiple of 6, from 12) RESTARTS" \
            > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    steps = ARGV[2] + 0
    restarts = ARGV[3] + 0
    need = n - int(n / 4)
    print "// Per hour."
    print "fail = " sprintf("%.3g", 0.6 * restarts / steps / n) ";"
    print "repair = 0.2; step = 1; save = 6; restart = 2; heat = 0.05; cool = 0.5; abandon = 1;"
    print "Up = (fail, fail).Down + (heat, heat).Hot;"
    print "Hot = (fail, 4 * fail).Down + (cool, cool).Up;"
    print "Down = (repair, repair).Up;"
    for (k = 0; k < steps; k++) {
        print "Run" k " = (" (k < steps - 1 ? "step" : "finish") \
            ", step / (1 + 0.5 * min(2, Hot)))." \
            (k == steps - 1 ? "Done" : (k % 6 < 5 ? "Run" : "Save") k + 1) \
            " + (fail, T).Back" k - k % 6 ";"
        if (k % 6 == 0) {
            if (k > 0)
                print "Save" k " = (save, save).Run" k " + (fail, T).Back" k - 6 ";"
            print "Back" k " = (restart, restart * max(0, min(1, Up + Hot - " need - 1 \
                "))).Run" k "\n    + (abandon, T).Abandoned + (fail, T).Back" k ";"
        }
    }
    print "Done = (fail, T).Done;\nAbandoned = (fail, T).Abandoned;"
    for (r = 0; r <= restarts; r++)
        print "Left" r " = (finish, T).Closed + " (r > 0 ? "(restart, T).Left" r - 1 : \
            "(abandon, abandon).Closed") ";"
    print "Closed = (audit, 1).Closed;"
    print "(Up[" n "] <fail> Run0) <finish, restart, abandon> Left" restarts
}
