# A server on vacation until enough jobs wait, with two priorities:  awk -f vacation.awk HIGH LOW
#
# Urgent jobs (room HIGH) and ordinary ones (room LOW) come to one server; it begins an ordinary
# one only while no urgent one waits, and does not interrupt it.  When none is left it takes a
# vacation (Erlang-3).  It comes back to work if an urgent job or five ordinary ones wait, after
# a setup (Erlang-2), and takes another vacation otherwise.
# Source: M. Yadin, P. Naor, "Queueing systems with a removable service station", Operational
# Research Quarterly 14 (1963); H. Takagi, "Queueing Analysis", volume 1: "Vacation and Priority
# Systems" (1991).
# States: 10 (HIGH + 1) (LOW + 1) - 10: 11100 for 10 100, 492400 for 40 1200.
# Hard: the load is 0.99, so the ordinary queue wanders over its length, while choosing the next
# job takes a hundredth of its service.
BEGIN {
    if (ARGC != 3 || ARGV[2] < 5) {
        print "usage: awk -f vacation.awk HIGH LOW (from 5)" > "/dev/stderr"
        exit 2
    }
    high = ARGV[1] + 0
    low = ARGV[2] + 0
    print "urgent = 0.6; ordinary = 0.68; pick = 100;"
    print "treat = 2; serve = 3; rest = 0.1; setup = 0.5;"
    for (k = 0; k <= high; k++)
        print "High" k " = " (k < high ? "(urgent, urgent).High" k + 1 : "") \
            (k > 0 && k < high ? " + " : "") (k > 0 ? "(takeHigh, T).High" k - 1 \
            " + (called, T).High" k : " + (takeLow, T).High0 + (leave, T).High0" \
            " + (enough, T).High0 + (again, T).High0") ";"
    for (k = 0; k <= low; k++)
        print "Low" k " = " (k < low ? "(ordinary, ordinary).Low" k + 1 " + " : "") \
            (k >= 5 ? "(enough, T).Low" k : "(again, T).Low" k) \
            (k > 0 ? " + (takeLow, T).Low" k - 1 : " + (leave, T).Low0") ";"
    print "Choose = (takeHigh, pick).Treat + (takeLow, pick).Serve1 + (leave, pick).Away1;"
    print "Treat = (treat, treat).Choose;"
    print "Serve1 = (serve, serve).Serve2;\nServe2 = (serve, serve).Serve3;"
    print "Serve3 = (serve, serve).Choose;"
    print "Away1 = (rest, rest).Away2;\nAway2 = (rest, rest).Away3;"
    print "Away3 = (called, rest).Setup1 + (enough, rest).Setup1 + (again, rest).Away1;"
    print "Setup1 = (setup, setup).Setup2;\nSetup2 = (setup, setup).Choose;"
    print "(High0 <takeLow, leave, enough, again> Low0)"
    print "<takeHigh, takeLow, leave, called, enough, again> Away1"
}
