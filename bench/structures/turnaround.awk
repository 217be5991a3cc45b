# Aircraft at the gate, made ready for the next flight:  awk -f turnaround.awk GATES STAGES
#
# At each of GATES gates an aircraft comes in; passengers leave it, then it is cleaned, catered and
# fuelled at the same time, then passengers board.  Meanwhile the bags are unloaded and the others
# loaded.  When all is done it is pushed back.  One lorry caters and one fuels all gates.  Each
# task has STAGES stages.
# Source: V. G. Kulkarni, V. G. Adlakha, "Markov and Markov-regenerative PERT networks", Operations
# Research 34 (1986); C.-L. Wu, R. E. Caves, "Modelling and optimization of aircraft turnaround time
# at an airport", Transportation Planning and Technology 27 (2004).
# States: 45556 for 2 2, 273204 for 2 3.
# Hard: from landing to push-back all goes one way, and back in a single step; tasks fork and join
# within tasks, and gates wait for each other's lorries.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 1 || ARGV[2] < 1) {
        print "usage: awk -f turnaround.awk GATES STAGES" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    stages = ARGV[2] + 0
    print "// Per minute."
    print "land = 0.05; go = 1; drive = 0.3;"
    print "leave = " stages / 8 "; clean = " stages / 12 "; cater = " stages / 9 "; fuel = " \
        stages / 10 "; board = " stages / 18 "; unload = " stages / 14 "; stow = " stages / 16 ";"
    cater_free = "CaterLorry = "
    fuel_free = "FuelLorry = "
    for (g = 1; g <= n; g++) {
        print "Away" g " = (land" g ", land).Leave" g "_1;"
        task("Leave" g, "leave" g, "leave", "out" g, "leave", "Served" g)
        print "Served" g " = (ready" g ", go).Board" g "_1;"
        task("Board" g, "board" g, "board", "seated" g, "board", "Seated" g)
        print "Seated" g " = (push" g ", go).Away" g ";"

        print "Clean" g " = (out" g ", T).Clean" g "_1;"
        task("Clean" g, "clean" g, "clean", "cleaned" g, "clean", "Cleaned" g)
        print "Cleaned" g " = (ready" g ", T).Clean" g ";"

        serviced("Cater", "cater")
        serviced("Fuel", "fuel")
        cater_free = cater_free (g > 1 ? " + " : "") "(caterTake" g ", drive).CaterAt" g
        fuel_free = fuel_free (g > 1 ? " + " : "") "(fuelTake" g ", drive).FuelAt" g
        print "CaterAt" g " = (caterEnd" g ", T).CaterLorry;"
        print "FuelAt" g " = (fuelEnd" g ", T).FuelLorry;"

        print "Bags" g " = (land" g ", T).Unload" g "_1;"
        task("Unload" g, "unload" g, "unload", "empty" g, "unload", "Stow" g "_1")
        task("Stow" g, "stow" g, "stow", "stowed" g, "stow", "Stowed" g)
        print "Stowed" g " = (push" g ", T).Bags" g ";"
        gates = gates (g > 1 ? " || " : "") "((Away" g " <out" g ", ready" g "> (Clean" g " <out" \
            g ", ready" g "> Cater" g " <out" g ", ready" g "> Fuel" g ")) <land" g ", push" g \
            "> Bags" g ")"
    }
    print cater_free ";\n" fuel_free ";"
    print "(" gates ") <*> (CaterLorry || FuelLorry)"
}

# The stages of a task, the last of which ends it.
function task(name, action, rate, end_action, end_rate, then,    s)
{
    for (s = 1; s < stages; s++)
        print name "_" s " = (" action ", " rate ")." name "_" s + 1 ";"
    print name "_" stages " = (" end_action ", " end_rate ")." then ";"
}

# A task that waits for the lorry and keeps it to the end.
function serviced(name, action)
{
    print name g " = (out" g ", T)." name "Waits" g ";"
    print name "Waits" g " = (" action "Take" g ", T)." name g "_1;"
    task(name g, action g, action, action "End" g, action, name "Done" g)
    print name "Done" g " = (ready" g ", T)." name g ";"
}
