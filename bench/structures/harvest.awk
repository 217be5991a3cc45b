# Two sensors that live on sunlight, one relaying for the other:  awk -f harvest.awk ENERGY ROOM
#
# A sensor has a battery of ENERGY units and room for ROOM packets.  To measure, to send and to
# receive takes a unit each; a flat battery stops all.  The first sensor sends to the second, the
# second to the sink.  Sunlight goes through night, morning, noon and afternoon, and noon may be
# cloudy.
# Source: V. Sharma, U. Mukherji, V. Joseph, S. Gupta, "Optimal energy management policies for
# energy harvesting sensor nodes", IEEE Transactions on Wireless Communications 9 (2010); D. Niyato,
# E. Hossain, A. Fallahi, "Sleep and wakeup strategies in solar-powered wireless sensor/mesh
# networks", IEEE Transactions on Mobile Computing 6 (2007).
# States: 5 (ENERGY + 1)^2 (ROOM + 1)^2: 62720 for 15 6, 480500 for 30 9.
# Hard: as much energy comes as is used, but by day; a packet needs room and two batteries, so one
# action joins four components; the batteries walk up and down once a day.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f harvest.awk ENERGY ROOM" > "/dev/stderr"
        exit 2
    }
    energy = ARGV[1] + 0
    room = ARGV[2] + 0
    print "// Per hour."
    print "measure = " energy / 12 "; send = 60; low = 2 * measure; high = 8 * measure;"
    print "Night = (sunrise, 0.1).Morning;"
    print "Morning = (charge1, low).Morning + (charge2, low).Morning + (climb, 0.2).Noon" \
        " + (cloud, 0.1).Cloudy;"
    print "Noon = (charge1, high).Noon + (charge2, 2 * high).Noon + (fall, 0.25).Afternoon;"
    print "Cloudy = (charge1, low / 2).Cloudy + (charge2, low / 2).Cloudy + (clear, 1).Noon" \
        " + (fall, 0.25).Afternoon;"
    print "Afternoon = (charge1, low).Afternoon + (charge2, low).Afternoon + (sunset, 0.25).Night;"
    for (i = 1; i <= 2; i++) {
        for (k = 0; k <= energy; k++) {
            text = k < energy ? " + (charge" i ", T).Battery" i "_" k + 1 : ""
            if (k > 0)
                text = text use("measure" i) use("send" i) (i == 2 ? use("send1") : "")
            print "Battery" i "_" k " = " substr(text, 4) ";"
        }
        for (k = 0; k <= room; k++) {
            text = k < room ? " + (measure" i ", measure).Packets" i "_" k + 1 : ""
            if (k < room && i == 2)
                text = text " + (send1, T).Packets2_" k + 1
            if (k > 0)
                text = text " + (send" i ", send).Packets" i "_" k - 1
            print "Packets" i "_" k " = " substr(text, 4) ";"
        }
    }
    print "Night <charge1, charge2> ((Battery1_" energy " <measure1, send1> Packets1_0)"
    print "<send1> (Battery2_" energy " <measure2, send2, send1> Packets2_0))"
}

# An action that takes a unit of battery i.
function use(action)
{
    return " + (" action ", T).Battery" i "_" k - 1
}
