# A charging station with solar panels and a battery:  awk -f charging.awk BAYS ROOM BATTERY
#
# Cars wait, at most ROOM, or drive on when they lose patience.  A car in a bay charges fast, then
# slowly, and may stand there when it is done.  All that charge fast share the power of the grid,
# and that of the battery (BATTERY units) while it has any; the sun charges it by day.
# Source: S. Bae, A. Kwasinski, "Spatial and temporal model of electric vehicle charging demand",
# IEEE Transactions on Smart Grid 3 (2012); A. Aveklouris, M. Vlasiou, B. Zwart, "A stochastic
# resource-sharing network for electric vehicle charging", IEEE Transactions on Control of Network
# Systems 6 (2019).
# States: 8 (ROOM + 1) (BATTERY + 1) C(BAYS + 3, 3): 44352 for 5 8 10, 768768 for 10 20 15.
# Hard: demand and sun go with a ring of eight periods of the day; what is fast and slow, and
# whether cars queue at all, changes with them and with the battery.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f charging.awk BAYS ROOM BATTERY" > "/dev/stderr"
        exit 2
    }
    bays = ARGV[1] + 0
    room = ARGV[2] + 0
    battery = ARGV[3] + 0
    print "// Per hour; power in cars that charge at full speed."
    print "grid = " 0.4 * bays "; extra = " 0.4 * bays "; fast = 2.5; slow = 1.5; depart = 3;"
    print "plug = 60; patience = 1; period = " 8 / 24 "; come = " 1.3 * bays ";"
    split("0.05 0.15 0.9 0.7 0.8 1 0.6 0.2", demand)
    split("0 0 0.3 0.9 1 0.5 0 0", sun)
    for (p = 1; p <= 8; p++)
        print "Day" p " = (period, period).Day" p % 8 + 1 " + (come, come * " demand[p] ").Day" p \
            (sun[p] > 0 ? " + (shine, " sun[p] * bays ").Day" p : "") ";"
    print "Free = (plug, plug).Fast;"
    print "Fast = (fast, fast * min(1, (grid + extra * (1 - Battery0)) / Fast)).Slow;"
    print "Slow = (slow, slow).Done + (unplug, slow).Free;"
    print "Done = (depart, depart).Free;"
    for (k = 0; k <= room; k++)
        print "Wait" k " = " (k < room ? "(come, T).Wait" k + 1 : "") \
            (k > 0 && k < room ? " + " : "") \
            (k > 0 ? "(plug, T).Wait" k - 1 " + (giveUp, " k " * patience).Wait" k - 1 : "") ";"
    for (k = 0; k <= battery; k++)
        print "Battery" k " = " (k < battery ? "(shine, T).Battery" k + 1 : "") \
            (k > 0 && k < battery ? " + " : "") \
            (k > 0 ? "(draw, min(extra, max(0, Fast - grid))).Battery" k - 1 : "") ";"
    print "((Free[" bays "] <plug> Wait0) || Battery" battery ") <come, shine> Day1"
}
