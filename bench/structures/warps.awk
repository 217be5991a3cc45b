# Warps of a graphics processor, in blocks that meet at barriers:  awk -f warps.awk WARPS MISSES
#
# Two blocks of a kernel that mostly computes and one of a kernel that mostly loads share a
# multiprocessor.  A block has WARPS warps, which compute, wait for memory, or wait at the barrier
# until all of the block are there.  One scheduler issues; at most MISSES loads are under way; the
# memory stops for refresh.
# Source: S. Hong, H. Kim, "An analytical model for a GPU architecture with memory-level and
# thread-level parallelism awareness", International Symposium on Computer Architecture (2009);
# E. Lindholm, J. Nickolls, S. Oberman, J. Montrym, "NVIDIA Tesla: a unified graphics and computing
# architecture", IEEE Micro 28 (2008).
# States: b (b + 1) / 2 b 2, b = C(WARPS + 3, 3), less those with more loads than MISSES: 42042 for
# 4 6, 575680 for 6 9.
# Easy: two decades of rates, though barriers hold up whole blocks.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f warps.awk WARPS MISSES" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    misses = ARGV[2] + 0
    print "// Per cycle."
    print "issue = 1; done = 0.06; fill = 0.005; wide = 0.05; refresh = 1e-4; resume = 3e-3;"
    warp("A", 0.85, 0.1)
    warp("B", 0.45, 0.5)
    print "Scheduler = (issueA, issue).Scheduler + (issueB, issue).Scheduler" \
        " + (loadA, issue).Scheduler + (loadB, issue).Scheduler;"
    print "Register = (loadA, T).Miss + (loadB, T).Miss;"
    print "Miss = (fillA, T).Register + (fillB, T).Register;"
    print "Memory = (fillA, wide).Memory + (fillB, wide).Memory + (refresh, refresh).Refreshes;"
    print "Refreshes = (resume, resume).Memory;"
    print "((ReadyA[" n "]{syncA})[2] || ReadyB[" n "]{syncB})"
    print "    <issueA, issueB, loadA, loadB, fillA, fillB>"
    print "(Scheduler <loadA, loadB> Register[" misses "] <fillA, fillB> Memory)"
}

function warp(k, computes, loads)
{
    print "Ready" k " = (issue" k ", " computes " * issue).Computes" k " + (load" k ", " loads \
        " * issue).Loads" k " + (arrive" k ", " 1 - computes - loads " * issue).Barrier" k ";"
    print "Computes" k " = (done" k ", done).Ready" k ";"
    print "Loads" k " = (fill" k ", fill).Ready" k ";"
    print "Barrier" k " = (sync" k ", 0.2).Ready" k ";"
}
