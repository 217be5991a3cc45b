# Voters who follow the majority:  awk -f majority.awk VOTERS OPINIONS
#
# A voter takes up an opinion the sooner the more hold it, as two of these have to convince, or for no reason; later
# opinions are a little more attractive.
# Source: C. Castellano, M. A. Munoz, R. Pastor-Satorras, "Nonlinear q-voter model", Physical Review E 80 (2009).
# States: (VOTERS + OPINIONS - 1)! / (VOTERS! (OPINIONS - 1)!): 5456 for 30 4, 176851 for 100 4.
# Hard: nearly all hold one opinion for ages, until another one wins by chance; no jump is rare, but next to nothing flows
# between these ways, so that no residual shows how long each lasts.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f majority.awk VOTERS OPINIONS" > "/dev/stderr"
        exit 2
    }
    voters = ARGV[1] + 0
    opinions = ARGV[2] + 0
    for (i = 0; i < opinions; i++) {
        printf "S%d =", i
        for (j = 0; j < opinions; j++)
            if (j != i)
                printf " %s(h%d, 0.001 + %g * pow(S%d / %d, 2)).S%d", plus[i]++ ? "+ " : "", j, 1 + 0.1 * j, j, voters, j
        print ";"
    }
    print "S0[" voters "]"
}
