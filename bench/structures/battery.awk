# Cells in series in the battery of a car, which drift apart:  awk -f battery.awk CELLS LEVELS
#
# Each cell holds 0 to LEVELS parts of its charge.  All are charged together and drawn from
# together, so the pack is full when one cell is full and empty when one is empty.  Cells lose
# charge by themselves, each at its own slow pace.  While the car is plugged in a full cell is bled
# through a resistor until the others follow.
# Source: H. J. Bergveld, W. S. Kruijt, P. H. L. Notten, "Battery Management Systems: Design by
# Modelling" (2002); M. Daowd, N. Omar, P. Van den Bossche, J. Van Mierlo, "Passive and active
# battery balancing comparison based on MATLAB simulation", IEEE Vehicle Power and Propagation
# Conference (2011).
# States: 3 (LEVELS + 1)^CELLS: 19683 for 4 8, 786432 for 6 7.
# Hard: charge and discharge move all cells at once and keep their differences, which change only
# by leaks four decades slower and by bleeding at the top.
BEGIN {
    if (ARGC != 3 || ARGV[2] < 2) {
        print "usage: awk -f battery.awk CELLS LEVELS (from 2)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    levels = ARGV[2] + 0
    print "// Per hour."
    print "charge = " levels / 4 "; draw = " levels / 3 "; bleed = 0.08; spare = 0.004;"
    print "park = 1.2; plug = 0.2; drive = 0.09; trip = 0.25;"
    for (i = 1; i <= n; i++) {
        print "leak" i " = " (0.6 + 0.4 * (i * 3 % 5)) "e-4;"
        for (k = 0; k <= levels; k++) {
            text = ""
            if (k < levels)
                text = text " + (charge, T).Cell" i "_" k + 1
            else
                text = text " + (bleed" i ", bleed * Plugged).Cell" i "_" k - 1
            if (k > 0)
                text = text " + (draw, T).Cell" i "_" k - 1 \
                    " + (leak" i ", leak" i ").Cell" i "_" k - 1
            print "Cell" i "_" k " = " substr(text, 4) ";"
        }
        cells = cells (i > 1 ? " <charge, draw> " : "") "Cell" i "_" int(levels / 2)
    }
    print "Drives = (draw, draw).Drives + (park, park).Parked;"
    print "Parked = (draw, spare).Parked + (plug, plug).Plugged + (trip, trip).Drives;"
    print "Plugged = (charge, charge).Plugged + (drive, drive).Drives;"
    print "(" cells ") <charge, draw> Parked"
}
