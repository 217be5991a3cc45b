# Groups of discs with parity, rebuilt from a pool of spares:  awk -f raid.awk GROUPS SPARES
#
# A group of eight discs survives one failure.  It takes a spare, if there is one, and is rebuilt in
# three stages.  A second failure or an unreadable sector meanwhile loses its data, and it is
# restored from tape.  Used spares are ordered again, in a batch.
# Source: P. M. Chen, E. K. Lee, G. A. Gibson, R. H. Katz, D. A. Patterson, "RAID: high-performance,
# reliable secondary storage", ACM Computing Surveys 26 (1994).
# States: (SPARES + 1) C(GROUPS + 5, 5): 43316 for 12 6, 478170 for 20 8.
# Hard: a disc fails once in 50 years, a rebuild takes hours and a spare days: nearly all of the
# probability is in a few states.  A population of six local states.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f raid.awk GROUPS SPARES" > "/dev/stderr"
        exit 2
    }
    spares = ARGV[2] + 0
    print "// Per hour."
    print "fail = 2e-6; rebuild = 0.25; sector = 1e-4; swap = 2; restore = 0.02; deliver = 0.01;"
    print "Good = (fail, 8 * fail).Degraded;"
    print "Degraded = (swap, swap).Rebuild1 + (loss, 7 * fail).Lost;"
    for (s = 1; s <= 3; s++)
        print "Rebuild" s " = (rebuild, rebuild)." (s < 3 ? "Rebuild" s + 1 : "Good") \
            " + (loss, 7 * fail + sector).Lost;"
    print "Lost = (restore, restore).Good;"
    for (k = 0; k <= spares; k++)
        print "Spares" k " = " (k > 0 ? "(swap, T).Spares" k - 1 : "") \
            (k > 0 && k < spares ? " + " : "") (k < spares ? "(deliver, deliver).Spares" spares : \
            "") ";"
    print "Good[" ARGV[1] "] <swap> Spares" spares
}
