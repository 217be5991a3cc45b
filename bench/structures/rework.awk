# A machine that drifts, an inspector behind a buffer, and rework:  awk -f rework.awk ROOM REWORK
#
# Machine 1 makes good parts until it drifts, unseen, and then mostly bad ones.  Parts pass a buffer
# of ROOM places, machine 2 and another buffer of ROOM to the inspector.  Bad parts go to rework
# (REWORK places, or scrap) and come back before machine 2.  Some of them raise an alarm: machine 1
# is stopped and set right if it has drifted.  Both machines break down.
# Source: J. Kim, S. B. Gershwin, "Integrated quality and quantity modeling of a production line",
# OR Spectrum 27 (2005).
# States: 6 (REWORK + 1) C(ROOM + 2, 2)^2: 72900 for 8 5, 496860 for 12 9.
# Hard: a part is good or bad as the machine was long before, so both buffers must be seen to know
# what comes; parts go round in a loop with a finite buffer.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f rework.awk ROOM REWORK" > "/dev/stderr"
        exit 2
    }
    room = ARGV[1] + 0
    rework = ARGV[2] + 0
    print "make = 1; finish = 1.1; inspect = 1.15; mend = 0.3; drift = 0.01; crash = 0.005;"
    print "repair = 0.1; adjust = 0.05;"
    print "Right = (makeGood, 0.98 * make).Right + (makeBad, 0.02 * make).Right"
    print "    + (drift, drift).Drifted + (crash, crash).Down + (alarm, T).Right;"
    print "Drifted = (makeGood, 0.3 * make).Drifted + (makeBad, 0.7 * make).Drifted"
    print "    + (crash, crash).Down + (alarm, T).Down;"
    print "Down = (adjust, adjust).Right + (alarm, T).Down;"
    print "Up = (moveGood, T).Up + (moveBad, T).Up + (fail, crash).Broken;"
    print "Broken = (repair, repair).Up;"
    # A machine takes a part of its buffer at random.
    print "Place1 = (makeGood, T).Good1 + (makeBad, T).Bad1 + (mend, T).Good1;"
    print "Good1 = (moveGood, finish / (Good1 + Bad1)).Place1;"
    print "Bad1 = (moveBad, finish / (Good1 + Bad1)).Place1;"
    print "Place2 = (moveGood, T).Good2 + (moveBad, T).Bad2;"
    print "Good2 = (ship, inspect / (Good2 + Bad2)).Place2;"
    print "Bad2 = (reject, 0.8 * inspect / (Good2 + Bad2)).Place2"
    print "    + (alarm, 0.2 * inspect / (Good2 + Bad2)).Place2;"
    for (k = 0; k <= rework; k++)
        print "Rework" k " = (reject, T).Rework" (k < rework ? k + 1 : k) " + (alarm, T).Rework" \
            (k < rework ? k + 1 : k) (k > 0 ? " + (mend, mend).Rework" k - 1 : "") ";"
    print "((Right <makeGood, makeBad> Place1[" room "]) <moveGood, moveBad, alarm>"
    print "(Up <moveGood, moveBad> Place2[" room "])) <alarm, reject, mend> Rework0"
}
