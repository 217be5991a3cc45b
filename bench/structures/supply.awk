# A supply of power with a battery and two generators, beside a part that wears:  awk -f supply.awk CHARGES STEPS
#
# Without the grid the battery gives power until it is empty; generators start, or fail to.  The load is shed where
# there is none.  A part wears in STEPS and is then changed; it meets nothing of the rest.
# States: 36 (CHARGES + 1) (STEPS + 1): 161604 for 66 66, 236196 for 80 80.
# Hard: rates from 1e-7 to 100, and a part so slow that all the rest is in its long run in each of its steps.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f supply.awk CHARGES STEPS" > "/dev/stderr"
        exit 2
    }
    full = ARGV[1] + 0
    steps = ARGV[2] + 0
    print "Grid = (out, 1e-5).Dark + (charge, T).Grid;"
    print "Dark = (back, 0.2).Grid + (draw, T).Dark;"
    for (k = 0; k <= full; k++)
        print "B" k " = " (k < full ? "(charge, 2).B" k + 1 (k > 0 ? " + " : "") : "") (k > 0 ? "(draw, 6).B" k - 1 : \
            " + (lost, T).B0") ";"
    for (g = 1; g <= 2; g++) {
        print "G" g " = (start" g ", T).Run" g " + (refuse" g ", T).Bad" g " + (fail, 1e-6).Bad" g ";"
        print "Run" g " = (stop" g ", 0.3).G" g " + (fail, 1e-3).Bad" g ";"
        print "Bad" g " = (mend, 0.01).G" g ";"
    }
    print "On = (start1, 30).On + (refuse1, 0.1).On + (start2, 20).On + (refuse2, 0.1).On + (lost, 100).Shed;"
    print "Shed = (restore, 0.01).On;"
    for (v = 0; v < steps; v++)
        print "V" v " = (wear, 1e-7).V" v + 1 ";"
    print "V" steps " = (change, 0.01).V0;"
    print "(((Grid <charge, draw> B0) || G1 || G2) <start1, refuse1, start2, refuse2, lost> On) || V0"
}
