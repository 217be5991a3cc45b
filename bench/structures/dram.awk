# Banks of a memory with open rows, one data bus and refresh:  awk -f dram.awk BANKS ROOM STAGES
#
# Requests wait at each of BANKS banks, at most ROOM.  A bank has its rows closed, has the row open
# that its first request needs, or closes (precharges) another row first.  What is open is read over
# the bus, which turns round to write now and then.  The next request often needs the same row.  A
# row nobody needs is closed after a while.  After each interval, of STAGES stages, all banks
# close their rows at once and are refreshed; no row is opened meanwhile.
# Source: S. Rixner, W. J. Dally, U. J. Kapasi, P. Mattson, J. D. Owens, "Memory access scheduling",
# ISCA 2000; B. Jacob, S. W. Ng, D. T. Wang, "Memory Systems: Cache, DRAM, Disk" (2007).
# States: 2 (STAGES (3 ROOM + 2)^BANKS + (ROOM + 1)^BANKS): 32930 for 4 2 4, 524774 for 5 2 8.
# Easy: the clock is slow beside the banks, but all the rest takes tens of nanoseconds and the banks
# only share the bus; the load is moderate.
BEGIN {
    if (ARGC != 4 || ARGV[1] < 1 || ARGV[2] < 1 || ARGV[3] < 1) {
        print "usage: awk -f dram.awk BANKS ROOM STAGES" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    room = ARGV[2] + 0
    stages = ARGV[3] + 0
    print "// Per nanosecond."
    print "activate = 0.07; precharge = 0.07; burst = 0.25; hit = 0.6; idle = 0.005;"
    print "turn = 0.01; back = 0.1; interval = 1 / 7800; refreshed = 1 / 350;"
    for (i = 1; i <= n; i++) {
        print "come" i " = " 0.08 * (0.6 + 0.2 * (i % 4)) / n ";"
        bank()
        banks = banks (i > 1 ? " <refresh> " : "") "Closed" i "_0"
        activates = activates " + (activate" i ", T).Interval"
        actions = actions ", activate" i
    }
    print "Bus = (same, hit * burst).Bus + (other, (1 - hit) * burst).Bus + (turn, turn).Turning;"
    print "Turning = (back, back).Bus;"
    for (k = 1; k <= stages; k++) {
        text = activates
        gsub(/Interval/, "Interval" k, text)
        print "Interval" k " = (" (k < stages ? "tick" : "refresh") ", " stages " * interval)." \
            (k < stages ? "Interval" k + 1 : "Refreshing") text ";"
    }
    print "Refreshing = (refreshed, refreshed).Interval1;"
    print "((" banks ") <same, other> Bus) <refresh" actions "> Interval1"
}

# Bank i with k requests: Closed, Ready (its row is open), Closing another row, or Open for nobody.
function bank(    k, come)
{
    for (k = 0; k <= room; k++) {
        come = k < room ? " + (come" i ", come" i ")." : ""
        print "Closed" i "_" k " = (refresh, T).Closed" i "_" k \
            (k < room ? come "Closed" i "_" k + 1 : "") \
            (k > 0 ? " + (activate" i ", activate).Ready" i "_" k : "") ";"
        if (k == 0)
            continue
        print "Ready" i "_" k " = (refresh, T).Closed" i "_" k \
            (k < room ? come "Ready" i "_" k + 1 : "") \
            (k > 1 ? " + (same, T).Ready" i "_" k - 1 " + (other, T).Closing" i "_" k - 1 \
            : " + (same, T).Open" i " + (other, T).Open" i) ";"
        print "Closing" i "_" k " = (refresh, T).Closed" i "_" k \
            (k < room ? come "Closing" i "_" k + 1 : "") \
            " + (precharge" i ", precharge).Closed" i "_" k ";"
    }
    print "Open" i " = (refresh, T).Closed" i "_0 + (come" i ", hit * come" i ").Ready" i "_1" \
        " + (come" i ", (1 - hit) * come" i ").Closing" i "_1 + (idle" i ", idle).Closed" i "_0;"
}
