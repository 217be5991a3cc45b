# Trucks between a ship and the yard of a container terminal:  awk -f terminal.awk TRUCKS BOXES
#
# A ship brings BOXES boxes.  Two quay cranes pick them from the ship and set them on TRUCKS trucks,
# which drive to the yard, where three cranes stack them, and back.  A quay crane holds its box
# until a truck stands under it.  The next ship comes some time after the last one left.
# Source: I. F. A. Vis, R. de Koster, "Transshipment of containers at a container terminal: an
# overview", European Journal of Operational Research 147 (2003).
# States: 12 (BOXES + 2) C(TRUCKS + 3, 3): 23760 for 8 10, 488376 for 16 40.
# Easy: an ordinary closed model with rendezvous; all rates within two decades.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 1 || ARGV[2] < 1) {
        print "usage: awk -f terminal.awk TRUCKS BOXES" > "/dev/stderr"
        exit 2
    }
    boxes = ARGV[2] + 0
    print "// Per hour."
    print "pick = 45; set = 90; drive = 9; back = 12; stack = 24; reach = 30;"
    print "arrive = " 20 / boxes "; depart = 6; under = 60;"
    print "Quay = (set, under).Laden;\nLaden = (drive, drive).Yard;"
    print "Yard = (stack, under).Bare;\nBare = (back, back).Quay;"
    print "Swing = (pick, pick).Hold;\nHold = (set, set).Swing;"
    print "Ready = (stack, stack).Reach;\nReach = (reach, reach).Ready;"
    for (k = 0; k <= boxes; k++)
        print "Ship" k " = " (k > 0 ? "(pick, T).Ship" k - 1 : "(depart, depart).Berth") ";"
    print "Berth = (arrive, arrive).Ship" boxes ";"
    print "((Berth <pick> Swing[2]) <set> Quay[" ARGV[1] + 0 "]) <stack> Ready[3]"
}
