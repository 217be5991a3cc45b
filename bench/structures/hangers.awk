# A bridge on hangers that rust, until it falls or is replaced:  awk -f hangers.awk HANGERS STAGES
#
# Each hanger is sound, rusty or broken.  One whose neighbour is broken carries more and breaks the
# sooner.  Two broken side by side may bring down the deck.  One gang replaces broken hangers.
# After STAGES stages of its planned life the bridge is replaced.
# Source: H. E. Daniels, "The statistical theory of the strength of bundles of threads", Proceedings
# of the Royal Society A 183 (1945); D. G. Harlow, S. L. Phoenix, "The chain-of-bundles probability
# model for the strength of fibrous materials", Journal of Composite Materials 12 (1978).
# States: STAGES 3^HANGERS + 4, of which the last four come in two pairs that are never left: 32809
# for 8 5, 472396 for 10 8.
# Hard: all but four states are left for ever, slowly; the end is known only by its chances.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f hangers.awk HANGERS STAGES" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    stages = ARGV[2] + 0
    print "// Per year; 60 years are planned."
    print "age = " stages / 60 "; rust = 0.04; break = 0.01; share = 9; gang = 2; fall = 0.8;"
    for (k = 1; k <= stages; k++)
        open = open (k > 1 ? " + " : "") "Life" k
    for (i = 1; i <= n; i++) {
        beside = "1 + share * (" (i > 1 ? "Broken" i - 1 : "") (i > 1 && i < n ? " + " : "") \
            (i < n ? "Broken" i + 1 : "") ")"
        # The hangers at mid-span are the shortest, and bend most.
        bend = sprintf("%.3g", 1.5 - (i - (n + 1) / 2) * (i - (n + 1) / 2) * 4 / n / n)
        ends = " + (falls, T).Broken" i " + (replaced, T).Sound" i ";"
        print "Sound" i " = (rust, rust * (" open ")).Rusty" i ends
        print "Rusty" i " = (break, " bend " * break * (" open ") * (" beside ")).Broken" i ends
        print "Broken" i " = (mend" i ", T).Sound" i ends
        work = work (i > 1 ? " + " : "") "(mend" i ", gang * (" open ") / max(1, " "BROKEN" \
            ")).Gang"
        broken = broken (i > 1 ? " + " : "") "Broken" i
        if (i > 1)
            pairs = pairs (i > 2 ? " + " : "") "Broken" i - 1 " * Broken" i
        hangers = hangers (i > 1 ? " <falls, replaced> " : "") "Sound" i
    }
    gsub(/BROKEN/, broken, work)
    print "Gang = " work ";"
    for (k = 1; k <= stages; k++)
        print "Life" k " = " (k < stages ? "(age, age).Life" k + 1 : "(replaced, age).Serves") \
            "\n    + (falls, fall * (" pairs ")).Fallen;"
    print "Fallen = (inquire, 1).Ferry;"
    print "Ferry = (wait, 1).Fallen;"
    print "Serves = (close, 0.5).Closed;"
    print "Closed = (reopen, 20).Serves;"
    print "((" hangers ") <*> Gang) <falls, replaced> Life1"
}
