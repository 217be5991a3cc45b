# Blocks of a solid-state drive, cleaned before they are written again:  awk -f flash.awk BLOCKS
#
# A block has 4 pages, of which 0 to 4 are valid.  The drive writes pages one after the other into
# its open block; a page that is written again is no longer valid where it was.  When the open block
# is full, a block with few valid pages is chosen, these are copied, and it is erased and opened.
# Three quarters of the pages are valid.  The host writes in bursts.
# Source: W. Bux, I. Iliadis, "Performance of greedy garbage collection in flash-based solid-state
# drives", Performance Evaluation 67 (2010); B. Van Houdt, "A mean field model for a class of
# garbage collection algorithms in flash-based solid state drives", SIGMETRICS 2013.
# States: 39674 for 60, 289944 for 120.
# Hard: a population of five local states with a sum that is kept; each block goes down step by
# step, and an erased one comes back full, so probability goes round.
BEGIN {
    if (ARGC != 2) {
        print "usage: awk -f flash.awk BLOCKS" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "write = " 1000 / (3 * n + 3) "; erase = 200; idle = 0.5; busy = 0.2;  // per second"
    for (k = 0; k <= 4; k++) {
        text = k > 0 ? " + (write, " k " * write).Block" k - 1 : ""
        for (v = 1; v <= 4 && k < 4; v++)
            text = text " + (erase" k "_" v ", erase * pow(0.1, " k ")).Block" v
        print "Block" k " = " substr(text, 4) ";"
    }
    # The open block: u pages used, v of them valid.
    for (u = 0; u <= 4; u++)
        for (v = u > 0; v <= u; v++) {
            text = u < 4 ? " + (write, T).Open" u + 1 "_" v + 1 : ""
            if (u < 4 && v > 0)
                text = text " + (rewrite, " v " * write).Open" u + 1 "_" v
            for (k = 0; u == 4 && k < 4; k++)
                text = text " + (erase" k "_" v ", T).Open" k "_" k
            print "Open" u "_" v " = " substr(text, 4) ";"
            for (k = 0; u == 4 && k < 4; k++)
                erases = erases ", erase" k "_" v
        }
    print "Busy = (write, T).Busy + (rewrite, T).Busy + (idle, idle).Idle;"
    print "Idle = (busy, busy).Busy;"
    print "(Block3[" n "] <write" erases "> Open4_3) <write, rewrite> Busy"
}
