# An intruder who climbs an attack tree while somebody watches:
#   awk -f attacktree.awk GOALS STEPS ALARMS
#
# Any two of GOALS goals give the intruder what he wants; each needs its STEPS steps all done.  A
# step is open, done, or closed by the administrators until it opens again; one done may be cleaned
# up.  Attempts make noise: at ALARMS alarms, which fade, the intruder is found and expelled.
# Source: B. Schneier, "Attack trees", Dr. Dobb's Journal 24 (1999); B. Kordy, S. Mauw,
# S. Radomirovic, P. Schweitzer, "Foundations of attack-defense trees", FAST 2010.
# States: (ALARMS + 1) (s^GOALS + GOALS s^(GOALS - 1)) + 2 with s = 3^STEPS: 47387 for
# 4 2 4, 551126 for 5 2 5.
# Hard: a transient start and two bottoms of one state (meant so, with the warnings): breached or
# expelled.  Easy steps take an hour, the hardest years, and alarms fade within the day.
BEGIN {
    if (ARGC != 4 || ARGV[1] < 2) {
        print "usage: awk -f attacktree.awk GOALS (from 2) STEPS ALARMS" > "/dev/stderr"
        exit 2
    }
    goals = ARGV[1] + 0
    steps = ARGV[2] + 0
    alarms = ARGV[3] + 0
    print "// Per hour."
    print "reach = 0.5; clean = 0.004; fade = 0.2; expel = 0.5; review = 1;"
    for (g = 1; g <= goals; g++)
        goal()
    print "None = " substr(passes, 4) " + (expel, T).Gone;"
    print "One = (breach, reach * min(1, " substr(all, 4) ")).Breached + (expel, T).Gone;"
    print "Breached = (leak, review).Breached;\nGone = (learn, review).Gone;"
    for (k = 0; k <= alarms; k++)
        print "Alarms" k " = (noise, T).Alarms" (k < alarms ? k + 1 : k) \
            (k > 0 ? " + (fade, " k " * fade).Alarms" k - 1 : "") \
            (k == alarms ? " + (expel, expel).Over" : "") " + (breach, T).Over;"
    print "Over = (file, review).Over;"
    print "((" substr(tree, 22) ") <" substr(passed, 3) ", breach, expel> None)"
    print "<noise, breach, expel> Alarms0"
}

# Goal g: its steps, which have no more to do once it is reached.  The second goal is the end.
function goal(    s, name, branch, product)
{
    for (s = 1; s <= steps; s++) {
        name = g "_" s
        printf "try%s = %.3g;\n", name, exp(-log(10) * 0.5 * ((3 * g + 2 * s) % 9))
        print "Open" name " = (gain" name ", try" name ").Done" name \
            " + (noise, 2 * try" name ").Open" name \
            "\n    + (close" name ", " 0.002 * s ").Closed" name leave()
        print "Done" name " = (pass" g ", T).Reached + (clean" name ", clean).Closed" name leave()
        print "Closed" name " = (slip" name ", " 0.01 / g ").Open" name leave()
        branch = branch (s > 1 ? " <pass" g ", breach, expel> " : "") "Open" name
        product = product (s > 1 ? " * " : "") "Done" name
    }
    if (g == 1)
        print "Reached = " substr(leave(), 4)
    all = all " + " product
    passes = passes " + (pass" g ", reach).One"
    passed = passed ", pass" g
    tree = tree "\n    <breach, expel> (" branch ")"
}

function leave()
{
    return " + (breach, T).Stop + (expel, T).Stop;"
}
