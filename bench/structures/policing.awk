# Bursty sources policed by a token bucket, before a link:  awk -f policing.awk SOURCES TOKENS LINK
#
# SOURCES sources are on or off and send packets while on.  A packet takes a token or waits, at most
# TOKENS packets, for one; the bucket holds TOKENS tokens.  Tokens come at nearly constant intervals
# (Erlang-8).  Packets go on to a link with room for LINK.
# Source: J. S. Turner, "New directions in communications (or which way to the information age?)",
# IEEE Communications Magazine 24 (1986); M. Sidi, W.-Z. Liu, I. Cidon, I. Gopal, "Congestion
# control through input rate regulation", IEEE Transactions on Communications 41 (1993).
# States: 8 (SOURCES + 1) (2 TOKENS + 1) (LINK + 1): 38808 for 10 10 20, 544320 for 20 40 39.
# Hard: the clock of the tokens is a ring that always turns; sources change a hundred times more
# slowly, and the bucket is used to 0.97.
BEGIN {
    if (ARGC != 4) {
        print "usage: awk -f policing.awk SOURCES TOKENS LINK" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    tokens = ARGV[2] + 0
    link = ARGV[3] + 0
    print "send = 1; on = 0.005; off = 0.015; tick = 8 * 0.25 / 0.97 * " n "; drain = tick / 7;"
    print "Off = (on, on).On;\nOn = (pass, send).On + (wait, send).On + (off, off).Off;"
    for (s = 1; s < 8; s++)
        print "Clock" s " = (tick, tick).Clock" s + 1 ";"
    print "Clock8 = (token, tick).Clock1 + (release, tick).Clock1;"
    # Level k of the bucket: -k packets wait, or k tokens are there.
    for (k = -tokens; k <= tokens; k++)
        print bucket(k) " = (" (k < 0 ? "release" : "token") ", T)." \
            bucket(k < tokens ? k + 1 : k) (k > 0 ? " + (pass, T)." bucket(k - 1) : \
            k > -tokens ? " + (wait, T)." bucket(k - 1) : "") ";"
    for (k = 0; k <= link; k++)
        print "Link" k " = (pass, T).Link" (k < link ? k + 1 : k) " + (release, T).Link" \
            (k < link ? k + 1 : k) (k > 0 ? " + (drain, drain).Link" k - 1 : "") ";"
    print "(Off[" n "] <pass, wait> Has" tokens ") <token, release, pass> (Clock1 <release> Link0)"
}

function bucket(k)
{
    return k < 0 ? "Wait" (-k) : "Has" k
}
