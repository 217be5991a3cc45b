# A trust of loans that ends with some of its notes lost:  awk -f loans.awk LOANS NOTES
#
# A trust holds LOANS loans to ship owners and as many to hotels.  A loan is sound, on watch, or
# ended, by payment or by default.  In its first years (four stages) the trust lends again what
# comes back, unless half of the NOTES lowest notes are lost already; then it runs off.  A default
# costs one note until all NOTES are lost.  The economy is in boom, slump or crisis; loans on watch
# make a crisis likelier.
# Source: R. A. Jarrow, D. Lando, S. M. Turnbull, "A Markov model for the term structure of credit
# risk spreads", Review of Financial Studies 10 (1997); M. Davis, V. Lo, "Infectious defaults",
# Quantitative Finance 1 (2001).
# States: at most 15 C(LOANS + 2, 2)^2 (NOTES + 1): 44730 for 5 7, 491280 for 10 7.
# Hard: NOTES + 1 bottoms of three states each, from one beginning; rates in three decades.
BEGIN {
    if (ARGC != 3) {
        print "usage: awk -f loans.awk LOANS NOTES" > "/dev/stderr"
        exit 2
    }
    n = ARGV[1] + 0
    notes = ARGV[2] + 0
    print "// Per year."
    print "stage = 1; lend = 6; slump = 0.15; boom = 0.5; crisis = 0.02; end = 0.7;"
    loan("Ship", 0.08, 0.35)
    loan("Hotel", 0.05, 0.6)
    for (k = 0; k <= notes; k++)
        print "Lost" k " = (default, T).Lost" (k < notes ? k + 1 : k) \
            (2 * k < notes ? " + (lend, T).Lost" k : "") ";"
    for (s = 1; s <= 4; s++)
        print "Lend" s " = (lend, lend).Lend" s " + (stage, stage)." (s < 4 ? "Lend" s + 1 : \
            "Stop") ";"
    print "Boom = (slump, slump).Slump;"
    print "Slump = (boom, boom).Boom + (crisis, crisis * (1 + ShipWatch + HotelWatch)).Crisis;"
    print "Crisis = (end, end).Slump;"
    print "(((ShipSound[" n "] || HotelSound[" n "]) <lend> Lend1) <lend, default> Lost0) || Boom"
}

function loan(name, doubt, fail)
{
    print name "Sound = (pay, 0.25)." name "Ended + (doubt, " doubt \
        " * (1 + 3 * Slump + 12 * Crisis))." \
        name "Watch;"
    print name "Watch = (cure, 0.6 * (1 - 0.7 * Crisis))." name "Sound + (default, " fail \
        " * (1 + 2 * Crisis))." name "Ended;"
    print name "Ended = (lend, T)." name "Sound;"
}
