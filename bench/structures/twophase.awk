# A coordinator and its participants commit in two phases, and crash:
#   awk -f twophase.awk PARTICIPANTS
#
# The coordinator asks for votes.  A participant votes when it is not busy with a transaction of its
# own.  If all say yes the coordinator tells each to commit; after a no, a timeout or a crash before
# the decision it tells those that said yes to abort.  A participant that said yes is blocked until
# it is told, also over a crash of its own (it finds its vote in its log).
# Source: J. Gray, "Notes on data base operating systems" (1978); C. Mohan, B. Lindsay,
# R. Obermarck, "Transaction management in the R* distributed database management system", ACM
# Transactions on Database Systems 11 (1986).
# States: 15043 for 5, 385867 for 7; at most 6 5^N for N participants.
# Hard: a vote takes a millisecond, a local transaction ten, a timeout a second, a recovery minutes,
# and crashes are weeks apart; no two participants alike.
BEGIN {
    if (ARGC != 2) {
        print "usage: awk -f twophase.awk PARTICIPANTS" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "// Per second."
    print "start = 5; vote = 800; tell = 1000; timeout = 1; local = 20; finish = 100;"
    print "crash = 1e-6; recover = 0.01; fail = 4e-7; reboot = 0.003;"
    for (i = 1; i <= n; i++) {
        no = 0.002 * i
        print "Free" i " = (yes" i ", vote * " 1 - no ").Ready" i " + (no, vote * " no ").Free" i \
            "\n    + (local" i ", local * " 0.5 + 0.3 * (i % 4) ").Busy" i " + (crash" i ", " i \
            " * crash).Down" i ";"
        print "Busy" i " = (finish" i ", finish).Free" i " + (crash" i ", " i " * crash).Down" i ";"
        print "Down" i " = (recover" i ", recover).Free" i ";"
        print "Ready" i " = (commit" i ", T).Free" i " + (abort" i ", T).Free" i \
            " + (crash" i ", " i " * crash).Blocked" i ";"
        print "Blocked" i " = (recover" i ", recover).Ready" i ";"
        participants = participants (i > 1 ? " || " : "") "Free" i
    }
    print "Rest = (start, start).Ask0 + (fail, fail).Stopped0;"
    for (k = 0; k < n; k++)
        print "Ask" k " = " each("yes", "T", k < n - 1 ? "Ask" k + 1 : "Commit" n) \
            "\n    + (no, T)." done("Abort", k) " + (timeout, timeout)." done("Abort", k) \
            " + (fail, fail).Stopped" k ";"
    for (k = 1; k <= n; k++) {
        print "Commit" k " = " each("commit", "tell", done("Commit", k - 1)) \
            "\n    + (fail, fail).Decided" k ";"
        print "Decided" k " = (reboot, reboot).Commit" k ";"
    }
    for (k = 1; k < n; k++)
        print "Abort" k " = " each("abort", "tell", done("Abort", k - 1)) \
            "\n    + (fail, fail).Stopped" k ";"
    for (k = 0; k < n; k++)
        print "Stopped" k " = (reboot, reboot)." done("Abort", k) ";"
    print "(" participants ") <*> Rest"
}

function each(action, rate, next_state,    i, text)
{
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? " + " : "") "(" action i ", " rate ")." next_state
    return text
}

# When none is left to tell, the coordinator rests.
function done(name, k)
{
    return k ? name k : "Rest"
}
