# Populations that keep each other down:  awk -f rivals.awk LARGEST STEEPNESS LEAK POPULATIONS
#
# Each grows by one at a rate that falls with the size of every other one, (1 - size / LARGEST)^STEEPNESS + LEAK of its
# own at most, and shrinks in proportion to its size; the first grows a little faster.
# Source: R. May, W. Leonard, "Nonlinear aspects of competition between three species", SIAM Journal on Applied
# Mathematics 29 (1975).
# States: (LARGEST + 1)^POPULATIONS: 6241 for 78 3 4e-5 2.
# Hard: one of them is large for ages, until another one takes over by chance; sweeps that begin with none of them leave
# the shares as they come, at a small residual.
BEGIN {
    if (ARGC != 5) {
        print "usage: awk -f rivals.awk LARGEST STEEPNESS LEAK POPULATIONS" > "/dev/stderr"
        exit 2
    }
    largest = ARGV[1] + 0
    populations = ARGV[4] + 0
    for (p = 0; p < populations; p++) {
        for (i = 0; i <= largest; i++) {
            printf "X%d_%d = ", p, i
            if (i < largest)
                printf "(grow%d, %g).X%d_%d + ", p, largest * (p ? 1 : 1.05), p, i + 1
            if (i > 0)
                printf "(shrink%d, %g).X%d_%d + ", p, 0.15 * i, p, i - 1
            plus = ""
            for (q = 0; q < populations; q++)
                if (q != p) {
                    printf "%s(grow%d, %g).X%d_%d", plus, q, largest * (ARGV[3] + (1 - i / largest) ^ ARGV[2]), p, i
                    plus = " + "
                }
            print ";"
        }
        actions = actions (p > 0 ? ", " : "") "grow" p
    }
    for (p = 0; p < populations; p++)
        all = p > 0 ? "(" all " <" actions "> X" p "_0)" : "X0_0"
    print all
}
