# Jobs that fork into tasks, join and are checked:  awk -f forkjoin.awk BRANCHES ROOM
#
# A job forks into one task for each of BRANCHES stations, each with its own queue, and joins when
# all its tasks are done, first come first served.  One job in twenty does not pass the check and
# forks once more.  A job that finds ROOM jobs in the system is lost.
# Source: L. Flatto, S. Hahn, "Two parallel queues created by arrivals with two demands", SIAM
# Journal on Applied Mathematics 44 (1984); R. Nelson, A. N. Tantawi, "Approximate analysis of
# fork/join synchronization in parallel queues", IEEE Transactions on Computers 37 (1988).
# States: the sum of (k + 1)^BRANCHES for k from 0 to ROOM: 53361 for 3 20, 917147 for 4 20.
# Hard: all stations gain and lose jobs together, and are nearly balanced at load 0.97; each
# count of jobs has its own cube of states.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f forkjoin.awk BRANCHES ROOM" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    room = ARGV[2] + 0
    print "come = 0.95 * 0.97; pass = 19; redo = 1;"
    print "Source = (come, come).Source;\nCheck = (leave, pass).Check + (redo, redo).Check;"
    for (k = 0; k <= room; k++)
        print "Jobs" k " = " (k < room ? "(come, T).Jobs" k + 1 : "") \
            (k > 0 && k < room ? " + " : "") (k > 0 ? "(leave, T).Jobs" k - 1 : "") ";"
    for (i = 1; i <= n; i++) {
        print "task" i " = " 1 + 0.04 * (i - 1) ";"
        w = "Wait" i "_"
        d = "Done" i "_"
        for (k = 0; k <= room; k++) {
            # The second station has two servers of half the speed.
            speed = "task" i (i == 2 && k == 1 ? " / 2" : "")
            print w k " = " (k < room ? "(come, T)." w k + 1 " + (redo, T)." w k + 1 : "") \
                (k > 0 && k < room ? " + " : "") \
                (k > 0 ? "(task" i ", " speed ")." w k - 1 : "") ";"
            print d k " = " (k < room ? "(task" i ", T)." d k + 1 : "") \
                (k > 0 && k < room ? " + " : "") \
                (k > 0 ? "(leave, T)." d k - 1 " + (redo, T)." d k - 1 : "") ";"
        }
        branches = branches (i > 1 ? " <come, leave, redo> " : "") \
            "(" w 0 " <task" i ", redo> " d 0 ")"
    }
    print "(" branches ")\n<come, leave, redo> ((Source <come> Jobs0) <leave> Check)"
}
