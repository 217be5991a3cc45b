# Beds of a hospital over the day:  awk -f wards.awk EMERGENCY INTENSIVE WARD
#
# Patients come to the emergency room (EMERGENCY places), more by day than by night.  They go home,
# to intensive care or to the ward; from intensive care to the ward; from the ward home, by day
# only.  A patient whose next place has no bed stays and blocks the one he has.
# Source: N. Koizumi, E. Kuno, T. E. Smith, "Modeling patient flows using a queuing network with
# blocking", Health Care Management Science 8 (2005); A. M. de Bruin and others, "Modeling the
# emergency cardiac in-patient flow", Health Care Management Science 10 (2007).
# States: 12 (EMERGENCY + 1) (INTENSIVE + 1) (WARD + 1): 48384 for 11 11 27, 516672 for 25 17 91.
# Hard: the day is a ring of twelve stages of two hours, so rates change with time; the emergency
# room follows within hours and the ward within weeks.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f wards.awk EMERGENCY INTENSIVE WARD" > "/dev/stderr"
        exit 2
    }
    emergency = ARGV[1] + 0
    intensive = ARGV[2] + 0
    ward = ARGV[3] + 0
    print "// Per hour."
    print "come = " 0.1 * emergency "; night = 0.3 * come;"
    print "home = 0.12; ill = 0.01; admit = 0.06; better = 0.01; leave = 0.03;"
    for (h = 1; h <= 12; h++)
        print "Hour" h " = (clock, 0.5).Hour" h % 12 + 1 " + (come, " (h <= 7 ? "come).Hour" h \
            " + (leave, T).Hour" h : "night).Hour" h) ";"
    for (k = 0; k <= emergency; k++) {
        text = k < emergency ? " + (come, T).Room" k + 1 : ""
        if (k > 0)
            text = text " + (home, " k " * home).Room" k - 1 " + (ill, " k " * ill).Room" k - 1 \
                " + (admit, " k " * admit).Room" k - 1
        print "Room" k " = " substr(text, 4) ";"
    }
    for (k = 0; k <= intensive; k++)
        print "Care" k " = " (k < intensive ? "(ill, T).Care" k + 1 : "") \
            (k > 0 && k < intensive ? " + " : "") \
            (k > 0 ? "(better, " k " * better).Care" k - 1 : "") ";"
    for (k = 0; k <= ward; k++)
        print "Ward" k " = " (k < ward ? "(admit, T).Ward" k + 1 " + (better, T).Ward" k + 1 : "") \
            (k > 0 && k < ward ? " + " : "") (k > 0 ? "(leave, " k " * leave).Ward" k - 1 : "") ";"
    print "Hour1 <come, leave> (Room0 <ill, admit> (Care0 <better> Ward0))"
}
