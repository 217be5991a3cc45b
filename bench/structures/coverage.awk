# A computer with warm spares and imperfect coverage:  awk -f coverage.awk PROCESSORS MEMORIES LINKS
#
# A quarter of the units of each kind are spares, which fail ten times as seldom and unnoticed.  A
# failure of an active unit is covered nearly always: the computer reconfigures for seconds and
# switches a spare in.  An uncovered failure, or one more while it reconfigures, reboots it for
# minutes.  One repairer mends the units of all kinds, which come back as spares.
# Source: W. G. Bouricius, W. C. Carter, P. R. Schneider, "Reliability modeling techniques for
# self-repairing computer systems", ACM National Conference 1969; J. B. Dugan, K. S. Trivedi,
# "Coverage modeling for dependability analysis of fault-tolerant systems", IEEE Transactions on
# Computers 38 (1989).
# States: 3 times the product over the kinds of C(n + 2, 2) - C(s + 1, 2), s = int(n / 4) spares of
# the n units, less 2 times that of s + 1: 74052 for 8 8 4, 910254 for 12 12 8.
# Hard: reconfiguring takes seconds, repair a day, and failures are months apart; nearly all
# probability is where all units work.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f coverage.awk PROCESSORS MEMORIES LINKS" > "/dev/stderr"
        exit 2
    }
    print "// Per hour."
    print "covered = 0.98; reconfigure = 600; reboot = 6; switch = 1200; repair = 0.05;"
    kind("Cpu", ARGV[1], 2e-4)
    kind("Memory", ARGV[2], 5e-5)
    kind("Link", ARGV[3], 1e-5)
    print "Up = (fail, T).Detected + (miss, T).Rebooting" up ";"
    print "Detected = (fail, T).Rebooting + (miss, T).Rebooting + (reconfigure, reconfigure).Up;"
    print "Rebooting = (fail, T).Rebooting + (miss, T).Rebooting + (reboot, reboot).Up;"
    print "Repairer = (repair, repair).Repairer;"
    print "(" substr(units, 5) ") <fail, miss" actions ", repair> (Up || Repairer)"
}

# A kind of which n - int(n / 4) units are needed; all are spare at first and then switched in.
function kind(name, n, rate,    need)
{
    need = n - int(n / 4)
    print "fail" name " = " rate ";"
    print name "Active = (fail, covered * fail" name ")." name "Failed" \
        " + (miss, (1 - covered) * fail" name ")." name "Failed;"
    print name "Spare = (latent, 0.1 * fail" name ")." name "Failed + (switch" name ", T)." \
        name "Active;"
    print name "Failed = (repair, repair)." name "Spare;"
    up = up "\n    + (switch" name ", switch * min(1, max(0, " need " - " name "Active))).Up"
    units = units " || " name "Spare[" n "]"
    actions = actions ", switch" name
}
