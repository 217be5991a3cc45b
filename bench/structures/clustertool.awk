# A cluster tool whose robot feeds wafers to vacuum chambers:  awk -f clustertool.awk ETCHERS WAFERS
#
# Wafers come in a lock of WAFERS, are etched in one of ETCHERS chambers, stripped, cooled, and
# gathered in a second lock of WAFERS, which is vented when full.  One robot with one blade takes a
# wafer only when its next place is free.  Chambers foul now and then and are cleaned.
# Source: T. L. Perkinson, P. K. McLarty, R. S. Gyurcsik, R. K. Cavin, "Single-wafer cluster tool
# performance: an analysis of throughput", IEEE Transactions on Semiconductor Manufacturing 7
# (1994); S. Venkatesh, R. Davenport, P. Foxhoven, J. Nulman, "A steady-state throughput analysis of
# cluster tools: dual-blade versus single-blade robots", the same 10 (1997).
# States: 5 for each chamber and 5 of the robot, times the wafers in one lock (the other follows),
# without most where the robot holds a wafer (counted): 24171 for 3 4, 289745 for 4 12.
# Hard: everything goes through the robot; seconds for a move, an hour for a cleaning.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f clustertool.awk ETCHERS WAFERS" > "/dev/stderr"
        exit 2
    }
    etchers = ARGV[1] + 0
    wafers = ARGV[2] + 0
    print "// Per second."
    print "pick = 0.25; place = 0.3; pump = 0.011; vent = 0.013; clean = 4e-4;"
    print "etch = " 0.0095 / etchers "; strip = 0.021; cool = 0.03;"
    for (j = 1; j <= etchers; j++)
        chamber("Etch" j, "etch" j, "etch * " 1 + 0.05 * j, 0.02)
    chamber("Strip", "strip", "strip", 0.01)
    print "CoolEmpty = (putcool, T).CoolHot;"
    print "CoolHot = (cool, cool).CoolDone;"
    print "CoolDone = (takecool, T).CoolEmpty;"
    for (k = 0; k <= wafers; k++) {
        print "In" k " = " (k > 0 ? "(fetch, T).In" k - 1 : "(pump, pump).In" wafers) ";"
        print "Out" k " = " (k < wafers ? "(store, T).Out" k + 1 : "(vent, vent).Out0") ";"
    }
    for (j = 1; j <= etchers; j++) {
        free = free (j > 1 ? " + " : "") "Etch" j "Empty"
        puts = puts (j > 1 ? " + " : "") "(putetch" j ", place).Robot"
        takes = takes " + (taketch" j ", pick * StripEmpty).ForStrip"
    }
    gsub(/taketch/, "takeetch", takes)
    print "Robot = (fetch, pick * min(1, " free ")).ForEtch" takes
    print "    + (takestrip, pick * CoolEmpty).ForCool + (takecool, pick * (1 - Out" wafers \
        ")).ForOut;"
    print "ForEtch = " puts ";"
    print "ForStrip = (putstrip, place).Robot;"
    print "ForCool = (putcool, place).Robot;"
    print "ForOut = (store, place).Robot;"
    for (j = 1; j <= etchers; j++)
        all = all "Etch" j "Empty || "
    print "Robot <*> (" all "StripEmpty || CoolEmpty || In" wafers " || Out0)"
}

# A chamber works in two steps, and is foul after a share of the wafers.
function chamber(name, verb, rate, foul)
{
    print name "Empty = (put" verb ", T)." name "Ramp;"
    print name "Ramp = (ramp" verb ", 2 * " rate ")." name "Busy;"
    print name "Busy = (do" verb ", 2 * " rate ")." name "Done;"
    print name "Done = (take" verb ", " 1 - foul " * infty)." name "Empty + (take" verb ", " \
        foul " * infty)." name "Foul;"
    print name "Foul = (clean" verb ", clean)." name "Empty;"
}
