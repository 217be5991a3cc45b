# Three genes, each repressed by the protein of the one before:  awk -f repressilator.awk MOLECULES
#
# The operator of a gene has two sites.  With a protein on one site the gene makes less, with two
# next to nothing; the second holds the better (cooperative binding).  At most MOLECULES of each
# protein count.
# Source: M. B. Elowitz, S. Leibler, "A synthetic oscillatory network of transcriptional
# regulators", Nature 403 (2000); A. Loinger, O. Biham, "Stochastic simulations of the repressilator
# circuit", Physical Review E 76 (2007).
# States: 27 (MOLECULES + 1)^3: 35937 for 10, 804357 for 30.
# Hard: the numbers go round in a cycle, now one protein and now the next, and one is always nearly
# absent.  What is full stays so (self-loops, meant so).
BEGIN {
    if (ARGC != 2) {
        print "usage: awk -f repressilator.awk MOLECULES" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "make = " 0.6 * n "; some = 0.1 * make; leak = 0.002 * make; decay = 1;"
    print "bind = 5; loose = 40; hold = 2;"
    for (g = 0; g < 3; g++) {
        by = (g + 2) % 3
        print "Free" g " = (make" g ", make).Free" g " + (bind" by ", T).One" g ";"
        print "One" g " = (make" g ", some).One" g " + (bind" by ", T).Two" g \
            " + (loose" by ", loose).Free" g ";"
        print "Two" g " = (make" g ", leak).Two" g " + (loose" by ", hold).One" g ";"
        for (k = 0; k <= n; k++)
            print protein(g, k)
        genes = genes (g > 0 ? " || " : "") "Free" g
        proteins = proteins (g > 0 ? " || " : "") "P" g "_" 0
    }
    print "(" genes ") <*> (" proteins ")"
}

function protein(g, k,    up)
{
    up = "P" g "_" (k < n ? k + 1 : k)
    return "P" g "_" k " = (make" g ", T)." up " + (loose" g ", T)." up \
        (k > 0 ? " + (decay" g ", " k " * decay).P" g "_" k - 1 \
        " + (bind" g ", " k " * bind).P" g "_" k - 1 : "") ";"
}
