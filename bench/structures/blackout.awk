# Parallel power lines that overload each other when some trip:  awk -f blackout.awk CORRIDORS LINES
#
# CORRIDORS corridors of LINES lines each carry the load of a city together; it goes by the hour.  A
# line that is in trips by lightning, more in a storm, and fast when its share of the load is above
# its rating.  A tripped line is closed again within minutes or is found damaged, and one of two
# crews mends it, slowly in a storm.  The operator sheds most of the load while it is too much.
# Source: I. Dobson, B. A. Carreras, D. E. Newman, "A loading-dependent model of probabilistic
# cascading failure", Probability in the Engineering and Informational Sciences 19 (2005);
# I. Dobson, B. A. Carreras, V. E. Lynch, D. E. Newman, "Complex systems analysis of series of
# blackouts", Chaos 17 (2007).
# States: 18 C(LINES + 2, 2)^CORRIDORS: 60750 for 3 4, 911250 for 4 4.
# Hard: the few trips that matter start an avalanche, and after it no line stays closed until load
# is shed: a second mode that is seldom reached; rates of seven decades.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f blackout.awk CORRIDORS LINES" > "/dev/stderr"
        exit 2
    }
    corridors = ARGV[1] + 0
    lines = ARGV[2] + 0
    print "// Per hour; a load of 1 is all lines at their rating."
    print "flash = 2e-4; overload = 60; close = 5; damage = 0.02; mend = 0.04;"
    for (i = 1; i <= corridors; i++)
        in_service = in_service (i > 1 ? " + " : "") "In" i
    print "Night = (hour, 0.12).Day;\nDay = (hour, 0.1).Evening;\nEvening = (hour, 0.2).Night;"
    share = "(0.45 + 0.15 * Day + 0.25 * Evening) * " corridors * lines \
        " / max(1, " in_service ")"
    print "All = (shed, 20 * max(0, " share " - 1)).Part;"
    print "Part = (restore, 2 * max(0, 1 - " share ")).All;"
    share = "(0.3 + 0.7 * All) * " share
    print "Calm = (wind, 0.02).Wind;\nWind = (calm, 0.1).Calm + (storm, 0.04).Storm;"
    print "Storm = (calm, 0.2).Wind;"
    for (i = 1; i <= corridors; i++) {
        print "In" i " = (trip" i ", flash * " i " * (1 + 9 * Wind + 99 * Storm)" \
            "\n    + overload * max(0, " share " - " 1 + 0.05 * (i - 1) ")).Tripped" i ";"
        print "Tripped" i " = (close, close).In" i \
            " + (damage, damage * (1 + 20 * Storm)).Out" i ";"
        print "Out" i " = (mend, mend).In" i ";"
        grid = grid (i > 1 ? " || " : "") "In" i "[" lines "]"
    }
    print "Crew = (mend, mend * (1 - 0.9 * Storm)).Crew;"
    print "((" grid ") <mend> Crew[2]) || All || Night || Calm"
}
