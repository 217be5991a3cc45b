# Fire blight in an orchard, and the man who prunes it:  awk -f orchard.awk ROWS COLUMNS
#
# A tree is sound or sick.  It catches blight from the sick ones beside it in its row and column,
# much sooner in wet weather, and seldom from elsewhere.  A man walks the rows to and fro, all of
# them in five days, looks at each tree, and prunes the sick ones.  A sick tree dies in time and is
# replaced by a sound one.
# Source: T. E. Harris, "Contact interactions on a lattice", Annals of Probability 2 (1974);
# L. V. Madden, G. Hughes, F. van den Bosch, "The Study of Plant Disease Epidemics" (2007).
# States: 2 n 2^n, n = ROWS * COLUMNS: 20480 for 2 5, 983040 for 3 5.
# Hard: near the threshold above which the blight stays; without it, nothing happens for months.
BEGIN {
    if (ARGC != 3 || ARGV[1] * ARGV[2] < 2) {
        print "usage: awk -f orchard.awk ROWS COLUMNS (two trees at least)" > "/dev/stderr"
        exit 2
    }
    rows = ARGV[1] + 0
    columns = ARGV[2] + 0
    n = rows * columns
    print "// Per day."
    print "spread = 0.08; stray = 0.0002; look = " n / 5 \
        "; prune = 1; die = 0.01; rain = 0.15; dry = 0.4;"
    for (r = 1; r <= rows; r++)
        for (c = 1; c <= columns; c++)
            tree(r, c)
    for (i = 1; i <= n; i++)
        print "At" i " = (look" i ", look).At" i % n + 1 " + (prune" i ", prune).At" i % n + 1 ";"
    print "Dry = (rain, rain).Wet;\nWet = (dry, dry).Dry;"
    print "((" trees ") <*> At1) || Dry"
}

# The number of a tree on the man's way.
function number(r, c)
{
    return (r - 1) * columns + (r % 2 ? c : columns + 1 - c)
}

function tree(r, c,    i, near)
{
    i = number(r, c)
    if (r > 1) near = near " + Sick" number(r - 1, c)
    if (r < rows) near = near " + Sick" number(r + 1, c)
    if (c > 1) near = near " + Sick" number(r, c - 1)
    if (c < columns) near = near " + Sick" number(r, c + 1)
    print "Sound" i " = (catch" i ", stray + spread * (1 + 5 * Wet) * (" substr(near, 4) \
        ")).Sick" i \
        " + (look" i ", T).Sound" i ";"
    print "Sick" i " = (prune" i ", T).Sound" i " + (die" i ", die).Sound" i ";"
    trees = trees (trees == "" ? "" : " || ") "Sound" i
}
