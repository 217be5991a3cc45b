# An outbreak in a village that ends for ever:  awk -f outbreak.awk PEOPLE DOSES
#
# Two travellers bring a disease to PEOPLE who are all well.  Who catches it carries it for days, is
# then ill, and is immune in the end.  The office closes the school while many are ill, which halves
# the contacts.  There are DOSES doses of vaccine for those who are well, given one by one.
# Source: W. O. Kermack, A. G. McKendrick, "A contribution to the mathematical theory of epidemics",
# Proceedings of the Royal Society A 115 (1927); N. T. J. Bailey, "The total size of a general
# stochastic epidemic", Biometrika 40 (1953).
# States: fewer than 6 (DOSES + 1) C(PEOPLE + 3, 3): 25755 for 20 4, 470577 for 45 8.
# Easy or hard: nothing that has passed comes back, but for the school.  One bottom component for
# each number of those who stay well, and a few more (warnings, meant so); each is a report that
# nothing is new (self-loops).
BEGIN {
    if (ARGC != 3 || ARGV[1] < 3) {
        print "usage: awk -f outbreak.awk PEOPLE (from 3) DOSES" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    doses = ARGV[2] + 0
    print "// Per day."
    print "contact = 0.45; onset = 0.3; recover = 0.2; jab = 0.15; travel = 0.1; report = 1;"
    print "shut = 0.5; reopen = 0.07;"
    print "Well = (catch, contact * (1 - 0.5 * Closed) * Ill / " n ").Carrying + (jab, T).Immune"
    print "    + (travel, T).Carrying;"
    print "Carrying = (onset, onset).Ill;\nIll = (recover, recover).Immune;"
    # Nothing happens any more to those who are immune, but that they are counted.
    print "Immune = (count, 0.01).Immune;"
    print "Open = (shut, shut * max(0, Ill - " n " / 10) / " n ").Closed + (report, report).Open;"
    print "Closed = (reopen, reopen).Open;"
    for (k = 0; k <= doses; k++)
        print "Doses" k " = " (k > 0 ? "(jab, jab).Doses" k - 1 : "(report, report).Doses0") ";"
    for (k = 0; k <= 2; k++)
        print "Away" k " = " (k > 0 ? "(travel, travel).Away" k - 1 : "(report, report).Away0") ";"
    print "(Well[" n "] || Open) <jab, travel> (Doses" doses " || Away2)"
}
