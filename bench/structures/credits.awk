# Cells sent from switch to switch against credits:  awk -f credits.awk HOPS CREDITS
#
# A virtual circuit passes HOPS links.  A switch sends a cell only if it has one of CREDITS credits
# of the link; the credit flies with the cell, waits with it in the buffer of the next switch, and
# when the cell has gone on it flies back.  The source is on or off; the computer at the far end
# stops reading now and then.
# Source: H. T. Kung, T. Blackwell, A. Chapman, "Credit-based flow control for ATM networks: credit
# update protocol, adaptive credit allocation, and statistical multiplexing", SIGCOMM 1994;
# M. Reiser, "A queueing network analysis of computer communication networks with window flow
# control", IEEE Transactions on Communications 27 (1979).
# States: 4 C(CREDITS + 3, 3)^HOPS: 32000 for 3 3, 640000 for 4 3.
# Hard: when the reader stops the line fills up backwards, link by link, and empties again; a
# cell takes microseconds, a stop of the reader a tenth of a second.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 1 || ARGV[2] < 1) {
        print "usage: awk -f credits.awk HOPS CREDITS" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    print "// Per millisecond."
    print "source = 250; on = 0.05; off = 0.03; read = 300; stop = 0.001; resume = 0.01;"
    for (i = 1; i <= n; i++) {
        print "cell" i " = " 350 + 20 * (i * 2 % 3) "; fly" i " = " 1000 / i ";"
        print "Credit" i " = (send" i ", T).Flying" i ";"
        print "Flying" i " = (arrive" i ", fly" i ").Buffered" i ";"
        print "Buffered" i " = (send" i + 1 ", T).Returning" i ";"
        print "Returning" i " = (credit" i ", fly" i ").Credit" i ";"
        circuit = circuit (i > 1 ? " <send" i "> " : "") "Credit" i "[" ARGV[2] "]"
        if (i > 1) {
            print "Line" i " = (send" i ", cell" i ").Line" i ";"
            lines = lines " || Line" i
            actions = actions ", send" i
        }
    }
    print "On = (send1, min(source, cell1)).On + (off, off).Off;\nOff = (on, on).On;"
    print "Reads = (send" n + 1 ", read).Reads + (stop, stop).Stops;"
    print "Stops = (resume, resume).Reads;"
    print "(" circuit ") <send1" actions ", send" n + 1 "> (On" lines " || Reads)"
}
