# Processes that give each other work, and a token that finds out when all is done:
#   awk -f termination.awk PROCESSES
#
# A process is active or passive.  An active one gives work to any other, which makes it active and
# marks the giver black, or becomes passive.  A token goes round from process N - 1 down to 0; only
# a passive process passes it on, black if it was black itself, and is white then.  If it comes back
# black, process 0 sends it round again.  If white to a white process 0, the computation is over,
# and process 0 begins the next one.
# Source: E. W. Dijkstra, W. H. J. Feijen, A. J. M. van Gasteren, "Derivation of a termination
# detection algorithm for distributed computations", Information Processing Letters 16 (1983).
# States: 40613 for 6, 915335 for 8; at most 2 N 4^N for N processes.
# Hard: any two processes meet, at four paces; an active process gives work 0.9 times, so that most
# computations are short and some are long.  Work given to an active process may change nothing
# (self-loops, meant so).
BEGIN {
    if (ARGC != 2 || ARGV[1] < 3) {
        print "usage: awk -f termination.awk PROCESSES (from 3)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "hop = 5; again = 20; next = 0.5;"
    for (i = 0; i < n; i++) {
        print "done" i " = " 0.5 + 0.25 * (i % 4) ";"
        take["White"] = take["Black"] = give = ""
        for (j = 0; j < n; j++)
            if (j != i) {
                give = give "\n    + (give" i "_" j ", 0.9 * done" i " / " n - 1 ").BlackActive" i
                take["White"] = take["White"] " + (give" j "_" i ", T).WhiteActive" i
                take["Black"] = take["Black"] " + (give" j "_" i ", T).BlackActive" i
            }
        process("White", i)
        process("Black", i)
        ring = ring (i > 0 ? " <*> " : "") (i > 0 ? "WhitePassive" : "WhiteActive") i
    }
    for (i = 0; i < n; i++) {
        token("White", i)
        if (i < n - 1)
            token("Black", i)
    }
    print "(" ring ") <*> WhiteToken" n - 1
}

function process(colour, i)
{
    print colour "Active" i " = (done" i ", done" i ")." colour "Passive" i give "\n   " \
        take[colour] ";"
    print colour "Passive" i " = (pass" colour i ", T).WhitePassive" i \
        (i == 0 && colour == "White" ? " + (over, T).WhiteActive0" : "") \
        "\n   " take[colour] ";"
}

function token(colour, i)
{
    if (i > 0)
        print colour "Token" i " = (passWhite" i ", hop)." colour "Token" i - 1 \
            " + (passBlack" i ", hop).BlackToken" i - 1 ";"
    else if (colour == "White")
        print "WhiteToken0 = (over, next).WhiteToken" n - 1 \
            " + (passBlack0, again).WhiteToken" n - 1 ";"
    else
        print "BlackToken0 = (passWhite0, again).WhiteToken" n - 1 \
            " + (passBlack0, again).WhiteToken" n - 1 ";"
}
