# A wafer furnace for several lots at once, behind a wet bench:  awk -f furnace.awk ROOM BUFFER
#
# Lots wait, at most ROOM, for the wet bench, which cleans and rinses one at a time, and go on to
# the boat of one of two recipes with BUFFER places each.  The furnace takes up to four lots of one
# boat together, and fewer when none have come for a while.  Clean wafers oxidise in the air: a lot
# that has waited too long goes back to be cleaned again, or is scrapped when there is no room.
# After three stages the lots are unloaded one by one to the measuring tool, which has room for
# four.
# Source: J. W. Fowler, D. T. Phillips, G. L. Hogg, "Real-time control of multiproduct bulk-service
# semiconductor manufacturing processes", IEEE Transactions on Semiconductor Manufacturing 5 (1992);
# W. Scholl, J. Domaschke, "Implementation of modeling and simulation in semiconductor wafer
# fabrication with time constraints between wet etch and furnace operations", ibid. 13 (2000).
# States: 255 (ROOM + 1) (BUFFER + 1)^2: 38250 for 5 4, 413100 for 19 8.  What cannot go back is
# scrapped (self-loops, meant so).
# Easy: short queues at a load below 1, rates in three decades.
BEGIN {
    if (ARGC != 3 || ARGV[2] < 4) {
        print "usage: awk -f furnace.awk ROOM BUFFER (from 4)" > "/dev/stderr"
        exit 2
    }
    room = ARGV[1] + 0
    buffer = ARGV[2] + 0
    print "// Per hour."
    print "lot = 1.5; take = 30; clean = 5; rinse = 6; load = 12; hurry = 0.4; stale = 0.06;"
    print "anneal = 1.8; unload = 20; measure = 3;"
    for (k = 0; k <= room; k++)
        print "Wet" k " = " (k < room ? "(lot, lot).Wet" k + 1 " + " : "") "(stale, T).Wet" \
            (k < room ? k + 1 : k) (k > 0 ? " + (take, take).Wet" k - 1 : "") ";"
    print "Bench = (take, T).Clean;\nClean = (clean, clean).Rinse;"
    print "Rinse = (to1, 0.6 * rinse).Bench + (to2, 0.4 * rinse).Bench;"
    for (p = 1; p <= 2; p++)
        for (k = 0; k <= buffer; k++) {
            many = k < 4 ? k : 4
            text = (k < buffer ? " + (to" p ", T).Boat" p "_" k + 1 : "")
            if (k > 0)
                text = text " + (stale, " k " * stale).Boat" p "_" k - 1 " + (load" many ", " \
                    (k < 4 ? "hurry" : "load") ").Boat" p "_" k - many
            print "Boat" p "_" k " = " substr(text, 4) ";"
        }
    for (m = 1; m <= 4; m++) {
        idle = idle (m > 1 ? " + " : "") "(load" m ", T).Hot" m "_1"
        loads = loads (m > 1 ? ", " : "") "load" m
        for (s = 1; s <= 3; s++)
            print "Hot" m "_" s " = (anneal, anneal)." (s < 3 ? "Hot" m "_" s + 1 : "Out" m) ";"
        print "Out" m " = (unload, unload)." (m > 1 ? "Out" m - 1 : "Furnace") ";"
    }
    print "Furnace = " idle ";"
    for (k = 0; k <= 4; k++)
        print "Tool" k " = " (k < 4 ? "(unload, T).Tool" k + 1 : "") (k > 0 && k < 4 ? " + " : "") \
            (k > 0 ? "(measure, measure).Tool" k - 1 : "") ";"
    print "((Wet0 <take> Bench) <to1, to2, stale> (Boat1_0 || Boat2_0)) <" loads \
        "> (Furnace <unload> Tool0)"
}
