# Components at random, joined at random:  awk -f tangle.awk SEED COMPONENTS DECADES
#
# Each component has 3 to 6 local states in a ring of its own activities, and chords.  Half of the
# chords are activities shared with one or two other components, active or passive there.  Rates
# are spread evenly on a logarithmic scale over DECADES decades.
# Source: the language of J. Hillston, "A Compositional Approach to Performance Modelling" (1996);
# the generator of S. K. Park, K. W. Miller, "Random number generators: good ones are hard to find",
# Communications of the ACM 31 (1988).
# States: the product of the local states, since every ring can turn by itself: 46656 for 4 8 3.
# Hard: no structure to use; with many decades, nearly decomposable in an unknown way.
BEGIN {
    if (ARGC != 4 || ARGV[2] < 3) {
        print "usage: awk -f tangle.awk SEED COMPONENTS (from 3) DECADES" > "/dev/stderr"
        exit 2
    }
    state = 1000 + 7919 * ARGV[1]
    n = ARGV[2] + 0
    decades = ARGV[3] + 0
    for (i = 0; i < 10; i++)
        random(1)
    for (i = 1; i <= n; i++) {
        size[i] = 3 + int(random(4))
        for (k = 0; k < size[i]; k++)
            text[i, k] = "(own" i ", " rate() ").C" i "_" (k + 1) % size[i]
        chord(i, "jump" i, rate())
        chord(i, "jump" i, rate())
    }
    for (a = 1; a <= 2 * n; a++)
        share(1 + int(random(n)))
    for (i = 1; i <= n; i++)
        for (k = 0; k < size[i]; k++)
            print "C" i "_" k " = " text[i, k] ";"
    for (i = 1; i <= n; i++)
        system_text = system_text (i > 1 ? " <*> " : "") "C" i "_0"
    print system_text
}

function random(high)
{
    state = (state * 16807) % 2147483647
    return high * state / 2147483647
}

function rate()
{
    return sprintf("%.4g", exp(log(10) * (random(decades) - decades / 2)))
}

# An activity of component i between two local states at random.
function chord(i, action, r,    from, to)
{
    from = int(random(size[i]))
    to = (from + 1 + int(random(size[i] - 1))) % size[i]
    text[i, from] = text[i, from] " + (" action ", " r ").C" i "_" to
}

# Action a of component i, shared with one or two others.
function share(i,    others, j, k)
{
    chord(i, "do" a, rate())
    others = 1 + int(random(2))
    j = i
    for (k = 1; k <= others; k++) {
        j = j % n + 1
        if (random(1) < 0.5)
            j = j % n + 1
        if (j != i)
            chord(j, "do" a, random(1) < 0.7 ? "T" : rate())
    }
}
