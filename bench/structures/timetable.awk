# Railway lines that wait for each other's late trains at a hub:  awk -f timetable.awk LINES LATE
#
# The trains of each of LINES lines are late by 0 to LATE times five minutes.  They lose time on the
# way, more in the peak, and much more while a signal is broken; the slack of the timetable gives it
# back.  A line holds its train, for ten minutes at most, for that of its feeder, the line before it
# in a circle; even lines also for the line after them.  One that is as late as can be is turned
# short of its end now and then, and is in time again.
# Source: R. M. P. Goverde, "Railway timetable stability analysis using max-plus system theory",
# Transportation Research Part B 41 (2007); M. Carey, "Ex ante heuristic measures of schedule
# reliability", Transportation Research Part B 33 (1999).
# States: 8 (LATE + 1)^LINES: 19208 for 4 6, 373248 for 6 5.  A feeder that is waited for stays as
# late as it is (self-loops, meant so).
# Hard: lateness goes round the circle of lines; days pass between broken signals, minutes between
# trains.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 3 || ARGV[2] < 2) {
        print "usage: awk -f timetable.awk LINES (from 3) LATE (from 2)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    late = ARGV[2] + 0
    print "// Per minute."
    print "hold = 0.08; turn = 0.02; broken = 0.0003; mended = 0.012; stage = 0.004;"
    for (i = 1; i <= n; i++) {
        printf "lose%d = %.3g; slack%d = %.3g;\n", i, 0.02 + 0.005 * (i % 3), i, 0.07 + 0.01 * (i \
            % 4)
        feeds(i, i % n + 1)
        if (i % 2 == 1)
            feeds(i, i == 1 ? n - n % 2 : i - 1)
    }
    for (i = 1; i <= n; i++) {
        for (k = 0; k <= late; k++) {
            own = ""
            if (k < late)
                own = own " + (lose" i ", lose" i " * (1 + Peak1 + Peak2 + 6 * Broken)).Line" i \
                    "_" k + 1
            if (k > 0)
                own = own " + (slack" i ", slack" i ").Line" i "_" k - 1
            if (k == late)
                own = own " + (turn" i ", turn).Line" i "_0"
            print "Line" i "_" k " = " substr(own text[i, k], 4) ";"
        }
        lines = lines (i > 1 ? " <*> " : "") "Line" i "_0"
    }
    print "Working = (broken, broken).Broken;\nBroken = (mended, mended).Working;"
    print "Quiet1 = (stage, stage).Peak1;\nPeak1 = (stage, stage).Quiet2;"
    print "Quiet2 = (stage, stage).Peak2;\nPeak2 = (stage, stage).Quiet1;"
    print "(" lines ") || Working || Quiet1"
}

# Line j waits for line i, up to two steps.
function feeds(i, j,    d, k)
{
    if ((i, j) in fed || i == j)
        return
    fed[i, j] = 1
    for (d = 1; d <= 2; d++) {
        text[j, d - 1] = text[j, d - 1] " + (hold" i "_" j "_" d ", hold).Line" j "_" d
        for (k = d; k <= late; k++)
            text[i, k] = text[i, k] " + (hold" i "_" j "_" d ", T).Line" i "_" k
    }
}
