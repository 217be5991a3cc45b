# Controllers of a car on one bus, where the lowest number wins (CAN):  awk -f canbus.awk NODES
#
# Each of NODES nodes has a frame to send from time to time, those of low number more often.  When
# the bus is silent the node of the lowest number that has a frame sends it.  An error on the bus
# ends the frame; after the error frame it is sent again, if no lower one has come.
# Source: K. Tindell, A. Burns, A. J. Wellings, "Calculating controller area network (CAN) message
# response times", Control Engineering Practice 3 (1995); R. I. Davis, A. Burns, R. J. Bril,
# J. J. Lukkien, "Controller area network (CAN) schedulability analysis: refuted, revisited and
# revised", Real-Time Systems 35 (2007).
# States: 2^(NODES + 1) + NODES 2^(NODES - 1) - 1: 32767 for 12, 655359 for 16.
# Hard: a node of high number needs the silence of all others, so each start joins nearly all
# components; frames begin in microseconds and come every 5 milliseconds to every second.
BEGIN {
    if (ARGC != 2 || ARGV[1] < 2) {
        print "usage: awk -f canbus.awk NODES (from 2)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "// Per millisecond."
    print "arbitrate = 200; frame = 4; error = 0.002; over = 20;"
    for (i = 1; i <= n; i++) {
        printf "come%d = %.3g;\n", i, 0.2 * exp(-5.3 * (i - 1) / (n - 1)) + 0.06
        text = "(come" i ", come" i ").Ready" i
        for (j = i + 1; j <= n; j++)
            text = text " + (start" j ", T).Silent" i
        print "Silent" i " = " text ";"
        print "Ready" i " = (start" i ", T).Sends" i ";"
        print "Sends" i " = (sent" i ", T).Silent" i " + (error" i ", T).Ready" i ";"
        starts = starts " + (start" i ", arbitrate).Frame" i
        print "Frame" i " = (sent" i ", frame).Bus + (error" i ", error).Error;"
        nodes = nodes (i > 1 ? " <*> " : "") "Silent" i
    }
    print "Bus = " substr(starts, 4) ";\nError = (over, over).Bus;"
    print "(" nodes ") <*> Bus"
}
