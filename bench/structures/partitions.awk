# Users of a computer whose jobs wait for a partition of memory:
#   awk -f partitions.awk USERS PARTITIONS
#
# A user thinks, and asks for a job, which is loaded when one of PARTITIONS partitions is free.  It
# goes between the processor and a drum or one of two discs, and gives the partition back when it
# has finished.
# Source: J. P. Buzen, "Computational algorithms for closed queueing networks with exponential
# servers", Communications of the ACM 16 (1973); E. D. Lazowska, J. Zahorjan, G. S. Graham,
# K. C. Sevcik, "Quantitative System Performance" (1984).
# States: the sum over j from 0 to PARTITIONS of C(j + 3, 3) (USERS - j + 1): 33033 for 40 10,
# 855855 for 60 24.
# Easy: one population and its servers, of product form but for the memory; twenty seconds to
# milliseconds.
BEGIN {
    if (ARGC != 3 || ARGV[2] > ARGV[1]) {
        print "usage: awk -f partitions.awk USERS PARTITIONS (not more)" > "/dev/stderr"
        exit 2
    }
    users = ARGV[1] + 0
    places = ARGV[2] + 0
    print "think = 0.05; load = 5;"
    print "slice = 60; drum = 45; disc1 = 22; disc2 = 16;"
    print "Thinks = (submit, think).Asks;"
    print "Asks = (load, T).Computes;"
    print "Computes = (page, T).AtDrum + (read1, T).AtDisc1 + (read2, T).AtDisc2"
    print "    + (finish, T).Thinks;"
    print "AtDrum = (paged, T).Computes;"
    print "AtDisc1 = (done1, T).Computes;\nAtDisc2 = (done2, T).Computes;"
    print "Processor = (page, 0.5 * slice).Processor + (read1, 0.28 * slice).Processor"
    print "    + (read2, 0.2 * slice).Processor + (finish, 0.02 * slice).Processor;"
    print "Drum = (paged, drum).Drum;"
    print "Disc1 = (done1, disc1).Disc1;\nDisc2 = (done2, disc2).Disc2;"
    print "Loader = (load, load).Loader;"
    for (k = 0; k <= places; k++)
        print "Used" k " = " (k < places ? "(load, T).Used" k + 1 : "") \
            (k > 0 && k < places ? " + " : "") (k > 0 ? "(finish, T).Used" k - 1 : "") ";"
    print "(Thinks[" users "] <page, read1, read2, finish, paged, done1, done2>"
    print "    (Processor || Drum || Disc1 || Disc2)) <load, finish> (Loader <load> Used0)"
}
