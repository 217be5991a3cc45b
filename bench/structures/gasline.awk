# Gas in a long pipeline with compressors between its sections:  awk -f gasline.awk SECTIONS LEVELS
#
# The pressure of each section is counted in LEVELS steps.  Gas flows on by the difference of
# pressure, and by a compressor, while it runs, also against it.  Wells feed the first section but
# for weeks of repair; a power station draws from the middle and a town from the end, in
# winter more.
# Source: A. J. Osiadacz, "Simulation and Analysis of Gas Networks" (1987); R. Billinton, R. N.
# Allan, "Reliability Evaluation of Engineering Systems" (1983).
# States: 4 (LEVELS + 1)^SECTIONS 2^(SECTIONS - 1), but for those where the second section is too
# far above the first (counted): 13600 for 3 9, 231200 for 4 9.
# Hard: a chain in which every flow depends on both sides; gas in hours, failures in months, and the
# seasons; in winter without wells everything runs empty.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2) {
        print "usage: awk -f gasline.awk SECTIONS (from 2) LEVELS" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    levels = ARGV[2] + 0
    middle = int((n + 1) / 2)
    print "// Per hour."
    print "well = 0.5; fail = 5e-4; mend = 0.02; repair = 0.004; dry = 2e-4; season = " 1 / 4380 ";"
    print "town = 0.7; station = 0.3; friction = 0.6; boost = 3;"
    for (i = 1; i <= n; i++) {
        level[i] = ""
        for (k = 1; k <= levels; k++)
            level[i] = level[i] (k > 1 ? " + " : "") (k > 1 ? k " * " : "") "S" i "_" k
        for (k = 0; k <= levels; k++) {
            text = ""
            if (k < levels)
                text = text " + (flow" i - 1 ", T).S" i "_" k + 1
            if (k > 0)
                text = text " + (flow" i ", T).S" i "_" k - 1 \
                    (i == middle ? " + (station, T).S" i "_" k - 1 : "")
            print "S" i "_" k " = " substr(text, 4) ";"
        }
        sections = sections (i > 1 ? " <flow" i - 1 "> " : "") "S" i "_" (i == 1 ? levels : 0)
    }
    for (i = 1; i < n; i++) {
        print "Runs" i " = (flow" i ", friction * max(0, " level[i] " + boost - (" level[i + 1] \
            "))).Runs" i "\n    + (fail" i ", fail * " i ").Fails" i ";"
        print "Fails" i " = (flow" i ", friction * max(0, " level[i] " - (" level[i + 1] \
            "))).Fails" i "\n    + (mend" i ", mend).Runs" i ";"
        compressors = compressors " || Runs" i
    }
    print "Wells = (flow0, well * 2).Wells + (dry, dry).Dry;"
    print "Dry = (repair, repair).Wells;"
    print "Winter = (flow" n ", town).Winter + (station, station).Winter + (spring, season).Summer;"
    print "Summer = (flow" n ", town / 5).Summer + (station, station).Summer" \
        " + (autumn, season).Winter;"
    print "(" sections ") <*> (Wells" compressors " || Summer)"
}
