# Map and reduce tasks of a job on the slots of a cluster:  awk -f mapreduce.awk MAPS REDUCES SLOTS
#
# MAPS map tasks take slots, run, and are done; some straggle, and then a second copy of them may
# take another slot, and both stop when one of them ends.  Only when all maps are done do REDUCES
# reduce tasks take slots, fetch, and reduce.  Output of a map on a machine that dies is lost while
# it is still to be fetched, and that map runs again.  When all is done the next job begins.
# Source: J. Dean, S. Ghemawat, "MapReduce: simplified data processing on large clusters", OSDI
# 2004; M. Zaharia, A. Konwinski, A. D. Joseph, R. Katz, I. Stoica, "Improving MapReduce performance
# in heterogeneous environments", OSDI 2008.
# States: 33624 for 14 5 9, 224202 for 20 6 14.
# Hard: barriers: all tasks wait for the last one, and all copies begin anew together; losses are
# four decades slower than the start of tasks.
BEGIN {
    if (ARGC != 4 || ARGV[1] < 1 || ARGV[2] < 1 || ARGV[3] <= ARGV[2]) {
        print "usage: awk -f mapreduce.awk MAPS REDUCES SLOTS (more than REDUCES)" > "/dev/stderr"
        exit 2
    }
    maps = ARGV[1] + 0
    slots = ARGV[3] + 0
    print "// Per minute."
    print "start = 20; map = 1; straggle = 0.08; crawl = 0.1; copy = 2; lose = 0.002;"
    print "fetch = 0.6; reduce = 0.4; submit = 0.5;"
    print "alone = max(0, Mapped - " maps - 1 ");"
    print "Pending = (startMap, T).Running;"
    print "Running = (endMap, map).Mapped + (straggle, straggle).Straggling;"
    print "Straggling = (endMap, crawl).Mapped + (startCopy, T).Copied;"
    print "Copied = (endCopy, map + crawl).Mapped;"
    print "Mapped = (lose, lose * min(1, Waiting + Fetching)).Pending + (job, T).Pending;"
    print "Waiting = (startReduce, T).Fetching;"
    print "Fetching = (fetch, fetch * alone).Reducing;"
    print "Reducing = (endReduce, reduce).Reduced;"
    print "Reduced = (job, T).Waiting;"
    for (k = 0; k <= slots; k++) {
        text = ""
        if (k > 0)
            text = " + (startMap, start).Slots" k - 1 " + (startReduce, start * alone).Slots" \
                k - 1 " + (startCopy, copy).Slots" k - 1
        if (k < slots)
            text = text " + (endMap, T).Slots" k + 1 " + (endReduce, T).Slots" k + 1
        if (k < slots - 1)
            text = text " + (endCopy, T).Slots" k + 2
        print "Slots" k " = " substr(text, 4) ";"
    }
    print "Submitter = (job, submit).Submitter;"
    print "((Pending[" maps "]{job} <job> Waiting[" ARGV[2] "]{job})" \
        " <startMap, startCopy, startReduce, endMap, endCopy, endReduce> Slots" slots \
        ") <job> Submitter"
}
