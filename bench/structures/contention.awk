# Stations contend for one channel (non-persistent CSMA with collision detection):
#   awk -f contention.awk STATIONS
#
# A station with a frame listens.  If the channel is silent it begins; if not it defers.  During the
# first moments of a frame other stations cannot hear it yet: one that begins then collides, and
# both back off.
# Source: L. Kleinrock, F. A. Tobagi, "Packet switching in radio channels: part I",
# IEEE Transactions on Communications 23 (1975); R. M. Metcalfe, D. R. Boggs, "Ethernet" (1976).
# States: C(n + 3, 3) + 3 C(n + 2, 3) + C(n + 1, 3) - 2 for n stations: 13023 for 24, 858599 for
# 100 (after a frame not all are deferred).
# Hard: a population of five local states, one of them tied to the channel; the delay of the channel
# is a hundredth of a frame, and backing off is slow.
BEGIN {
    if (ARGC != 2) {
        print "usage: awk -f contention.awk STATIONS" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "frame = 1; hear = 100; abort = 200;       // mean duration of a frame: 1"
    print "come = 0.9 / " n "; listen = 20; defer = 0.4; again = 0.15;"
    print "Idle = (come, come).Ready;"
    print "Ready = (begin, listen).Sending + (busy, listen).Deferred;"
    print "Deferred = (defer, defer).Ready;"
    print "Sending = (frame, T).Idle + (abort, T).Collided;"
    print "Collided = (again, again).Ready;"
    print "Silent = (begin, T).Starting;"
    print "Starting = (begin, T).Jam2 + (hear, hear).Busy;"
    print "Busy = (frame, frame).Silent + (busy, T).Busy;"
    print "Jam2 = (abort, abort).Jam1 + (busy, T).Jam2;"
    print "Jam1 = (abort, abort).Silent + (busy, T).Jam1;"
    print "Idle[" n "] <begin, busy, frame, abort> Silent"
}
