# Transactions whose log records are written out together (group commit):
#   awk -f groupcommit.awk URGENT LAZY BATCH
#
# Transactions that commit leave a record in the log buffer: urgent ones, for which a user waits
# (room URGENT), and lazy ones (room LAZY); they are turned away when there is no room.  The disc
# writes up to BATCH records at a time, urgent ones first; it seeks before each write, and is slower
# while a checkpoint is taken.
# Source: D. J. DeWitt, R. H. Katz, F. Olken, L. D. Shapiro, M. R. Stonebraker, D. Wood,
# "Implementation techniques for main memory database systems", SIGMOD 1984; N. T. J. Bailey, "On
# queueing processes with bulk service", Journal of the Royal Statistical Society B 16 (1954).
# States: 4 (URGENT + 1) (LAZY + 1): 23668 for 60 96 12, 362404 for 300 300 20.
# Easy: two queues and one server; the load is 0.85, but above two while a checkpoint lasts, when
# both queues fill up.
BEGIN {
    if (ARGC != 4 || ARGV[1] < ARGV[3] || ARGV[3] < 1) {
        print "usage: awk -f groupcommit.awk URGENT LAZY BATCH (at most URGENT)" > "/dev/stderr"
        exit 2
    }
    urgent = ARGV[1] + 0
    lazy = ARGV[2] + 0
    batch = ARGV[3] + 0
    print "// Per second."
    print "seek = 400; write = 600; slow = 3; checkpoint = 0.02; end = 0.2;"
    print "urgent = " 0.35 * 240 * batch "; lazy = " 0.5 * 240 * batch ";"
    for (k = 0; k <= urgent; k++) {
        j = k < batch ? k : batch
        print "Urgent" k " = (write" j ", T).Urgent" k - j \
            (k < urgent ? " + (urgent, urgent).Urgent" k + 1 : "") ";"
    }
    for (k = 0; k <= lazy; k++) {
        text = k < lazy ? " + (lazy, lazy).Lazy" k + 1 : ""
        for (j = 0; j <= batch; j++)
            text = text " + (write" j ", T).Lazy" (k > batch - j ? k - (batch - j) : 0)
        print "Lazy" k " = " substr(text, 4) ";"
    }
    for (j = 0; j <= batch; j++) {
        writes = writes " + (write" j ", write).Seeks"
        slow = slow " + (write" j ", write / slow).SlowSeeks"
        actions = actions (j > 0 ? ", " : "") "write" j
    }
    print "Seeks = (seek, seek).Writes + (checkpoint, checkpoint).SlowSeeks;"
    print "Writes = " substr(writes, 4) ";"
    print "SlowSeeks = (seek, seek / slow).SlowWrites + (end, end).Seeks;"
    print "SlowWrites = " substr(slow, 4) ";"
    print "(Urgent0 <" actions "> Lazy0) <" actions "> Seeks"
}
