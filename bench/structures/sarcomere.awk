# Myosin heads that pull on a thin filament which calcium turns on:
#   awk -f sarcomere.awk HEADS UNITS STEPS
#
# A head is detached, weakly bound, strongly bound, or in rigor until it gets new ATP.  From weak to
# strong it makes its stroke, which shortens the sarcomere by one step, STEPS at most; the tendon
# stretches it again.  Heads bind where a unit of the thin filament is open.  A unit is blocked,
# closed, once it has calcium, or open; heads that are bound hold it open.  Each twitch lets calcium
# out, which is then pumped back.  Now and then a jerk tears all heads off at once.
# Source: A. F. Huxley, "Muscle structure and theories of contraction", Progress in Biophysics and
# Biophysical Chemistry 7 (1957); D. F. A. McKillop, M. A. Geeves, "Regulation of the interaction
# between actin and myosin subfragment 1: evidence for three states of the thin filament",
# Biophysical Journal 65 (1993).
# States: 3 C(HEADS + 3, 3) C(UNITS + 2, 2) (STEPS + 1): 41580 for 8 5 3, 959310 for 16 10 4.
# A jerk changes nothing when no head is bound and nothing is shortened (self-loops, meant so).
# Hard: heads and units need each other to turn on; rates in four decades, all depend on others.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f sarcomere.awk HEADS UNITS STEPS" > "/dev/stderr"
        exit 2
    }
    steps = ARGV[3] + 0
    print "// Per second."
    print "heads = " ARGV[1] + 0 "; units = " ARGV[2] + 0 ";"
    print "bind = 80; unbind = 40; stroke = 60; reverse = 5; adp = 30; atp = 500;"
    print "calcium = 150; leave = 40; open = 4; hold = 60; close = 50;"
    print "twitch = 1.5; pump = 12; jerk = 0.05; tendon = 8;"
    print "Detached = (bind, bind * Open / units).Weak + (jerk, T).Detached;"
    print "Weak = (unbind, unbind).Detached + (stroke, stroke).Strong + (jerk, T).Detached;"
    print "Strong = (reverse, reverse).Weak + (adp, adp).Rigor + (jerk, T).Detached;"
    print "Rigor = (atp, atp).Detached + (jerk, T).Detached;"
    print "Blocked = (calcium, calcium * (0.002 + High + 0.2 * Falling)).Closed;"
    print "Closed = (leave, leave).Blocked + (open, open + hold * (Strong + Rigor) / heads).Open;"
    print "Open = (close, close / (1 + 10 * (Strong + Rigor) / heads)).Closed;"
    print "Low = (twitch, twitch).High;"
    print "High = (pump, pump).Falling;"
    print "Falling = (pump, pump / 3).Low + (twitch, twitch).High;"
    for (k = 0; k <= steps; k++)
        print "Short" k " = (stroke, T).Short" (k < steps ? k + 1 : k) \
            (k > 0 ? " + (stretch, " k " * tendon).Short" k - 1 : "") \
            " + (jerk, jerk).Short0;"
    print "(Detached[heads]{jerk} <stroke, jerk> Short0) || Blocked[units] || Low"
}
