# A radio relay between two stations that sends two packets as one:  awk -f xor.awk ROOM
#
# Packets for either side wait at the relay, at most ROOM of each.  It sends the sum (exclusive or)
# of one of each, from which each station takes out its own.  While no packet waits for the other
# side, it sends one as it is only after a pause, hoping for another to come.
# Source: S. Katti, H. Rahul, W. Hu, D. Katabi, M. Medard, J. Crowcroft, "XORs in the air: practical
# wireless network coding", SIGCOMM 2006; R. Ahlswede, N. Cai, S.-Y. R. Li, R. W. Yeung, "Network
# information flow", IEEE Transactions on Information Theory 46 (2000).
# States: (ROOM + 1)^2: 40401 for 200, 811801 for 900.
# Hard: two components only; nothing but the long pause keeps the difference of the queues from
# wandering, and either may be long while the other is empty.
BEGIN {
    if (ARGC != 2 || ARGV[1] < 1) {
        print "usage: awk -f xor.awk ROOM" > "/dev/stderr"
        exit 2
    }
    room = ARGV[1] + 0
    print "// Per millisecond."
    print "left = 0.8; right = 0.805; send = 1; pause = 0.01;"
    side("Left", "left", "Right0", "send")
    side("Right", "right", "Left0", "T")
    print "Left0 <both> Right0"
}

function side(name, come, other, rate,    k)
{
    for (k = 0; k <= room; k++)
        print name k " = " (k < room ? "(" come ", " come ")." name k + 1 : "") \
            (k > 0 && k < room ? " + " : "") \
            (k > 0 ? "(both, " rate ")." name k - 1 " + (" come "Alone, pause * " other ")." \
            name k - 1 : "") ";"
}
