# A store that writes sorted files and merges them level by level:
#   awk -f compaction.awk MEMORY FILES RUNS
#
# Writes fill a table in memory of MEMORY units, which is written out as a file of level 0 while the
# next one fills.  Three files of level 0 (room FILES) are merged to a run of level 1 (room RUNS),
# two runs of a level to one of the next, and those of level 2 are merged into the bottom.  Two
# threads merge, one on a level at a time.  Writes are slowed down when level 0 is three quarters
# full and stop when nothing can be written out.
# Source: P. O'Neil, E. Cheng, D. Gawlick, E. O'Neil, "The log-structured merge-tree (LSM-tree)",
# Acta Informatica 33 (1996).
# States: 28 (MEMORY + 1) (FILES + 1) (RUNS + 1)^2 and somewhat fewer: 23856 for 3 6 5,
# 239624 for 6 10 10.
# Hard: batches go down a chain in which each level is slower than the one before and holds it up;
# near-critical, and above that in bursts.
BEGIN {
    if (ARGC != 4 || ARGV[2] < 4 || ARGV[3] < 3) {
        print "usage: awk -f compaction.awk MEMORY FILES (from 4) RUNS (from 3)" > "/dev/stderr"
        exit 2
    }
    memory = ARGV[1] + 0
    files = ARGV[2] + 0
    runs = ARGV[3] + 0
    for (k = int(0.75 * files); k <= files; k++)
        full = full " + Files" k
    slow = " / (1 + 4 * (" substr(full, 4) "))"
    print "calm = 2.2 * " memory "; burst = 6 * " memory "; rise = 0.02; fall = 0.1; swap = 100;"
    print "flush = 12; begin = 50; merge0 = 2.5; merge1 = 0.8; merge2 = 0.3;"
    print "Calm = (write, calm" slow ").Calm + (rise, rise).Burst;"
    print "Burst = (write, burst" slow ").Burst + (fall, fall).Calm;"
    for (k = 0; k <= memory; k++)
        print "Table" k " = " (k < memory ? "(write, T).Table" k + 1 : "(swap, swap).Table0") ";"
    print "Ready = (swap, T).Full;\nFull = (flush, flush).Ready;"
    for (k = 0; k <= files; k++)
        print "Files" k " = " (k < files ? "(flush, T).Files" k + 1 : "") \
            (k > 2 && k < files ? " + " : "") (k > 2 ? "(begin0, T).Files" k - 3 : "") ";"
    for (l = 1; l <= 2; l++)
        for (k = 0; k <= runs; k++)
            print "Runs" l "_" k " = " substr((k < runs ? " + (begin" l - 1 ", T).Runs" l "_" k \
                " + (merge" l - 1 ", T).Runs" l "_" k + 1 : "") \
                (k > 1 ? " + (begin" l ", T).Runs" l "_" k - 2 : ""), 4) ";"
    for (l = 0; l <= 2; l++) {
        print "Rest" l " = (begin" l ", begin).Merge" l ";"
        print "Merge" l " = (merge" l ", merge" l ").Rest" l ";"
    }
    print "Thread = (begin0, T).Busy + (begin1, T).Busy + (begin2, T).Busy;"
    print "Busy = (merge0, T).Thread + (merge1, T).Thread + (merge2, T).Thread;"
    print "Merges = (Rest0 || Rest1 || Rest2) <*> Thread[2];"
    print "Levels = Files0 <begin0> (Runs1_0 <begin1> Runs2_0);"
    print "((Calm <write> Table0) <swap> Ready) <flush>"
    print "(Levels <begin0, begin1, begin2, merge0, merge1> Merges)"
}
