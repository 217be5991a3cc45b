# A self-timed ring of C-elements with tokens in it:  awk -f muller.awk STAGES TOKENS
#
# The output of each of STAGES stages is low or high.  It rises when that of the stage before is
# high and that of the stage after is low, and falls when they are the other way round.  So TOKENS
# pulses go round for ever, and none overtakes another.  The first stage waits for an adder, which
# is slow for a while when the carries are long.
# Source: D. E. Muller, W. S. Bartky, "A theory of asynchronous circuits", International Symposium
# on the Theory of Switching 1959; I. E. Sutherland, "Micropipelines", Communications of the ACM 32
# (1989).
# States: 4 C(STAGES, 2 TOKENS): 42504 for 24 2, 365560 for 40 2.
# Stages let their neighbours switch and stay as they are (self-loops, meant so).
# Hard: many components of two local states in a ring, each joined with both neighbours; the edges
# queue before the adder while it is slow and take long to spread out again.
BEGIN {
    if (ARGC != 3 || ARGV[2] < 1 || ARGV[1] < 2 * ARGV[2] + 1) {
        print "usage: awk -f muller.awk STAGES (over twice TOKENS) TOKENS" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    edges = 2 * ARGV[2]
    print "// Per nanosecond."
    print "add = 2; carry = 0.15; long = 0.01; short = 0.02;"
    for (i = 0; i < n; i++) {
        before = (i + n - 1) % n
        after = (i + 1) % n
        if (i > 0)
            print "gate" i " = " 2 + 0.25 * (i * 3 % 5) ";"
        print "Low" i " = (rise" i ", " (i ? "gate" i : "T") ").High" i " + (rise" before \
            ", T).Low" i " + (fall" after ", T).Low" i ";"
        print "High" i " = (fall" i ", " (i ? "gate" i : "T") ").Low" i " + (fall" before \
            ", T).High" i " + (rise" after ", T).High" i ";"
        # The edges at equal distances.
        ring = ring (i > 0 ? " <*> " : "") (int(i * edges / n) % 2 ? "High" : "Low") i
    }
    print "Short = (rise0, add).Short + (fall0, add).Short + (long, long).Long;"
    print "Long = (rise0, carry).Long + (fall0, carry).Long + (short, short).Short;"
    print "(" ring ") <rise0, fall0> Short"
}
