# Redundant units with common-cause failures:  awk -f shocks.awk GROUPS UNITS
#
# A plant has GROUPS safety systems (pumps, valves, generators, ...) of UNITS redundant units each.
# Units fail one by one, or all of one system together by a common cause, or all of the plant by a
# flood.  Three repairers take the failed units of all systems in random order.
# Source: A. W. Marshall, I. Olkin, "A multivariate exponential distribution", Journal of the
# American Statistical Association 62 (1967); K. N. Fleming (1975) for the share of common causes.
# States: (UNITS + 1)^GROUPS: 20736 for 4 11, 1000000 for 6 9.
# Hard: repair takes hours and failures are months apart, so nearly all states are rare; a shock
# leads from everywhere to one far state.  What is down already stays so (self-loops, meant so).
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f shocks.awk GROUPS UNITS" > "/dev/stderr"
        exit 2
    }
    groups = ARGV[1] + 0
    units = ARGV[2] + 0
    print "shock = 1e-6; flood = 1e-7; repair = 0.1;  // per hour"
    for (i = 1; i <= groups; i++) {
        print "fail" i " = " i "e-4;"
        print "Unit" i " = (fail" i ", fail" i ").Failed" i " + (shock" i ", T).Failed" i \
            " + (flood, T).Failed" i ";"
        print "Failed" i " = (repair, repair).Unit" i " + (shock" i ", T).Failed" i \
            " + (flood, T).Failed" i ";"
        causes = causes " + (shock" i ", shock).Cause"
        names = names ", shock" i
        plant = plant (i > 1 ? " <flood> " : "") "Unit" i "[" units "]{shock" i ", flood}"
    }
    print "Cause = (flood, flood).Cause" causes ";"
    print "Repairer = (repair, repair).Repairer;"
    print "(" plant ") <flood, repair" names "> (Cause || Repairer[3])"
}
