# A long line of relay stations with one repair crew:  awk -f relays.awk STATIONS FAILED
#
# A message passes along STATIONS stations; one that is down is skipped, two next to each other that
# are down cut the line.  The neighbours of a station that is down send with more power and fail
# sooner.  A crew drives from the middle of the line to one station after the other.  When FAILED
# stations are down the line is switched off, so that no more fail.
# Source: D. T. Chiang, S. C. Niu, "Reliability of consecutive-k-out-of-n:F system", IEEE
# Transactions on Reliability 30 (1981).
# States: 1 + the sum over k = 1 to FAILED of C(STATIONS, k) (k + 1): 52165 for 23 4, 498891 for
# 40 4.
# Easy: many components but few of them down; hours for repair, months between failures of a
# station.  `carry` is a self-loop that measures the line.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 3 || ARGV[2] > ARGV[1]) {
        print "usage: awk -f relays.awk STATIONS (from 3) FAILED (at most as many)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    failed = ARGV[2] + 0
    print "// Per hour."
    print "mend = 0.25; carry = 600; age = " sprintf("%.3g", 0.04 / n) ";"
    for (i = 1; i <= n; i++) {
        near = (i > 1 ? " - Up" i - 1 : "") (i < n ? " - Up" i + 1 : "")
        ends = 1 + (i > 1) + (i < n)
        print "Up" i " = (fail, age * " 0.5 + 0.25 * (i % 5) " * (" ends near ")).Down" i ";"
        print "Down" i " = (drive" i ", T).Mended" i ";"
        print "Mended" i " = (mend" i ", T).Up" i ";"
        away = i > n / 2 ? i - n / 2 : n / 2 - i
        drives = drives "\n    + (drive" i ", " sprintf("%.3g", 2 / (1 + 4 * away / n)) ").At" i
        print "At" i " = (mend" i ", mend).Ready;"
        if (i < n)
            line = line "\n    * (1 - (1 - Up" i ") * (1 - Up" i + 1 "))"
        stations = stations (i > 1 ? " || " : "") "Up" i
    }
    print "Ready = " substr(drives, 8) ";"
    for (k = 0; k <= failed; k++) {
        text = k < failed ? " + (fail, T).Count" k + 1 : ""
        for (i = 1; i <= n && k > 0; i++)
            text = text " + (mend" i ", T).Count" k - 1
        print "Count" k " = " substr(text, 4) ";"
    }
    print "Line = (carry, carry" line ").Line;"
    print "(((" stations ") <*> Ready) <*> Count0) || Line"
}
