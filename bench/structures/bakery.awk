# A bakery that works by night and sells by day:  awk -f bakery.awk RACKS SHELF
#
# A rack is empty, proving, ready for the oven, in it, or cooling.  Bakers mould the dough on empty
# racks by night and in the morning; the oven takes three racks.  A cooled rack is put out in the
# shop when the shelf has room (SHELF racks).  Shoppers come by the time of day, and what is left in
# the evening is given away.
# Source: F. T. Hecker, M. Stanke, T. Becker, B. Hitzmann, "Application of a modified GA, ACO and a
# random search procedure to solve the production scheduling of a case study bakery", Expert Systems
# with Applications 41 (2014); S. P. Cauvain, L. S. Young, "Technology of Breadmaking" (1998).
# States: 6 (SHELF + 1) (C(RACKS + 4, 4) - C(RACKS, 4)): 25500 for 8 9,
# 381150 for 16 20.
# Easy: one population in a circle beside one shelf; but the day goes round.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f bakery.awk RACKS SHELF" > "/dev/stderr"
        exit 2
    }
    racks = ARGV[1] + 0
    shelf = ARGV[2] + 0
    print "// Per hour; each part of the day is four hours."
    print "part = 0.25; mould = " racks / 4 "; prove = 0.9; load = 20; bake = 1.8; out = 12;"
    print "buy = " shelf / 4 "; give = " shelf / 2 ";"
    print "Empty = (mould, T).Proving;"
    print "Proving = (prove, prove).Ready;"
    print "Ready = (load, T).Baking;"
    print "Baking = (bake, T).Cooling;"
    print "Cooling = (out, T).Empty;"
    print "Place = (load, load).Hot;"
    print "Hot = (bake, bake).Place;"
    print "Midnight = (mould, mould).Midnight + (part, part).Early;"
    print "Early = (mould, mould).Early + (buy, buy / 10).Early + (part, part).Morning;"
    print "Morning = (mould, mould / 3).Morning + (buy, buy).Morning + (part, part).Noon;"
    print "Noon = (buy, 0.7 * buy).Noon + (part, part).Afternoon;"
    print "Afternoon = (buy, 0.9 * buy).Afternoon + (part, part).Evening;"
    print "Evening = (buy, give).Evening + (part, part).Midnight;"
    for (k = 0; k <= shelf; k++)
        print "Shelf" k " = " (k < shelf ? "(out, out).Shelf" k + 1 : "") \
            (k > 0 && k < shelf ? " + " : "") (k > 0 ? "(buy, T).Shelf" k - 1 : "") ";"
    print "((Empty[" racks "] <load, bake> Place[3]) <out> Shelf0) <mould, buy> Midnight"
}
