# A transfer line of unreliable machines:  awk -f transfer.awk MACHINES ROOM
#
# Parts pass MACHINES machines in a row, with a buffer of ROOM places between each two.  The first
# machine never lacks parts, the last one never lacks room.  A machine works while the buffer
# before it has a part and the one after it has room.  An operation breaks the machine with a small
# probability, so an idle machine does not fail.
# Source: S. B. Gershwin, I. C. Schick, "Modeling and analysis of three-stage transfer lines with
# unreliable machines and finite buffers", Operations Research 31 (1983); J. A. Buzacott (1967).
# States: 2^MACHINES (ROOM + 1)^(MACHINES - 1): 21296 for 4 10, 320000 for 5 9.
# Hard: long repairs fill and drain the buffers, a hundred operations each; every machine cooperates
# with two buffers.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f transfer.awk MACHINES ROOM" > "/dev/stderr"
        exit 2
    }
    machines = ARGV[1] + 0
    room = ARGV[2] + 0
    print "break = 0.01;  // share of the operations"
    for (i = 1; i <= machines; i++) {
        print "work" i " = " 1 + 0.05 * (i * 2 % 5) "; repair" i " = " 0.08 + 0.02 * (i % 3) ";"
        print "Machine" i " = (move" i ", (1 - break) * work" i ").Machine" i \
            " + (move" i ", break * work" i ").Broken" i ";"
        print "Broken" i " = (repair" i ", repair" i ").Machine" i ";"
    }
    line = "Machine1"
    for (i = 1; i < machines; i++) {
        for (k = 0; k <= room; k++)
            print buffer(i, k) " = " (k < room ? "(move" i ", T)." buffer(i, k + 1) : "") \
                (k > 0 && k < room ? " + " : "") \
                (k > 0 ? "(move" i + 1 ", T)." buffer(i, k - 1) : "") ";"
        line = "(" line " <move" i "> " buffer(i, 0) ") <move" i + 1 "> Machine" i + 1
    }
    print line
}

function buffer(i, k)
{
    return "Buffer" i "_" k
}
