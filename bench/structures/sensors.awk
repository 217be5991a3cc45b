# Sensors in a row that sleep and pass on what they measure:  awk -f sensors.awk NODES ROOM
#
# A node sleeps or is awake, and has room for ROOM packets.  Awake it measures, and sends to the
# next node towards the sink if that one is awake and has room.  A node falls asleep only when it
# has nothing to send.  Nodes near the sink sleep less.
# Source: C.-F. Chiasserini, M. Garetto, "Modeling the performance of wireless sensor networks",
# INFOCOM 2004; W. Ye, J. Heidemann, D. Estrin, "An energy-efficient MAC protocol for wireless
# sensor networks", INFOCOM 2002.
# States: (ROOM + 2)^NODES, since who sleeps has nothing to send: 46656 for 6 4, 531441 for 6 7.
# Hard: a tandem whose servers come and go, so packets are held up behind each sleeper; sleeping
# takes a hundred transmissions.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f sensors.awk NODES ROOM" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    room = ARGV[2] + 0
    print "send = 2; measure = 0.12;"
    for (i = 1; i <= n; i++) {
        print "wake" i " = " 0.02 * i "; sleep" i " = " 0.06 / i ";"
        print "Asleep" i " = (wake" i ", wake" i ").N" i "_0;"
        for (k = 0; k <= room; k++) {
            text = k < room ? " + (measure" i ", measure).N" i "_" k + 1 : ""
            if (k < room && i > 1)
                text = text " + (send" i - 1 ", T).N" i "_" k + 1
            text = text (k > 0 ? " + (send" i ", send).N" i "_" k - 1 : " + (sleep" i ", sleep" i \
                ").Asleep" i)
            print "N" i "_" k " = " substr(text, 4) ";"
        }
        row = row (i > 1 ? " <send" i - 1 "> " : "") "Asleep" i
    }
    print row
}
