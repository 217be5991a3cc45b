# An out-patient clinic with appointments and an X-ray room:  awk -f clinic.awk SLOTS STAGES ROOM
#
# A session has SLOTS appointments, STAGES stages of time apart; one in seven stays away.  The
# consultant and a junior see new patients; both send some to the X-ray room, from where they come
# back to the consultant, who takes them first.  ROOM patients of each kind can wait.  Between the
# sessions all who are left are seen.
# Source: N. T. J. Bailey, "A study of queues and appointment systems in hospital out-patient
# departments, with special reference to waiting-times", Journal of the Royal Statistical Society B
# 14 (1952); T. Cayirli, E. Veral, "Outpatient scheduling in health care: a review of literature",
# Production and Operations Management 12 (2003).
# States: 6 (SLOTS STAGES + 1) (ROOM + 1)^3: 27750 for 12 3 4, 486000 for 16 5 9.
# Whoever finds the room full is sent home (self-loops, meant so).
# Easy: empty every night; but the sessions come round for ever.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f clinic.awk SLOTS STAGES ROOM" > "/dev/stderr"
        exit 2
    }
    slots = ARGV[1] + 0
    stages = ARGV[2] + 0
    room = ARGV[3] + 0
    print "// Per hour; slots of ten minutes."
    print "slot = " 6 * stages "; night = 0.05; call = 40; consult = 5; junior = 3; picture = 3;"
    print "review = 8; absent = 0.14;"
    last = slots * stages
    for (k = 1; k <= last; k++)
        if (k % stages)
            print "Session" k " = (tick, slot).Session" k + 1 ";"
        else
            print "Session" k " = (comes, (1 - absent) * slot).Session" k + 1 \
                " + (absent, absent * slot).Session" k + 1 ";"
    print "Session" last + 1 " = (night, night).Session1;"
    for (k = 0; k <= room; k++) {
        print "New" k " = (comes, T).New" (k < room ? k + 1 : k) \
            (k > 0 ? " + (first, T).New" k - 1 " + (help, T).New" k - 1 : "") ";"
        print "Xray" k " = (send, T).Xray" (k < room ? k + 1 : k) " + (sent, T).Xray" \
            (k < room ? k + 1 : k) (k > 0 ? " + (picture, picture).Xray" k - 1 : "") ";"
        print "Back" k " = (picture, T).Back" (k < room ? k + 1 : k) \
            (k > 0 ? " + (again, T).Back" k - 1 : "") ";"
    }
    print "Consultant = (again, call).Reviews + (first, call * Back0).Sees;"
    print "Sees = (send, 0.3 * consult).Consultant + (done, 0.7 * consult).Consultant;"
    print "Reviews = (reviewed, review).Consultant;"
    print "Junior = (help, call).Helps;"
    print "Helps = (sent, 0.4 * junior).Junior + (helped, 0.6 * junior).Junior;"
    print "((Session1 <comes> New0) <first, help> (Consultant || Junior))"
    print "    <send, sent, again> (Xray0 <picture> Back0)"
}
