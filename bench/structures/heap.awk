# A heap in two generations that is collected while the program runs:
#   awk -f heap.awk THREADS NURSERY TENURED
#
# THREADS threads run and allocate, or wait for input.  When the NURSERY units of the nursery are
# full, allocation waits until what lives of it, 0 to 4 units, has been copied to the TENURED units
# of the old generation.  At two thirds of these the collector marks in four stages, then sweeps
# down to the quarter that is always live.  If the old generation fills up meanwhile, a full
# collection stops everything.
# Source: D. Ungar, "Generation scavenging: a non-disruptive high performance storage reclamation
# algorithm" (1984); T. Printezis, D. Detlefs, "A generational mostly-concurrent garbage collector",
# ISMM 2000.
# States: below 6 (THREADS + 1) (NURSERY + 1) (3/4 TENURED + 1), since the collector does not begin
# at each level: 25344 for 8 15 60, 225246 for 20 30 120.
# Hard: the nursery is a ring that turns fast and moves a slow one; full collections are rare jumps.
BEGIN {
    if (ARGC != 4 || ARGV[3] < 12) {
        print "usage: awk -f heap.awk THREADS NURSERY TENURED (at least 12)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    nursery = ARGV[2] + 0
    tenured = ARGV[3] + 0
    low = int(tenured / 4)
    live[0] = 0.3; live[1] = 0.4; live[2] = 0.2; live[3] = 0.07; live[4] = 0.03
    print "alloc = 100; wait = 2; input = 4; copy = 50; full = 0.5; mark = 16; free = 200;"
    print "Running = (alloc, alloc).Running + (wait, wait).Waiting;"
    print "Waiting = (input, input).Running;"
    for (k = 0; k < nursery; k++)
        print "Nursery" k " = (alloc, T).Nursery" k + 1 ";"
    for (s = 0; s <= 4; s++)
        copies = copies " + (copy" s ", " live[s] " * copy).Nursery0"
    print "Nursery" nursery " = " substr(copies, 4) " + (full, T).Nursery0;"
    for (k = low; k <= tenured; k++)
        old(k)
    print "Off = (begin, T).Mark1 + (full, T).Off;"
    for (s = 1; s <= 4; s++)
        print "Mark" s " = (mark, mark)." (s < 4 ? "Mark" s + 1 : "Sweep") " + (full, T).Off;"
    print "Sweep = (free, free).Sweep + (clean, free).Off + (full, T).Off;"
    print "(Running[" n "] <alloc> Nursery0) <copy0, copy1, copy2, copy3, copy4, full>"
    print "(Old" low " <begin, free, clean, full> Off)"
}

# The old generation with k units: it is left alone, swept, or collected when it may not suffice.
function old(k,    s, text)
{
    for (s = 0; s <= 4 && k <= tenured - 4; s++)
        text = text " + (copy" s ", T).Old" k + s
    if (k > tenured - 4)
        text = text " + (full, full).Old" low
    if (3 * k >= 2 * tenured)
        text = text " + (begin, 100).Old" k
    text = text (k > low ? " + (free, T).Old" k - 1 : " + (clean, T).Old" k)
    print "Old" k " = " substr(text, 4) ";"
}
