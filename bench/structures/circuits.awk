# Three exchanges that carry each other's overflow (dynamic alternative routing):
#   awk -f circuits.awk CHANNELS RESERVED
#
# A link of CHANNELS channels joins each two of three exchanges.  A call that finds its link full
# takes a channel of both other links, if each has more than RESERVED free; else it is lost.
# Source: R. J. Gibbens, P. J. Hunt, F. P. Kelly, "Bistability in communication networks", in
# "Disorder in Physical Systems" (1990); F. P. Kelly, "Loss networks", Annals of Applied
# Probability 1 (1991).
# States: 21744 for 8 1, 347313 for 14 3.
# Hard: six counts of calls with three constraints between them; near load 1 calls that take two
# channels push others to do so, and what a link can do depends on the two others.
BEGIN {
    if (ARGC != 3 || ARGV[2] >= ARGV[1]) {
        print "usage: awk -f circuits.awk CHANNELS RESERVED (less)" > "/dev/stderr"
        exit 2
    }
    c = ARGV[1] + 0
    free = c - ARGV[2]
    print "end = 1; call1 = 0.9 * " c "; call2 = 0.95 * " c "; call3 = 1.05 * " c ";"
    for (i = 1; i <= 3; i++)
        link(i, i % 3 + 1, (i + 1) % 3 + 1)
    for (i = 1; i <= 3; i++) {
        links = links (i > 1 ? " <*> " : "") "Link" i "_0"
        calls = calls (i > 1 ? " || " : "") "Direct" i "_0 || Over" i "_0"
    }
    print "(" links ") <*> (" calls ")"
}

# Link i of which k channels are taken, the calls on it, and those that go over j and h instead.
function link(i, j, h,    k, text)
{
    for (k = 0; k <= c; k++) {
        text = " + (" (k < c ? "call" : "over") i ", call" i ").Link" i "_" (k < c ? k + 1 : k)
        if (k < free)
            text = text " + (over" j ", T).Link" i "_" k + 1 " + (over" h ", T).Link" i "_" k + 1
        if (k > 0)
            text = text " + (end" i ", T).Link" i "_" k - 1 \
                " + (endOver" j ", T).Link" i "_" k - 1 " + (endOver" h ", T).Link" i "_" k - 1
        print "Link" i "_" k " = " substr(text, 4) ";"
    }
    for (k = 0; k <= c; k++) {
        print "Direct" i "_" k " = " (k < c ? "(call" i ", T).Direct" i "_" k + 1 : "") \
            (k > 0 && k < c ? " + " : "") \
            (k > 0 ? "(end" i ", " k " * end).Direct" i "_" k - 1 : "") ";"
        if (k > free)
            continue
        print "Over" i "_" k " = " (k < free ? "(over" i ", T).Over" i "_" k + 1 : "") \
            (k > 0 && k < free ? " + " : "") \
            (k > 0 ? "(endOver" i ", " k " * end).Over" i "_" k - 1 : "") ";"
    }
}
