# A link that carries calls of four bandwidths:  awk -f multirate.awk CHANNELS
#
# Subscribers of voice, data, meetings and films make calls of 1, 2, 4 and 8 channels each from
# CHANNELS channels of one link.  A call that does not find enough of them free is lost.  There are
# as many subscribers of each kind as would fill the link.
# Source: J. S. Kaufman, "Blocking in a shared resource environment", IEEE Transactions on
# Communications 29 (1981); J. W. Roberts, "A service system with heterogeneous user requirements"
# (1981); T. O. Engset (1918) for calls from few subscribers.
# The distribution has product form.
# States: those (a, b, c, d) with a + 2 b + 4 c + 8 d at most CHANNELS: 17361 for 64, 346921 for
# 144.
# Easy: calls of one kind only know the others by the channels that are free.
BEGIN {
    if (ARGC != 2 || ARGV[1] < 8) {
        print "usage: awk -f multirate.awk CHANNELS (from 8)" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    split("voice data meeting film", kind, " ")
    split("0.5 2 0.05 0.02", hold, " ")
    print "// Per minute; each kind offers a quarter of 0.8 of the link."
    for (i = 1; i <= 4; i++) {
        width[i] = i > 1 ? 2 * width[i - 1] : 1
        people = int(n / width[i])
        # A subscriber who never is refused calls for a fifth of his time.
        print kind[i] "Call = " hold[i] * 0.2 / 0.8 "; " kind[i] "End = " hold[i] ";"
        name = toupper(substr(kind[i], 1, 1)) substr(kind[i], 2)
        print name "Idle = (" kind[i] "Begin, " kind[i] "Call)." name "Busy;"
        print name "Busy = (" kind[i] "End, " kind[i] "End)." name "Idle;"
        all = all (i > 1 ? " || " : "") name "Idle[" people "]"
    }
    for (k = 0; k <= n; k++) {
        text = ""
        for (i = 1; i <= 4; i++) {
            if (k >= width[i])
                text = text " + (" kind[i] "Begin, T).Free" k - width[i]
            if (k + width[i] <= n)
                text = text " + (" kind[i] "End, T).Free" k + width[i]
        }
        print "Free" k " = " substr(text, 4) ";"
    }
    print "(" all ") <*> Free" n
}
