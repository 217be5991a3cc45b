# A tournament of gamblers until one has all the chips:  awk -f ruin.awk PLAYERS CHIPS
#
# Each of PLAYERS players begins with CHIPS chips.  Any two who have chips left play against each
# other; the loser pays the winner.  At first each game is for one chip; the stakes may go up to two
# and then to three as the evening goes on.  Who has none is out; who has all is the champion.
# The better one of two players wins more often.
# Source: Y. C. Swan, F. T. Bruss, "A matrix-analytic approach to the N-player ruin problem",
# Journal of Applied Probability 43 (2006); W. Feller, "An Introduction to Probability Theory and
# Its Applications, Volume 1" (1968).
# States: 3 C(t + PLAYERS - 1, PLAYERS - 1), t = PLAYERS CHIPS in all: 19635 for 4 8, 275643 for
# 4 20.
# Hard: there is a bottom for each champion, and which one is reached depends on the start; most of
# the way is a random walk with hardly any drift.  The champion stays so (self-loops, meant so).
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2 || ARGV[2] < 1) {
        print "usage: awk -f ruin.awk PLAYERS (from 2) CHIPS" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    total = n * ARGV[2]
    print "// Per hour."
    print "game = 20; raise = 0.5;"
    for (i = 1; i <= n; i++)
        print "skill" i " = " 1 + 0.03 * (i - 1) ";"
    for (i = 1; i <= n; i++) {
        for (k = 0; k < total; k++)
            player()
        print "Chips" i "_" total " = (champion" i ", 1).Chips" i "_" total ";"
        players = players (i > 1 ? " <*> " : "") "Chips" i "_" ARGV[2]
    }
    for (s = 1; s <= 3; s++) {
        for (i = 1; i <= n; i++)
            for (j = 1; j <= n; j++)
                if (i != j)
                    games = games " + (beat" i "_" j "_" s ", game * skill" i " / (skill" i \
                        " + skill" j ")).Stakes"
        text = games
        gsub(/Stakes/, "Stakes" s, text)
        print "Stakes" s " = " substr(text, 4) (s < 3 ? " + (raise, raise).Stakes" s + 1 : "") ";"
    }
    print "(" players ") <*> Stakes1"
}

# Player i with k chips, before or after games for b of them.
function player(    j, b, text)
{
    for (j = 1; j <= n; j++)
        for (b = 1; b <= 3 && b <= k; b++)
            if (j != i)
                text = text (k + b <= total ? " + (beat" i "_" j "_" b ", T).Chips" i "_" k + b \
                    : "") \
                    " + (beat" j "_" i "_" b ", T).Chips" i "_" k - b
    print "Chips" i "_" k " = " (k == 0 ? "Stop" : substr(text, 4)) ";"
}
