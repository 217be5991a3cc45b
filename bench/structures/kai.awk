# A bacterial clock of one protein in four forms, set by the light:  awk -f kai.awk KAIC STAGES
#
# KaiC takes a phosphate at one site, then at the other, and loses them in the same order.  KaiA
# drives the first two steps; the form with the second site alone binds KaiA and stops it for all.
# In the dark there is less ATP and phosphorylation is slower.  A day has STAGES stages, half dark.
# Source: M. J. Rust, J. S. Markson, W. S. Lane, D. S. Fisher, E. K. O'Shea, "Ordered
# phosphorylation governs oscillation of a three-protein circadian clock", Science 318 (2007);
# M. J. Rust, S. S. Golden, E. K. O'Shea, "Light-driven changes in energy metabolism directly
# entrain the cyanobacterial circadian oscillator", Science 331 (2011).
# States: STAGES C(KAIC + 3, 3): 32736 for 30 6, 735048 for 80 8.
# Hard: the population goes round by itself about once a day, and the light drives it round as well;
# KaiA is free or not by a sharp threshold.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2 || ARGV[2] < 2) {
        print "usage: awk -f kai.awk KAIC (from 2) STAGES (from 2)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    stages = ARGV[2] + 0
    print "// Per hour."
    print "stage = " stages " / 24; basal = 0.02; dark = 0.55;"
    print "first = 0.48; second = 0.25; third = 0.31; fourth = 0.11; undo = 0.21; back = 0.5;"
    # The part of KaiA that is free.
    kaia = "max(0, 1 - 2.6 * Second / " n ")"
    for (i = 0; i < stages; i++) {
        print "Hour" i " = (stage, stage).Hour" (i + 1) % stages ";"
        if (i < stages / 2)
            light = light (i > 0 ? " + " : "") "Hour" i
    }
    power = "(dark + (1 - dark) * (" light "))"
    print "None = (toFirst, " power " * (basal + first * " kaia ")).First;"
    print "First = (toBoth, " power " * (basal + second * " kaia ")).Both"
    print "    + (loseFirst, undo * (1 - 0.8 * " kaia ")).None;"
    print "Both = (toSecond, third * (1 - 0.9 * " kaia ")).Second;"
    print "Second = (loseSecond, fourth).None + (toBothAgain, back * " kaia ").Both;"
    print "None[" n "] || Hour0"
}
