# Stations of a wireless network that count down slots before they send (802.11):
#   awk -f backoff.awk STATIONS WINDOW
#
# Each station always has a frame.  It draws a number below WINDOW and counts one down in each slot
# in which the channel is silent, all stations at once.  At zero it sends.  Stations that reach zero
# in the same slot collide and draw below 2 WINDOW next, until a frame gets through.
# Source: G. Bianchi, "Performance analysis of the IEEE 802.11 distributed coordination function",
# IEEE Journal on Selected Areas in Communications 18 (2000).
# States: 13958 for 5 4, 330546 for 8 4.
# Hard: a slot moves every copy of the population at once; the population has 3 WINDOW + 2 local
# states, and the channel is silent for slots of 20 microseconds between frames of a millisecond.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f backoff.awk STATIONS WINDOW" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    window = ARGV[2] + 0
    print "slot = 50; start = 5000; hear = 500; frame = 1; fail = 0.8;  // per millisecond"
    for (s = 0; s <= 1; s++) {
        for (k = 1; k < window * (s + 1); k++)
            print "Wait" s "_" k " = (slot, T).Wait" s "_" k - 1 ";"
        print "Wait" s "_0 = (start, start).Send" s ";"
        print "Send" s " = " draw("sent", "frame", 0) " + " draw("fail", "fail", 1) ";"
    }
    print "Silent = (slot, slot).Silent + (start, T).Begun;"
    print "Begun = (start, T).Jam2 + (hear, hear).Busy;"
    print "Busy = (sent, T).Silent;"
    for (k = 1; k <= n; k++)
        print "Jam" k " = (fail, T)." (k > 1 ? "Jam" k - 1 : "Silent") \
            (k > 1 && k < n ? " + (start, T).Jam" k + 1 : "") ";"
    print "Wait0_" window - 1 "[" n "]{slot} <slot, start, sent, fail> Silent"
}

# The end of a frame, and the number drawn at stage s.
function draw(action, rate, s,    k, text, count)
{
    count = window * (s + 1)
    for (k = 0; k < count; k++)
        text = text " + (" action ", " rate " / " count ").Wait" s "_" k
    return substr(text, 4)
}
