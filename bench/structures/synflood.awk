# A server whose table of half-open connections is flooded:
#   awk -f synflood.awk TABLE ACCEPTED
#
# An opening request takes one of TABLE entries until the client confirms; it then waits, one of
# ACCEPTED at most, for one of four workers.  Forged requests never confirm: they are answered
# twice and time out.  Attacks come after a probe.  When the table is nearly full the server answers
# with cookies, which need no entry, until the attack is over.
# Source: C. L. Schuba et al., "Analysis of a denial of service attack on TCP", IEEE Symposium on
# Security and Privacy 1997; J. Lemon, "Resisting SYN flood DoS attacks with a SYN cache", BSDCon
# 2002; RFC 4987 (2007).
# States: 6 (ACCEPTED + 1) C(TABLE + 3, 3): 40800 for 14 9, 526500 for 24 29.
# Easy: far from overload or far above it, nothing in between; attacks are hours apart, requests
# milliseconds.
BEGIN {
    if (ARGC != 3 || ARGV[1] < 4) {
        print "usage: awk -f synflood.awk TABLE (from 4) ACCEPTED" > "/dev/stderr"
        exit 2
    }
    table = ARGV[1] + 0
    accepted = ARGV[2] + 0
    print "// Per second."
    print "open = 30; confirm = 12; lost = 0.2; again = 0.33; drop = 0.17; serve = 11; workers = 4;"
    print "probe = 1e-4; attack = 0.02; give_up = 1e-3; scout = 0.5; flood = 500; cookies = 2;"
    print "relax = 0.05;"
    print "Empty = (syn, T).Half + (forged, T).Forged;"
    print "Half = (ack, confirm).Empty + (lost, lost).Empty;"
    print "Forged = (again, again).Asked;"
    print "Asked = (drop, drop).Empty;"
    print "Clients = (syn, open * Plain).Clients + (cookie, open * Cookies).Clients;"
    print "Quiet = (probe, probe).Probe;"
    print "Probe = (forged, scout * Plain).Probe + (attack, attack).Flood + (leave, attack).Quiet;"
    print "Flood = (forged, flood * Plain).Flood + (give_up, give_up).Quiet;"
    print "Plain = (defend, cookies * max(0, Half + Forged + Asked - " int(0.8 * table) \
        ")).Cookies;"
    print "Cookies = (relax, relax * (1 - Flood)).Plain;"
    for (k = 0; k <= accepted; k++)
        print "Accept" k " = " (k < accepted ? "(ack, T).Accept" k + 1 " + (cookie, T).Accept" \
            k + 1 : "") (k > 0 && k < accepted ? " + " : "") \
            (k > 0 ? "(serve, serve * min(workers, " k ")).Accept" k - 1 : "") ";"
    print "((Empty[" table "] <syn, forged> (Clients || Quiet)) <ack, cookie> Accept0) || Plain"
}
