# Traffic that bursts on four time scales, in one buffer:  awk -f fractal.awk SOURCES ROOM
#
# On each time scale there are SOURCES sources, on or off, which send packets while on; each scale
# is ten times slower than the one before it.  Together they look self-similar over four decades.
# The link keeps at most ROOM packets.
# Source: A. T. Andersen, B. F. Nielsen, "A Markovian approach for modeling packet traffic with
# long-range dependence", IEEE Journal on Selected Areas in Communications 16 (1998);
# W. E. Leland, M. S. Taqqu, W. Willinger, D. V. Wilson, "On the self-similar nature of Ethernet
# traffic", IEEE/ACM Transactions on Networking 2 (1994).
# States: (SOURCES + 1)^4 (ROOM + 1): 25856 for 3 100, 500625 for 4 800.
# Hard: at load 0.85 the slow sources alone decide for 10^4 packets whether the buffer is full or
# empty.  What is full stays so (self-loops, meant so).
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f fractal.awk SOURCES ROOM" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    room = ARGV[2] + 0
    print "line = 1; send = 0.85 / 4 / 0.4 / " n ";"
    for (s = 1; s <= 4; s++) {
        print "on" s " = 0.4e-" s "; off" s " = 0.6e-" s ";"
        print "Off" s " = (on" s ", on" s ").On" s ";"
        print "On" s " = (packet, send).On" s " + (off" s ", off" s ").Off" s ";"
        sources = sources (s > 1 ? " || " : "") "Off" s "[" n "]"
    }
    for (k = 0; k <= room; k++)
        print "Link" k " = (packet, T).Link" (k < room ? k + 1 : k) \
            (k > 0 ? " + (line, line).Link" k - 1 : "") ";"
    print "(" sources ") <packet> Link0"
}
