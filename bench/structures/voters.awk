# People who take the opinion of a friend, on a small world:
#   awk -f voters.awk SEED PEOPLE FRIENDS
#
# A person holds one of two opinions, looks at a friend at a pace of his own, and takes his opinion;
# or seldom changes it by himself.  Each has FRIENDS friends on his right in a circle, a fifth of
# them replaced by others at random; friendship is mutual.
# Source: B. L. Granovsky, N. Madras, "The noisy voter model", Stochastic Processes and their
# Applications 55 (1995); D. J. Watts, S. H. Strogatz, "Collective dynamics of small-world
# networks", Nature 393 (1998); the generator of S. K. Park, K. W. Miller, Communications of the
# ACM 31 (1988).
# States: 2^PEOPLE: 32768 for 1 15 2, 524288 for 2 19 3.
# Hard: no two people are alike and no action joins them, only rates; the two states of agreement
# hold for long.
BEGIN {
    if (ARGC != 4 || ARGV[2] <= 2 * ARGV[3]) {
        print "usage: awk -f voters.awk SEED PEOPLE FRIENDS (less than half of PEOPLE)" \
            > "/dev/stderr"
        exit 2
    }
    state = 1000 + 7919 * ARGV[1]
    n = ARGV[2] + 0
    for (i = 0; i < 10; i++)
        random(1)
    for (i = 0; i < n; i++)
        for (k = 1; k <= ARGV[3]; k++) {
            j = (i + k) % n
            while (random(1) < 0.2 || j == i)
                j = int(random(n))
            friend[i, j] = friend[j, i] = 1
        }
    print "doubt = 0.02;"
    for (i = 0; i < n; i++) {
        yes = no = ""
        for (j = count = 0; j < n; j++)
            if (friend[i, j]) {
                yes = yes (count > 0 ? " + " : "") "Yes" j
                no = no (count > 0 ? " + " : "") "No" j
                count++
            }
        pace = sprintf("%.3f", 0.3 + random(2))
        print "No" i " = (agree" i ", doubt + " pace " * (" yes ") / " count ").Yes" i ";"
        print "Yes" i " = (refuse" i ", doubt + " pace " * (" no ") / " count ").No" i ";"
        people = people (i > 0 ? " || " : "") "No" i
    }
    print people
}

function random(high)
{
    state = (state * 16807) % 2147483647
    return high * state / 2147483647
}
