# A river with dams one below the other, over the year:  awk -f hydro.awk DAMS LEVELS
#
# A reservoir has LEVELS levels above the lowest.  What a turbine lets through comes to the next
# reservoir, or is spilled there if that is full.  Side streams flow in by the season (twelve
# stages).  Turbines run faster at times of high price; at low price a pump brings water from the
# second reservoir up to the first.  Turbines fail.
# Source: P. A. P. Moran, "The Theory of Storage" (1959); S. Yakowitz, "Dynamic programming
# applications in water resources", Water Resources Research 18 (1982).
# States: 24 2^DAMS (LEVELS + 1)^DAMS: 24576 for 2 15, 786432 for 3 15.
# Hard: hours for the price, weeks for the water, a year for the seasons, years for the turbines;
# the upper reservoir fills and empties once in a year.  What is full stays so (self-loops).
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2 || ARGV[2] < 1) {
        print "usage: awk -f hydro.awk DAMS (from 2) LEVELS" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    top = ARGV[2] + 0
    print "// Per day."
    print "month = 12 / 365; rise = 2.4; fall = 2; fail = 0.003; mend = 0.08; pump = 0.12;"
    split("2 2 3 6 18 24 14 7 5 5 4 3", melt, " ")
    for (m = 1; m <= 12; m++)
        printf "Month%d = (month, month).Month%d%s", m, m % 12 + 1, m % 3 ? "; " : ";\n"
    print "Low = (rise, rise).High + (pump, pump).Low;\nHigh = (fall, fall).Low;"
    for (i = 1; i <= n; i++) {
        flow = ""
        for (m = 1; m <= 12; m++)
            flow = flow (m > 1 ? " + " : "") melt[m] " * Month" m
        print "stream" i " = " (i == 1 ? 0.02 : 0.008 / i) ";"
        print "turbine" i " = " 0.12 * (1 + 0.5 * i) ";"
        print "Stream" i " = (in" i ", stream" i " * (" flow ")).Stream" i ";"
        print "Runs" i " = (run" i ", turbine" i " * (0.4 + 1.6 * High)).Runs" i \
            " + (fail" i ", fail).Stands" i ";"
        print "Stands" i " = (mend" i ", mend).Runs" i ";"
        for (k = 0; k <= top; k++) {
            up = "Dam" i "_" (k < top ? k + 1 : k)
            print "Dam" i "_" k " = (in" i ", T)." up (i > 1 ? " + (run" i - 1 ", T)." up : "") \
                (k > 0 ? " + (run" i ", T).Dam" i "_" k - 1 : "") \
                (i == 1 && k < top ? " + (pump, T)." up : "") \
                (i == 2 && k > 0 ? " + (pump, T).Dam2_" k - 1 : "") ";"
        }
        dams = dams (i > 1 ? (i == 2 ? " <run1, pump> " : " <run" i - 1 "> ") : "") \
            "Dam" i "_" int(top / 2)
        plant = plant (i > 1 ? " || " : "") "Stream" i " || Runs" i
    }
    print "((" dams ") <*> (" plant ")) <pump> Low || Month1"
}
