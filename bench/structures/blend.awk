# A call centre whose dialler calls out when agents are free:  awk -f blend.awk AGENTS LINES ROOM
#
# Calls wait, at most ROOM, for one of AGENTS agents, or hang up; they come more in busy hours.
# While none waits, the dialler rings people on LINES lines, the faster the more agents are free.
# Who answers is put through to an agent, or hangs up after a few seconds of silence.  After a
# call an agent writes it up.
# Source: S. Bhulai, G. Koole, "A queueing model for call blending in call centers", IEEE
# Transactions on Automatic Control 48 (2003); D. A. Samuelson, "Predictive dialing for outbound
# telephone call centers", Interfaces 29 (1999).
# States: 2 C(AGENTS + 3, 3) C(LINES + 2, 2) (ROOM + 1), a few fewer: 25050 for
# 5 4 14, 540162 for 10 8 20.
# Easy: an ordinary call centre near its load, rates within three decades.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f blend.awk AGENTS LINES ROOM" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    lines = ARGV[2] + 0
    room = ARGV[3] + 0
    print "// Per minute."
    print "quiet = " 0.1 * n "; busy = " 0.28 * n "; rush = 0.01; calm = 0.015;"
    print "help = 0.3; sell = 0.5; write = 1; pick = 20; hangup = 0.4;"
    print "pace = 1.5; answer = 1; nobody = 2; silence = 12;"
    print "Free = (pick, pick).Helps + (through, pick).Sells;"
    print "Helps = (help, help).Writes;"
    print "Sells = (sell, sell).Writes;"
    print "Writes = (write, write).Free;"
    print "Line = (dial, pace * Free).Rings;"
    print "Rings = (answer, answer).Answered + (nobody, nobody).Line;"
    print "Answered = (through, T).Line + (silence, silence).Line;"
    print "Quiet = (come, quiet).Quiet + (rush, rush).Busy;"
    print "Busy = (come, busy).Busy + (calm, calm).Quiet;"
    for (k = 0; k <= room; k++)
        print "Queue" k " = (come, T).Queue" (k < room ? k + 1 : k) \
            (k == 0 ? " + (dial, T).Queue0 + (through, T).Queue0" : \
            " + (pick, T).Queue" k - 1 " + (hangup, " k " * hangup).Queue" k - 1) ";"
    print "((Free[" n "] <through> Line[" lines "]) <pick, dial, through> Queue0) <come> Quiet"
}
