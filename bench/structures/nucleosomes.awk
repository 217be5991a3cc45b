# Nucleosomes that bind, slide and leave on a ring of DNA:  awk -f nucleosomes.awk SITES
#
# A plasmid has SITES sites of some 40 base pairs.  A nucleosome covers four in a row.  It binds
# where four are free, is evicted, and is pushed to either side where the next site is free, by a
# remodeller that prefers one side.  Some sites hold it better; on site 1 there is room for a
# transcription factor while it is free.
# Source: J. D. McGhee, P. H. von Hippel, "Theoretical aspects of DNA-protein interactions:
# co-operative and non-co-operative binding of large ligands to a one-dimensional homogeneous
# lattice", Journal of Molecular Biology 86 (1974); R. Padinhateeri, J. F. Marko, "Nucleosome
# positioning in a model of active chromatin remodeling enzymes", PNAS 108 (2011).
# States: c(n) + l(n - 1), coverings of ring and line by fours, each c(n) = c(n - 1) + c(n - 4);
# 42074 for 32, 554300 for 40.
# Hard: many components, of which five move at a time; a full ring has to be cleared to be packed
# better, and eviction is slow.
BEGIN {
    if (ARGC != 2 || ARGV[1] < 6) {
        print "usage: awk -f nucleosomes.awk SITES (from 6)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "// Per minute."
    print "bind = 12; evict = 0.05; push = 2; pull = 0.5; factor = 1; loose = 0.4;"
    for (i = 1; i <= n; i++) {
        printf "evict%d = evict * %.3g;\n", i, exp(2 * sin(2 * 3.14159265 * i * 3 / n))
        a = back(1); b = back(2); c = back(3); d = back(4); on = i % n + 1
        # Pushed from i to the right: part 1 frees i, part 4 takes i + 4.
        print "Free" i " = (bind" i ", bind).A" i " + (bind" a ", T).B" i " + (bind" b ", T).C" i \
            " + (bind" c ", T).D" i "\n    + (push" d ", T).D" i " + (pull" on ", T).A" i \
            (i == 1 ? " + (factor, factor).Factor" : "") ";"
        print "A" i " = (evict" i ", evict" i ").Free" i " + (push" i ", push).Free" i \
            " + (pull" i ", pull).B" i ";"
        print "B" i " = (evict" a ", T).Free" i " + (push" a ", T).A" i " + (pull" a ", T).C" i ";"
        print "C" i " = (evict" b ", T).Free" i " + (push" b ", T).B" i " + (pull" b ", T).D" i ";"
        print "D" i " = (evict" c ", T).Free" i " + (push" c ", T).C" i " + (pull" c ", T).Free" i \
            ";"
        ring = ring (i > 1 ? " <*> " : "") (i % 8 == 1 && i > 1 ? "\n    " : "") "Free" i
    }
    print "Factor = (loose, loose).Free1;"
    print ring
}

function back(by)
{
    return (i - by - 1 + n) % n + 1
}
