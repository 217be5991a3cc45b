# Trunk groups whose overflow shares one final group:  awk -f overflow.awk GROUPS TRUNKS FINAL
#
# Each of GROUPS exchanges has a group of TRUNKS trunks of its own to the toll office.  A call that
# finds them all busy overflows to the final group of FINAL trunks, which all exchanges share; if
# that is busy too the call is lost.
# Source: R. I. Wilkinson, "Theories for toll traffic engineering in the U.S.A.", Bell System
# Technical Journal 35 (1956); A. Kuczura, "The interrupted Poisson process as an overflow process",
# Bell System Technical Journal 52 (1973).
# States: (TRUNKS + 1)^GROUPS (FINAL + 1): 22464 for 3 11 12, 485537 for 4 12 16.
# Easy: the groups do not see the final group, calls last about as long everywhere, and no rates are
# far apart.  A full final group turns calls away as it is (self-loops, meant so).
BEGIN {
    if (ARGC != 4 || ARGV[1] < 1 || ARGV[2] < 1 || ARGV[3] < 1) {
        print "usage: awk -f overflow.awk GROUPS TRUNKS FINAL" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    trunks = ARGV[2] + 0
    last = ARGV[3] + 0
    print "// Per mean holding time of a call."
    for (i = 1; i <= n; i++) {
        print "call" i " = " trunks * (0.65 + 0.12 * i) "; end" i " = " 0.9 + 0.1 * i ";"
        for (k = 0; k <= trunks; k++)
            print "Group" i "_" k " = " \
                (k < trunks ? "(call" i ", call" i ").Group" i "_" k + 1 \
                : "(over" i ", call" i ").Group" i "_" k) \
                (k > 0 ? " + (end" i ", " k " * end" i ").Group" i "_" k - 1 : "") ";"
        groups = groups (i > 1 ? " || " : "") "Group" i "_0"
        actions = actions (i > 1 ? ", " : "") "over" i
    }
    for (k = 0; k <= last; k++) {
        text = k > 0 ? " + (endFinal, " k ").Final" k - 1 : ""
        for (i = 1; i <= n; i++)
            text = text " + (over" i ", T).Final" (k < last ? k + 1 : k)
        print "Final" k " = " substr(text, 4) ";"
    }
    print "(" groups ") <" actions "> Final0"
}
