# An emergency department whose patients see the doctor again after tests:
# awk -f casualty.awk CUBICLES WAITING BEDS
#
# At most WAITING people wait, and some leave unseen.  A cubicle is free, its patient waits for a
# doctor, is with one, is away for tests, or waits for one of BEDS beds upstairs.  After a doctor
# come tests, or home, or a bed.  There are CUBICLES cubicles and a doctor for every three.
# Source: G. B. Yom-Tov, A. Mandelbaum, "Erlang-R: a time-varying queue with reentrant customers, in
# support of healthcare staffing", Manufacturing and Service Operations Management 16 (2014); L. V.
# Green, J. Soares, J. F. Giglio, R. A. Green, "Using queueing theory to increase the effectiveness
# of emergency department provider staffing", Academic Emergency Medicine 13 (2006).
# States: (WAITING + 1) (BEDS + 1) times those of the cubicles with at most a third seen by a
# doctor: 18900 for 6 11 8, 447000 for 12 19 14 (counted).
# Easy: an ordinary open model, a little overloaded; minutes below, most of a day
# upstairs, where beds are short.
BEGIN {
    if (ARGC != 4 || ARGV[1] < 3) {
        print "usage: awk -f casualty.awk CUBICLES (from 3) WAITING BEDS" > "/dev/stderr"
        exit 2
    }
    cubicles = ARGV[1] + 0
    waiting = ARGV[2] + 0
    beds = ARGV[3] + 0
    doctors = int(cubicles / 3)
    print "// Per hour."
    print "come = " 1.25 * doctors "; leave = 0.15; lead = 12; call = 10; see = 4;"
    print "result = " 1.5 * doctors "; move = 3; heal = " 0.25 * doctors / beds ";"
    for (k = 0; k <= waiting; k++)
        print "Waiting" k " = " substr((k < waiting ? " + (come, come).Waiting" k + 1 : "") \
            (k > 0 ? " + (lead, lead).Waiting" k - 1 " + (leave, " k " * leave).Waiting" k - 1 : \
            ""), 4) ";"
    print "Free = (lead, T).Asks;"
    print "Asks = (call, T).Seen;"
    print "Seen = (order, 0.45 * see).Tests + (home, 0.4 * see).Free + (admit, 0.15 * see).Boards;"
    print "Tests = (result, T).Asks;"
    print "Boards = (move, T).Free;"
    print "Doctor = (call, call).Busy;"
    print "Busy = (order, T).Doctor + (home, T).Doctor + (admit, T).Doctor;"
    print "Lab = (result, result).Lab;"
    for (k = 0; k <= beds; k++)
        print "Beds" k " = " (k < beds ? "(heal, " beds - k " * heal).Beds" k + 1 : "") \
            (k > 0 && k < beds ? " + " : "") (k > 0 ? "(move, move).Beds" k - 1 : "") ";"
    print "Waiting0 <lead> (Free[" cubicles "] <call, order, home, admit> Doctor[" doctors "])"
    print "    <result> Lab <move> Beds" beds
}
