# Automata of blocks, fast within and slow between, at random:
#   awk -f blocks.awk SEED AUTOMATA BLOCKS SIZE
#
# An automaton has BLOCKS blocks of SIZE local states.  In a block it goes round fast, with chords.
# From one local state it moves to the next block by itself, and from one to that or the one after
# together with the next automaton, if any, whatever block that is in.  Moves have rates from 1 down
# to a millionth.
# The first automaton leaves block 0 for ever: for the last one, or for those between, and stays.
# Source: H. A. Simon, A. Ando, "Aggregation of variables in dynamic systems", Econometrica 29
# (1961); P.-J. Courtois, "Decomposability" (1977); the generator of S. K. Park, K. W. Miller,
# Communications of the ACM 31 (1988).
# States: (BLOCKS SIZE)^AUTOMATA: 32768 for 1 3 4 8, 810000 for 2 4 5 6.
# Hard: nearly decomposable on several levels at once, with transient states and two bottom
# components (warnings, meant so).
BEGIN {
    if (ARGC != 5 || ARGV[2] < 2 || ARGV[3] < 4) {
        print "usage: awk -f blocks.awk SEED AUTOMATA (from 2) BLOCKS (from 4) SIZE" > "/dev/stderr"
        exit 2
    }
    state = 1000 + 7919 * ARGV[1]
    n = ARGV[2] + 0
    blocks = ARGV[3] + 0
    size = ARGV[4] + 0
    for (i = 0; i < 10; i++)
        random(1)
    for (i = 1; i <= n; i++) {
        for (b = 0; b < blocks; b++)
            block(i, b, b * size)
        for (k = 0; k < blocks * size; k++)
            print "A" i "_" k " = " substr(text[i, k], 4) ";"
        system_text = system_text (i > 1 ? " <*> " : "") "A" i "_0"
    }
    print system_text
}

function random(high)
{
    state = (state * 16807) % 2147483647
    return high * state / 2147483647
}

# An activity at a rate between two powers of ten, or passive.
function add(i, from, action, low, high, to)
{
    text[i, from] = text[i, from] " + (" action ", " (low == "T" ? "T" : \
        sprintf("%.3g", exp(log(10) * (low + random(high - low))))) ").A" i "_" to
}

function block(i, b, first,    k, alone, joint)
{
    for (k = 0; k < size; k++) {
        add(i, first + k, "turn" i, 1, 3, first + (k + 1) % size)
        if (random(1) < 0.4)
            add(i, first + k, "jump" i, 0, 3, first + (k + 1 + int(random(size - 1))) % size)
    }
    alone = (b + 1) % blocks
    joint = (alone + int(random(2))) % blocks
    if (i == 1) {
        alone = b == 0 ? blocks - 1 : 1 + b % (blocks - 2)
        joint = 1 + int(random(blocks - 2))
        if (b == blocks - 1)
            return
    }
    add(i, first + int(random(size)), "move" i, -6, 0, alone * size + int(random(size)))
    add(i, first + int(random(size)), "meet" i "_" b, -6, 0, joint * size + int(random(size)))
    for (k = 0; i < n && k < blocks * size; k++)
        if (random(1) < 0.5)
            add(i + 1, k, "meet" i "_" b, "T", 0, k - k % size + int(random(size)))
}
