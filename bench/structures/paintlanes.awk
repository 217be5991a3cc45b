# Car bodies sorted by colour in lanes before the paint booth:  awk -f paintlanes.awk LANES DEPTH
#
# Bodies for white or black come from the body shop in any order.  Each is put in one of LANES lanes
# that has its entry free, white rather in odd lanes and black in even ones, and rolls on, place by
# place, over DEPTH places.  The booth takes bodies of its colour from the heads of the lanes.  When
# none of these is at a head, and one of the other is, it is flushed and changes colour.
# Source: S. Spieckermann, K. Gutenschwager, S. Voss, "A sequential ordering problem in automotive
# paint shops", International Journal of Production Research 42 (2004); N. Boysen, A. Scholl,
# N. Wopperer, "Resequencing of mixed-model assembly lines: survey and research agenda", European
# Journal of Operational Research 216 (2012).
# States: at most 6 3^(LANES DEPTH) (counted): 33534 for 2 4, 338742 for 5 2.
# Hard: the order of colours in the lanes is remembered; bodies come nearly as fast as the booth
# can paint them between two flushes.
BEGIN {
    if (ARGC != 3 || ARGV[2] < 2) {
        print "usage: awk -f paintlanes.awk LANES DEPTH (from 2)" > "/dev/stderr"
        exit 2
    }
    lanes = ARGV[1] + 0
    depth = ARGV[2] + 0
    split("White Black", colour, " ")
    print "// Per minute."
    print "come = 0.7; roll = 3; paint = 1; flush = 0.25; change = 6;"
    for (i = 1; i <= lanes; i++) {
        for (d = 1; d <= depth; d++) {
            # Place 1 is the head of the lane.
            place = "Place" i "_" d
            text = ""
            for (c = 1; c <= 2; c++) {
                body = place colour[c]
                if (d == depth)
                    text = text " + (put" colour[c] ", " ((i + c) % 2 ? 1 : 8) " * infty)." body
                else
                    text = text " + (roll" i "_" d colour[c] ", T)." body
                if (d > 1)
                    print body " = (roll" i "_" d - 1 colour[c] ", roll)." place ";"
                else
                    print body " = (take" colour[c] ", T)." place \
                        " + (call" colour[c] ", T)." body ";"
            }
            print place " = " substr(text, 4) ";"
            lane = d > 1 ? "(" lane " <" rolls(i, d - 1) "> " place ")" : place
        }
        all = all (i > 1 ? " || " : "") lane
        for (c = 1; c <= 2; c++)
            heads[c] = heads[c] (i > 1 ? " + " : "") "Place" i "_1" colour[c]
    }
    for (c = 1; c <= 2; c++) {
        own = colour[c]
        other = colour[3 - c]
        print own " = (take" own ", change)." own "Paints"
        print "    + (call" other ", change * max(0, 1 - (" heads[c] ")))." own "Flush;"
        print own "Paints = (paint" own ", paint)." own ";"
        print own "Flush = (flush" own ", flush)." other ";"
    }
    print "Shop = (putWhite, 0.6 * come).Shop + (putBlack, 0.4 * come).Shop;"
    print "Shop <putWhite, putBlack> (" all ")"
    print "    <takeWhite, takeBlack, callWhite, callBlack> White"
}

function rolls(i, d)
{
    return "roll" i "_" d "White, roll" i "_" d "Black"
}
