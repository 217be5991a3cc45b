# Neurons that excite and inhibit each other by spikes:  awk -f neurons.awk NEURONS ROOM
#
# A neuron has a potential of 0 to ROOM.  While it is above 0 the neuron fires, and loses one by
# each spike.  A spike of the last neuron takes one from the potential of another, a spike of the
# others adds one, or it goes elsewhere.  The senses add to all of them, more when there is
# something to see.
# Source: E. Gelenbe, "Random neural networks with negative and positive signals and product form
# solution", Neural Computation 1 (1989); E. Gelenbe, "Product-form queueing networks with negative
# and positive customers", Journal of Applied Probability 28 (1991).
# States: 2 (ROOM + 1)^NEURONS: 27648 for 3 23, 781250 for 4 24.
# What the senses add to a potential at ROOM is lost (self-loops, meant so).
# Hard: an open network at load 0.98 everywhere, each neuron joined to each other.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2) {
        print "usage: awk -f neurons.awk NEURONS (from 2) ROOM" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    room = ARGV[2] + 0
    load = 0.98
    print "// Per second."
    for (i = 1; i <= n; i++)
        fire[i] = 5 * 2 ^ (i - 1)
    for (i = 1; i <= n; i++)
        rates(i)
    for (i = 1; i <= n; i++)
        for (k = 0; k <= room; k++)
            neuron(i, k)
    print "Dark = (appear, 0.8).Bright" dark ";"
    print "Bright = (vanish, 0.8).Dark" bright ";"
    print "(" neurons ") <*> Dark"
}

# What neuron i sends to each other one and elsewhere, and gets from the senses: so much that it is
# busy for the part LOAD of the time (the traffic equations of Gelenbe).
function rates(i,    j, sent, got, lost)
{
    for (j = 1; j <= n; j++)
        if (j != i) {
            weight = 0.6 * (fire[i] < fire[j] ? fire[i] : fire[j]) / (n - 1)
            printf "spike%d_%d = %.6g;\n", i, j, weight
            sent += weight
            if (j < n)
                got += weight
            else
                lost += weight
        }
    printf "away%d = %.6g; sense%d = %.6g;\n", i, fire[i] - sent, i, \
        load * (fire[i] + load * lost - got)
    dark = dark " + (sense" i ", 0.6 * sense" i ").Dark"
    bright = bright " + (sense" i ", 1.4 * sense" i ").Bright"
    neurons = neurons (i > 1 ? " <*> " : "") "Potential" i "_0"
}

function neuron(i, k,    j, name, up, down, text)
{
    name = "Potential" i "_"
    up = name (k < room ? k + 1 : k)
    down = name (k > 0 ? k - 1 : k)
    text = "(sense" i ", T)." up
    if (k > 0)
        text = text " + (away" i ", away" i ")." down
    for (j = 1; j <= n; j++)
        if (j != i) {
            text = text "\n    + (spike" j "_" i ", T)." (j < n ? up : down)
            if (k > 0)
                text = text " + (spike" i "_" j ", spike" i "_" j ")." down
        }
    print name k " = " text ";"
}
