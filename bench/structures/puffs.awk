# Calcium channels in two clusters that excite each other:  awk -f puffs.awk FIRST SECOND
#
# A channel has an activating and an inhibiting site for calcium, and is open while only the first
# is bound.  The calcium at a cluster grows with its own open channels, and a little with those of
# the other; activation takes two ions.
# Source: S. Swillens, G. Dupont, L. Combettes, P. Champeil, "From calcium blips to calcium puffs",
# PNAS 96 (1999); V. Nguyen, R. Mathias, G. D. Smith, "A stochastic automata network descriptor for
# Markov chain models of instantaneously coupled intracellular Ca2+ channels", Bulletin of
# Mathematical Biology 67 (2005).
# States: C(FIRST + 3, 3) C(SECOND + 3, 3): 27225 for 8 8, 790704 for 16 15.
# Hard: two populations of four local states that no action joins; nearly every state has rates of
# its own, over five decades, and puffs come in bursts.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f puffs.awk FIRST SECOND" > "/dev/stderr"
        exit 2
    }
    print "// Per second; calcium in micromoles per litre."
    print "rest = 0.05; near = 0.9; far = 0.06;"
    print "on = 15; off = 60; inhibit = 2; recover = 0.4;"
    cluster("A", "B")
    cluster("B", "A")
    print "RestA[" ARGV[1] "] || RestB[" ARGV[2] "]"
}

function cluster(c, other,    calcium)
{
    calcium = "(rest + near * Open" c " + far * Open" other ")"
    print "Rest" c " = (open" c ", on * pow(" calcium ", 2)).Open" c \
        " + (inhibit" c ", inhibit * " calcium ").Shut" c ";"
    print "Open" c " = (close" c ", off).Rest" c \
        " + (inhibit" c ", inhibit * " calcium ").Both" c ";"
    print "Shut" c " = (bind" c ", on * pow(" calcium ", 2)).Both" c \
        " + (recover" c ", recover).Rest" c ";"
    print "Both" c " = (unbind" c ", off).Shut" c " + (recover" c ", recover).Open" c ";"
}
