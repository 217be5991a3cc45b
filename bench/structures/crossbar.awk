# A crossbar switch with a queue for each input and output:  awk -f crossbar.awk PORTS ROOM
#
# At each of PORTS inputs cells wait in queues of ROOM, one for each output.  The scheduler goes
# round PORTS matchings of inputs and outputs, and holds each for a frame, the longer the more
# traffic it has to carry; as long, each input sends to the output it is joined with.
# Source: N. McKeown, A. Mekkittikul, V. Anantharam, J. Walrand, "Achieving 100% throughput in an
# input-queued switch", IEEE Transactions on Communications 47 (1999); C.-S. Chang, W.-J. Chen,
# H.-Y. Huang, "Birkhoff-von Neumann input buffered crossbar switches", INFOCOM 2000.
# States: PORTS (ROOM + 1)^(PORTS^2): 59049 for 3 2, 786432 for 3 3.
# Hard: a ring in the middle of PORTS^2 queues, of which only PORTS are served at a time; a frame
# lasts long enough to empty some of them, and the load is 0.9 (0.81 to
# 0.99 from queue to queue).
BEGIN {
    if (ARGC != 3 || ARGV[1] < 2) {
        print "usage: awk -f crossbar.awk PORTS (from 2) ROOM" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    room = ARGV[2] + 0
    print "// Cells; one is sent in a unit of time."
    print "cell = 1; frame = " n * 6 "; load = 0.9;"
    for (m = 0; m < n; m++) {
        share[m] = 2 * (m + 1) / n / (n + 1)
        text = "Match" m " = (turn, 1 / (frame * " share[m] ")).Match" (m + 1) % n
        for (i = 1; i <= n; i++)
            text = text " + (send" i "_" 1 + (i + m - 1) % n ", cell).Match" m
        print text ";"
    }
    for (i = 1; i <= n; i++)
        for (j = 1; j <= n; j++) {
            name = i "_" j
            m = (j - i + n) % n
            print "come" name " = load * cell * " share[m] * (0.9 + 0.1 * ((i * i + 2 * j) % 3)) ";"
            for (k = 0; k <= room; k++)
                print "Queue" name "_" k " = " \
                    (k < room ? "(come" name ", come" name ").Queue" name "_" k + 1 : "") \
                    (k > 0 && k < room ? " + " : "") \
                    (k > 0 ? "(send" name ", T).Queue" name "_" k - 1 : "") ";"
            queues = queues (i * j > 1 ? " || " : "") "Queue" name "_0"
        }
    print "(" queues ") <*> Match0"
}
